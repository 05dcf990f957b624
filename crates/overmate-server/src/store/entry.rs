//! Defines the entries in the log of a match.

use overmate_rules::Player;

/// Entry in the log of a match, such as an action or an undo.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// Sequence number of the entry in the log, counted from 1 without gaps.
    pub(crate) sequence: u64,
    pub(crate) player: Player,
    pub(crate) kind: EntryKind,
    /// Id that the client gave to the request. The id is unique in the match, and makes the request idempotent. It is empty in a
    /// folded log.
    pub(crate) client_id: String,
    /// Time when the entry was appended, in milliseconds since 1970.
    pub(crate) at_ms: i64,
    /// Time in milliseconds that the entry gives back to its player, at least 0: compensated lag of an action, the downtime of a credit, or the rest of an
    /// absence.
    pub(crate) given_ms: i64,
}

impl Entry {
    /// Returns the time when the entry was appended, in seconds since 1970.
    pub(crate) fn at(&self) -> i64 {
        self.at_ms.div_euclid(1_000)
    }
}

/// Kind of an entry in the log of a match, such as an action or an undo.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum EntryKind {
    /// The player took this action, given in notation.
    Act(String),
    /// The player resigned, which ends the match.
    Resign,
    /// The player took back their last action.
    Undo,
    /// The player got the values of the legal actions.
    Hint,
    /// The player took the open seat of the match.
    Join,
    /// The player's browser erased its data and left the seat, after the end of the match.
    Leave,
    /// The player offered the other player a rematch.
    Offer,
    /// The player accepted a rematch, which is the match with this id.
    Accept(String),
    /// An operator changed the name or the browser of the player's seat, or revoked the invitation to the seat.
    Operator,
    /// The time of the player ran out, which ends the match.
    Flag,
    /// The player, whose clock ran while no server ran, got this time back.
    Credit,
    /// The player, whose clock of days ran, is away for the time that the entry gives, and back with 0.
    Away,
    /// The player asked for a pause of the clocks or, during a pause, for its end. The request of the second player has effect.
    Pause,
}

impl EntryKind {
    /// Returns the texts for the entry in the database: its kind, and the action or match of the entry.
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

    /// Returns the kind from the texts of [`texts`](Self::texts), or `None` for other texts.
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

    /// Returns whether the entry changes the occupant, the name or the invitation of a seat. These data are stored outside of the
    /// log.
    pub(crate) fn changes_seat(&self) -> bool {
        matches!(self, Self::Join | Self::Leave | Self::Operator)
    }
}
