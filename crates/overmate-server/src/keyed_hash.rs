//! Creates keyed hashes (HMAC-SHA-256).

use hmac::{Hmac, KeyInit as _};
use sha2::Sha256;

/// Returns an empty keyed hash (HMAC-SHA-256), to which the caller adds data.
pub(crate) fn keyed_hash(key: &[u8; 32]) -> Hmac<Sha256> {
    Hmac::new_from_slice(key).expect("HMAC takes keys of every length")
}
