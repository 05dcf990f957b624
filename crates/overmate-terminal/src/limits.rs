//! Limits of time and nodes for analyses that a person waits for.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use overmate_rules::{Face, RuleSet};
use overmate_solver::{Budget, MAX_TABLE_HAND};

/// Stop flag of a search, which ends early once any thread sets the flag.
pub type StopFlag = Arc<AtomicBool>;

/// Returns whether the deck is too large to compute a table of all positions of a deal.
#[must_use]
pub fn is_large(rules: &RuleSet) -> bool {
    rules.hand_size() > MAX_TABLE_HAND
}

/// Returns whether best play may take long to compute, because the deck is large or a card may lie face down.
#[must_use]
pub fn hides_best_play(rules: &RuleSet) -> bool {
    is_large(rules) || rules.foreplacing().is_some_and(|f| f.face == Face::Down)
}

/// Returns the search budget for one deal, made of the user's limits, or of `time_for_large` for a large deck without
/// any limit.
#[must_use]
pub fn budget(
    rules: &RuleSet,
    time: Option<Duration>,
    time_for_large: Duration,
    nodes: Option<u64>,
) -> Budget {
    let time = time.or((is_large(rules) && nodes.is_none()).then_some(time_for_large));
    let budget = match time {
        Some(time) => Budget::unlimited().with_time(time),
        None => Budget::unlimited(),
    };
    match nodes {
        Some(nodes) => budget.with_nodes(nodes),
        None => budget,
    }
}
