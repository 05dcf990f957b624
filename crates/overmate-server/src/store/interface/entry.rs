//! Defines the entries in the log of a match.

use overmate_rules::Player;

/// Entry in the log of a match, such as an action or an undo.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// Sequence number of the entry in the match log, from 1 without gaps.
    pub(crate) sequence: u64,
    pub(crate) player: Player,
    pub(crate) kind: EntryKind,
    /// Client id (idempotency key) of the request that appended the entry, or a random id that the server chose. The id is unique in the
    /// match, and empty in a folded log.
    pub(crate) client_id: String,
    /// Unix time at which the entry was appended to the log, in milliseconds.
    pub(crate) at_ms: i64,
    /// Time, in milliseconds, that a log entry grants to a player: a lag compensation, a credit for server downtime, or the remaining time
    /// of days off.
    pub(crate) given_ms: i64,
}

impl Entry {
    /// Returns the Unix time at which the entry was appended to the log, in seconds.
    pub(crate) fn at(&self) -> i64 {
        self.at_ms.div_euclid(1_000)
    }
}

#[cfg(test)]
impl Entry {
    /// Returns a log entry of player A for tests. The time of the entry is the Unix time 0.
    pub(crate) fn sample(sequence: u64, kind: EntryKind) -> Self {
        let client_id = sequence.to_string();
        Self { sequence, player: Player::A, kind, client_id, at_ms: 0, given_ms: 0 }
    }
}

/// Kind of an entry in the log of a match, such as an action or an undo.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum EntryKind {
    /// The player took the action with the given notation.
    Act(String),
    /// The player resigned. This ends the match.
    Resign,
    /// The player took back their last action.
    Undo,
    /// The player received a hint, which evaluates each legal action.
    Hint,
    /// The player took the open seat of the match.
    Join,
    /// The player erased their data or deleted the ended match, and thereby vacated their seat.
    Leave,
    /// The player made an offer to play a rematch.
    Offer,
    /// The player accepted a rematch, which created the match with the given id.
    Accept(String),
    /// An operator changed the name or the browser identity of the player's seat, or revoked the invitation to the seat.
    Operator,
    /// The player ran out of time on their clock. This ends the match.
    Flag,
    /// The player received a time credit for a server downtime during which their clock ran.
    Credit,
    /// The player began or ended days off, which stop their correspondence clock. `given_ms` is the length of the pause; 0 ends
    /// the pause.
    Away,
    /// The player asked for a pause of the clocks or, during a pause, for the end of the pause. The clocks stop or continue when
    /// both players have asked.
    Pause,
}

impl EntryKind {
    /// Returns the kind and the detail of a log entry as the texts that the database stores. The detail is an action or a match id.
    pub(crate) fn texts(&self) -> (&'static str, Option<&str>) {
        match self {
            Self::Act(action) => ("act", Some(action)),
            Self::Resign => ("resign", None),
            Self::Undo => ("undo", None),
            Self::Hint => ("hint", None),
            Self::Join => ("join", None),
            Self::Leave => ("leave", None),
            Self::Offer => ("offer", None),
            Self::Accept(id) => ("accept", Some(id)),
            Self::Operator => ("operator", None),
            Self::Flag => ("flag", None),
            Self::Credit => ("credit", None),
            Self::Away => ("away", None),
            Self::Pause => ("pause", None),
        }
    }

    /// Parses the kind and the detail of a log entry from the database texts that [`texts`](Self::texts) returns. Returns `None` for other
    /// texts.
    pub(crate) fn of_texts(kind: &str, detail: Option<String>) -> Option<Self> {
        match (kind, detail) {
            ("act", Some(action)) => Some(Self::Act(action)),
            ("resign", None) => Some(Self::Resign),
            ("undo", None) => Some(Self::Undo),
            ("hint", None) => Some(Self::Hint),
            ("join", None) => Some(Self::Join),
            ("leave", None) => Some(Self::Leave),
            ("offer", None) => Some(Self::Offer),
            ("accept", Some(id)) => Some(Self::Accept(id)),
            ("operator", None) => Some(Self::Operator),
            ("flag", None) => Some(Self::Flag),
            ("credit", None) => Some(Self::Credit),
            ("away", None) => Some(Self::Away),
            ("pause", None) => Some(Self::Pause),
            _ => None,
        }
    }

    /// Returns whether a log entry changes the occupant, the name or the invitation of a seat. The store keeps these data of a
    /// seat outside of the log.
    pub(crate) fn changes_seat(&self) -> bool {
        matches!(self, Self::Join | Self::Leave | Self::Operator)
    }
}
