//! Decides whether two hands are small enough for an exact solution with a table of position
//! values.

use overmate_rules::{BySeat, CardSet};
use overmate_solver::MAX_TABLE_HAND;

/// Returns whether both hands are small enough to be solved in milliseconds with a table of
/// position values.
pub(crate) fn has_table(hands: BySeat<CardSet>) -> bool {
    hands.first.len().max(hands.second.len()) <= u32::from(MAX_TABLE_HAND)
}
