//! Random tokens, ids and seeds from the system's generator.

use crate::error::ApiError;

/// Returns a token of 256 random bits as hexadecimal digits.
pub(crate) fn random_token() -> Result<String, ApiError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(ApiError::internal)?;
    Ok(hexadecimal(&bytes))
}

/// Returns an id of 128 random bits as hexadecimal digits, for use in paths.
pub(crate) fn random_id() -> Result<String, ApiError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(ApiError::internal)?;
    Ok(hexadecimal(&bytes))
}

/// Returns 64 random bits.
pub(crate) fn random_seed() -> Result<u64, ApiError> {
    getrandom::u64().map_err(ApiError::internal)
}

fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |number: u8| char::from_digit(number.into(), 16).unwrap_or_default();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
