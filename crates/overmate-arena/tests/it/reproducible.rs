//! An arena's results are the same to the byte for any number of threads, also where bots reckon with a hidden card or do not
//! come to the end of their thoughts.

// Clippy knows this of functions marked as tests, and not of what they call.
#![allow(clippy::unwrap_used, reason = "a test that panics has said what it wanted to say")]

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use overmate_arena::{Arena, ArenaOptions, Entrant, MatchId, Observer, PlayedMatch};
use overmate_bots::BuiltIn;
use overmate_bots::{Bot, Standing, Turn};
use overmate_rules::{Match, Player, Record, RuleSet, SeededDeals, Viewer};
use overmate_solver::Budget;

/// All matches of one round of an arena as they would be recorded, and its results.
fn arena(rules: &str, players: &[&str], nodes: u64, threads: usize) -> (Vec<String>, String) {
    let players: Vec<Arc<dyn Entrant>> = players
        .iter()
        .map(|name| Arc::new(name.parse::<BuiltIn>().unwrap()) as Arc<dyn Entrant>)
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
        let record = Record::new(played.state.clone()).to_string();
        assert!(played.forfeit.is_none(), "{:?}", played.forfeit);
        assert!(records.lock().unwrap().insert(place, record).is_none());
        ControlFlow::Continue(())
    };
    let mut draft = RuleSet::named(rules).unwrap().draft();
    draft.name.push_str(", one round");
    draft.rounds = 1;
    let rules = RuleSet::new(draft).unwrap().shared();
    let watch = Observer { played: Some(&tell), ..Observer::default() };
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

/// A perfect player who was there all along, and one who is told of the games before and comes in the middle of one, do the same.
#[test]
fn one_that_comes_in_the_middle_of_a_match() {
    let rules = RuleSet::named("denexa").unwrap().shared();
    let budget = Budget::unlimited().with_nodes(3_000);
    let player = |name: &str, seed| name.parse::<BuiltIn>().unwrap().seeded(seed);
    let view = |contest: &Match, index: usize, player| {
        contest.games()[index].view(Viewer::Seat(Match::seat(index, player)))
    };
    let mut contest = Match::new(&rules, &mut SeededDeals::new(8));
    let mut bots = [player("perfect", 3), player("level:4", 4)];
    let (mut turns, mut compared) = (0, 0);
    while let Some(player_to_act) = contest.to_act() {
        let index = contest.current_index();
        let seen = view(&contest, index, player_to_act);
        let standing = Standing::of(&contest, player_to_act);
        let turn = Turn { view: &seen, standing, budget: &budget };
        let choice = bots[player_to_act as usize].choose(&turn).unwrap();
        if player_to_act == Player::A {
            turns += 1;
            if turns % 4 == 0 {
                let mut late: Box<dyn Bot> = player("perfect", 3);
                (0..index).for_each(|index| late.game_over(&view(&contest, index, Player::A)));
                assert_eq!(late.choose(&turn).unwrap(), choice, "{seen}");
                compared += 1;
            }
        }
        contest = contest.play(choice.action).unwrap();
        if contest.current_index() > index || contest.to_act().is_none() {
            for player in Player::BOTH {
                bots[player as usize].game_over(&view(&contest, index, player));
            }
        }
    }
    assert!(compared > 5, "{compared}");
}
