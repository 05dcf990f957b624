//! Defines the store interface for the private texts of players: conditional answers and notes.

use std::collections::HashMap;

use overmate_rules::{ByPlayer, Player};

use super::holder::Holder;
use super::outcome::{Appended, StoreFuture};

/// Store of players' private texts: conditional answers and notes. The store removes the texts with the match, or when the player
/// leaves the seat.
pub(crate) trait SeatTexts: Send + Sync + 'static {
    /// Returns the conditional answers and the notes of both players of a match. An unknown match has no texts.
    fn seat_texts<'a>(&'a self, id: &'a str) -> StoreFuture<'a, ByPlayer<SeatText>>;

    /// Returns the conditional answers and the notes of both players of several matches, by match id. Ids of unknown matches are
    /// left out.
    fn seat_texts_of(
        &self,
        ids: Vec<String>,
    ) -> StoreFuture<'_, HashMap<String, ByPlayer<SeatText>>>;

    /// Replaces the conditional answers or the note of a player. Returns a conflict if the person does not hold the player's seat,
    /// or if the log of the match does not end with the entry to which the conditional answers belong.
    fn set_seat_text(&self, change: SeatTextChange) -> StoreFuture<'_, Appended>;
}

/// Conditional answers and private note of a player in a match.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct SeatText {
    /// Player's conditional answers in the text format of [`conditional`](crate::matches::conditional), or `None`.
    pub(crate) answers: Option<String>,
    /// Player's private note, or `None`.
    pub(crate) note: Option<String>,
}

/// Change of a player's conditional answers or private note.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SeatTextChange {
    /// Id of the match to which the player's conditional answers or private note belong.
    pub(crate) id: String,
    pub(crate) player: Player,
    pub(crate) person: Holder,
    pub(crate) kind: SeatTextKind,
    /// New conditional answers or note, or `None` to remove the stored text.
    pub(crate) text: Option<String>,
}

/// Kind of a player's private text: conditional answers or a note.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SeatTextKind {
    /// Conditional answers for a position of the match.
    Answers {
        /// Sequence number of the log entry after which the conditional answers apply. The entry must be the last entry of the log.
        sequence: u64,
    },
    /// Private note of the player about the match.
    Note,
}

/// Conditional answers of one player that the server read from the store before it composed a log entry. The flag `stay` tells whether the
/// answers stay valid after the entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AnswersRead {
    pub(crate) text: Option<String>,
    pub(crate) stay: bool,
}
