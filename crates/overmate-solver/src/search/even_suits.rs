//! Detects drawn positions in which both hands hold equally many cards of each suit.

use overmate_rules::{BySeat, Seat};

use crate::deal::cards::DealCards;

/// List of the suits, with a bit mask of each seat's cards of the suit. The list is empty if the
/// rules do not always require an answer in suit.
pub(super) struct EvenSuits(Vec<BySeat<u64>>);

impl EvenSuits {
    pub(super) fn new(cards: &DealCards) -> Self {
        let suits = cards.suits();
        let follows = |seat: Seat| {
            cards.leads[seat].iter().all(|lead| {
                let suit = suits.iter().find(|suit| suit[seat] >> lead.card & 1 == 1);
                suit.is_some_and(|suit| lead.masks.answers_first(suit[!seat]))
            })
        };
        Self(if Seat::BOTH.into_iter().all(follows) { suits } else { Vec::new() })
    }

    /// Returns whether both seats hold the same number of cards of each suit. Then the game is a draw.
    ///
    /// Every move then takes two cards of one suit, so that the hands stay even and no lead gives
    /// mate.
    pub(super) fn are_even(&self, held: BySeat<u64>) -> bool {
        let even = |suit: &BySeat<u64>| {
            (suit.first & held.first).count_ones() == (suit.second & held.second).count_ones()
        };
        !self.0.is_empty() && self.0.iter().all(even)
    }
}
