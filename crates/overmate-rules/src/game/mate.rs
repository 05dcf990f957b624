//! What a mate scores.

use crate::cards::{BySeat, Card, Seat};
use crate::rule_set::{OvermateFor, RuleSet, SoleReward};

/// A mate: a lead that could not be answered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Mate {
    /// Who gave it, and scores.
    pub by: Seat,
    /// The card that mated.
    pub card: Card,
    /// Its value in points.
    pub value: u16,
    /// The number of the move in which it mated, from 1.
    pub move_number: u8,
    /// The number that the move counts as: one more for a player who foreplaced, if the rule set says so.
    pub counts_as: u8,
    /// Whether the score is doubled.
    pub doubled: bool,
    /// Whether it is an overmate: given in the extra last move, and doubled for that.
    pub overmate: bool,
}

impl Mate {
    /// What the value of the card is multiplied by: 1 and up.
    #[must_use]
    pub fn factor(&self) -> u16 {
        u16::from(self.counts_as) * if self.doubled { 2 } else { 1 }
    }

    /// The points for the one who gave mate: 1 and up.
    #[must_use]
    pub fn points(&self) -> i32 {
        i32::from(self.value) * i32::from(self.factor())
    }

    /// The points as *first* sees them: negative if *second* gave mate.
    #[must_use]
    pub fn points_for_first(&self) -> i32 {
        self.by.sign_for_first() * self.points()
    }
}

impl RuleSet {
    /// The mate that a card gives in a move (from 1), when these seats had foreplaced.
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
