//! Defines a match with its log, as stored in memory for tests.

use overmate_rules::{ByPlayer, Player};

use crate::store::{
    AnswersRead, Entry, EntryKind, Holder, MatchInfo, NewMatchRequest, Occupant, SeatText,
    Unfinished,
};

/// Match with its log in the in-memory store.
pub(super) struct StoredMatch {
    pub(super) info: MatchInfo,
    pub(super) request: Option<NewMatchRequest>,
    pub(super) log: Vec<Entry>,
    pub(super) ended_at: Option<i64>,
    pub(super) folded: bool,
    pub(super) texts: ByPlayer<SeatText>,
}

impl StoredMatch {
    pub(super) fn is_held_by(&self, holder: Holder) -> bool {
        Player::BOTH.into_iter().any(|player| holder_of(&self.info, player) == Some(holder))
    }

    /// Returns whether the stored conditional answers of both players equal the answers that a
    /// server read earlier.
    pub(super) fn has_answers(&self, read: &ByPlayer<AnswersRead>) -> bool {
        Player::BOTH.into_iter().all(|player| self.texts[player].answers == read[player].text)
    }

    /// Removes the stored conditional answers of the players who satisfy a condition.
    pub(super) fn forget_answers(&mut self, is_left: impl Fn(Player) -> bool) {
        for player in Player::BOTH.into_iter().filter(|player| is_left(*player)) {
            self.texts[player].answers = None;
        }
    }

    /// Returns whether one person holds both seats of a match.
    pub(super) fn is_alone(&self) -> bool {
        let [a, b] = Player::BOTH.map(|player| holder_of(&self.info, player));
        a.is_some() && a == b
    }

    pub(super) fn unfinished(&self, deadline: Option<i64>) -> Unfinished {
        let seats = &self.info.seats;
        let is_of_person =
            |entry: &Entry| !self.info.is_bot(entry.player) && entry.kind != EntryKind::Operator;
        let occupants = Player::BOTH.map(|player| seats[player].occupant);
        Unfinished {
            id: self.info.id.clone(),
            sequence: self.log.len() as u64,
            created_at: self.info.created_at,
            acted_at: self.log.last().map_or(self.info.created_at, Entry::at),
            deadline,
            is_open: occupants.contains(&Occupant::Open),
            is_empty: self.info.shared_deal.is_none() && !self.log.iter().any(is_of_person),
        }
    }
}

/// Returns the browser identity that holds a seat of a match, or `None` if no identity holds the seat.
pub(super) fn holder_of(info: &MatchInfo, player: Player) -> Option<Holder> {
    match info.seats[player].occupant {
        Occupant::Holder(holder) => Some(holder),
        Occupant::Open | Occupant::Deleted | Occupant::Bot(..) => None,
    }
}
