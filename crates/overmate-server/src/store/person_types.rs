//! Defines the store interface for the browsers, codes and accounts of people.

use super::bot_types::BotChange;
use super::holder::Holder;
use super::mail_types::MailChange;
use super::outcome::{Appended, StoreFuture};
use super::passkey_types::{PasskeyChallenge, PasskeyChange, StoredPasskey};
use super::traces::Traces;

/// Store of the browsers, codes and accounts of people.
pub(crate) trait People: Send + Sync + 'static {
    /// Returns the relation of a browser to its person: alone, joined, or signed out.
    fn standing(&self, browser: Holder) -> StoreFuture<'_, Standing>;

    /// Returns the signed-in browsers of a person, from old to new. A browser without other
    /// browsers of the same person is not listed.
    fn browsers(&self, person: Holder) -> StoreFuture<'_, Vec<KnownBrowser>>;

    /// Returns the creation time and the number of a person's unused recovery codes, or `None` without codes.
    fn recovery(&self, person: Holder) -> StoreFuture<'_, Option<RecoveryCodes>>;

    /// Returns the account of a person, or `None` without an account.
    fn account(&self, person: Holder) -> StoreFuture<'_, Option<Account>>;

    /// Returns the account whose handle has a given tag (keyed hash), or `None` without such an account.
    fn account_by_tag(&self, tag: [u8; 32]) -> StoreFuture<'_, Option<Account>>;

    /// Returns whether the handle with a tag (keyed hash) is free for a person. No account may have
    /// the handle, and the handle may not be reserved for another person.
    fn is_handle_free(&self, tag: [u8; 32], person: Holder, at: i64) -> StoreFuture<'_, bool>;

    /// Returns the passkeys of a person, from old to new.
    fn passkeys(&self, person: Holder) -> StoreFuture<'_, Vec<StoredPasskey>>;

    /// Returns the passkey with a credential id, or `None`.
    fn passkey(&self, id: Vec<u8>) -> StoreFuture<'_, Option<StoredPasskey>>;

    /// Returns the challenge with an id if the challenge is unused and has not expired at a Unix time, in seconds.
    fn passkey_challenge(&self, id: String, at: i64) -> StoreFuture<'_, Option<PasskeyChallenge>>;

    /// Returns the requests of a person for new matches, and the measures of operators against the person, for the export of their data.
    fn traces_of(&self, person: Holder) -> StoreFuture<'_, Traces>;

    /// Executes a change of a person's browsers, codes or account. Returns a conflict if the code
    /// is not valid, if the handle is taken, if the password has changed, or if the browser or
    /// account does not exist.
    fn change_person(&self, change: PersonChange) -> StoreFuture<'_, Appended>;
}

/// Relation of a browser to its person: alone, joined, or signed out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Standing {
    /// The browser is the only browser of its person.
    Alone,
    /// The browser has joined this person.
    Of(Holder),
    /// The browser has been signed out.
    Revoked,
}

/// Browser of a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct KnownBrowser {
    pub(crate) browser: Holder,
    /// Kind of browser, such as `Firefox, Android`, as reported by its page.
    pub(crate) name: Option<String>,
    /// Unix time at which the browser was added, in seconds.
    pub(crate) added_at: i64,
}

/// Unused recovery codes of a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RecoveryCodes {
    /// Unix time at which the codes were made, in seconds.
    pub(crate) made_at: i64,
    /// Number of unused recovery codes.
    pub(crate) left: u32,
}

/// Kind of a code with which a browser joins a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CodeKind {
    /// Code in a link that is valid for a short time.
    Link,
    /// Code that the person writes down, valid until its use.
    Recovery,
}

impl CodeKind {
    /// Returns the database text for the kind of code.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Recovery => "recovery",
        }
    }
}

/// New linking or recovery codes of a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CodeOffer {
    /// SHA-256 hashes of the codes.
    pub(crate) hashes: Vec<[u8; 32]>,
    pub(crate) kind: CodeKind,
    pub(crate) person: Holder,
    /// Browser that requested the codes.
    pub(crate) browser: Holder,
    pub(crate) name: Option<String>,
    pub(crate) at: i64,
    /// Unix time, in seconds, at which the codes expire; `None` for codes without expiry.
    pub(crate) until: Option<i64>,
}

/// Person whom a browser joins, named by a code or an identity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Joined<'a> {
    /// Person who made the code with this SHA-256 hash.
    MakerOf(&'a [u8; 32]),
    /// Person with this identity.
    Person(Holder),
}

