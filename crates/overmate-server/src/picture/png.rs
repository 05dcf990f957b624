//! Converts an SVG drawing to a PNG image.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use super::{HEIGHT, WIDTH};

/// Media type of the converted image.
pub(crate) const MEDIA_TYPE: &str = "image/png";

/// Renders the SVG drawing of a preview picture as a PNG image. If the drawing is faulty, the error describes the reason.
pub(crate) fn image_of(svg: &str) -> Result<Vec<u8>, String> {
    let tree = Tree::from_str(svg, &Options::default()).map_err(|error| error.to_string())?;
    let mut pixels = Pixmap::new(WIDTH, HEIGHT).ok_or("the picture has no pixels")?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| error.to_string())
}
