//! Defines the outlines and colours of the suit symbols, as on the web client's cards.

/// Outline of a suit as SVG path data in a square of 24 units, with the colours of the suit.
pub(super) struct Pip {
    /// Letter that stands for the suit in its deck.
    letter: char,
    pub(super) path: &'static str,
    /// Colour of the suit on a light card.
    pub(super) on_light: &'static str,
    /// Colour of the suit on a dark card.
    pub(super) on_dark: &'static str,
}

/// Colour of the rank and of a black suit's symbol on a card with a light background.
pub(super) const DARK_INK: &str = "#1d1914";

/// Colour of the rank and of a black suit's symbol on a card with a dark background.
pub(super) const LIGHT_INK: &str = "#f4eee1";

const PIPS: [Pip; 8] = [
    Pip {
        letter: 'c',
        path: "M12 2.2a4.6 4.6 0 0 1 3.9 7.1 4.7 4.7 0 1 1-2.7 8.3c.2 1.9.9 3.2 2.4 4.2H8.4c1.5-1 2.2-2.3 2.4-4.2a4.7 4.7 0 1 1-2.7-8.3A4.6 4.6 0 0 1 12 2.2z",
        on_light: DARK_INK,
        on_dark: LIGHT_INK,
    },
    Pip {
        letter: 's',
        path: "M12 1.8c1.7 3.8 8.7 7.2 8.7 12a4.3 4.3 0 0 1-7.5 2.9c.2 2.4.9 3.9 2.5 5H8.3c1.6-1.1 2.3-2.6 2.5-5a4.3 4.3 0 0 1-7.5-2.9c0-4.8 7-8.2 8.7-12z",
        on_light: DARK_INK,
        on_dark: LIGHT_INK,
    },
    Pip {
        letter: 'h',
        path: "M12 21.8C9.9 17.6 2.6 13.5 2.6 7.9a4.9 4.9 0 0 1 9.4-2 4.9 4.9 0 0 1 9.4 2c0 5.6-7.3 9.7-9.4 13.9z",
        on_light: "#a5261b",
        on_dark: "#f4a08c",
    },
    Pip {
        letter: 'd',
        path: "M12 1.6c1.9 4 4.3 7.3 7.4 10.4-3.1 3.1-5.5 6.4-7.4 10.4C10.1 18.4 7.7 15.1 4.6 12 7.7 8.9 10.1 5.6 12 1.6z",
        on_light: "#a5261b",
        on_dark: "#f4a08c",
    },
    Pip {
        letter: 'b',
        path: "M12 2.5a9.5 9.5 0 1 1 0 19 9.5 9.5 0 0 1 0-19z",
        on_light: "#1d4597",
        on_dark: "#a9c3fa",
    },
    Pip { letter: 'g', path: "M12 2.6 22.4 20.8H1.6z", on_light: "#1a5c37", on_dark: "#8fd6a8" },
    Pip { letter: 'y', path: "M3.4 3.4h17.2v17.2H3.4z", on_light: "#745200", on_dark: "#ecc860" },
    Pip {
        letter: 'r',
        path: "M12 1.3 22.7 12 12 22.7 1.3 12z",
        on_light: "#a5261b",
        on_dark: "#f4a08c",
    },
];

/// Returns the outline and colours of a suit by its letter, or `None` if no published deck has the suit.
pub(super) fn pip(letter: char) -> Option<&'static Pip> {
    PIPS.iter().find(|pip| pip.letter == letter)
}

#[cfg(test)]
mod tests {
    use overmate_rules::BASES;
    use overmate_rules::RuleSet;

    use super::*;

    #[test]
    fn the_outlines_of_the_suits_are_those_of_the_web_client() {
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../web/src/lib/cards/glyphs.ts");
        let glyphs = std::fs::read_to_string(file).expect("the outlines of the web client");
        for Pip { letter, path, .. } in &PIPS {
            assert!(glyphs.contains(&format!("  {letter}: '{path}'")), "{letter}");
        }
    }

    #[test]
    fn every_suit_of_a_published_deck_has_an_outline() {
        let mut suits = 0;
        for base in BASES {
            let rules = RuleSet::named(base.name).expect("a published rule set");
            for suit in rules.deck().suits() {
                assert!(pip(suit.letter).is_some(), "{}", suit.name);
                suits += 1;
            }
        }
        assert_eq!(suits, 4 * BASES.len());
    }
}
