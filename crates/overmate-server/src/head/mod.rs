//! Fills the `head` element of the HTML page on the server, because link-preview crawlers run no scripts.

mod html;
mod language;
mod named;
mod texts;

pub(crate) use html::{Preview, filled};
pub(crate) use language::Language;
pub(crate) use named::{about_event, about_lesson, about_player, about_puzzle};
pub(crate) use texts::{about_deal, about_invitation, about_page, about_watched};
