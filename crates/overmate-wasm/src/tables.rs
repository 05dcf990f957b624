//! Tells which hands the engine solves exactly.

use overmate_rules::{BySeat, CardSet};
use overmate_solver::MAX_TABLE_HAND;

/// Returns whether a table solves the hands, in milliseconds and without a search.
pub(crate) fn has_table(hands: BySeat<CardSet>) -> bool {
    hands.first.len().max(hands.second.len()) <= u32::from(MAX_TABLE_HAND)
}
