//! Trait for sources of the deals of a match.

use alloc::sync::Arc;

use crate::game::deal::Dealt;
use crate::rule_set::RuleSet;

/// Source of the deals of a match.
///
/// With the feature `seeded`, every generator of random numbers is a source.
pub trait DealSource {
    /// Draws and returns the next deal for a rule set.
    fn next_deal(&mut self, rules: &Arc<RuleSet>) -> Dealt;
}
