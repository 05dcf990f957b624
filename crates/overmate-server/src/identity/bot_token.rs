//! Creates and verifies the access tokens with which programs play as bots.
//!
//! Like an identity token, a bot token consists of random bytes and their keyed hash, so that the server refuses an invented
//! token without a read of the store. A prefix identifies a bot token to people and to secret scanners.

use axum::http::{HeaderMap, header};
use hmac::{Hmac, Mac as _};
use sha2::{Digest as _, Sha256};

use crate::error::ApiError;
use crate::keyed_hash::keyed_hash;
use crate::random::{hexadecimal, random_id};

/// Prefix of each bot token.
const PREFIX: &str = "overmate_";

/// Number of hexadecimal digits in each half of a bot token: the random bytes, and their keyed hash.
const HALF: usize = 32;

/// Returns a new bot token, signed with a key of the server.
pub(crate) fn make(key: &[u8; 32]) -> Result<String, ApiError> {
    let random = random_id()?;
    let hash = keyed(key, &random).finalize().into_bytes();
    let tag = hash.get(..HALF / 2).unwrap_or_default();
    Ok(format!("{PREFIX}{random}{}", hexadecimal(tag)))
}

/// Checks that a text is a bot token signed with a given key, and returns the token's hash. Returns `None` for any other text.
pub(crate) fn read(key: &[u8; 32], text: &str) -> Option<[u8; 32]> {
    let (random, tag) = text.strip_prefix(PREFIX)?.split_at_checked(HALF)?;
    let is_lower = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    if tag.len() != HALF || !text.bytes().skip(PREFIX.len()).all(is_lower) {
        return None;
    }
    let byte = |index: usize| u8::from_str_radix(tag.get(2 * index..2 * index + 2)?, 16).ok();
    let tag: Vec<u8> = (0..HALF / 2).map(byte).collect::<Option<_>>()?;
    keyed(key, random).verify_truncated_left(&tag).is_ok().then(|| hash_of(text))
}

/// Returns the SHA-256 hash of a bot token, which the store keeps in place of the token.
pub(crate) fn hash_of(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

fn keyed(key: &[u8; 32], random: &str) -> Hmac<Sha256> {
    keyed_hash(key).chain_update("token of a bot ").chain_update(random)
}

/// Returns the bot token in an `Authorization` header with the scheme `Bearer`, or `None` if the request has no such header.
/// Headers with other schemes, which a proxy may use, are ignored.
pub(crate) fn in_headers(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn only_tokens_of_the_key_are_read() {
        let key = [7; 32];
        let token = make(&key).expect("a token");
        assert_eq!(read(&key, &token), Some(hash_of(&token)));
        assert_eq!(read(&[8; 32], &token), None);
        for (index, digit) in token.char_indices() {
            let other = if digit == '0' { '1' } else { '0' };
            let mut changed = token.clone();
            changed.replace_range(index..=index, &other.to_string());
            assert_eq!(read(&key, &changed), None, "{changed}");
        }
        for text in ["", "overmate_", &token[1..], &token[..token.len() - 1], &token.to_uppercase()]
        {
            assert_eq!(read(&key, text), None, "{text}");
        }
        assert_eq!(read(&key, &format!("{token}0")), None);
    }

    #[test]
    fn a_token_comes_with_the_scheme_bearer_only() {
        for (text, expected) in [
            ("Bearer abc", Some("abc")),
            ("bearer  abc ", Some("abc")),
            ("Basic abc", None),
            ("abc", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::AUTHORIZATION, HeaderValue::from_static(text));
            assert_eq!(in_headers(&headers), expected, "{text}");
        }
        assert_eq!(in_headers(&HeaderMap::new()), None);
    }
}
