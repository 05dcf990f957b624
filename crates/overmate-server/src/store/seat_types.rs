//! Defines the store interface for the private texts of seats: conditional answers and notes.

use std::collections::HashMap;

use overmate_rules::{ByPlayer, Player};

use super::holder::Holder;
use super::outcome::{Appended, StoreFuture};

/// Store of the private texts of players: conditional answers and notes. The texts are removed when
/// the player leaves the seat, and with the match.
pub(crate) trait SeatTexts: Send + Sync + 'static {
    /// Returns the private texts of both seats of a match. If the match does not exist, there are no texts.
    fn seat_texts<'a>(&'a self, id: &'a str) -> StoreFuture<'a, ByPlayer<SeatText>>;

    /// Returns the private texts of both seats of several matches, by the id of the match. Ids without a match are left out.
    fn seat_texts_of(
        &self,
        ids: Vec<String>,
    ) -> StoreFuture<'_, HashMap<String, ByPlayer<SeatText>>>;

    /// Replaces a private text of a seat. Returns a conflict if the person does not hold the seat, or if conditional
    /// answers are for another sequence number than that of the last log entry.
    fn set_seat_text(&self, change: SeatTextChange) -> StoreFuture<'_, Appended>;
}

/// Private texts of a seat: conditional answers and a note.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct SeatText {
    /// Conditional answers in the text form of [`conditional`](crate::conditional).
    pub(crate) answers: Option<String>,
    /// Private note of the player.
    pub(crate) note: Option<String>,
}

/// Change of the private note or of the conditional answers of a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SeatTextChange {
    /// Id of the match.
    pub(crate) id: String,
    pub(crate) player: Player,
    pub(crate) person: Holder,
    pub(crate) kind: SeatTextKind,
    /// New text, or `None` to remove the text.
    pub(crate) text: Option<String>,
}

/// Kind of private text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SeatTextKind {
    /// Conditional answers for the position after a log entry.
    Answers {
        /// Sequence number of the last log entry.
        sequence: u64,
    },
    /// Private note of the player.
    Note,
}

/// Conditional answers of a player as the server has read them, with their validity after the
/// action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AnswersRead {
    pub(crate) text: Option<String>,
    pub(crate) stay: bool,
}
