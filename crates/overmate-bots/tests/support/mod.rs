//! What the tests of bots share: rule sets on few cards, chance without consequence, and games against it.

use std::sync::Arc;

use overmate_bots::{Bot, BuiltIn};
use overmate_rules::{Rank, RuleSet};

/// The same rules on the highest cards of so many suits and ranks. A privilege of a rank that is gone is that of the lowest.
pub(crate) fn small(rules: &RuleSet, suits: u8, ranks: u8) -> Arc<RuleSet> {
    let mut draft = rules.draft();
    draft.name = format!("{} {suits} by {ranks}", rules.name());
    draft.suits.truncate(suits.into());
    draft.ranks.truncate(ranks.into());
    draft.cards.retain(|card| card.suit.0 < suits && card.rank.0 < ranks);
    // A deck with gaps may be left with an odd number.
    draft.cards.truncate(draft.cards.len() / 2 * 2);
    if let Some(privilege) = &mut draft.privilege {
        privilege.ranks.retain(|rank| rank.0 < ranks);
        if privilege.ranks.is_empty() {
            privilege.ranks.push(Rank(ranks - 1));
        }
    }
    RuleSet::new(draft).unwrap().shared()
}

/// An opponent by its name.
pub(crate) fn bot(name: &str, seed: u64) -> Box<dyn Bot> {
    name.parse::<BuiltIn>().unwrap().seeded(seed)
}

/// A generator of no consequence.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }
}
