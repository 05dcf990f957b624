//! Creates random tokens, ids and seeds with the operating system's generator.

use crate::error::ApiError;

/// Returns a token with 256 random bits, written as hexadecimal digits.
pub(crate) fn random_token() -> Result<String, ApiError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(ApiError::internal)?;
    Ok(hexadecimal(&bytes))
}

/// Returns an id with 128 random bits for use in URL paths, written as hexadecimal digits.
pub(crate) fn random_id() -> Result<String, ApiError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(ApiError::internal)?;
    Ok(hexadecimal(&bytes))
}

/// Returns 64 random bits as the seed of a generator.
pub(crate) fn random_seed() -> Result<u64, ApiError> {
    getrandom::u64().map_err(ApiError::internal)
}

/// Returns bytes as hexadecimal digits in lower case.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |number: u8| char::from_digit(number.into(), 16).unwrap_or_default();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
