//! Defines the store interface for the browsers, the linking and recovery codes, and the accounts of people.

use super::bot::BotChange;
use super::holder::Holder;
use super::mail::MailChange;
use super::outcome::{Appended, StoreFuture};
use super::passkey::{PasskeyChallenge, PasskeyChange, StoredPasskey};
use super::traces::Traces;

/// Store of the browsers, the linking and recovery codes, and the accounts of people.
pub(crate) trait People: Send + Sync + 'static {
    /// Returns the status of a browser: belonging to a known person, belonging to no known person, or signed out.
    fn standing(&self, browser: Holder) -> StoreFuture<'_, Standing>;

    /// Returns the signed-in browsers of a person, oldest first. The result is empty if the person has no account, and their
    /// browser has never made or used a code.
    fn browsers(&self, person: Holder) -> StoreFuture<'_, Vec<KnownBrowser>>;

    /// Returns the creation time and the number of a person's unused recovery codes, or `None` if the person has no such codes.
    fn recovery(&self, person: Holder) -> StoreFuture<'_, Option<RecoveryCodes>>;

    /// Returns the account of a person, or `None` if the person has no account.
    fn account(&self, person: Holder) -> StoreFuture<'_, Option<Account>>;

    /// Returns the account whose handle has a given tag (keyed hash), or `None` if there is no such account.
    fn account_by_tag(&self, tag: [u8; 32]) -> StoreFuture<'_, Option<Account>>;

    /// Returns whether a person may take the handle with a given tag (keyed hash). No other account may have the handle, and the
    /// handle must not be reserved for another person.
    fn is_handle_free(&self, tag: [u8; 32], person: Holder, at: i64) -> StoreFuture<'_, bool>;

    /// Returns the passkeys of a person, oldest first.
    fn passkeys(&self, person: Holder) -> StoreFuture<'_, Vec<StoredPasskey>>;

    /// Returns the passkey with a given credential id, or `None` if there is no such passkey.
    fn passkey(&self, id: Vec<u8>) -> StoreFuture<'_, Option<StoredPasskey>>;

    /// Returns the passkey challenge with a given id, if the challenge is unused and has not expired at a Unix time, in seconds.
    fn passkey_challenge(&self, id: String, at: i64) -> StoreFuture<'_, Option<PasskeyChallenge>>;

    /// Returns a person's requests for new matches, and the acts of operators (such as mutes) against the person. These
    /// data belong to the export of the person's data.
    fn traces_of(&self, person: Holder) -> StoreFuture<'_, Traces>;

    /// Executes a change of a person's browsers, linking or recovery codes, or account. Returns a conflict if the code is not
    /// valid, if the handle is taken, if the password has changed, or if the browser or account does not exist.
    fn change_person(&self, change: PersonChange) -> StoreFuture<'_, Appended>;
}

/// Status of a browser in the store: the browser belongs to a known person, belongs to no known person, or is signed out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Standing {
    /// The browser has neither made nor used a linking or recovery code, and belongs to no account. Its identity is also the
    /// identity of its person.
    Alone,
    /// The browser belongs to the person with the given identity.
    Of(Holder),
    /// The browser is signed out.
    Revoked,
}

/// Browser that belongs to a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct KnownBrowser {
    pub(crate) browser: Holder,
    /// Kind of the browser, such as `Firefox, Android`, as reported by the web page.
    pub(crate) name: Option<String>,
    /// Unix time at which the browser was added to the browsers of the person, in seconds.
    pub(crate) added_at: i64,
}

/// Unused recovery codes of a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RecoveryCodes {
    /// Unix time at which the recovery codes were generated, in seconds.
    pub(crate) made_at: i64,
    /// Number of recovery codes that the person has not used yet.
    pub(crate) left: u32,
}

/// Kind of a code that links a browser to a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CodeKind {
    /// Linking code, which adds a browser to a person and is valid for a short time.
    Link,
    /// Recovery code, which a person writes down, and which adds a browser to the person. The code is valid until its use.
    Recovery,
}

impl CodeKind {
    /// Returns the text by which the database stores the kind of a code (linking or recovery).
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
    /// SHA-256 hashes of the linking or recovery codes.
    pub(crate) hashes: Vec<[u8; 32]>,
    pub(crate) kind: CodeKind,
    pub(crate) person: Holder,
    /// Browser that requested the linking or recovery codes.
    pub(crate) browser: Holder,
    pub(crate) name: Option<String>,
    pub(crate) at: i64,
    /// Unix time at which the linking or recovery codes expire, in seconds; `None` for codes without expiry.
    pub(crate) until: Option<i64>,
}

/// Person to whom a browser is added, given by the hash of a linking or recovery code, or by the person's identity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Joined<'a> {
    /// Person who made the linking or recovery code with the given SHA-256 hash.
    MakerOf(&'a [u8; 32]),
    /// Person to whom a browser is added, given by the person's identity (a token hash).
    Person(Holder),
}

/// Account of a person. An account has a handle, and a password or passkeys with which further browsers sign in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Account {
    pub(crate) person: Holder,
    /// Handle of the account, as its owner spells it.
    pub(crate) handle: String,
    /// Hash of the account's password in the PHC string format, with salt and parameters; `None` if the account has no password.
    pub(crate) password: Option<String>,
    /// Time at which the account was created, in seconds since 1970.
    pub(crate) made_at: i64,
    /// Unix time at which the account got its current handle, in seconds.
    pub(crate) handle_at: i64,
    /// Whether only the account's owner can see the profile of the account.
    pub(crate) is_private: bool,
    /// Whether the account is a bot account, for which programs play. A new account is not a bot account.
    pub(crate) is_bot: bool,
}

