//! Decides whether a table can solve given hands.

use overmate_rules::{BySeat, CardSet};
use overmate_solver::MAX_TABLE_HAND;

/// Returns whether the hands are small enough that a table solves them in milliseconds.
pub(crate) fn has_table(hands: BySeat<CardSet>) -> bool {
    hands.first.len().max(hands.second.len()) <= u32::from(MAX_TABLE_HAND)
}
