//! Keeps the tables of position values of the most recent deals, so that several bots can share the tables.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use overmate_rules::{BySeat, CardSet, Game};
use overmate_solver::MAX_TABLE_HAND;
use overmate_solver::graph::LeadGraph;

use crate::model::horizon_tables::HorizonTables;

/// Tables of position values of the most recent deals, which several bots on several threads can share.
///
/// The tables change no action of a bot. They are filled when a bot first needs them, and take up to 20 MB for a deal, or 40 MB with a
/// free move. On processors without AVX2 they take up to 42 MB, or 84 MB with a free move.
///
/// This example gives two bots of a match the same tables.
/// ```
/// use std::sync::Arc;
/// use overmate_bots::{BuiltIn, SharedTables};
/// let tables = Arc::new(SharedTables::of_last_deals(1));
/// let [level, perfect] = ["level:5", "perfect"].map(|name| {
///     name.parse::<BuiltIn>().map(|bot| bot.seeded_with(7, &tables))
/// });
/// assert_eq!((level?.name(), perfect?.name()), ("level:5".to_owned(), "perfect".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SharedTables {
    /// Hands and tables of position values of the most recent deals, from the oldest to the newest.
    deals: Mutex<VecDeque<SharedDeal>>,
    /// Maximum number of deals whose tables of position values are kept, at least 1.
    capacity: usize,
}

/// Hands of a whole deal, or of a position near the end of a game, with the value tables of all
/// positions that can follow.
struct SharedDeal {
    hands: BySeat<CardSet>,
    tables: Arc<HorizonTables>,
}

impl SharedTables {
    /// Creates an empty cache of tables of position values, which keeps the tables of the `capacity`
    /// most recent deals (at least 1).
    #[must_use]
    pub fn of_last_deals(capacity: usize) -> Self {
        Self { deals: Mutex::default(), capacity: capacity.max(1) }
    }

    /// Returns the tables of position values that contain the current position of a game. Returns `None` if the hands
    /// or the scores are too large for tables.
    ///
    /// The tables hold all positions of the deal or, with a large deck, the positions after the current one.
    pub(crate) fn of(&self, game: &Game) -> Option<Arc<HorizonTables>> {
        let hands = table_hands(game)?;
        // The lock on the shared tables is used even after a panic has poisoned it, because a panic leaves the list of tables intact.
        let mut deals = self.deals.lock().unwrap_or_else(PoisonError::into_inner);
        let is_known =
            |deal: &&SharedDeal| deal.hands == hands && deal.tables.graph().rules() == game.rules();
        if let Some(known) = deals.iter().find(is_known) {
            return Some(Arc::clone(&known.tables));
        }
        let graph = LeadGraph::of_hands(game.rules(), hands);
        if !graph.fits_table() {
            return None;
        }
        let tables = Arc::new(HorizonTables::new(graph));
        if deals.len() == self.capacity {
            deals.pop_front();
        }
        deals.push_back(SharedDeal { hands, tables: Arc::clone(&tables) });
        Some(tables)
    }
}

/// Returns whether the hands of a game are small enough for tables of position values.
pub(crate) fn has_tables(game: &Game) -> bool {
    table_hands(game).is_some()
}

/// Returns a game's dealt hands if they are small enough for value tables, and otherwise the game's current hands. Returns `None` if the
/// current hands are too large as well.
fn table_hands(game: &Game) -> Option<BySeat<CardSet>> {
    [game.dealt().hands(), game.position().hands()]
        .into_iter()
        .find(|hands| hands.first.len().max(hands.second.len()) <= u32::from(MAX_TABLE_HAND))
}

impl Default for SharedTables {
    /// Creates an empty cache of tables of position values, which keeps the tables of the most recent deal.
    fn default() -> Self {
        Self::of_last_deals(1)
    }
}
