//! An arena's results are the same to the byte for any number of threads, also where bots reckon with a hidden card or do not
//! come to the end of their thoughts.

// Clippy knows this of functions marked as tests, and not of what they call.
#![allow(clippy::unwrap_used, reason = "a test that panics has said what it wanted to say")]

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use overmate_bots::BuiltIn;
use overmate_bots::arena::{Arena, ArenaOptions, Contender, MatchId, PlayedMatch, Watch};
use overmate_rules::{Record, RuleSet};
use overmate_solver::Budget;

/// All matches of one round of an arena as they would be recorded, and its results.
fn arena(rules: &str, players: &[&str], nodes: u64, threads: usize) -> (Vec<String>, String) {
    let players: Vec<Arc<dyn Contender>> = players
        .iter()
        .map(|name| Arc::new(name.parse::<BuiltIn>().unwrap()) as Arc<dyn Contender>)
        .collect();
    let options = ArenaOptions {
        pairs: 1,
        seed: 5,
        threads,
        budget: Budget::unlimited().with_nodes(nodes),
        ..ArenaOptions::default()
    };
    let records = Mutex::new(BTreeMap::new());
    let tell = |id: MatchId, played: &PlayedMatch| {
        let place = (id.pair, id.players.a, id.players.b);
        let record = Record::new(played.contest.clone()).to_string();
        assert!(played.forfeit.is_none(), "{:?}", played.forfeit);
        assert!(records.lock().unwrap().insert(place, record).is_none());
        ControlFlow::Continue(())
    };
    let mut draft = RuleSet::named(rules).unwrap().draft();
    draft.name.push_str(", one round");
    draft.rounds = 1;
    let rules = RuleSet::new(draft).unwrap().shared();
    let watch = Watch { played: Some(&tell), ..Watch::default() };
    let results = Arena::new(rules, players, options).unwrap().run([], &watch).unwrap();
    (records.into_inner().unwrap().into_values().collect(), format!("{results:?}"))
}

fn compare(rules: &str, players: &[&str], nodes: u64) {
    let one = arena(rules, players, nodes, 1);
    let two = arena(rules, players, nodes, 2);
    assert_eq!(one, two);
    let count = players.len() * (players.len() - 1);
    assert_eq!(one.0.len(), count);
    assert!(one.0.iter().all(|record| record.lines().count() > 5), "{:?}", one.0);
}

#[test]
fn with_a_card_face_down() {
    compare("denexa", &["level:2", "level:8", "perfect"], 2_000);
}

#[test]
fn with_48_cards() {
    compare("bga+pinochle", &["level:8", "perfect"], 1_000);
}
