//! Defines the JSON types of passkeys.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// Request for a challenge to register a passkey.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BeginPasskey {
    /// Handle of the account to create with the passkey; null to add a passkey to the existing account of this browser.
    #[serde(default)]
    #[schema(max_length = 64)]
    pub handle: Option<String>,
}

/// Passkey challenge that an authenticator signs. A challenge is valid for five minutes, and for one answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct PasskeyOptions {
    /// Id of the passkey challenge. The client sends this id back together with the authenticator's answer.
    pub challenge: String,
    /// Options for `navigator.credentials.create` or `navigator.credentials.get`, in the JSON form of Web Authentication. A page
    /// parses the options by `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`.
    #[schema(value_type = Object)]
    pub options: Value,
}

/// Answer of an authenticator to a passkey challenge of the server.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasskeyAnswer {
    /// Id of the passkey challenge that the authenticator has answered.
    #[schema(max_length = 64)]
    pub challenge: String,
    /// Credential of the authenticator, in the JSON form of `PublicKeyCredential.toJSON` (Web Authentication).
    #[schema(value_type = Object)]
    pub credential: Value,
    /// Name of a new passkey for the list of your passkeys; at most 40 characters after normalisation. Null or absent without a name. A
    /// sign-in ignores the name.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub name: Option<String>,
}

/// Request to sign this browser in to an account with a passkey.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasskeySignIn {
    /// Answer of the authenticator to the passkey challenge.
    pub passkey: PasskeyAnswer,
    /// Label of this browser in the list of your browsers, such as `Firefox, Android`; at most 40 characters after normalisation. Null or
    /// absent without a label.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub name: Option<String>,
}

/// Description of a passkey of your account.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct MyPasskey {
    /// Credential id of the passkey, which the authenticator chose, in base64url without padding.
    pub id: String,
    /// Name that you gave to the passkey; null without a name.
    #[schema(required)]
    pub name: Option<String>,
    /// Time when the passkey was added, in RFC 3339.
    pub added_at: String,
    /// Time of the latest sign-in with the passkey, in RFC 3339; null before the first sign-in.
    #[schema(required)]
    pub used_at: Option<String>,
}

/// List of the passkeys of your account.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct MyPasskeys {
    /// Passkeys of your account, the oldest first.
    pub passkeys: Vec<MyPasskey>,
}
