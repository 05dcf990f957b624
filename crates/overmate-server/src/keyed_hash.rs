//! Begins keyed hashes.

use hmac::{Hmac, KeyInit as _};
use sha2::Sha256;

/// Begins a keyed hash: HMAC-SHA-256.
pub(crate) fn keyed_hash(key: &[u8; 32]) -> Hmac<Sha256> {
    Hmac::new_from_slice(key).expect("HMAC takes keys of every length")
}
