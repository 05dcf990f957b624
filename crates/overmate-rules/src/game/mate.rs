//! Defines mates (leads that cannot be answered) and their scores.

use crate::cards::{BySeat, Card, Seat};
use crate::rule_set::{OvermateFor, RuleSet, SoleReward};

/// Mate (a lead without a possible answer), with all data from which its score is computed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Mate {
    /// Seat of the player who gave mate and scores the points.
    pub by: Seat,
    /// Led card that gave mate.
    pub card: Card,
    /// Value of the card that gave mate, in points.
    pub value: u16,
    /// Number of the move in which the card gave mate, from 1.
    pub move_number: u8,
    /// Factor by which the mating card's value is multiplied before any doubling of the score. The factor is the move number, or one more
    /// as a bonus for foreplacing.
    pub counts_as: u8,
    /// Whether the mate is an overmate, whose score is doubled.
    ///
    /// If only one player has foreplaced, a mate in the extra last move is an overmate, unless the rule set excludes the
    /// player who gave mate. In a rule set that doubles every mate of a sole foreplacer, each such mate is an overmate.
    pub overmate: bool,
}

impl Mate {
    /// Returns the factor, at least 1, by which the points of the mating card are multiplied.
    #[must_use]
    pub fn factor(&self) -> u16 {
        u16::from(self.counts_as) * if self.overmate { 2 } else { 1 }
    }

    /// Returns the points of the player who gave mate, at least 1.
    #[must_use]
    pub fn points(&self) -> i32 {
        i32::from(self.value) * i32::from(self.factor())
    }

    /// Returns the points of the mate for seat `First`, negative if seat `Second` gave mate.
    #[must_use]
    pub fn points_for_first(&self) -> i32 {
        self.by.sign_for_first() * self.points()
    }
}

impl RuleSet {
    /// Returns the mate that `card` gives when the seat `by` leads the card in move `move_number`, counted from 1.
    ///
    /// The parameter `foreplaced` states which seats have foreplaced a card.
    ///
    /// ```
    /// use overmate_rules::{BySeat, RuleSet, Seat};
    /// let rules = RuleSet::named("sackson")?;
    /// let king = rules.deck().read_card("Kh")?;
    /// let only_first = BySeat { first: true, second: false };
    /// assert_eq!(rules.mate(Seat::First, king, 7, only_first).points(), 4 * 8);
    /// assert_eq!(rules.mate(Seat::Second, king, 7, only_first).points(), 4 * 7);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn mate(&self, by: Seat, card: Card, move_number: u8, foreplaced: BySeat<bool>) -> Mate {
        let plain = Mate {
            by,
            card,
            value: self.deck().value(card),
            move_number,
            counts_as: move_number,
            overmate: false,
        };
        let Some(foreplacing) = self.foreplacing() else {
            return plain;
        };
        let (mine, both) = (foreplaced[by], foreplaced.first && foreplaced.second);
        let extra_move = foreplaced.first != foreplaced.second && move_number == self.hand_size();
        let in_extra_move = extra_move
            && match foreplacing.overmate {
                OvermateFor::Nobody => false,
                OvermateFor::Foreplacer => mine,
                OvermateFor::Either => true,
            };
        let one_more = mine && (both || foreplacing.sole == SoleReward::OneMoveMore);
        let sole_double = mine && !both && foreplacing.sole == SoleReward::Doubled;
        Mate {
            counts_as: move_number + u8::from(one_more),
            overmate: in_extra_move || sole_double,
            ..plain
        }
    }
}
