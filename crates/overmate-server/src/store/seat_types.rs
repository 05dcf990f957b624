//! Defines the interface to the private texts of seats: conditional answers, and notes to oneself.

use overmate_rules::{ByPlayer, Player};

use super::holder::Holder;
use super::outcome::{Appended, StoreFuture};

/// Store of the private texts of seats. A seat loses its texts when its player leaves it, and with its match.
pub(crate) trait SeatTexts: Send + Sync + 'static {
    /// Returns the private texts of both seats of a match; none for a match that the store does not hold.
    fn seat_texts<'a>(&'a self, id: &'a str) -> StoreFuture<'a, ByPlayer<SeatText>>;

    /// Replaces a private text of a seat. Returns a conflict if the person does not hold the seat, or if the last log entry has another sequence number than
    /// the conditional answers are for.
    fn set_seat_text(&self, change: SeatTextChange) -> StoreFuture<'_, Appended>;
}

/// Private texts of the player of a seat.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct SeatText {
    /// Conditional answers in the form of [`conditional`](crate::conditional).
    pub(crate) answers: Option<String>,
    /// Note of the player to themselves.
    pub(crate) note: Option<String>,
}

/// New private text of a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SeatTextChange {
    /// Id of the match.
    pub(crate) id: String,
    pub(crate) player: Player,
    pub(crate) person: Holder,
    pub(crate) kind: SeatTextKind,
    /// New text; `None` removes the text.
    pub(crate) text: Option<String>,
}

/// Kind of a private text of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SeatTextKind {
    /// Conditional answers for the position after the log entry with a sequence number.
    Answers {
        /// Sequence number of the last log entry.
        sequence: u64,
    },
    /// Note of the player to themselves.
    Note,
}

/// Conditional answers of a player as they were read before an action, and whether they stay valid after the action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AnswersRead {
    pub(crate) text: Option<String>,
    pub(crate) stay: bool,
}
