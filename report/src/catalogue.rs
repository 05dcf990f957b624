//! Lists the rule sets whose deals are solved for the documents, in groups of rule sets that differ only in name and number of rounds.

use std::sync::Arc;

use overmate_rules::{BASES, RuleSet, RuleSetDraft};

/// Group of rule sets that differ only in name and number of rounds, and therefore share the rules of a single game.
pub(crate) struct CatalogueGame {
    /// Rule set with the simplest name in a group of rule sets that differ only in name and number of rounds.
    pub(crate) rules: Arc<RuleSet>,
    /// Names of the other rule sets that differ from `rules` only in name and number of rounds.
    pub(crate) twins: Vec<String>,
}

impl CatalogueGame {
    /// Returns the simplest name in a group of rule sets that differ only in name and number of rounds.
    pub(crate) fn name(&self) -> &str {
        self.rules.name()
    }

    /// Returns whether a group of rule sets, which differ only in name and number of rounds, contains a published rule set without
    /// variations.
    pub(crate) fn is_base(&self) -> bool {
        BASES.iter().any(|base| base.name == self.name())
    }

    /// Iterates over the names of a group of rule sets that differ only in name and number of rounds, the simplest name first.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.name()).chain(self.twins.iter().map(String::as_str))
    }
}

/// Returns the rules of a single game: a rule set without its name and number of rounds.
fn game_of(rules: &RuleSet) -> RuleSetDraft {
    let mut draft = rules.draft();
    draft.name.clear();
    draft.rounds = 1;
    draft
}

/// Returns the rule sets with published values, in groups of rule sets that differ only in name and number of rounds. The groups are in
/// catalogue order.
pub(crate) fn games() -> Vec<CatalogueGame> {
    let mut groups: Vec<(RuleSetDraft, Vec<RuleSet>)> = Vec::new();
    for rules in RuleSet::with_published_values() {
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
        Some(CatalogueGame { rules, twins: sets.map(|twin| twin.name().to_owned()).collect() })
    };
    groups.into_iter().filter_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_sets_of_the_same_game_are_grouped_under_the_simplest_name() {
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
