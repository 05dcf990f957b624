//! Defines the deal table: the exact value of every position of a deal.

use std::sync::Arc;

use overmate_rules::{Action, Dealt, Position, RuleSet};

use super::build::Table;
use crate::deal::cards::MAX_TABLE_HAND;
use crate::kernel::Kernel;
use crate::value::ValueForFirst;

/// Deal table: the exact value of every position of a deal, with all cards known to both players.
///
/// A face-down card counts as known to both players, so that the values are those of a game with perfect information. The table takes at
/// most 4.2 MB of memory, or 8.4 MB with a free move.
///
/// ```
/// use overmate_rules::{Deal, Game, RuleSet};
/// use overmate_solver::DealTable;
/// let rules = RuleSet::named("sackson")?.shared();
/// let deal = Deal::numbered(&rules, 20_010)?;
/// let table = DealTable::with_all_cards_open(&deal)?;
/// let game = Game::new(deal);
/// let actions = table.action_values(game.position()).expect("the game is of this deal");
/// let best = actions.iter().map(|(_, value)| *value).max();
/// assert_eq!(best, table.value_for_first(game.position()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DealTable {
    dealt: Dealt,
    table: Table,
}

/// Error: each hand of a deal has more cards than a [`DealTable`] can hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyCards {
    /// Number of cards in each hand of the deal.
    pub hand_size: u8,
}

impl core::fmt::Display for TooManyCards {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { hand_size } = self;
        write!(f, "a deal table holds at most {MAX_TABLE_HAND} cards a hand, not {hand_size}")
    }
}

impl core::error::Error for TooManyCards {}

impl DealTable {
    /// Solves every position of a deal, including positions with foreplaced cards, with all cards
    /// known to both players.
    ///
    /// # Errors
    ///
    /// Returns [`TooManyCards`] if the deck has more than 20 cards.
    pub fn with_all_cards_open(dealt: &Dealt) -> Result<Self, TooManyCards> {
        Self::by_kernel(Kernel::fastest(), dealt)
    }

    /// Solves every position of a deal with the vector instructions of a kernel. The processor must
    /// support the kernel.
    pub(crate) fn by_kernel(kernel: Kernel, dealt: &Dealt) -> Result<Self, TooManyCards> {
        let rules = dealt.rules();
        let hand_size = rules.hand_size();
        if hand_size > MAX_TABLE_HAND {
            return Err(TooManyCards { hand_size });
        }
        let table = Table::of_hands(kernel, rules, dealt.hands());
        Ok(Self { dealt: dealt.clone(), table })
    }

    /// Returns the rule set of the deal.
    #[must_use]
    pub fn rules(&self) -> &Arc<RuleSet> {
        self.dealt.rules()
    }

    /// Returns the deal whose positions the table holds.
    #[must_use]
    pub fn dealt(&self) -> &Dealt {
        &self.dealt
    }

    /// Returns the final points for seat *first* under best play from a position of the deal.
    ///
    /// Returns `None` if the position is not of this deal and rule set.
    #[must_use]
    pub fn value_for_first(&self, position: &Position) -> Option<ValueForFirst> {
        self.has(position).then(|| self.value(position))
    }

    /// Returns all legal actions of a position, each with the exact value of the position after the action.
    ///
    /// The actions have the order of [`Position::legal_actions`]. Returns `None` if the position is not of this deal and
    /// rule set.
    #[must_use]
    pub fn action_values(&self, position: &Position) -> Option<Vec<(Action, ValueForFirst)>> {
        if !self.has(position) {
            return None;
        }
        Some(position.successors().map(|(action, after)| (action, self.value(&after))).collect())
    }

    /// Returns whether a position belongs to the deal and the rule set of the table.
    fn has(&self, position: &Position) -> bool {
        position.rules() == self.rules()
            && self.table.cards().held(self.rules(), position).is_some()
    }

    /// Returns the exact value of a position of the deal.
    fn value(&self, position: &Position) -> ValueForFirst {
        self.table.value_for_first(position)
    }
}
