//! Defines the store interface for the e-mail addresses of accounts, and for the e-mail messages to these addresses.

use super::holder::Holder;
use super::outcome::StoreFuture;
use super::push::PushLanguage;
use super::turn_mail::{TurnMail, TurnMailChange};

/// Maximum number of queued e-mail messages. Further messages are refused.
pub(crate) const MOST_WAITING: i64 = 10_000;

/// Maximum number of accounts that the store returns for the e-mail address in an account-recovery request.
pub(crate) const MOST_WITH_ADDRESS: i64 = 3;

/// Number of attempts to send an e-mail message, after which the unsent message is dropped. All pauses between the attempts together last
/// about an hour.
pub(crate) const MOST_TRIES: u32 = 7;

/// Pause after the first attempt to send an e-mail message, in seconds. Each further attempt doubles the pause.
const FIRST_PAUSE: i64 = 60;

/// Kind of an e-mail message to a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MailKind {
    /// Confirmation message: an e-mail with a link that confirms an e-mail address.
    Confirm,
    /// Recovery message: an e-mail with a link that sets a new password.
    Recover,
    /// Notice to a former e-mail address that the account now has another address.
    Changed,
    /// Notice to a former e-mail address that the account no longer has an address.
    Removed,
}

impl MailKind {
    /// Returns the text by which the database stores the kind of an e-mail message.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Confirm => "confirm",
            Self::Recover => "recover",
            Self::Changed => "changed",
            Self::Removed => "removed",
        }
    }

    /// Parses the text by which the database stores the kind of an e-mail message. An unknown text stands for a confirmation.
    pub(crate) fn of_text(text: &str) -> Self {
        match text {
            "recover" => Self::Recover,
            "changed" => Self::Changed,
            "removed" => Self::Removed,
            _ => Self::Confirm,
        }
    }

    /// Returns the validity period of the link in an e-mail message, in seconds. A new message that cannot be sent expires after
    /// this period.
    pub(crate) fn lifetime(self) -> i64 {
        match self {
            Self::Confirm | Self::Changed | Self::Removed => 24 * 3_600,
            Self::Recover => 3_600,
        }
    }

    /// Returns whether an e-mail message is a notice to a former address. A notice contains no link.
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
    /// Whether the e-mail address may be used for account recovery, by a link that sets a new password.
    pub(crate) recovery: bool,
    /// Time at which the e-mail address was confirmed, in seconds since 1970.
    pub(crate) confirmed_at: i64,
    /// Whether the account's owner gets an e-mail when it is their turn in a correspondence match.
    pub(crate) turns: bool,
    /// Number of consecutive e-mails about turns that the mail server refused permanently.
    pub(crate) refusals: u32,
    /// Earliest time of the next e-mail about a turn, in seconds since 1970.
    pub(crate) retry_at: i64,
}

/// E-mail message to a person. A person has at most one message of each kind with a link, and at most one notice of each kind per
/// address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MailMessage {
    pub(crate) person: Holder,
    pub(crate) kind: MailKind,
    pub(crate) address: String,
    pub(crate) language: PushLanguage,
    /// Whether the e-mail address is to be used for account recovery after its confirmation.
    pub(crate) recovery: bool,
    /// Unix time of the request that queued the e-mail message, in seconds.
    pub(crate) made_at: i64,
    /// Hash of the token that identifies the latest attempt to send the e-mail message; `None` before the first attempt. If the message has
    /// a link, the link contains the token.
    pub(crate) hash: Option<[u8; 32]>,
    /// Number of attempts to send the e-mail message.
    pub(crate) tries: u32,
    /// Unix time of the next attempt to send the e-mail message, in seconds.
    pub(crate) retry_at: i64,
    /// Time at which the e-mail message and its link expire, in seconds since 1970.
    pub(crate) until: i64,
    /// Whether the mail server has accepted the e-mail message.
    pub(crate) sent: bool,
}

