//! Starts keyed hashes.

use hmac::{Hmac, KeyInit as _};
use sha2::Sha256;

/// Returns the start of a keyed hash (HMAC-SHA-256), to which the caller adds data.
pub(crate) fn keyed_hash(key: &[u8; 32]) -> Hmac<Sha256> {
    Hmac::new_from_slice(key).expect("HMAC takes keys of every length")
}
