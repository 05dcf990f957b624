//! Sources of the deals of a match.

use alloc::sync::Arc;

use crate::game::deal::Dealt;
use crate::rule_set::RuleSet;

/// Where the deals of a match come from.
pub trait DealSource {
    /// The next deal of this rule set's deck.
    fn next_deal(&mut self, rules: &Arc<RuleSet>) -> Dealt;
}