impl MailMessage {
    /// Returns a new e-mail message; the first attempt to send the message is due at the time `at`.
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

/// Change of the stored e-mail address of a person, or of a stored e-mail message to the person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum MailChange {
    /// Queues an e-mail message to a person in place of an earlier message of the same kind. Returns a conflict if too
    /// many messages are queued.
    ///
    /// For a confirmation, `password` must be the password hash of the account, or `None` if the account has no password. For a
    /// recovery, the account must use the address for recovery.
    Queue { message: MailMessage, password: Option<String> },
    /// Begins an attempt to send an e-mail message, and stores the hash of a new token, which identifies the attempt. Returns a conflict
    /// unless the message has had `tries` attempts and the next attempt is due. If a server does not finish its attempt, a later attempt
    /// sends the message.
    Begin { person: Holder, kind: MailKind, address: String, tries: u32, hash: [u8; 32], at: i64 },
    /// Records that the mail server has accepted an e-mail message. The message is identified by the token hash of the attempt to send it.
    Sent { person: Holder, kind: MailKind, hash: [u8; 32] },
    /// Removes an e-mail message from the store. The message is identified by the token hash of the attempt to send it.
    Drop { person: Holder, kind: MailKind, hash: [u8; 32] },
    /// Consumes the token of a confirmation link, stores the confirmed e-mail address, and queues a notice to the former address.
    /// Returns a conflict if the token is not valid at the time `at`.
    Confirm { person: Holder, hash: [u8; 32], at: i64 },
    /// Replaces the settings of a confirmed e-mail address (language, and use for account recovery), and removes all stored
    /// e-mail messages with links.
    ///
    /// The messages are removed, because their links could confirm another address, or set a password despite the new settings.
    /// Returns a conflict if the account does not have the given address and password hash.
    Set {
        person: Holder,
        address: String,
        language: PushLanguage,
        recovery: bool,
        password: Option<String>,
    },
    /// Removes the e-mail address of a person and all e-mail messages with links, and queues a notice to the address. Returns a
    /// conflict if the account does not have the given password hash.
    Remove { person: Holder, password: Option<String>, at: i64 },
    /// Consumes the token of a recovery link, and replaces the password of the account. All browsers are signed out, and the
    /// codes of the person and the tokens of a bot are removed. Returns a conflict if the token is not valid at the time `at`.
    Recover { person: Holder, hash: [u8; 32], password: String, at: i64 },
    /// Changes the stored e-mails about a person's turns, or the person's setting for such e-mails.
    Turn(TurnMailChange),
}

impl MailChange {
    /// Returns the person whose e-mail address or e-mail messages a `MailChange` changes.
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

/// Returns an e-mail address in lower case, the form in which addresses are compared.
pub(crate) fn folded(address: &str) -> String {
    address.to_ascii_lowercase()
}

/// Returns the pause, in seconds, after a given number of attempts to send an e-mail message.
pub(crate) fn pause_after(tries: u32) -> i64 {
    FIRST_PAUSE << tries.saturating_sub(1).min(MOST_TRIES)
}

/// Store of e-mail addresses and e-mail messages. Changes are part of [`PersonChange`](super::person::PersonChange).
pub(crate) trait Mails: Send + Sync + 'static {
    /// Returns the confirmed e-mail address of a person's account, or `None` if the account has no address.
    fn mail_address(&self, person: Holder) -> StoreFuture<'_, Option<MailAddress>>;

    /// Returns the address data of at most [`MOST_WITH_ADDRESS`] accounts that use a given e-mail address for account
    /// recovery.
    fn mail_addresses_of(&self, address: String) -> StoreFuture<'_, Vec<MailAddress>>;

    /// Returns the e-mail messages to a person that are queued or have a valid link.
    fn mail_messages(&self, person: Holder) -> StoreFuture<'_, Vec<MailMessage>>;

    /// Returns the e-mail message with a given token in its link, or `None` if the link is not valid at the time `at`.
    fn mail_of_token(
        &self,
        kind: MailKind,
        hash: [u8; 32],
        at: i64,
    ) -> StoreFuture<'_, Option<MailMessage>>;

    /// Returns at most `limit` unsent e-mail messages for which the next attempt to send is due at the time `at`.
    fn due_mail(&self, at: i64, limit: u32) -> StoreFuture<'_, Vec<MailMessage>>;

    /// Returns the e-mails to a person about the person's turns, oldest first.
    fn turn_mails(&self, person: Holder) -> StoreFuture<'_, Vec<TurnMail>>;

    /// Returns the e-mail to a person about a turn of a match, or `None` if the store knows of no attempt to send this e-mail.
    fn turn_mail<'a>(
        &'a self,
        person: Holder,
        id: &'a str,
        turn: u64,
    ) -> StoreFuture<'a, Option<TurnMail>>;

    /// Returns the recipient of an e-mail about a turn, given the hash of the token in the e-mail's link. Returns `None` if the
    /// token is not valid at the time `at`.
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
