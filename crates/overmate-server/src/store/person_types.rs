//! Defines the interface to the browsers, codes and accounts of people in a store, with its types.

use super::holder::Holder;
use super::outcome::{Appended, StoreFuture};
use super::passkey_types::{PasskeyChallenge, PasskeyChange, StoredPasskey};
use super::traces::Traces;

/// Store of the browsers, codes and accounts of people.
pub(crate) trait People: Send + Sync + 'static {
    /// Returns the person of a browser, and whether the browser is signed out.
    fn standing(&self, browser: Holder) -> StoreFuture<'_, Standing>;

    /// Returns the browsers of a person that are not signed out, from old to new. A browser that is its own person is
    /// not listed.
    fn browsers(&self, person: Holder) -> StoreFuture<'_, Vec<KnownBrowser>>;

    /// Returns the person's unused recovery codes, or `None`.
    fn recovery(&self, person: Holder) -> StoreFuture<'_, Option<RecoveryCodes>>;

    /// Returns the account of a person.
    fn account(&self, person: Holder) -> StoreFuture<'_, Option<Account>>;

    /// Returns the account whose handle has this tag.
    fn account_by_tag(&self, tag: [u8; 32]) -> StoreFuture<'_, Option<Account>>;

    /// Returns whether the handle of a tag is free for a person. No account may have the handle, and the handle may not
    /// be reserved for another person.
    fn is_handle_free(&self, tag: [u8; 32], person: Holder, at: i64) -> StoreFuture<'_, bool>;

    /// Returns the passkeys of a person, from old to new.
    fn passkeys(&self, person: Holder) -> StoreFuture<'_, Vec<StoredPasskey>>;

    /// Returns the passkey with a credential id.
    fn passkey(&self, id: Vec<u8>) -> StoreFuture<'_, Option<StoredPasskey>>;

    /// Returns an unused challenge that is valid at a time.
    fn passkey_challenge(&self, id: String, at: i64) -> StoreFuture<'_, Option<PasskeyChallenge>>;

    /// Returns the data that the store keeps about a person besides matches, attempts, browsers and the account.
    fn traces_of(&self, person: Holder) -> StoreFuture<'_, Traces>;

    /// Changes the browsers, codes or account of a person. Returns a conflict if the code is not valid, if the handle
    /// is taken, if the password has changed, or if the browser or account does not exist.
    fn change_person(&self, change: PersonChange) -> StoreFuture<'_, Appended>;
}

/// Relation of a browser to its person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Standing {
    /// The browser is its own person.
    Alone,
    /// The browser belongs to this person.
    Of(Holder),
    /// The browser is signed out.
    Revoked,
}

/// Browser of a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct KnownBrowser {
    pub(crate) browser: Holder,
    /// Kind of browser, as its page reported the kind, such as `Firefox, Android`.
    pub(crate) name: Option<String>,
    /// Time when the browser was added, in seconds since 1970.
    pub(crate) added_at: i64,
}

/// Unused recovery codes of a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RecoveryCodes {
    /// Time when the codes were made, in seconds since 1970.
    pub(crate) made_at: i64,
    /// Number of unused codes.
    pub(crate) left: u32,
}

/// Kind of a code with which a browser joins a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CodeKind {
    /// Code in a link, which is valid for a short time.
    Link,
    /// Code to write down, which is valid until its use.
    Recovery,
}

impl CodeKind {
    /// Returns the text for the kind in the database.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Recovery => "recovery",
        }
    }
}

/// New codes of a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CodeOffer {
    /// SHA-256 hashes of the codes.
    pub(crate) hashes: Vec<[u8; 32]>,
    pub(crate) kind: CodeKind,
    pub(crate) person: Holder,
    /// Browser that requested the codes, and its kind.
    pub(crate) browser: Holder,
    pub(crate) name: Option<String>,
    pub(crate) at: i64,
    /// Time after which the codes are refused, in seconds since 1970.
    pub(crate) until: Option<i64>,
}

/// Person whom a browser joins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Joined<'a> {
    /// Person who made the code with this hash.
    MakerOf(&'a [u8; 32]),
    /// Person with this identity.
    Person(Holder),
}

/// Account of a person: a handle, and a password or passkeys, with which further browsers join the person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Account {
    pub(crate) person: Holder,
    /// Handle as its owner wrote the handle.
    pub(crate) handle: String,
    /// Hash of the password with its salt and parameters, in the PHC string format; `None` without a password.
    pub(crate) password: Option<String>,
    /// Time when the account was made, in seconds since 1970.
    pub(crate) made_at: i64,
    /// Time when the account got its current handle, in seconds since 1970.
    pub(crate) handle_at: i64,
    /// Whether only the person itself may see the profile of the account.
    pub(crate) is_private: bool,
}

