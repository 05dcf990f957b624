//! Normalises player names, and refuses names that are too long or forbidden by the operator.

use unicode_normalization::UnicodeNormalization as _;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory as _};
use unicode_segmentation::UnicodeSegmentation as _;

/// Maximum length of a name in user-perceived characters: extended grapheme clusters (Unicode Standard Annex 29).
pub(crate) const LONGEST: usize = 40;

/// Maximum length of a normalised name in code points. Without this limit, a name of a few user-perceived characters could hold hundreds of
/// visible letters, because any number of Hangul letters joins to one character.
const LONGEST_IN_CODE_POINTS: usize = 2 * LONGEST;

/// Maximum number of characters (Unicode scalar values) in a text from one player to another.
const LONGEST_TEXT: usize = 200;

/// Maximum number of combining characters after one base character of a name or text. After composition, Vietnamese, Hebrew,
/// Arabic and Thai need at most two.
const LARGEST_STACK: usize = 2;

/// Reason why a name is refused: the name of a player, browser, passkey or bot token, or the title of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum PlayerNameFault {
    #[error("the name is too long: choose a name of at most {LONGEST} characters")]
    TooLong,
    #[error("the name contains a word that the operator forbids: choose another name")]
    Refused,
}

/// Reason why a text from one player to another is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum TextFault {
    #[error("the text has no visible character: write something")]
    Empty,
    #[error("the text is too long: write at most {LONGEST_TEXT} characters")]
    TooLong,
    #[error(
        "the text contains a word that the operator of this server forbids: choose other words"
    )]
    Refused,
}

/// List of words that player names and players' texts may not contain.
#[derive(Clone, Default, Debug)]
pub(crate) struct RefusedWords {
    /// Forbidden words in lower case and without accents, for comparison with a whole text and with each of its words.
    whole: Vec<String>,
    /// Forbidden words that consist only of letters, digits and blanks. Each word is stored without blanks, in lower case and without
    /// accents. A name is refused if its letters and digits, or those of one of its words, equal a stored word.
    plain: Vec<String>,
    /// Forbidden parts of names and texts, given as letters and digits in lower case and without accents. Signs between the letters do not
    /// hide such a part.
    anywhere: Vec<String>,
}

/// Returns whether a line is valid in the operator's list of forbidden words: a line `word` or `*word*`, an
/// empty line, or a comment. A line with `*` at one end only would forbid nothing useful.
#[must_use]
pub fn is_line_of_refused_words(line: &str) -> bool {
    let line = line.trim();
    let has_both_or_none = line.starts_with('*') == line.ends_with('*');
    line.starts_with('#')
        || has_both_or_none && (line.is_empty() || !line.trim_matches('*').is_empty())
}

impl RefusedWords {
    /// Parses the operator's list of forbidden words. A line `word` forbids a whole word, even if a name has other signs in or around the
    /// word. A line `*word*` forbids a text anywhere in a name. Empty lines and lines that start with `#` are comments.
    pub(crate) fn from_lines<'a>(lines: impl IntoIterator<Item = &'a str>) -> Self {
        let mut words = Self::default();
        let lines = lines.into_iter().map(str::trim).filter(|line| !line.starts_with('#'));
        for line in lines {
            let inner = line.strip_prefix('*').and_then(|line| line.strip_suffix('*'));
            if inner.is_none() && line.chars().all(|c| c.is_alphanumeric() || c.is_whitespace()) {
                words.plain.extend(Some(letters(line)).filter(|text| !text.is_empty()));
            }
            let (list, text) = match inner {
                Some(inner) => (&mut words.anywhere, letters(inner)),
                None => (&mut words.whole, folded(line)),
            };
            if !text.is_empty() {
                list.push(text);
            }
        }
        words
    }

    /// Normalises a name or title, and refuses a name that is too long or contains a forbidden word. Returns `None` if the name has no
    /// visible character.
    pub(crate) fn check(&self, name: Option<&str>) -> Result<Option<String>, PlayerNameFault> {
        let Some(name) = name.and_then(normalised) else { return Ok(None) };
        if name.graphemes(true).count() > LONGEST || name.chars().count() > LONGEST_IN_CODE_POINTS {
            return Err(PlayerNameFault::TooLong);
        }
        if self.refuses(&name) { Err(PlayerNameFault::Refused) } else { Ok(Some(name)) }
    }

    /// Normalises a text from one player to another, and refuses a text that is empty, too long or contains a forbidden word.
    pub(crate) fn check_text(&self, text: &str) -> Result<String, TextFault> {
        let text = normalised(text).ok_or(TextFault::Empty)?;
        if text.chars().count() > LONGEST_TEXT {
            return Err(TextFault::TooLong);
        }
        if self.refuses(&text) { Err(TextFault::Refused) } else { Ok(text) }
    }

    /// Returns whether a normalised text contains a forbidden word.
    fn refuses(&self, text: &str) -> bool {
        let all = letters(text);
        let folded = folded(text);
        self.anywhere.iter().any(|text| all.contains(text))
            || self.whole.contains(&folded)
            || folded.unicode_words().any(|word| self.whole.iter().any(|refused| refused == word))
            || self.plain.contains(&all)
            || folded
                .split_whitespace()
                .chain(folded.unicode_words())
                // A word in the sense of Unicode may contain underscores, which separate words here.
                .flat_map(|word| word.split('_').chain([word]))
                .any(|word| self.plain.contains(&letters(word)))
    }
}

