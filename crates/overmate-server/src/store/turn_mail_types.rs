//! Defines the e-mails about turns in the store, and their changes.

use super::holder::Holder;
use super::push_types::PushLanguage;

/// Validity period, in seconds, of the link that switches e-mails about turns off.
pub(crate) const STOP_TIME: i64 = 60 * 24 * 3_600;

/// Number of refusals in a row after which e-mails about turns are switched off.
pub(crate) const MOST_REFUSALS: u32 = 3;

/// Pause after a refusal by the mail server, in seconds. Several refusals during a short failure of the mail server thus count as
/// one refusal.
pub(crate) const REFUSAL_PAUSE: i64 = 6 * 3_600;

/// E-mail about a turn, with at least one attempt to send it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TurnMail {
    pub(crate) person: Holder,
    /// Id of the match.
    pub(crate) id: String,
    /// Number of actions in the match before the turn.
    pub(crate) turn: u64,
    /// Number of attempts to send the e-mail.
    pub(crate) tries: u32,
    /// Whether the latest attempt is known to have failed, so that a further attempt sends no second message.
    pub(crate) failed: bool,
    /// Time of the latest attempt, in seconds since 1970.
    pub(crate) at: i64,
    /// Time at which the link expires, in seconds since 1970.
    pub(crate) until: i64,
}

/// Change of the e-mails about turns to a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TurnMailChange {
    /// Switches a person's e-mails about turns on or off, and resets the number of refusals. Returns a conflict if the person has
    /// no confirmed address.
    Set { person: Holder, turns: bool, language: PushLanguage },
    /// Begins an attempt with a new token. Returns a conflict if the owner has switched the e-mails off or has another address, if an
    /// earlier attempt for the turn is not known to have failed, if the message is no longer queued, or if the log of the match does
    /// not end at the given sequence number.
    Begin {
        person: Holder,
        address: String,
        /// Id of the match.
        id: String,
        sequence: u64,
        turn: u64,
        hash: [u8; 32],
        at: i64,
    },
    /// Records the mail server's answer to an attempt to send a mail.
    End { person: Holder, hash: [u8; 32], answer: TurnMailAnswer, at: i64 },
    /// Switches a person's e-mails about turns off by the token of a link. Returns a conflict if the token is not valid at the
    /// time `at`.
    Stop { person: Holder, hash: [u8; 32], at: i64 },
}

/// Answer of the mail server to an e-mail about a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TurnMailAnswer {
    /// The mail server accepted the message.
    Accepted,
    /// The mail server refused the message for good.
    Refused,
    /// The mail server certainly has not taken the message, and may take it later.
    Failed,
}

impl TurnMailChange {
    /// Returns the person whose e-mails about turns change.
    pub(crate) fn person(&self) -> Holder {
        match self {
            Self::Set { person, .. }
            | Self::Begin { person, .. }
            | Self::End { person, .. }
            | Self::Stop { person, .. } => *person,
        }
    }
}
