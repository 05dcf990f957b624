//! Defines the interface to the browsers, codes and accounts of persons in a store, and their types.

use super::holder::Holder;
use super::outcome::{Appended, StoreFuture};
use super::traces::Traces;

/// Store of the browsers and codes of persons.
pub(crate) trait People: Send + Sync + 'static {
    /// Returns whose browser a browser is.
    fn standing(&self, browser: Holder) -> StoreFuture<'_, Standing>;

    /// Returns the browsers of a person that are not signed out, the first added first, without the browser that alone is a person.
    fn browsers(&self, person: Holder) -> StoreFuture<'_, Vec<KnownBrowser>>;

    /// Returns the person's unused recovery codes, if there are any.
    fn recovery(&self, person: Holder) -> StoreFuture<'_, Option<RecoveryCodes>>;

    /// Returns the account of a person.
    fn account(&self, person: Holder) -> StoreFuture<'_, Option<Account>>;

    /// Returns the account with the handle of a tag.
    fn account_by_tag(&self, tag: [u8; 32]) -> StoreFuture<'_, Option<Account>>;

    /// Returns whether the handle of a tag is free for a person: no account has the handle, and no other person gave the handle up for which it is still kept.
    fn is_handle_free(&self, tag: [u8; 32], person: Holder, at: i64) -> StoreFuture<'_, bool>;

    /// Returns what the store keeps about a person beside matches, attempts, browsers and the account.
    fn traces_of(&self, person: Holder) -> StoreFuture<'_, Traces>;

    /// Changes the browsers, codes or account of a person. Returns a conflict if the code is not valid, if the handle is taken, if the password has changed, or if the
    /// person has no such browser or account.
    fn change_person(&self, change: PersonChange) -> StoreFuture<'_, Appended>;
}

/// Answer to the question whose browser a browser is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Standing {
    /// The browser is a person of its own.
    Alone,
    /// The browser is one of the browsers of this person.
    Of(Holder),
    /// The person has signed the browser out.
    Revoked,
}

/// Browser of a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct KnownBrowser {
    pub(crate) browser: Holder,
    /// Kind of browser as the page told it, such as `Firefox, Android`.
    pub(crate) name: Option<String>,
    /// Time when the browser was added, in seconds since 1970.
    pub(crate) added_at: i64,
}

/// Unused recovery codes of a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RecoveryCodes {
    /// Time when the codes were made, in seconds since 1970.
    pub(crate) made_at: i64,
    /// Number of codes that are not used.
    pub(crate) left: u32,
}

/// Kind of a code that adds a browser to a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CodeKind {
    /// Code in a link, for a short time.
    Link,
    /// Code to write down, valid until its use.
    Recovery,
}

impl CodeKind {
    /// Returns the text that stands for the kind in the database.
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
    /// Browser that asked for the codes, and its kind.
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
    /// This person.
    Person(Holder),
}

/// Account of a person: a handle and a password, with which another browser becomes a browser of the person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Account {
    pub(crate) person: Holder,
    /// Handle as the person wrote it.
    pub(crate) handle: String,
    /// Hash of the password with its salt and parameters, in the PHC string format.
    pub(crate) password: String,
    /// Time when the account was made, in seconds since 1970.
    pub(crate) made_at: i64,
    /// Time when the account got its present handle, in seconds since 1970.
    pub(crate) handle_at: i64,
}

/// Proof of somebody who changes a password.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Proof {
    /// Hash of the former password.
    Password(String),
    /// SHA-256 hash of an unused recovery code of the person, which is used up.
    RecoveryCode([u8; 32]),
}

/// Change of an account.
///
/// A browser that makes an account or signs in gets a new token, with the hash in `renewed`. Its former token is signed out, and so are the other browsers
/// of its former person, whose unused codes become invalid: somebody else may have put the former token into the browser, and does not get the account so.
/// Without a former token both hashes are the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum AccountChange {
    /// Makes the account of a person who has none.
    Make {
        account: Account,
        tag: [u8; 32],
        /// Browser that sent the request, and its kind.
        browser: Holder,
        renewed: Holder,
        name: Option<String>,
    },
    /// Adds a browser with everything of its person to the person of an account, if the account still has this password.
    SignIn {
        person: Holder,
        password: String,
        browser: Holder,
        renewed: Holder,
        name: Option<String>,
        at: i64,
    },
    /// Replaces the password, if the proof still holds.
    SetPassword { person: Holder, proof: Proof, password: String },
    /// Gives the account another handle, if it still has the former one since the same time.
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
    /// Stores new codes, which replace the person's earlier codes of the same kind.
    Offer(CodeOffer),
    /// Uses up a code, and adds a browser with everything of its person to the person who made the code.
    Add { hash: [u8; 32], browser: Holder, name: Option<String>, at: i64 },
    /// Signs a browser out. Codes that the browser may have made become invalid, unless the browser signs itself out.
    Revoke { person: Holder, browser: Holder, keeps_codes: bool },
    /// Changes an account.
    Account(AccountChange),
    /// Removes the attempts at puzzles, the puzzle rating, the browsers, the codes and the account of a person whose seats are erased. The handle is kept for a time after this one, in seconds since 1970.
    Forget { person: Holder, at: i64 },
    /// Removes the codes and the kept handles whose time is over, in seconds since 1970.
    ForgetOld { at: i64 },
}

impl PersonChange {
    /// Returns the browser whose seats may get another person, and that person.
    pub(crate) fn joining(&self) -> Option<(Holder, Joined<'_>)> {
        match self {
            Self::Add { hash, browser, .. } => Some((*browser, Joined::MakerOf(hash))),
            Self::Account(AccountChange::SignIn { person, browser, .. }) => {
                Some((*browser, Joined::Person(*person)))
            }
            Self::Offer(_)
            | Self::Revoke { .. }
            | Self::Account(_)
            | Self::Forget { .. }
            | Self::ForgetOld { .. } => None,
        }
    }
}