/// Returns a stored player name for display: normalised, and truncated to the length limit. Earlier versions did not normalise names.
/// Returns `None` if the name has no visible character.
pub(crate) fn shown(name: &str) -> Option<String> {
    let name: String = normalised(name)?.chars().take(LONGEST_IN_CODE_POINTS).collect();
    let name: String = name.graphemes(true).take(LONGEST).collect();
    Some(name.trim_end().to_owned())
}

/// Returns whether a stored player name contains a text, ignoring case, accents and compatibility forms.
pub(crate) fn contains(name: &str, text: &str) -> bool {
    folded(name).contains(&folded(text))
}

/// Returns a name or text in Unicode normalisation form C, trimmed and with single spaces. Invisible characters and stacked
/// combining characters are removed. Returns `None` if no character remains.
#[must_use]
pub fn normalised(name: &str) -> Option<String> {
    let mut text = String::with_capacity(name.len());
    let mut stack = 0;
    for character in name.nfc().filter(|character| !is_invisible(*character)) {
        if character.general_category_group() == GeneralCategoryGroup::Mark {
            stack += 1;
            // At the start of a name, a combining character would combine with the text before the name.
            if stack > LARGEST_STACK || text.is_empty() || text.ends_with(' ') {
                continue;
            }
        } else {
            stack = 0;
        }
        if !character.is_whitespace() {
            text.push(character);
        } else if !text.is_empty() && !text.ends_with(' ') {
            text.push(' ');
        }
    }
    let text: String = text.trim_end().nfc().collect();
    (!text.is_empty()).then_some(text)
}

/// Returns whether a character is invisible, such as a control, format, unassigned or filler
/// character.
fn is_invisible(character: char) -> bool {
    match character.general_category() {
        GeneralCategory::Control => !character.is_whitespace(),
        GeneralCategory::Format
        | GeneralCategory::Unassigned
        | GeneralCategory::PrivateUse
        | GeneralCategory::Surrogate => true,
        _ => matches!(
            character,
            '\u{34f}'
                | '\u{115f}'
                | '\u{1160}'
                | '\u{17b4}'
                | '\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{2800}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{ffa0}'
                | '\u{e0100}'..='\u{e01ef}'
        ),
    }
}

/// Folds a text to lower case without accents and compatibility forms.
fn folded(text: &str) -> String {
    let decomposed = text.nfkd();
    let plain = decomposed
        .filter(|character| character.general_category_group() != GeneralCategoryGroup::Mark);
    plain.flat_map(char::to_lowercase).collect()
}

