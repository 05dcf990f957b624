//! Defines the store interface for the private texts of players: conditional answers and notes.

use std::collections::HashMap;

use overmate_rules::{ByPlayer, Player};

use super::holder::Holder;
use super::outcome::{Appended, StoreFuture};

/// Store of the private texts of players: conditional answers and notes. The texts are removed when
/// the player leaves the seat, and with the match.
pub(crate) trait SeatTexts: Send + Sync + 'static {
    /// Returns the conditional answers and the notes of both players of a match. If the match does not exist, there are no texts.
    fn seat_texts<'a>(&'a self, id: &'a str) -> StoreFuture<'a, ByPlayer<SeatText>>;

    /// Returns the conditional answers and the notes of both players of several matches, by match id. Ids without a match are
    /// left out.
    fn seat_texts_of(
        &self,
        ids: Vec<String>,
    ) -> StoreFuture<'_, HashMap<String, ByPlayer<SeatText>>>;

    /// Replaces the conditional answers or the note of a player. Returns a conflict if the person does not hold the seat, or if
    /// conditional answers are for another sequence number than that of the last log entry.
    fn set_seat_text(&self, change: SeatTextChange) -> StoreFuture<'_, Appended>;
}

/// Conditional answers and private note of a player in a match.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct SeatText {
    /// Conditional answers in the text form of [`conditional`](crate::conditional).
    pub(crate) answers: Option<String>,
    /// Private note of the player.
    pub(crate) note: Option<String>,
}

/// Change of the conditional answers or of the private note of a player.
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

/// Kind of a player's private text: conditional answers or a note.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SeatTextKind {
    /// Conditional answers for a position of the match.
    Answers {
        /// Sequence number of the last log entry before the position.
        sequence: u64,
    },
    /// Private note of the player.
    Note,
}

/// Conditional answers that the server read before an action, and whether they stay valid after the action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AnswersRead {
    pub(crate) text: Option<String>,
    pub(crate) stay: bool,
}
