//! Provides rule sets with few cards, a random number generator and sampling for the tests.

use std::sync::Arc;

use overmate_bots::{Bot, BuiltIn};
use overmate_rules::{Rank, RuleSet};
use test_sample::cases;

/// Returns a copy of a rule set whose deck has only the highest `suits` suits and the highest
/// `ranks` ranks. A privilege of a removed rank moves to the lowest rank.
pub(crate) fn small(rules: &RuleSet, suits: u8, ranks: u8) -> Arc<RuleSet> {
    let mut draft = rules.draft();
    draft.name = format!("{} {suits} by {ranks}", rules.name());
    draft.suits.truncate(suits.into());
    draft.ranks.truncate(ranks.into());
    draft.cards.retain(|card| card.suit.0 < suits && card.rank.0 < ranks);
    // A deck that is reduced to fewer suits and ranks may have an odd number of cards if the full deck lacks some combinations of suit and
    // rank. One card is then removed.
    draft.cards.truncate(draft.cards.len() / 2 * 2);
    if let Some(privilege) = &mut draft.privilege {
        privilege.ranks.retain(|rank| rank.0 < ranks);
        if privilege.ranks.is_empty() {
            privilege.ranks.push(Rank(ranks - 1));
        }
    }
    RuleSet::new(draft).unwrap().shared()
}

/// Returns the built-in bot with the given name.
pub(crate) fn bot(name: &str, seed: u64) -> Box<dyn Bot> {
    name.parse::<BuiltIn>().unwrap().seeded(seed)
}

/// Linear congruential generator for random play.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// Returns a random index from 0 to `end` - 1.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }
}

/// Returns the items to test: every item in a long test run, and otherwise every `step`-th item from a fixed offset on.
pub(crate) fn sampled<T>(items: impl IntoIterator<Item = T>, step: usize) -> Vec<T> {
    let step = cases(step, 1);
    items.into_iter().skip(step / 2).step_by(step).collect()
}
