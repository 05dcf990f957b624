//! The few styles of the output. Nothing is said by a style alone.

use anstyle::{AnsiColor, Style};

/// Titles and heads of tables.
pub const HEADING: Style = Style::new().bold();
/// The word that begins an error.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();
