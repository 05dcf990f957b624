//! Replaces the module `relying_party` in a build without passkeys: no request has a relying party.

use serde_json::Value;
use uuid::Uuid;

use crate::error::ApiError;
use crate::http::public_url::PublicUrl;

/// Uninhabited type (without values) that replaces the WebAuthn relying party in a build without passkeys.
#[derive(Clone, Debug)]
pub(crate) enum RelyingParty {}

/// Started passkey registration or sign-in: the challenge for the authenticator, and the state for the verification of the
/// authenticator's answer.
pub(crate) struct Started {
    pub(crate) options: Value,
    pub(crate) state: Value,
}

/// Uninhabited type (without values) that replaces the authenticator's answer to a challenge in a build without passkeys.
pub(crate) enum NewCredential {}

pub(crate) use NewCredential as SignInCredential;

impl NewCredential {
    pub(crate) fn parse(_credential: Value) -> Result<Self, ApiError> {
        Err(ApiError::PasskeysOff)
    }
}

impl RelyingParty {
    pub(crate) fn of(_public: Option<&PublicUrl>, _own_origin: Option<&str>) -> Option<Self> {
        None
    }

    pub(crate) fn id(&self) -> &str {
        match *self {}
    }

    pub(crate) fn start_registration(
        &self,
        _user: Uuid,
        _name: &str,
        _known: Vec<Vec<u8>>,
    ) -> Result<Started, ApiError> {
        match *self {}
    }

    pub(crate) fn finish_registration(
        &self,
        _credential: &NewCredential,
        _state: Value,
    ) -> Result<(Vec<u8>, String), ApiError> {
        match *self {}
    }

    pub(crate) fn start_sign_in(&self) -> Result<Started, ApiError> {
        match *self {}
    }

    pub(crate) fn claim(
        &self,
        _credential: &SignInCredential,
    ) -> Result<(Uuid, Vec<u8>), ApiError> {
        match *self {}
    }

    pub(crate) fn finish_sign_in(
        &self,
        _credential: &SignInCredential,
        _state: Value,
        _passkey: &str,
    ) -> Result<String, ApiError> {
        match *self {}
    }
}
