//! Fills the `head` element of the HTML page. Programs that preview links run no scripts.

mod html;
mod language;
mod texts;

pub(crate) use html::{Preview, filled};
pub(crate) use language::Language;
pub(crate) use texts::{about_deal, about_invitation, about_page, about_watched};