/// Proof that a request to change a password comes from the account's owner.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Proof {
    /// Hash of the former password.
    Password(String),
    /// SHA-256 hash of an unused recovery code of the person. The change uses up the code.
    RecoveryCode([u8; 32]),
    /// The account has no password yet. The identity of the browser is the proof, as for a new passkey.
    NoPassword,
}

/// Proof that a browser may join the person of an account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SignInProof {
    /// Hash of the password, which the account must still have.
    Password(String),
    /// Passkey with its credential id, and its states before and after the sign-in. The account must still have the passkey in
    /// its former state.
    Passkey { id: Vec<u8>, former: String, new: String },
}

/// Change of an account.
///
/// A browser that makes an account or signs in gets a new token with the hash in `renewed`. Its former token and the
/// other browsers of its former person are signed out, and their unused codes become invalid. The reason: another
/// person may have put the former token into the browser, and must not get access to the account. Without a former
/// token, both hashes are equal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum AccountChange {
    /// Makes the account of a person without an account.
    Make {
        account: Account,
        tag: [u8; 32],
        /// First passkey of the account. An account without a password needs one.
        passkey: Option<StoredPasskey>,
        /// Browser that sent the request, and its kind.
        browser: Holder,
        renewed: Holder,
        name: Option<String>,
    },
    /// Adds a browser, with the data of its person, to the person of an account, if the proof is still valid.
    SignIn {
        person: Holder,
        proof: SignInProof,
        browser: Holder,
        renewed: Holder,
        name: Option<String>,
        at: i64,
    },
    /// Replaces the password if the proof is still valid.
    SetPassword { person: Holder, proof: Proof, password: String },
    /// Hides the profile of an account from others, or shows it.
    SetPrivate { person: Holder, is_private: bool },
    /// Changes the handle of an account, if the account has had the former handle since the same time.
    SetHandle {
        person: Holder,
        former: String,
        /// Time when the account got the former handle, in seconds since 1970.
        former_at: i64,
        handle: String,
        tag: [u8; 32],
        at: i64,
    },
}

/// Change of the browsers, codes or account of a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PersonChange {
    /// Stores new codes. They replace the person's earlier codes of the same kind.
    Offer(CodeOffer),
    /// Uses up a code, and adds a browser, with the data of its person, to the person who made the code.
    Add { hash: [u8; 32], browser: Holder, name: Option<String>, at: i64 },
    /// Signs a browser out. The person's codes become invalid, because the browser may have made codes. If the browser
    /// signs itself out, the codes stay valid.
    Revoke { person: Holder, browser: Holder, keeps_codes: bool },
    /// Changes an account.
    Account(AccountChange),
    /// Changes a passkey or a challenge.
    Passkey(PasskeyChange),
    /// Removes the puzzle attempts, the puzzle rating, the browsers, the codes, the ratings, the passkeys and the account of a person whose seats
    /// are erased. The handle is reserved for a period after `at`, in seconds since 1970.
    Forget { person: Holder, at: i64 },
    /// Removes codes, challenges and reserved handles that have expired at a time in seconds since 1970.
    ForgetOld { at: i64 },
}

impl AccountChange {
    /// Returns the person whose secret addresses the change removes, because others may know them.
    pub(super) fn exposed(&self) -> impl Iterator<Item = Holder> + use<> {
        let person = match self {
            Self::Make { account, .. } => Some(account.person),
            Self::SetPassword { person, .. } => Some(*person),
            Self::SignIn { .. } | Self::SetPrivate { .. } | Self::SetHandle { .. } => None,
        };
        person.into_iter()
    }
}

impl PersonChange {
    /// Returns the browser whose seats may get another person, and this person.
    pub(crate) fn joining(&self) -> Option<(Holder, Joined<'_>)> {
        match self {
            Self::Add { hash, browser, .. } => Some((*browser, Joined::MakerOf(hash))),
            Self::Account(AccountChange::SignIn { person, browser, .. }) => {
                Some((*browser, Joined::Person(*person)))
            }
            Self::Offer(_)
            | Self::Revoke { .. }
            | Self::Account(_)
            | Self::Passkey(_)
            | Self::Forget { .. }
            | Self::ForgetOld { .. } => None,
        }
    }
}
