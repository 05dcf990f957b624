//! Defines the store interface for the e-mail addresses of accounts, and for the messages to them.

use super::holder::Holder;
use super::outcome::StoreFuture;
use super::push_types::PushLanguage;
use super::turn_mail_types::{TurnMail, TurnMailChange};

/// Largest number of messages that wait at once. Further messages are refused.
pub(crate) const MOST_WAITING: i64 = 10_000;

/// Largest number of accounts with one address that a request for recovery finds.
pub(crate) const MOST_WITH_ADDRESS: i64 = 3;

/// Number of attempts after which a message is dropped. The pauses before last about an hour.
pub(crate) const MOST_TRIES: u32 = 7;

/// Pause after the first attempt, in seconds. Each further attempt doubles the pause.
const FIRST_PAUSE: i64 = 60;

/// Kind of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MailKind {
    /// The link confirms the address.
    Confirm,
    /// The link sets a new password.
    Recover,
    /// The account has another address now. The notice goes to the former one.
    Changed,
    /// The account has no address any more. The notice goes to the former one.
    Removed,
}

impl MailKind {
    /// Returns the database text for the kind of message.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Confirm => "confirm",
            Self::Recover => "recover",
            Self::Changed => "changed",
            Self::Removed => "removed",
        }
    }

    /// Returns the kind of message for a database text.
    pub(crate) fn of_text(text: &str) -> Self {
        match text {
            "recover" => Self::Recover,
            "changed" => Self::Changed,
            "removed" => Self::Removed,
            _ => Self::Confirm,
        }
    }

    /// Returns the time in seconds for which the link in a message is valid, and for which a new message waits at most.
    pub(crate) fn lifetime(self) -> i64 {
        match self {
            Self::Confirm | Self::Changed | Self::Removed => 24 * 3_600,
            Self::Recover => 3_600,
        }
    }

    /// Returns whether the message is a notice to a former address, without a link.
    pub(crate) fn is_notice(self) -> bool {
        match self {
            Self::Confirm | Self::Recover => false,
            Self::Changed | Self::Removed => true,
        }
    }
}

/// Confirmed e-mail address of an account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MailAddress {
    pub(crate) person: Holder,
    pub(crate) address: String,
    pub(crate) language: PushLanguage,
    /// Whether a link in a message to the address may set a new password.
    pub(crate) recovery: bool,
    /// Time of the confirmation, in seconds since 1970.
    pub(crate) confirmed_at: i64,
    /// Whether the owner gets an e-mail when they are to act in a correspondence match.
    pub(crate) turns: bool,
    /// Number of e-mails about turns in a row that the mail server refused for good.
    pub(crate) refusals: u32,
    /// Time before which no e-mail about a turn is sent, in seconds since 1970.
    pub(crate) retry_at: i64,
}

/// Message to an e-mail address. A person has at most one message of each kind with a link, and one notice of each kind to an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MailMessage {
    pub(crate) person: Holder,
    pub(crate) kind: MailKind,
    pub(crate) address: String,
    pub(crate) language: PushLanguage,
    /// Whether the confirmed address is to be used for recovery.
    pub(crate) recovery: bool,
    /// Time of the request, in seconds since 1970.
    pub(crate) made_at: i64,
    /// Hash of the token in the link of the latest attempt.
    pub(crate) hash: Option<[u8; 32]>,
    /// Number of attempts.
    pub(crate) tries: u32,
    /// Time of the next attempt, in seconds since 1970.
    pub(crate) retry_at: i64,
    /// Time at which the link and the message expire, in seconds since 1970.
    pub(crate) until: i64,
    /// Whether the mail server has accepted the message.
    pub(crate) sent: bool,
}

impl MailMessage {
    /// Returns a new message, whose first attempt is due at once.
    pub(crate) fn new(kind: MailKind, to: MailAddress, at: i64) -> Self {
        let MailAddress { person, address, language, recovery, .. } = to;
        Self {
            person,
            kind,
            address,
            language,
            recovery,
            made_at: at,
            hash: None,
            tries: 0,
            retry_at: at,
            until: at + kind.lifetime(),
            sent: false,
        }
    }
}

