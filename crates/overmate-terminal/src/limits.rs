//! Defines time limits and node limits of searches, for matches in the terminal and for commands such as `solve`.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use overmate_rules::{Face, RuleSet};
use overmate_solver::{Budget, MAX_TABLE_HAND};

/// Flag that any thread can set to end a search early.
pub type StopFlag = Arc<AtomicBool>;

/// Returns whether a rule set's deck is too large for a deal table, which holds the values of all positions of one deal.
#[must_use]
pub fn is_large(rules: &RuleSet) -> bool {
    rules.hand_size() > MAX_TABLE_HAND
}

/// Returns whether best play may take long to compute under a rule set: with a large deck, or with cards that are
/// foreplaced face down.
#[must_use]
pub fn is_best_play_slow(rules: &RuleSet) -> bool {
    is_large(rules) || rules.foreplacing().is_some_and(|f| f.face == Face::Down)
}

/// Returns the time and node limits that the user chose for a search. Without any limit, `time_for_large` is the time
/// limit for a large deck.
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
