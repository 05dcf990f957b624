//! Defines a table of the exact values of all positions that can arise from two hands and in which
//! a card must be led.

use overmate_rules::{BySeat, CardSet, RuleSet, Seat};

use super::build::{Table, Values};
use crate::deal::cards::{DealCards, MAX_TABLE_HAND};
use crate::kernel::Kernel;

/// Table of the exact values of all positions that can arise from two hands and in which a card must be led.
///
/// The table holds the values of a [`DealTable`](crate::DealTable). Callers give the hands as bit
/// masks instead of a position.
///
/// ```
/// use overmate_rules::{BySeat, RuleSet, Seat};
/// use overmate_solver::for_bots::HandsTable;
/// let rules = RuleSet::named("bga")?.shared();
/// let position = rules.read_position("AcTc/Ah7c first -/- - -")?.validate(&rules)?;
/// let table = HandsTable::new(&rules, position.hands()).expect("two cards a hand fit");
/// let held = BySeat { first: 0b11, second: 0b11 };
/// // The ace of clubs takes the seven of clubs, and the ten of clubs then mates in move 10.
/// assert_eq!(table.points_for_first(held, Seat::First, false), 10 * 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct HandsTable(Values);

impl HandsTable {
    /// Solves all positions that can arise from two hands, or returns `None` if a table cannot hold these positions.
    ///
    /// Returns `None` if a hand has more than [`MAX_TABLE_HAND`] cards, or if a score of the rule set is too large for
    /// a table.
    #[must_use]
    pub fn new(rules: &RuleSet, hands: BySeat<CardSet>) -> Option<Self> {
        if !Self::fits(rules, hands) {
            return None;
        }
        let cards = DealCards::of_hands(rules, hands);
        Some(Self(Values::exact(Kernel::fastest(), rules, &cards)))
    }

    /// Returns whether a [`HandsTable`] can hold the values of all positions that can arise from two hands.
    #[must_use]
    pub fn fits(rules: &RuleSet, hands: BySeat<CardSet>) -> bool {
        let largest = hands.first.len().max(hands.second.len());
        largest <= u32::from(MAX_TABLE_HAND) && Table::holds_scores_of(rules)
    }

    /// Returns the final points for seat *first* under best play, given both hands and the leader.
    ///
    /// The position may be in any move except a move with a repeated card. `held` has one bit for
    /// each held card of a hand, in the order of the deck. Identical cards are interchangeable.
    ///
    /// # Panics
    ///
    /// Panics if a set bit is not a card of the hand.
    #[must_use]
    pub fn points_for_first(&self, held: BySeat<u32>, leader: Seat, free_move_left: bool) -> i32 {
        self.0.get(free_move_left, held.map(|bits| bits as usize), leader)
    }
}
