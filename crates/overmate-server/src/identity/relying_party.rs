//! Determines the WebAuthn relying party of a request: the site to which passkeys are bound.

use webauthn_rs::prelude::{Url, WebauthnResult};
use webauthn_rs::{Webauthn, WebauthnBuilder};

use crate::http::public_url::PublicUrl;

/// Host name at which browsers permit passkeys without HTTPS.
const LOCALHOST: &str = "localhost";

/// WebAuthn relying party name, which authenticators show to their users.
const NAME: &str = "Overmate";

/// WebAuthn relying party: the site to which passkeys are bound.
#[derive(Clone, Debug)]
pub(crate) struct RelyingParty {
    id: String,
    webauthn: Webauthn,
}

impl RelyingParty {
    /// Returns the relying party of a request: the host of the server's public address, or of the web origin by which the
    /// client reaches the server. Without a public address, only `localhost` is a relying party.
    pub(crate) fn of(public: Option<&PublicUrl>, own_origin: Option<&str>) -> Option<Self> {
        if let Some(public) = public {
            return Self::new(public.host(), public.url()).ok();
        }
        let origin = Url::parse(own_origin?).ok()?;
        let is_local = origin.domain() == Some(LOCALHOST);
        is_local.then(|| Self::new(LOCALHOST, &origin).ok()).flatten()
    }

    fn new(id: &str, origin: &Url) -> WebauthnResult<Self> {
        let webauthn = WebauthnBuilder::new(id, origin)?.rp_name(NAME).build()?;
        Ok(Self { id: id.to_owned(), webauthn })
    }

    /// Returns the id of the WebAuthn relying party: the host name to which passkeys are bound.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Returns the WebAuthn verifier of passkey registrations and sign-ins for the relying party.
    pub(crate) fn ceremonies(&self) -> &Webauthn {
        &self.webauthn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passkeys_are_bound_to_the_public_address_or_to_localhost() {
        let public: PublicUrl = "https://mate.example".parse().expect("an address");
        for (public, origin, expected) in [
            (Some(&public), Some("http://127.0.0.1:2420"), Some("mate.example")),
            (Some(&public), None, Some("mate.example")),
            (None, Some("http://localhost:2420"), Some("localhost")),
            (None, Some("http://127.0.0.1:2420"), None),
            (None, Some("http://cellar:2420"), None),
            (None, Some("http://mate.localhost"), None),
            (None, None, None),
        ] {
            let found = RelyingParty::of(public, origin);
            assert_eq!(found.as_ref().map(RelyingParty::id), expected, "{origin:?}");
        }
    }
}