/// Account of a person: a handle, with a password or passkeys that admit further browsers of the person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Account {
    pub(crate) person: Holder,
    /// Handle in the spelling of its owner.
    pub(crate) handle: String,
    /// Hash of the password with its salt and parameters, in the PHC string format; `None` without a password.
    pub(crate) password: Option<String>,
    /// Time when the account was made, in seconds since 1970.
    pub(crate) made_at: i64,
    /// Unix time at which the account got its current handle, in seconds.
    pub(crate) handle_at: i64,
    /// Whether the profile of the account is visible only to its owner.
    pub(crate) is_private: bool,
    /// Whether the account is a bot account, for which programs play. A new account is not a bot account.
    pub(crate) is_bot: bool,
}

/// Proof that a password change comes from the owner of the account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Proof {
    /// Hash of the current password.
    Password(String),
    /// SHA-256 hash of an unused recovery code of the person. The change uses up the code.
    RecoveryCode([u8; 32]),
    /// The account has no password yet. The identity of the browser is the proof, as for a new passkey.
    NoPassword,
}

/// Proof that a browser may join the person of an account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SignInProof {
    /// Hash of the verified password, which must still be the hash of the account.
    Password(String),
    /// Passkey that signed a challenge, with its credential id and its states before and after the sign-in. The account must
    /// still have the passkey in its former state.
    Passkey { id: Vec<u8>, former: String, new: String },
}

/// Change of an account.
///
/// A browser that creates an account or signs in gets a new token, whose hash is in `renewed`. Its
/// former token and the other browsers of its former person are signed out, and their unused codes
/// become invalid. The reason: another person may have put the former token into the browser, and
/// must not get access to the account. Without a former token, both hashes are equal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum AccountChange {
    /// Creates an account for a person without an account.
    Make {
        account: Account,
        tag: [u8; 32],
        /// First passkey of the account. An account without a password needs one.
        passkey: Option<Box<StoredPasskey>>,
        /// Browser that sent the request.
        browser: Holder,
        renewed: Holder,
        name: Option<String>,
    },
    /// Signs a browser in to an account, if the proof of the sign-in is still valid. The browser
    /// and its earlier data then belong to the owner of the account.
    SignIn {
        person: Holder,
        proof: SignInProof,
        browser: Holder,
        renewed: Holder,
        name: Option<String>,
        at: i64,
    },
    /// Replaces the password hash of an account, if the proof of ownership is still valid. After a former password or a recovery
    /// code, the other browsers of the person are signed out, and the tokens of a bot are removed. A first password has no such
    /// effect, because nobody knew a password before.
    SetPassword { person: Holder, proof: Proof, password: String, browser: Holder, renewed: Holder },
    /// Sets whether the profile of the account is private.
    SetPrivate { person: Holder, is_private: bool },
    /// Changes the handle of an account, if the account still has the handle `former` since the time `former_at`.
    SetHandle {
        person: Holder,
        former: String,
        /// Unix time at which the account got the former handle, in seconds.
        former_at: i64,
        handle: String,
        tag: [u8; 32],
        at: i64,
    },
}

/// Change of the browsers, codes or account of a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PersonChange {
    /// Stores new codes, which replace the person's earlier codes of the same kind.
    Offer(CodeOffer),
    /// Consumes a code, and transfers a browser with its data to the person who made the code.
    Add { hash: [u8; 32], browser: Holder, name: Option<String>, at: i64 },
    /// Signs out a browser of a person. The person's codes become invalid, because the browser may
    /// have made codes. If the browser signs itself out, the codes stay valid.
    Revoke { person: Holder, browser: Holder, keeps_codes: bool },
    /// Executes a change of an account.
    Account(AccountChange),
    /// Changes a passkey or a challenge.
    Passkey(PasskeyChange),
    /// Changes a bot account or its tokens.
    Bot(BotChange),
    /// Changes the e-mail address of an account, or an e-mail that the server sends.
    Mail(MailChange),
    /// Removes all data of a person except their seats, such as puzzle attempts, browsers, codes, match ratings, passkeys, e-mail
    /// address and account. The handle is reserved for a period after `at`, in seconds since 1970.
    Forget { person: Holder, at: i64 },
    /// Removes codes, challenges, e-mails and reserved handles that have expired by a Unix time in seconds.
    ForgetOld { at: i64 },
}

impl AccountChange {
    /// Returns the person whose feed the change removes, because other people may know the secret URL of the feed.
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
    /// Returns the browser that this change adds to a person, and that person, or `None` for any other change.
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
            | Self::Bot(_)
            | Self::Mail(_)
            | Self::Forget { .. }
            | Self::ForgetOld { .. } => None,
        }
    }
}