/// Proof that a request to change the password comes from the account's owner.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Proof {
    /// Hash of the account's current password.
    Password(String),
    /// SHA-256 hash of an unused recovery code of the person. The password change consumes the code.
    RecoveryCode([u8; 32]),
    /// Proof that a request for a first password comes from the account's owner: the identity of the owner's browser. The account must not
    /// have a password yet.
    NoPassword,
}

/// Proof that a browser may sign in to an account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SignInProof {
    /// Password hash of the account, against which the entered password was verified. The account must still have this password
    /// hash.
    Password(String),
    /// Passkey that signed a challenge: its credential id, and its stored JSON texts before and after the sign-in. The account must still
    /// have the passkey with the JSON text `former`.
    Passkey { id: Vec<u8>, former: String, new: String },
}

/// Change of an account, such as a new password or handle.
///
/// A browser that creates an account or signs in gets a new token, whose hash is in `renewed`. Its former token and the other browsers of
/// its former person are signed out, and their unused codes become invalid. The reason: another person may have put the former token into
/// the browser, and must not get access to the account. If the browser had no former token, `browser` and `renewed` are equal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum AccountChange {
    /// Creates an account for a person without an account.
    Make {
        account: Account,
        tag: [u8; 32],
        /// First passkey of the account. An account without a password needs a passkey.
        passkey: Option<Box<StoredPasskey>>,
        /// Browser that sent the request to create the account.
        browser: Holder,
        renewed: Holder,
        name: Option<String>,
    },
    /// Signs a browser in to an account, if the account still has the password or passkey that was verified. The browser and its earlier
    /// data then belong to the account's owner.
    SignIn {
        person: Holder,
        proof: SignInProof,
        browser: Holder,
        renewed: Holder,
        name: Option<String>,
        at: i64,
    },
    /// Replaces the password hash of an account, if the proof of ownership is still valid.
    ///
    /// Links in e-mails to the person become invalid. If the proof is the former password or a recovery code, the person's other browsers
    /// are signed out, and the tokens of a bot are removed. A first password does neither, because nobody knew a password before.
    SetPassword { person: Holder, proof: Proof, password: String, browser: Holder, renewed: Holder },
    /// Sets whether the profile of an account is private.
    SetPrivate { person: Holder, is_private: bool },
    /// Changes the handle of an account, if the account has had the handle `former` since the time `former_at`.
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

/// Change of the browsers, the linking or recovery codes, or the account of a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PersonChange {
    /// Stores new linking or recovery codes, which replace the person's earlier codes of this kind.
    Offer(CodeOffer),
    /// Consumes a linking or recovery code, and transfers a browser with its data to the person who made the code. If this person has an
    /// account, the browser gets the token whose hash is `renewed`, and its former person's other browsers are signed out, as for a
    /// sign-in. Otherwise the other browsers are transferred, too.
    Add { hash: [u8; 32], browser: Holder, renewed: Holder, name: Option<String>, at: i64 },
    /// Signs out a browser of a person. The person's codes and e-mail links become invalid, because the browser may have made codes, or
    /// requested a confirmation link for an address of its own. If a browser signs itself out, the person's codes and links stay valid.
    Revoke { person: Holder, browser: Holder, keeps_codes: bool },
    /// Executes a change of an account.
    Account(AccountChange),
    /// Changes a passkey or a passkey challenge.
    Passkey(PasskeyChange),
    /// Changes a bot account or the access tokens of a bot.
    Bot(BotChange),
    /// Changes the stored e-mail address of a person, or a stored e-mail message to the person.
    Mail(MailChange),
    /// Removes all data of a person except their seats.
    ///
    /// These data include puzzle attempts, browsers, codes, match ratings, passkeys, e-mail address and account. The handle of
    /// the account is reserved for a period after `at`, in seconds since 1970.
    Forget { person: Holder, at: i64 },
    /// Vacates the seat of a person in a damaged match, whose log cannot be replayed, at a Unix time in seconds. The match is removed
    /// if no other person holds a seat.
    Vacate { person: Holder, id: String, at: i64 },
    /// Removes linking and recovery codes, passkey challenges, e-mail messages and reserved handles that have expired at a Unix
    /// time in seconds.
    ForgetOld { at: i64 },
}

impl AccountChange {
    /// Returns the person whose web feed of due turns an `AccountChange` may remove. A change that keeps all feeds gives no person. The
    /// feed is removed because other people may know its secret URL.
    pub(crate) fn exposed(&self) -> impl Iterator<Item = Holder> + use<> {
        let person = match self {
            Self::Make { account, .. } => Some(account.person),
            Self::SetPassword { person, .. } => Some(*person),
            Self::SignIn { .. } | Self::SetPrivate { .. } | Self::SetHandle { .. } => None,
        };
        person.into_iter()
    }
}

impl PersonChange {
    /// Returns the id of the match in which a [`PersonChange`] vacates a person's seat, or `None` if the change vacates no seat.
    pub(crate) fn match_id(&self) -> Option<&str> {
        if let Self::Vacate { id, .. } = self { Some(id) } else { None }
    }

    /// Returns the browser that this change adds to a person, together with the person. A linking code, a recovery code or a sign-in adds a
    /// browser. Returns `None` for any other change.
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
            | Self::Vacate { .. }
            | Self::ForgetOld { .. } => None,
        }
    }
}
