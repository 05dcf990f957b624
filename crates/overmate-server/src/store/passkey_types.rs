//! Defines the types of passkeys and of the challenges that browsers sign with passkeys.

use super::holder::Holder;

/// Maximum number of passkeys of an account.
pub(crate) const MOST_PASSKEYS: usize = 20;

/// Maximum number of unused challenges of a person. A further challenge replaces the oldest one.
pub(crate) const MOST_CHALLENGES: usize = 5;

/// Passkey of an account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct StoredPasskey {
    /// Credential id, which the authenticator chose.
    pub(crate) id: Vec<u8>,
    pub(crate) person: Holder,
    /// User handle, equal for all passkeys of an account.
    pub(crate) user_handle: [u8; 16],
    /// Public key with its signature counter and its backup state, as JSON.
    pub(crate) passkey: String,
    /// Name that the person gave to the passkey.
    pub(crate) name: Option<String>,
    /// Time when the passkey was added, in seconds since 1970.
    pub(crate) made_at: i64,
    /// Time of the last sign-in with the passkey, in seconds since 1970.
    pub(crate) used_at: Option<i64>,
}

/// Challenge that an authenticator has not yet signed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PasskeyChallenge {
    pub(crate) id: String,
    /// Person whose browser asked for the challenge, or `None` for a browser without an identity.
    pub(crate) person: Option<Holder>,
    /// State of the registration or sign-in with a passkey, as JSON.
    pub(crate) state: String,
    /// Time at which the challenge expires, in seconds since 1970.
    pub(crate) until: i64,
}

/// Change of a passkey or of a challenge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PasskeyChange {
    /// Stores a challenge. Beyond the largest number, the oldest challenges of the person are removed.
    Begin(PasskeyChallenge),
    /// Removes a challenge after its use. Returns a conflict if the challenge has been used before.
    UseUp { challenge: String },
    /// Adds a passkey to the account of its person. Returns a conflict if the person has no account or as many passkeys as
    /// permitted, or if an account has the passkey already.
    Add(StoredPasskey),
    /// Removes a passkey. The person's unused codes become invalid, because the holder of the passkey may have made codes.
    /// Returns a conflict if the person does not have the passkey, or has no other way to sign in.
    Remove { person: Holder, id: Vec<u8> },
}
