//! Draws the pictures for link previews: the board of a deal with a short text.

mod board;
mod lettering;
mod pips;
#[cfg(feature = "png")]
mod png;
#[cfg(not(feature = "png"))]
mod svg;

pub(crate) use board::board_with_words;
#[cfg(feature = "png")]
pub(crate) use png::{MEDIA_TYPE, image_of};
#[cfg(not(feature = "png"))]
pub(crate) use svg::{MEDIA_TYPE, image_of};

/// Width of a preview picture, in pixels. Link previews crop this aspect ratio least.
pub(crate) const WIDTH: u32 = 1_200;

/// Height of a preview picture in pixels.
pub(crate) const HEIGHT: u32 = 630;
