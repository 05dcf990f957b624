//! Defines the text styles of the terminal output. Every style only repeats the meaning of the words, so that no
//! information is lost without colour.

use anstyle::{AnsiColor, Style};

/// Text style of titles and table heads.
pub const HEADING: Style = Style::new().bold();
/// Style of the word `error` before an error message.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();
