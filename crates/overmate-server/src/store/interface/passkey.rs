//! Defines the data types for passkeys, and for the passkey challenges that authenticators sign.

use super::holder::Holder;

/// Maximum number of passkeys of an account.
pub(crate) const MOST_PASSKEYS: usize = 20;

/// Maximum number of unused passkey challenges of a person. A further challenge replaces the oldest challenge.
pub(crate) const MOST_CHALLENGES: usize = 5;

/// Passkey of an account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct StoredPasskey {
    /// Credential id of the passkey, which the authenticator chose.
    pub(crate) id: Vec<u8>,
    pub(crate) person: Holder,
    /// User handle for Web Authentication, which all passkeys of an account share.
    pub(crate) user_handle: [u8; 16],
    /// Public key of the passkey, with its signature counter and its backup state, as JSON.
    pub(crate) passkey: String,
    /// Name that the person gave to the passkey, or `None`.
    pub(crate) name: Option<String>,
    /// Time at which the passkey was added to its account, in seconds since 1970.
    pub(crate) made_at: i64,
    /// Time of the last sign-in with the passkey, in seconds since 1970; `None` before the first sign-in.
    pub(crate) used_at: Option<i64>,
}

/// Unanswered passkey challenge, which the server has issued.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PasskeyChallenge {
    pub(crate) id: String,
    /// Person whose browser asked for the passkey challenge, or `None` for a browser without an identity.
    pub(crate) person: Option<Holder>,
    /// State of the unfinished registration or sign-in with a passkey, as JSON.
    pub(crate) state: String,
    /// Time at which the passkey challenge expires, in seconds since 1970.
    pub(crate) until: i64,
}

/// Change of a passkey or of a passkey challenge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PasskeyChange {
    /// Stores a passkey challenge. If the person then has more than [`MOST_CHALLENGES`], the person's oldest challenges are
    /// removed.
    Begin(PasskeyChallenge),
    /// Removes a passkey challenge after its use. Returns a conflict if the challenge has been used before.
    UseUp { challenge: String },
    /// Adds a passkey to the account of a person. Returns a conflict if the person has no account or [`MOST_PASSKEYS`] passkeys, or if any
    /// account already has this passkey.
    Add(StoredPasskey),
    /// Removes a passkey of a person. Returns a conflict if the person does not have the passkey, or has no other way to sign in.
    ///
    /// The person's unused codes and e-mail links become invalid, because whoever had the passkey may have made codes, or requested a
    /// confirmation link for their own address.
    Remove { person: Holder, id: Vec<u8> },
}
