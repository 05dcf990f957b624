//! Defines the JSON types of accounts.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::passkeys::PasskeyAnswer;

/// Request to create your account, with a password, a passkey or both.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewAccount {
    /// Handle of 3 to 20 characters: letters from a to z, digits, `-` and `_`. The handle needs at least one letter, and a letter
    /// or digit at both ends.
    #[schema(max_length = 64)]
    pub handle: String,
    /// Password of 10 to 256 characters, at least 5 of them different. The password may not contain the handle. Null or absent for an
    /// account without a password.
    #[serde(default)]
    #[schema(max_length = 1024)]
    pub password: Option<String>,
    /// First passkey of the new account: the answer of an authenticator to a challenge for the account's handle; null or absent without a
    /// passkey.
    #[serde(default)]
    pub passkey: Option<PasskeyAnswer>,
    /// Label of this browser in the list of your browsers, such as `Firefox, Android`; at most 40 characters after normalisation. Null or
    /// absent without a label.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub name: Option<String>,
}

/// Request to sign this browser in to an account.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignIn {
    /// Handle of the account. Upper and lower case, and the signs `-` and `_`, make no difference.
    #[schema(max_length = 64)]
    pub handle: String,
    /// Password of the account.
    #[schema(max_length = 1024)]
    pub password: String,
    /// Label of this browser in the list of your browsers, such as `Firefox, Android`; at most 40 characters after normalisation. Null or
    /// absent without a label.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub name: Option<String>,
}

/// Request to replace the password of your account.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPassword {
    /// Current password of the account, or an unused recovery code, which is then used up. Null if the account has no password yet.
    #[serde(default)]
    #[schema(max_length = 1024)]
    pub former: Option<String>,
    /// New password of 10 to 256 characters, at least 5 of them different; the password may not contain the handle.
    #[schema(max_length = 1024)]
    pub password: String,
}

/// Request to change the handle of your account.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewHandle {
    /// New handle of 3 to 20 characters: letters from a to z, digits, `-` and `_`. The handle needs at least one letter, and a
    /// letter or digit at both ends.
    #[schema(max_length = 64)]
    pub handle: String,
}

/// Account of the person to whom the requesting browser belongs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct MyAccount {
    /// Handle of the account, in the spelling that you chose.
    pub handle: String,
    /// Time at which the account was created, in RFC 3339.
    pub made_at: String,
    /// Time from which you may change the handle, in RFC 3339.
    pub handle_changeable_at: String,
    /// Whether your profile is visible only to you.
    pub private: bool,
    /// Whether the account is a bot account, for which a program plays.
    pub bot: bool,
    /// Whether the account has a password.
    pub password: bool,
}

/// Response with the account of the person who uses this browser.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct OwnAccount {
    /// Account of the person who uses this browser; null if the person has no account.
    #[schema(required)]
    pub account: Option<MyAccount>,
    /// WebAuthn relying party id: the host name to which passkeys are bound. Null if the server offers no passkeys at the address of the
    /// request.
    #[schema(required)]
    pub relying_party: Option<String>,
    /// Whether the server sends e-mail, for example to recover an account.
    pub mail: bool,
}
