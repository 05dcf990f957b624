//! Converts text to unstyled lines that the screen can draw.

use ratatui::text::Line;

/// Returns a text as lines without styles for the screen.
pub(super) fn plain(text: &str) -> Vec<Line<'static>> {
    text.lines().map(|line| Line::from(line.to_owned())).collect()
}

/// Returns the text that a function writes, as lines without styles for the screen.
pub(super) fn written(
    write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>,
) -> Vec<Line<'static>> {
    let mut bytes = Vec::new();
    // The result of the write is ignored, because writing to memory cannot fail.
    let _ = write(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    plain(&anstream::adapter::strip_str(&text).to_string())
}
