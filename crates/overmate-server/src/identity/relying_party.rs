//! Registers and verifies passkeys for a WebAuthn relying party: the site to which passkeys are bound.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use url::Url;
use uuid::Uuid;
use webauthn_rs::prelude::{
    CredentialID, DiscoverableAuthentication, DiscoverableKey, Passkey, PasskeyRegistration,
    PublicKeyCredential, RegisterPublicKeyCredential, WebauthnError, WebauthnResult,
};
use webauthn_rs::{Webauthn, WebauthnBuilder};

use crate::error::ApiError;
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

/// Started passkey registration or sign-in: the challenge for the authenticator, and the state for the verification of the authenticator's
/// answer.
pub(crate) struct Started {
    /// Challenge for the authenticator, in the JSON form of Web Authentication.
    pub(crate) options: Value,
    /// State that the server needs to verify the authenticator's answer.
    pub(crate) state: Value,
}

/// Authenticator's answer to a registration challenge, which is not yet verified.
pub(crate) struct NewCredential(RegisterPublicKeyCredential);

/// Authenticator's answer to a sign-in challenge, which is not yet verified.
pub(crate) struct SignInCredential(PublicKeyCredential);

impl NewCredential {
    /// Parses a credential in the JSON form of Web Authentication.
    pub(crate) fn parse(credential: Value) -> Result<Self, ApiError> {
        read(credential).map(Self)
    }
}

impl SignInCredential {
    /// Parses a credential in the JSON form of Web Authentication.
    pub(crate) fn parse(credential: Value) -> Result<Self, ApiError> {
        read(credential).map(Self)
    }
}

impl RelyingParty {
    /// Returns the WebAuthn relying party of a request, or `None` if the server offers no passkeys to the client. The relying party is the
    /// host name of the server's public address. Without a public address, the relying party is `localhost`, but only if the client
    /// reaches the server by this host name.
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

    /// Starts the registration of a passkey. `user` is the random user handle of the account, `name` the name that the authenticator shows,
    /// and `known` the ids of the passkeys that the account already has.
    pub(crate) fn start_registration(
        &self,
        user: Uuid,
        name: &str,
        known: Vec<CredentialID>,
    ) -> Result<Started, ApiError> {
        let started = self.webauthn.start_passkey_registration(user, name, name, Some(known));
        let (options, state) = started.map_err(ApiError::internal)?;
        let mut options = json(options.public_key)?;
        // The authenticator must store the passkey as a discoverable credential, so that the person can sign in without a handle. The
        // options of the library ask authenticators not to do so.
        options["authenticatorSelection"] = json!({
            "residentKey": "required",
            "requireResidentKey": true,
            "userVerification": "required",
        });
        Ok(Started { options, state: json(state)? })
    }

    /// Verifies the authenticator's answer to a registration challenge. Returns the credential id and the JSON form of the new passkey.
    pub(crate) fn finish_registration(
        &self,
        credential: &NewCredential,
        state: Value,
    ) -> Result<(Vec<u8>, String), ApiError> {
        let state: PasskeyRegistration = stored(state)?;
        let finished = self.webauthn.finish_passkey_registration(&credential.0, &state);
        let passkey = finished.map_err(|error| refused(&error))?;
        let text = serde_json::to_string(&passkey).map_err(ApiError::internal)?;
        Ok((passkey.cred_id().clone(), text))
    }

    /// Starts a sign-in in which the authenticator selects the account.
    pub(crate) fn start_sign_in(&self) -> Result<Started, ApiError> {
        let started = self.webauthn.start_discoverable_authentication();
        // The WebAuthn library also returns the setting `mediation`, by which a browser lists passkeys in a form field. The page has a
        // button for the sign-in, so that this setting is left out.
        let (options, state) = started.map_err(ApiError::internal)?;
        Ok(Started { options: json(options.public_key)?, state: json(state)? })
    }

    /// Returns the user handle and the credential id in an authenticator's answer to a sign-in challenge. The answer is not yet verified.
    pub(crate) fn claim(&self, credential: &SignInCredential) -> Result<(Uuid, Vec<u8>), ApiError> {
        let claim = self.webauthn.identify_discoverable_authentication(&credential.0);
        let (user, id) = claim.map_err(|error| refused(&error))?;
        Ok((user, id.to_vec()))
    }

    /// Verifies the authenticator's answer to a sign-in challenge against a stored passkey, given in JSON form. Returns the JSON form of
    /// the passkey after the sign-in, with the updated signature counter.
    pub(crate) fn finish_sign_in(
        &self,
        credential: &SignInCredential,
        state: Value,
        passkey: &str,
    ) -> Result<String, ApiError> {
        let state: DiscoverableAuthentication = stored(state)?;
        let mut known: Passkey = serde_json::from_str(passkey).map_err(ApiError::internal)?;
        let key = DiscoverableKey::from(&known);
        let result = self
            .webauthn
            .finish_discoverable_authentication_v2(&credential.0, state, &key)
            .map_err(|error| refused(&error))?;
        match known.update_credential(&result) {
            Some(true) => serde_json::to_string(&known).map_err(ApiError::internal),
            Some(false) => Ok(passkey.to_owned()),
            None => Err(ApiError::PasskeyRefused),
        }
    }
}

/// Parses a credential in the JSON form of Web Authentication.
fn read<T: for<'de> Deserialize<'de>>(credential: Value) -> Result<T, ApiError> {
    serde_json::from_value(credential).map_err(|error| {
        ApiError::BadRequest(format!(
            "the credential does not have the form of Web Authentication: {error}"
        ))
    })
}

/// Converts a value of the WebAuthn library to JSON.
fn json(value: impl Serialize) -> Result<Value, ApiError> {
    serde_json::to_value(value).map_err(ApiError::internal)
}

/// Parses the stored state of a passkey registration or sign-in.
fn stored<T: for<'de> Deserialize<'de>>(state: Value) -> Result<T, ApiError> {
    serde_json::from_value(state).map_err(ApiError::internal)
}

/// Logs an error in an authenticator's answer to a passkey challenge, and returns the error for the client.
fn refused(error: &WebauthnError) -> ApiError {
    tracing::debug!(%error, "the answer of an authenticator is refused");
    ApiError::PasskeyRefused
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
