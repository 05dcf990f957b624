//! Trait for types that supply the deals of a match, such as random number generators.

use alloc::sync::Arc;

use crate::game::deal::Dealt;
use crate::rule_set::RuleSet;

/// Supplier of the deals of a match, such as a random number generator.
///
/// With the feature `seeded`, every generator of random numbers is a source.
pub trait DealSource {
    /// Draws and returns the next deal for a rule set.
    fn next_deal(&mut self, rules: &Arc<RuleSet>) -> Dealt;
}
