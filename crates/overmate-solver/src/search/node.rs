//! Defines the nodes of the alpha-beta search. A node is a position in which a card must be led.

use overmate_rules::{BySeat, Seat};

use super::transposition_table::TranspositionTable;

/// Node of the alpha-beta search: a position in which a card must be led. The sets are bit masks
/// over the numbered cards of the search.
#[derive(Clone, Copy)]
pub(super) struct SearchNode {
    /// Bit mask of the cards that the leader holds.
    pub(super) own: u64,
    /// Bit mask of the cards that the follower holds.
    pub(super) other: u64,
    pub(super) leader: Seat,
    /// Whether the free move (the right to answer once in rank while holding the suit) is unused.
    pub(super) free: bool,
}

impl SearchNode {
    /// Returns the bit masks of the cards that seat *first* and seat *second* hold.
    pub(super) fn held(self) -> BySeat<u64> {
        match self.leader {
            Seat::First => BySeat { first: self.own, second: self.other },
            Seat::Second => BySeat { first: self.other, second: self.own },
        }
    }

    /// Returns the search node after a lead and its answer.
    pub(super) fn after(self, card: usize, answer: usize, wins: bool, free: bool) -> Self {
        let (own, other) = (self.own & !(1 << card), self.other & !(1 << answer));
        if wins {
            Self { own, other, leader: self.leader, free }
        } else {
            Self { own: other, other: own, leader: !self.leader, free }
        }
    }

    /// Returns the key of the node in the transposition table.
    pub(super) fn key(self) -> u64 {
        TranspositionTable::key(self.held(), self.leader, self.free)
    }

    /// Returns the node in which both seats keep their hands and the present follower leads.
    pub(super) fn swapped(self) -> Self {
        Self { own: self.other, other: self.own, leader: !self.leader, free: self.free }
    }
}
