//! Signs requests to push services (VAPID, RFC 8292) with the key that all servers on a database share.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::json;
use sha2::Sha256;
use web_push_native::p256::PublicKey;
use web_push_native::p256::ecdsa::signature::Signer as _;
use web_push_native::p256::ecdsa::{Signature, SigningKey};

use super::address::Endpoint;
use super::contact::PushContact;

/// Validity period of a signed request to a push service, in seconds. Push services accept at most a day.
const VALIDITY: i64 = 12 * 3_600;

/// Signing key for push services, which all servers on a database share.
#[derive(Clone)]
pub(crate) struct PushKey {
    key: SigningKey,
    /// Public key of the server in Base64, as browsers and push services expect it.
    public: String,
}

impl PushKey {
    /// Derives the signing key for push services from the secret of the database.
    pub(crate) fn of_secret(secret: [u8; 32]) -> Self {
        // Nearly every 32-byte number is a valid P-256 key. For an invalid number, the next value of the counter gives another
        // number.
        let mut keys = (0_u8..=u8::MAX).filter_map(|counter| {
            let mut hash =
                Hmac::<Sha256>::new_from_slice(&secret).expect("a key may have any length");
            hash.update(b"push key");
            hash.update(&[counter]);
            SigningKey::from_slice(&hash.finalize().into_bytes()).ok()
        });
        let key = keys.next().expect("some number of 256 is a key");
        let point = key.verifying_key().to_encoded_point(false);
        let public = BASE64_URL_SAFE_NO_PAD.encode(point.as_bytes());
        Self { key, public }
    }

    /// Returns the server's public key for push services in Base64.
    pub(crate) fn public(&self) -> &str {
        &self.public
    }

    /// Returns the value of the header `Authorization` for a request to a push service. The time of the request is in seconds
    /// since 1970.
    pub(crate) fn authorization(
        &self,
        endpoint: &Endpoint,
        contact: &PushContact,
        now: i64,
    ) -> String {
        let encoded = |value: serde_json::Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
        let head = encoded(json!({ "typ": "JWT", "alg": "ES256" }));
        let claims = encoded(json!({
            "aud": endpoint.origin(),
            "exp": now + VALIDITY,
            "sub": contact.as_str(),
        }));
        let text = format!("{head}.{claims}");
        let signature: Signature = self.key.sign(text.as_bytes());
        let signature = BASE64_URL_SAFE_NO_PAD.encode(signature.to_bytes());
        format!("vapid t={text}.{signature}, k={}", self.public)
    }
}

/// Returns whether bytes are a valid public key of a browser for push messages: an uncompressed point on P-256.
pub(crate) fn is_key(bytes: &[u8]) -> bool {
    bytes.len() == 65 && PublicKey::from_sec1_bytes(bytes).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_secret_gives_the_same_key() {
        let keys: Vec<String> =
            [1, 1, 2].map(|byte| PushKey::of_secret([byte; 32]).public().to_owned()).into();
        assert_eq!(keys[0], keys[1]);
        assert_ne!(keys[0], keys[2]);
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(&keys[0]).expect("Base64");
        assert!(is_key(&bytes));
        assert!(!is_key(&bytes[..64]) && !is_key(&[4; 65]));
    }
}
