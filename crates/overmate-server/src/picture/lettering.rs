//! Draws words as outlines of the typeface Old Standard Bold, so that pictures need no installed fonts.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

/// Glyph outlines, each with its character, advance width and SVG path data. The unit is a
/// thousandth of the font size.
///
/// The outlines come from Old Standard Bold, copyright 2011 The Old Standard Project Authors, under the SIL Open Font License
/// 1.1.
const OUTLINES: &str = include_str!("glyphs.tsv");

/// Advance width of a space, and of a character without an outline, in thousandths of the font size.
const SPACE: u32 = 280;

/// Glyph outline: advance width in thousandths of the font size, and SVG path data.
type GlyphOutline = (u32, &'static str);

static LETTERS: LazyLock<HashMap<char, GlyphOutline>> = LazyLock::new(|| {
    let outline = |line: &'static str| {
        let mut cells = line.split('\t');
        let letter = cells.next()?.chars().next()?;
        Some((letter, (cells.next()?.parse().ok()?, cells.next()?)))
    };
    OUTLINES.lines().filter_map(outline).collect()
});

/// Returns the width of a text, in thousandths of the font size.
fn width(text: &str) -> u32 {
    text.chars().map(|letter| LETTERS.get(&letter).map_or(SPACE, |(advance, _)| *advance)).sum()
}

/// Text in a picture, with its position and size in pixels.
#[derive(Clone, Copy)]
pub(super) struct Lettering<'a> {
    pub(super) text: &'a str,
    /// Horizontal position of the text's left edge, in pixels.
    pub(super) x: f64,
    /// Vertical position of the text baseline, in pixels.
    pub(super) y: f64,
    pub(super) size: f64,
    /// Maximum width of a text in the picture, in pixels. A wider text gets a smaller font size.
    pub(super) room: f64,
    /// Colour of the letters in SVG notation.
    pub(super) ink: &'a str,
}

impl Lettering<'_> {
    /// Appends the text, as glyph outlines, to an SVG drawing. Characters without an outline become spaces.
    pub(super) fn draw(self, svg: &mut String) {
        let natural = f64::from(width(self.text).max(1)) / 1_000.0;
        let scale = self.size.min(self.room / natural) / 1_000.0;
        let Self { x, y, ink, .. } = self;
        let _ = write!(
            svg,
            r#"<g transform="translate({x:.1} {y:.1}) scale({scale:.4})" fill="{ink}">"#
        );
        let mut at = 0;
        for letter in self.text.chars() {
            let (advance, path) = LETTERS.get(&letter).copied().unwrap_or((SPACE, ""));
            if !path.is_empty() {
                let _ = write!(svg, r#"<path transform="translate({at} 0)" d="{path}"/>"#);
            }
            at += advance;
        }
        svg.push_str("</g>");
    }
}

#[cfg(test)]
mod tests {
    use overmate_rules::{BASES, VARIATIONS};

    use super::*;

    #[test]
    fn every_letter_of_a_title_and_of_a_card_has_an_outline() {
        let titles = BASES.iter().map(|base| base.english.title);
        let titles = titles.chain(VARIATIONS.iter().map(|variation| variation.english.title));
        let mut letters = 0;
        for letter in titles.chain(["AKQJTRBN1097", "Overmate, 0123456789"]).flat_map(str::chars) {
            if letter != ' ' {
                let (advance, path) = LETTERS.get(&letter).copied().unwrap_or_default();
                assert!(advance > 100 && path.starts_with('M'), "{letter}");
                letters += 1;
            }
        }
        assert!(letters > 80, "{letters} letters");
    }
}
