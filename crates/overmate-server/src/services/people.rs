//! Adds browsers to a person by codes that work once, lists the browsers, and signs them out.

use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use crate::clock::now;
use crate::error::ApiError;
use crate::names::RefusedWords;
use crate::store::{
    Appended, CODE_TIME, CodeKind, CodeOffer, Holder, KnownBrowser, PersonChange, Store,
};

/// Digits of a code in Crockford's base 32, which has no I, L, O and U.
const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Number of random bytes of a code: 80 bits, which are 16 digits.
const BYTES: usize = 10;

/// Number of digits between two hyphens of a code as it is shown.
const GROUP: usize = 4;

/// Changes which browsers belong to a person.
pub(crate) struct PeopleService {
    store: Arc<dyn Store>,
    words: Arc<RefusedWords>,
}

/// Code that was made, as it is shown to the person once.
pub(crate) struct MadeCode {
    pub(crate) text: String,
    /// Time after which the code is refused, in seconds since 1970; `None` for a recovery code.
    pub(crate) until: Option<i64>,
}

impl PeopleService {
    pub(crate) fn new(store: Arc<dyn Store>, words: Arc<RefusedWords>) -> Self {
        Self { store, words }
    }

    /// Returns the browsers of a person that are not signed out, the first added first. The list is empty for a browser that never shared its matches.
    pub(crate) async fn browsers(&self, person: Holder) -> Result<Vec<KnownBrowser>, ApiError> {
        Ok(self.store.browsers(person).await?)
    }

    /// Returns the time when the person's unused recovery code was made, in seconds since 1970, if there is one.
    pub(crate) async fn recovery_made_at(&self, person: Holder) -> Result<Option<i64>, ApiError> {
        Ok(self.store.recovery_made_at(person).await?)
    }

    /// Makes a code that adds another browser to a person. An earlier unused code of the same kind becomes invalid.
    pub(crate) async fn offer(
        &self,
        person: Holder,
        browser: Holder,
        kind: CodeKind,
        name: Option<&str>,
    ) -> Result<MadeCode, ApiError> {
        let name = self.words.check(name)?;
        let mut random = [0; BYTES];
        getrandom::fill(&mut random).map_err(ApiError::internal)?;
        let digits = digits(random);
        let at = now();
        let until = (kind == CodeKind::Link).then_some(at + CODE_TIME);
        let hash = hash_of(&digits);
        let offer = CodeOffer { hash, kind, person, browser, name, at, until };
        match self.store.change_person(PersonChange::Offer(offer)).await? {
            Appended::Stored => Ok(MadeCode { text: shown(&digits), until }),
            // Another request has changed the person of this browser at the same time.
            Appended::Conflict | Appended::Full(_) => {
                Err(ApiError::busy("the person of a browser has changed"))
            }
        }
    }

    /// Uses up a code, and adds a browser with everything that its person did to the person who made the code. A wrong, used or old code gives one
    /// and the same error.
    pub(crate) async fn add(
        &self,
        code: &str,
        browser: Holder,
        name: Option<&str>,
    ) -> Result<(), ApiError> {
        let name = self.words.check(name)?;
        let hash = hash_of(&read(code).ok_or(ApiError::CodeRefused)?);
        let add = PersonChange::Add { hash, browser, name, at: now() };
        match self.store.change_person(add).await? {
            Appended::Stored => Ok(()),
            Appended::Conflict | Appended::Full(_) => Err(ApiError::CodeRefused),
        }
    }

    /// Signs a browser of a person out. A browser that another browser signs out may have made codes, so the unused codes of the person become invalid
    /// then.
    pub(crate) async fn sign_out(
        &self,
        person: Holder,
        browser: Holder,
        is_own: bool,
    ) -> Result<(), ApiError> {
        let revoke = PersonChange::Revoke { person, browser, keeps_codes: is_own };
        match self.store.change_person(revoke).await? {
            Appended::Stored => Ok(()),
            Appended::Conflict | Appended::Full(_) => Err(ApiError::NotFound("browser")),
        }
    }
}

/// Returns random bytes as digits in base 32.
fn digits(random: [u8; BYTES]) -> String {
    let bits = random.iter().fold(0_u128, |bits, byte| bits << 8 | u128::from(*byte));
    let digit = |place: usize| {
        let index = (bits >> (5 * place)) & 31;
        DIGITS.get(usize::try_from(index).unwrap_or_default()).map_or('0', |&digit| digit.into())
    };
    (0..BYTES * 8 / 5).rev().map(digit).collect()
}

/// Returns the digits of a code with a hyphen between groups.
fn shown(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() + digits.len() / GROUP);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && index % GROUP == 0 {
            text.push('-');
        }
        text.push(digit);
    }
    text
}

/// Returns the digits of a code as a person types it, or `None` for a text that is no code. Spaces, hyphens and case do not matter, and letters that
/// look like digits count as the digits.
fn read(text: &str) -> Option<String> {
    let typed = text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '-' | '–' | '‐'));
    let digits = typed.map(|c| match c.to_ascii_uppercase() {
        'O' => Some('0'),
        'I' | 'L' => Some('1'),
        c => (c.is_ascii() && DIGITS.contains(&(c as u8))).then_some(c),
    });
    let digits: Option<String> = digits.collect();
    digits.filter(|digits| digits.len() == BYTES * 8 / 5)
}

/// Returns the hash under which the store keeps a code. A hash without a salt suffices, because a code has 80 random bits.
fn hash_of(digits: &str) -> [u8; 32] {
    Sha256::digest(digits.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_as_people_type_it() {
        // The bits 00000 00001 … 01111.
        let digits = digits([0x00, 0x44, 0x32, 0x14, 0xc7, 0x42, 0x54, 0xb6, 0x35, 0xcf]);
        assert_eq!(digits, "0123456789ABCDEF");
        assert_eq!(shown(&digits), "0123-4567-89AB-CDEF");
        for typed in [
            "0123-4567-89AB-CDEF",
            "0123456789abcdef",
            " oI23 4567–89ab CDEF\n",
            "OL23-4567-89AB-CDEF",
        ] {
            assert_eq!(read(typed).as_deref(), Some("0123456789ABCDEF"), "{typed}");
        }
        for typed in [
            "",
            "0123",
            "0123-4567-89AB-CDE",
            "0123-4567-89AB-CDEFG",
            "U123-4567-89AB-CDEF",
            "ſ123456789ABCDEF",
        ] {
            assert_eq!(read(typed), None, "{typed}");
        }
    }
}
