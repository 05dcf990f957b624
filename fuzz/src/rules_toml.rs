//! Fuzzes the parser of custom rule sets. Each valid rule set must be writable, parsable again, and playable.

use overmate_rules::{Game, Match, Outcome, Record, RuleSet, SeededDeals};

use crate::input::text;

/// Runs the fuzz target `rules_toml` on one input.
///
/// # Panics
///
/// Panics if the target finds a fault.
pub fn run(data: &[u8]) {
    let data = text(data);
    let rules = match RuleSet::from_toml(data) {
        Ok(rules) => rules.shared(),
        Err(faults) => {
            assert!(!faults.0.is_empty() && !faults.to_string().is_empty());
            return;
        }
    };
    let written = rules.to_toml();
    assert_eq!(RuleSet::from_toml(&written).as_ref(), Ok(rules.as_ref()), "{written}");

    let contest = Match::new(&rules, &mut SeededDeals::new(data.len() as u64));
    let mut game = Game::new(contest.deals()[0].clone());
    let mut picks = data.bytes().map(usize::from).cycle();
    while game.outcome().is_none() {
        let legal: Vec<_> = game.legal_actions().collect();
        let pick = picks.next().unwrap_or_default();
        game = game.play(legal[pick % legal.len()]).expect("the action is legal");
    }
    if let Some(Outcome::Mate(mate)) = game.outcome() {
        assert!(mate.points() > 0);
    }
    let record = Record::new(contest);
    assert_eq!(Record::read(&record.to_string()), Ok(record));
}
