//! Plain texts as lines of the screen.

use ratatui::text::Line;

/// A text line by line.
pub(super) fn plain(text: &str) -> Vec<Line<'static>> {
    text.lines().map(|line| Line::from(line.to_owned())).collect()
}

/// What is written elsewhere for people who read lines.
pub(super) fn written(
    write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>,
) -> Vec<Line<'static>> {
    let mut bytes = Vec::new();
    // Nothing that is written to memory fails.
    let _ = write(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    plain(&anstream::adapter::strip_str(&text).to_string())
}
