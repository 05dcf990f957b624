//! Creates random bytes, tokens, ids and seeds with the random number generator of the operating system.

use crate::error::ApiError;

/// Returns random bytes.
pub(crate) fn random_bytes<const N: usize>() -> Result<[u8; N], getrandom::Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

/// Returns a random token of 256 bits in hexadecimal digits.
pub(crate) fn random_token() -> Result<String, ApiError> {
    random_bytes::<32>().map(|bytes| hexadecimal(&bytes)).map_err(ApiError::internal)
}

/// Returns a random id of 128 bits in hexadecimal digits, for URL paths.
pub(crate) fn random_id() -> Result<String, ApiError> {
    random_bytes::<16>().map(|bytes| hexadecimal(&bytes)).map_err(ApiError::internal)
}

/// Returns a random 64-bit seed for a pseudorandom generator.
pub(crate) fn random_seed() -> Result<u64, ApiError> {
    getrandom::u64().map_err(ApiError::internal)
}

/// Formats bytes as lower-case hexadecimal digits.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |number: u8| char::from_digit(number.into(), 16).unwrap_or_default();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
