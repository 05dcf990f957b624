//! Defines the trait for sources of deals, such as random number generators.

use alloc::sync::Arc;

use crate::game::deal::Dealt;
use crate::rule_set::RuleSet;

/// Source of the deals of a match, such as a random number generator.
///
/// With the feature `seeded`, every random number generator is a source of deals.
///
/// ```
/// use std::sync::Arc;
/// use overmate_rules::{Deal, DealSource, Dealt, Match, RuleSet};
/// struct Always(u64);
///
/// impl DealSource for Always {
///     fn next_deal(&mut self, rules: &Arc<RuleSet>) -> Dealt {
///         Deal::numbered(rules, self.0).expect("every rule set has this deal")
///     }
/// }
///
/// let rules = RuleSet::named("sackson")?.shared();
/// let play = Match::new(&rules, &mut Always(7));
/// assert!(play.deals().iter().all(|dealt| dealt.number() == 7));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub trait DealSource {
    /// Draws the next deal under a rule set.
    fn next_deal(&mut self, rules: &Arc<RuleSet>) -> Dealt;
}