/// Change of an e-mail address or a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum MailChange {
    /// Adds a message in place of the former one of its kind. Returns a conflict if too many messages wait. A confirmation needs an
    /// account with the stored password hash that the request has proved, or `None` without a password. A recovery needs an
    /// account that uses the address for it.
    Queue { message: MailMessage, password: Option<String> },
    /// Begins an attempt with a new token, if the message has had `tries` attempts and its next one is due. A server that does not
    /// end its attempt leaves the message to a later attempt.
    Begin { person: Holder, kind: MailKind, address: String, tries: u32, hash: [u8; 32], at: i64 },
    /// Records that the mail server has accepted the message of an attempt.
    Sent { person: Holder, kind: MailKind, hash: [u8; 32] },
    /// Removes the message of an attempt.
    Drop { person: Holder, kind: MailKind, hash: [u8; 32] },
    /// Uses up the token of a confirmation, and stores the address in place of the former one, to which a notice is added. Returns a
    /// conflict if the token is not valid at a time.
    Confirm { person: Holder, hash: [u8; 32], at: i64 },
    /// Replaces language and use of the confirmed address, and removes all messages: their links would confirm another address, or
    /// set a password against the new use. Returns a conflict if the account has another address or none, or another password
    /// hash than the request has proved.
    Set {
        person: Holder,
        address: String,
        language: PushLanguage,
        recovery: bool,
        password: Option<String>,
    },
    /// Removes the address of a person and all links in messages, and adds a notice to the address. Returns a conflict if the account
    /// has another password hash than the request has proved.
    Remove { person: Holder, password: Option<String>, at: i64 },
    /// Uses up the token of a recovery, replaces the password, signs all browsers out, and removes the codes and the tokens of a
    /// bot. Returns a conflict if the token is not valid at a time.
    Recover { person: Holder, hash: [u8; 32], password: String, at: i64 },
    /// Changes the e-mails about turns.
    Turn(TurnMailChange),
}

impl MailChange {
    /// Returns the person of the address.
    pub(crate) fn person(&self) -> Holder {
        match self {
            Self::Queue { message, .. } => message.person,
            Self::Begin { person, .. }
            | Self::Sent { person, .. }
            | Self::Drop { person, .. }
            | Self::Confirm { person, .. }
            | Self::Set { person, .. }
            | Self::Remove { person, .. }
            | Self::Recover { person, .. } => *person,
            Self::Turn(change) => change.person(),
        }
    }
}

/// Returns an address in the form in which addresses are compared.
pub(crate) fn folded(address: &str) -> String {
    address.to_ascii_lowercase()
}

/// Returns the pause in seconds after a number of attempts.
pub(crate) fn pause_after(tries: u32) -> i64 {
    FIRST_PAUSE << tries.saturating_sub(1).min(MOST_TRIES)
}

/// Store of e-mail addresses and messages. Changes are part of [`PersonChange`](super::PersonChange).
pub(crate) trait Mails: Send + Sync + 'static {
    /// Returns the confirmed address of a person's account, or `None`.
    fn mail_address(&self, person: Holder) -> StoreFuture<'_, Option<MailAddress>>;

    /// Returns the accounts with an address that they use for recovery, at most [`MOST_WITH_ADDRESS`].
    fn mail_addresses_of(&self, address: String) -> StoreFuture<'_, Vec<MailAddress>>;

    /// Returns the messages to a person that wait or whose link is valid.
    fn mail_messages(&self, person: Holder) -> StoreFuture<'_, Vec<MailMessage>>;

    /// Returns the message whose link has a token and is valid at a time, or `None`.
    fn mail_of_token(
        &self,
        kind: MailKind,
        hash: [u8; 32],
        at: i64,
    ) -> StoreFuture<'_, Option<MailMessage>>;

    /// Returns the messages whose next attempt is due at a time, at most `limit`.
    fn due_mail(&self, at: i64, limit: u32) -> StoreFuture<'_, Vec<MailMessage>>;

    /// Returns the e-mails about turns to a person, from old to new.
    fn turn_mails(&self, person: Holder) -> StoreFuture<'_, Vec<TurnMail>>;

    /// Returns the e-mail to a person about a turn of a match, or `None` if none was begun.
    fn turn_mail<'a>(
        &'a self,
        person: Holder,
        id: &'a str,
        turn: u64,
    ) -> StoreFuture<'a, Option<TurnMail>>;

    /// Returns the person who switches e-mails about turns off with a token that is valid at a time, or `None`.
    fn turn_mail_of_token(&self, hash: [u8; 32], at: i64) -> StoreFuture<'_, Option<Holder>>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_link_of_each_attempt_outlives_the_pause_before_the_next_one() {
        let pauses: Vec<i64> = (1..MOST_TRIES).map(pause_after).collect();
        assert_eq!(pauses, [60, 120, 240, 480, 960, 1_920]);
        for kind in [MailKind::Confirm, MailKind::Recover, MailKind::Changed, MailKind::Removed] {
            assert!(pauses.iter().all(|pause| *pause < kind.lifetime()));
            assert_eq!(MailKind::of_text(kind.text()), kind);
        }
    }
}
