//! Score of a mate.

use crate::cards::{BySeat, Card, Seat};
use crate::rule_set::{OvermateFor, RuleSet, SoleReward};

/// Mate and its score: a lead that could not be answered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Mate {
    /// Seat that gave mate and scores.
    pub by: Seat,
    /// Card that gave mate.
    pub card: Card,
    /// Value of the card in points.
    pub value: u16,
    /// Number of the move in which the card gave mate, from 1.
    pub move_number: u8,
    /// Number that the move counts as: one more for a player who foreplaced, if the rule set says so.
    pub counts_as: u8,
    /// Whether the score is doubled.
    pub doubled: bool,
    /// Whether the mate is an overmate: given in the extra last move, which doubles the score.
    pub overmate: bool,
}

impl Mate {
    /// Returns the factor of the score, at least 1: points are the value of the card times this factor.
    #[must_use]
    pub fn factor(&self) -> u16 {
        u16::from(self.counts_as) * if self.doubled { 2 } else { 1 }
    }

    /// Returns the points for the seat that gave mate, at least 1.
    #[must_use]
    pub fn points(&self) -> i32 {
        i32::from(self.value) * i32::from(self.factor())
    }

    /// Returns the points for *first*: negative if *second* gave mate.
    #[must_use]
    pub fn points_for_first(&self) -> i32 {
        self.by.sign_for_first() * self.points()
    }
}

impl RuleSet {
    /// Returns the mate that a card gives in a move (numbered from 1).
    ///
    /// `foreplaced` says which seats have foreplaced a card.
    #[must_use]
    pub fn mate(&self, by: Seat, card: Card, move_number: u8, foreplaced: BySeat<bool>) -> Mate {
        let plain = Mate {
            by,
            card,
            value: self.deck().value(card),
            move_number,
            counts_as: move_number,
            doubled: false,
            overmate: false,
        };
        let Some(foreplacing) = self.foreplacing() else {
            return plain;
        };
        let (mine, both) = (foreplaced[by], foreplaced.first && foreplaced.second);
        let extra_move = foreplaced.first != foreplaced.second && move_number == self.hand_size();
        let overmate = extra_move
            && match foreplacing.overmate {
                OvermateFor::Nobody => false,
                OvermateFor::Foreplacer => mine,
                OvermateFor::Either => true,
            };
        let one_more = mine && (both || foreplacing.sole == SoleReward::OneMoveMore);
        let sole_double = mine && !both && foreplacing.sole == SoleReward::Doubled;
        Mate {
            counts_as: move_number + u8::from(one_more),
            doubled: overmate || sole_double,
            overmate,
            ..plain
        }
    }
}
