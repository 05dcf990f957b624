//! Table of values for two hands, for callers that number the cards themselves and pass sets of cards as bit masks.

use overmate_rules::{BySeat, CardSet, RuleSet, Seat};

use super::build::{MAX_TABLE_HAND, Table};

/// Table of exact values of the positions before a lead that can follow from two hands, with all
/// cards known to both players.
///
/// The table holds the values of a [`DealTable`](crate::DealTable), for callers that number the cards themselves and
/// ask for millions of values.
///
/// ```
/// use overmate_rules::{BySeat, RuleSet, Seat};
/// use overmate_solver::for_bots::HandsTable;
///
/// let rules = RuleSet::named("bga")?.shared();
/// let position = rules.read_position("AcTc/Ah7c first -/- - -")?.validate(&rules)?;
/// let table = HandsTable::new(&rules, position.hands()).expect("two cards a hand fit");
/// let held = BySeat { first: 0b11, second: 0b11 };
/// // The ace of clubs takes the seven of clubs, and the ten of clubs then mates in move 10.
/// assert_eq!(table.points_for_first(held, Seat::First, false), 10 * 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct HandsTable(Table);

impl HandsTable {
    /// Solves all positions that can follow from two hands, which may be the remaining cards of a larger deal.
    ///
    /// Returns `None` if a hand has more than [`MAX_TABLE_HAND`] cards, or if a score of the rule set is too large for
    /// a table.
    #[must_use]
    pub fn new(rules: &RuleSet, hands: BySeat<CardSet>) -> Option<Self> {
        Self::fits(rules, hands).then(|| Self(Table::of_hands(rules, hands)))
    }

    /// Returns whether a table can hold all positions that can follow from two hands.
    #[must_use]
    pub fn fits(rules: &RuleSet, hands: BySeat<CardSet>) -> bool {
        let largest = hands.first.len().max(hands.second.len());
        largest <= u32::from(MAX_TABLE_HAND) && Table::holds_scores_of(rules)
    }

    /// Returns the final points for seat *first* with best play by both, when the seats hold the cards `held` and `leader` is to lead.
    ///
    /// The move may be any move except the move with a repeated card. `held` has one bit for each held card of a hand,
    /// in the order of the deck's slots. Identical cards may stand for each other.
    ///
    /// # Panics
    ///
    /// Panics if a bit is set that is no card of the hand.
    #[must_use]
    pub fn points_for_first(&self, held: BySeat<u32>, leader: Seat, free_move_left: bool) -> i32 {
        self.0.rows().get(free_move_left, held.map(|bits| bits as usize), leader).into()
    }
}
