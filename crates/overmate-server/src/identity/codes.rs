//! Generates, formats and parses the linking codes and recovery codes that link another browser to a person.

use sha2::{Digest as _, Sha256};

use crate::random::random_bytes;

/// Digits of Crockford's base 32, without I, L, O and U.
const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Number of random bytes in a linking or recovery code of 16 digits.
const BYTES: usize = 10;

/// Number of digits in a group of a formatted linking or recovery code.
const GROUP: usize = 4;

/// Returns the digits of a new random linking or recovery code, without hyphens.
pub(crate) fn random() -> Result<String, getrandom::Error> {
    random_bytes().map(digits)
}

/// Encodes random bytes as digits of base 32.
fn digits(random: [u8; BYTES]) -> String {
    let bits = random.iter().fold(0_u128, |bits, byte| bits << 8 | u128::from(*byte));
    let digit = |place: usize| {
        let index = (bits >> (5 * place)) & 31;
        DIGITS.get(usize::try_from(index).unwrap_or_default()).map_or('0', |&digit| digit.into())
    };
    (0..BYTES * 8 / 5).rev().map(digit).collect()
}

/// Formats a linking or recovery code with a hyphen between its groups of digits.
pub(crate) fn shown(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() + digits.len() / GROUP);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && index % GROUP == 0 {
            text.push('-');
        }
        text.push(digit);
    }
    text
}

/// Parses a linking or recovery code that a person has typed. Returns the digits of the code, or `None` if the string is not a
/// code. Spaces, hyphens and case have no meaning. Letters that look like digits count as these digits.
pub(crate) fn read(text: &str) -> Option<String> {
    let typed = text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '-' | '–' | '‐'));
    let digits = typed.map(|c| match c.to_ascii_uppercase() {
        'O' => Some('0'),
        'I' | 'L' => Some('1'),
        c => (c.is_ascii() && DIGITS.contains(&(c as u8))).then_some(c),
    });
    let digits: Option<String> = digits.collect();
    digits.filter(|digits| digits.len() == BYTES * 8 / 5)
}

/// Returns the hash of a linking or recovery code, which the store keeps in place of the code. The
/// hash needs no salt, because a code has 80 random bits.
pub(crate) fn hash_of(digits: &str) -> [u8; 32] {
    Sha256::digest(digits.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_as_people_type_it() {
        // The ten bytes in this test encode the numbers 0 to 15, with five bits for each number. Each number becomes one digit of the
        // linking code.
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
