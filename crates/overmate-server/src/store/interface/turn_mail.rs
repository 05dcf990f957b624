//! Defines the store's data types for e-mails about turns, and for changes of these e-mails.

use super::holder::Holder;
use super::push::PushLanguage;

/// Validity period, in seconds, of the unsubscribe link in an e-mail about a turn.
pub(crate) const STOP_TIME: i64 = 60 * 24 * 3_600;

/// Number of consecutive refusals by the mail server after which e-mails about turns are switched off.
pub(crate) const MOST_REFUSALS: u32 = 3;

/// Time, in seconds, during which a person gets no e-mails about turns after the mail server has refused such an e-mail
/// to the person. Several refusals during a short failure of the mail server thus count as one refusal.
pub(crate) const REFUSAL_PAUSE: i64 = 6 * 3_600;

/// Record of an e-mail about a turn, and of the server's attempts to send the e-mail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TurnMail {
    pub(crate) person: Holder,
    /// Id of the match in which it is the person's turn.
    pub(crate) id: String,
    /// Number of actions in the match before the turn that the e-mail announces.
    pub(crate) turn: u64,
    /// Number of attempts to send the e-mail about the turn.
    pub(crate) tries: u32,
    /// Whether the latest attempt to send the e-mail is known to have failed. Only then may the server try again, because the
    /// person must not get the e-mail twice.
    pub(crate) failed: bool,
    /// Time of the latest attempt to send the e-mail, in seconds since 1970.
    pub(crate) at: i64,
    /// Time at which the unsubscribe link in the e-mail expires, in seconds since 1970.
    pub(crate) until: i64,
}

/// Change of the stored e-mails about a person's turns, or of the person's setting for such e-mails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TurnMailChange {
    /// Switches a person's e-mails about turns on or off, and resets the number of refusals by the mail server. Returns a conflict if the
    /// person has no confirmed e-mail address.
    Set { person: Holder, turns: bool, language: PushLanguage },
    /// Begins an attempt to send an e-mail about a turn, and stores the hash of the new token for the e-mail's unsubscribe link.
    ///
    /// Returns a conflict if the e-mail is no longer queued, or if the log of the match does not end at the given sequence
    /// number. Other conflicts are that the owner has switched the e-mails off, that the owner has another address, or that an
    /// earlier attempt for the turn is not known to have failed.
    Begin {
        person: Holder,
        address: String,
        /// Id of the match in which it is the person's turn.
        id: String,
        sequence: u64,
        turn: u64,
        hash: [u8; 32],
        at: i64,
    },
    /// Records the mail server's answer to an attempt to send an e-mail about a turn.
    End { person: Holder, hash: [u8; 32], answer: TurnMailAnswer, at: i64 },
    /// Switches off a person's e-mails about turns after the person has followed an unsubscribe link. `hash` is the
    /// hash of the token in the link. Returns a conflict if the token is not valid at the time `at`.
    Stop { person: Holder, hash: [u8; 32], at: i64 },
}

/// Answer of the mail server to an e-mail about a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TurnMailAnswer {
    /// The mail server accepted the e-mail.
    Accepted,
    /// The mail server refused the e-mail permanently.
    Refused,
    /// The mail server has certainly not accepted the e-mail, but may accept a later attempt.
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
