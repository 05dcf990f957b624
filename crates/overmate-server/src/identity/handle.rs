//! Parses the handles of accounts, and refuses handles that resemble reserved handles.
//!
//! A handle consists of ASCII characters, so that it is easy to type and fits into URLs unchanged.
//! Handles that look alike have the same skeleton, as in Unicode Technical Standard 39. Two people
//! cannot have handles with the same skeleton.

use hmac::Mac as _;
use unicode_normalization::UnicodeNormalization as _;

use crate::keyed_hash::keyed_hash;
use crate::names::RefusedWords;

/// Minimum number of characters of a handle.
const SHORTEST: usize = 3;

/// Maximum number of characters of a handle.
const LONGEST: usize = 20;

/// Reserved handles, which people could mistake for the server or its operators.
const RESERVED: [&str; 14] = [
    "admin",
    "administrator",
    "anonymous",
    "computer",
    "deleted",
    "everybody",
    "moderator",
    "nobody",
    "operator",
    "overmate",
    "perfect",
    "server",
    "support",
    "system",
];

/// Reason why a handle is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum HandleFault {
    #[error(
        "the handle is not valid: choose {SHORTEST} to {LONGEST} letters (a to z), digits, - and _, at least one of them a letter, and no - or _ at the beginning or end"
    )]
    Form,
    #[error(
        "the handle is reserved, looks like a reserved handle, or contains a word that the operator forbids: choose another handle"
    )]
    Refused,
}

/// Handle of an account, in the spelling of its owner.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Handle(String);

impl Handle {
    /// Parses a handle that a person has typed. Compatibility forms, such as wide letters, become plain letters.
    pub(crate) fn read(text: &str) -> Result<Self, HandleFault> {
        let text: String = text.trim().nfkc().collect();
        let is_sign = |c: char| matches!(c, '-' | '_');
        let is_valid = (SHORTEST..=LONGEST).contains(&text.len())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || is_sign(c))
            && text.contains(|c: char| c.is_ascii_alphabetic())
            && !text.starts_with(is_sign)
            && !text.ends_with(is_sign);
        if is_valid { Ok(Self(text)) } else { Err(HandleFault::Form) }
    }

    /// Refuses a handle that is reserved or contains a word that the operator has banned.
    pub(crate) fn check(&self, words: &RefusedWords) -> Result<(), HandleFault> {
        let own = self.skeleton();
        let is_reserved = RESERVED.iter().any(|reserved| skeleton(reserved) == own);
        // The hyphens and underscores of the handle become spaces, so that the search for banned words sees each part of the handle as a
        // word.
        let spoken = self.0.replace(['-', '_'], " ");
        if is_reserved || words.check(Some(&spoken)).is_err() {
            return Err(HandleFault::Refused);
        }
        Ok(())
    }

    /// Returns the handle in the spelling of its owner.
    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    /// Returns the keyed hash of the handle's skeleton (the normal form for look-alike handles). The store finds the handle by
    /// this hash. After the end of an account, the store keeps only this hash.
    pub(crate) fn tag(&self, key: &[u8; 32]) -> [u8; 32] {
        let hash = keyed_hash(key);
        hash.chain_update("handle ").chain_update(self.skeleton()).finalize().into_bytes().into()
    }

    /// Returns the skeleton of the handle, a normal form that is equal for handles that look alike.
    fn skeleton(&self) -> String {
        skeleton(&self.0)
    }
}

/// Returns the skeleton (normal form) of a handle: in lower case, without `-` and `_`, and with one spelling for look-alike characters.
fn skeleton(handle: &str) -> String {
    let mut skeleton = String::with_capacity(2 * handle.len());
    for character in handle.chars() {
        match character.to_ascii_lowercase() {
            '0' => skeleton.push('o'),
            '1' | 'i' => skeleton.push('l'),
            'm' => skeleton.push_str("rn"),
            'w' => skeleton.push_str("vv"),
            'd' => skeleton.push_str("cl"),
            '-' | '_' => {}
            other => skeleton.push(other),
        }
    }
    skeleton
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Option<String> {
        Handle::read(text).ok().map(|handle| handle.0)
    }

    #[test]
    fn a_handle_has_3_to_20_letters_digits_and_signs() {
        for (typed, expected) in [
            ("anna", "anna"),
            (" Anna ", "Anna"),
            ("\u{ff21}\u{ff4e}\u{ff4e}a", "Anna"),
            ("a-b_c", "a-b_c"),
            ("4you", "4you"),
            ("a1234567890123456789", "a1234567890123456789"),
        ] {
            assert_eq!(read(typed).as_deref(), Some(expected), "{typed}");
        }
        for typed in [
            "",
            "ab",
            "a12345678901234567890",
            "123",
            "-anna",
            "anna_",
            "an na",
            "änna",
            "\u{430}nna",
            "an\u{200b}na",
            "../..",
        ] {
            assert_eq!(read(typed), None, "{typed}");
        }
    }

    #[test]
    fn handles_that_look_alike_have_one_tag() {
        let tag = |text: &str| Handle::read(text).expect("a handle").tag(&[7; 32]);
        for (one, other) in [
            ("anna", "ANNA"),
            ("Iris", "lr1s"),
            ("otto", "0TT0"),
            ("rnax", "max"),
            ("vvilli", "Willi"),
            ("clora", "dora"),
            ("anna-b", "anna_b"),
            ("annab", "anna-b"),
        ] {
            assert_eq!(tag(one), tag(other), "{one} {other}");
        }
        for (one, other) in [("anna", "anne"), ("otto", "ott"), ("max", "nax")] {
            assert_ne!(tag(one), tag(other), "{one} {other}");
        }
        let handle = Handle::read("anna").expect("a handle");
        assert_ne!(handle.tag(&[7; 32]), handle.tag(&[8; 32]));
    }

    #[test]
    fn reserved_handles_and_refused_words_are_refused() {
        let words = RefusedWords::from_lines(["badger", "*mush*"]);
        for text in
            ["Admin", "adm1n", "over-mate", "OVERMATE", "the_badger", "my-mushroom", "m-u-s-h"]
        {
            let handle = Handle::read(text).expect("a handle");
            assert_eq!(handle.check(&words), Err(HandleFault::Refused), "{text}");
        }
        for text in ["badgers", "admiral"] {
            let handle = Handle::read(text).expect("a handle");
            assert_eq!(handle.check(&words), Ok(()), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_handle_that_is_read_is_ascii_and_reads_as_itself(text in any::<String>()) {
            let Some(handle) = read(&text) else { return Ok(()) };
            prop_assert!(handle.is_ascii());
            prop_assert_eq!(read(&handle), Some(handle));
        }
    }
}
