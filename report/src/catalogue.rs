//! Which rule sets the report is about, and which of them are one and the same game.

use std::sync::Arc;

use overmate_rules::{BASES, RuleSet, RuleSetDraft};
use overmate_solver::MAX_WHOLE_DECK;

/// A game, under all names that the catalogue has for it.
pub(crate) struct Entry {
    pub(crate) rules: Arc<RuleSet>,
    /// Other names of rule sets that differ in nothing but the number of rounds.
    pub(crate) twins: Vec<String>,
}

impl Entry {
    pub(crate) fn name(&self) -> &str {
        self.rules.name()
    }

    pub(crate) fn is_base(&self) -> bool {
        BASES.iter().any(|base| base.name == self.name())
    }

    /// All names, the simplest first.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.name()).chain(self.twins.iter().map(String::as_str))
    }
}

/// What is played in a single game of a rule set.
fn game_of(rules: &RuleSet) -> RuleSetDraft {
    RuleSetDraft { name: String::new(), rounds: 1, ..rules.draft() }
}

/// Every game of the catalogue with a deck that can be solved as a whole, in the catalogue's order.
pub(crate) fn games() -> Vec<Entry> {
    let mut groups: Vec<(RuleSetDraft, Vec<RuleSet>)> = Vec::new();
    for rules in RuleSet::catalogue() {
        if rules.deck().cards().len() > MAX_WHOLE_DECK {
            continue;
        }
        let game = game_of(&rules);
        match groups.iter_mut().find(|(known, _)| *known == game) {
            Some((_, names)) => names.push(rules),
            None => groups.push((game, vec![rules])),
        }
    }
    let entry = |(_, mut sets): (RuleSetDraft, Vec<RuleSet>)| {
        sets.sort_by_key(|rules| rules.name().matches('+').count());
        let mut sets = sets.into_iter();
        let rules = sets.next()?.shared();
        Some(Entry { rules, twins: sets.map(|twin| twin.name().to_owned()).collect() })
    };
    groups.into_iter().filter_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_game_is_solved_once_under_its_simplest_name() {
        let games = games();
        let bga = games.iter().find(|entry| entry.name() == "bga").unwrap();

        assert!(bga.is_base());
        assert_eq!(
            bga.twins,
            ["sackson+no-foreplacing", "pagat+no-foreplacing", "denexa+no-foreplacing"]
        );
        assert_eq!(games.iter().filter(|entry| entry.is_base()).count(), BASES.len());
    }
}