/// Returns the letters and digits of a text, folded to lower case without accents.
fn letters(text: &str) -> String {
    folded(text).chars().filter(|character| character.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn accepted(name: &str) -> Option<String> {
        RefusedWords::default().check(Some(name)).expect("an accepted name")
    }

    #[test]
    fn a_name_is_composed_trimmed_and_freed_of_invisible_characters() {
        for (name, expected) in [
            ("  Ann  Lee\t", "Ann Lee"),
            ("Jose\u{301}", "Jos\u{e9}"),
            ("A\u{200b}n\u{200d}n\u{feff}", "Ann"),
            ("\u{202e}Ann\u{2066}\u{7}", "Ann"),
            ("A\u{2028}B", "A B"),
            ("Z\u{335}\u{336}\u{337}\u{338}o", "Z\u{335}\u{336}o"),
            ("\u{301}Ann", "Ann"),
            ("\u{5d0}\u{5d1}", "\u{5d0}\u{5d1}"),
            ("Nguye\u{302}\u{303}n", "Nguy\u{1ec5}n"),
        ] {
            assert_eq!(accepted(name).as_deref(), Some(expected), "{name:?}");
        }
        for name in ["", "   ", "\u{200b}", "\u{3164}\u{2800}", "\u{301}"] {
            assert_eq!(accepted(name), None, "{name:?}");
        }
    }

    #[test]
    fn the_length_of_a_name_counts_user_perceived_characters() {
        let words = RefusedWords::default();
        let decomposed = "e\u{323}\u{301}".repeat(LONGEST);
        assert!(decomposed.chars().count() > 2 * LONGEST);
        assert!(words.check(Some(&decomposed)).is_ok());
        let long = "e\u{323}\u{301}".repeat(LONGEST + 1);
        assert_eq!(words.check(Some(&long)), Err(PlayerNameFault::TooLong));
        assert_eq!(shown(&long), accepted(&decomposed), "a stored name is cut");
    }

    #[test]
    fn a_name_of_one_user_perceived_character_has_a_limited_number_of_letters() {
        let words = RefusedWords::default();
        let letters = |count| "\u{1100}".repeat(count);
        let longest = letters(LONGEST_IN_CODE_POINTS);
        assert_eq!(longest.graphemes(true).count(), 1);
        assert_eq!(accepted(&longest), Some(longest.clone()));
        let long = letters(LONGEST_IN_CODE_POINTS + 1);
        assert_eq!(words.check(Some(&long)), Err(PlayerNameFault::TooLong));
        assert_eq!(shown(&long), Some(longest), "a stored name is cut");
    }

    #[test]
    fn refused_words_are_found_in_other_cases_accents_and_forms() {
        let words = RefusedWords::from_lines(["# a comment", "", "Badger", " *mush room* "]);
        for name in ["badger", "B\u{e4}dger", "\u{24d1}adger", "the BADGER!", "xM.u-S h_ROOMx"] {
            assert_eq!(words.check(Some(name)), Err(PlayerNameFault::Refused), "{name}");
        }
        for name in ["Badgers", "rooms", "Mush", "comment"] {
            assert!(words.check(Some(name)).is_ok(), "{name}");
        }
    }

    #[test]
    fn signs_do_not_hide_a_refused_word_and_longer_words_are_accepted() {
        let words = RefusedWords::from_lines(["bad", "very odd", "a$$"]);
        for name in [
            "bad_",
            "_BAD_",
            "b.a.d",
            "b-a-d!",
            "b_a_d",
            "so b.a.d x",
            "not_bad",
            "Very_Odd",
            "a$$",
        ] {
            assert_eq!(words.check(Some(name)), Err(PlayerNameFault::Refused), "{name}");
        }
        for name in ["badge_", "b.a.d.g.e", "sinbad", "so odd", "a", "bad1", "can't"] {
            assert!(words.check(Some(name)).is_ok(), "{name}");
        }
    }

    #[test]
    fn a_text_is_normalised_bounded_and_free_of_refused_words() {
        let words = RefusedWords::from_lines(["Badger"]);
        let sent = words.check_text(" Jose\u{301},\n\u{200b}well \u{202e}played\u{7} ");
        assert_eq!(sent.as_deref(), Ok("Jos\u{e9}, well played"));
        let longest = "\u{e9}".repeat(LONGEST_TEXT);
        assert_eq!(words.check_text(&"e\u{301}".repeat(LONGEST_TEXT)), Ok(longest.clone()));
        assert_eq!(words.check_text(&(longest + "e")), Err(TextFault::TooLong));
        assert_eq!(words.check_text(" \u{200b}\n"), Err(TextFault::Empty));
        assert_eq!(words.check_text("you B\u{e4}dger!"), Err(TextFault::Refused));
    }

    proptest! {
        #[test]
        fn normalisation_is_idempotent_and_leaves_no_invisible_character(name in any::<String>()) {
            let Some(once) = normalised(&name) else { return Ok(()) };
            prop_assert_eq!(normalised(&once), Some(once.clone()));
            prop_assert!(!once.chars().any(is_invisible));
            prop_assert_eq!(once.trim(), &once);
        }
    }
}
