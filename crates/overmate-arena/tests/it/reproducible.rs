//! Tests that an arena writes identical match records for any number of threads, even with face-down cards and node limits.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use overmate_arena::{Arena, ArenaOptions, Entrant, MatchId, Observer, PlayedMatch};
use overmate_bots::BotSpec;
use overmate_bots::{Bot, Standing, Turn};
use overmate_rules::{Match, Player, Record, RuleSet, SeededDeals, Viewer};
use overmate_solver::Budget;

/// Runs an arena whose matches have one round each, and returns the match records and the results.
fn arena(rules: &str, players: &[&str], nodes: u64, threads: usize) -> (Vec<String>, String) {
    let players: Vec<Arc<dyn Entrant>> = players
        .iter()
        .map(|name| Arc::new(name.parse::<BotSpec>().unwrap()) as Arc<dyn Entrant>)
        .collect();
    let options = ArenaOptions::default()
        .with_pairs(1)
        .with_seed(5)
        .with_threads(threads)
        .with_budget(Budget::unlimited().with_nodes(nodes));
    let records = Mutex::new(BTreeMap::new());
    let record = |id: MatchId, played: &PlayedMatch| {
        let place = (id.pair, id.players.a, id.players.b);
        let text = Record::new(played.state.clone()).to_string();
        assert!(played.forfeit.is_none(), "{:?}", played.forfeit);
        assert!(records.lock().unwrap().insert(place, text).is_none());
        ControlFlow::Continue(())
    };
    let mut draft = RuleSet::named(rules).unwrap().draft();
    draft.name.push_str(", one round");
    draft.rounds = 1;
    let rules = RuleSet::new(draft).unwrap().shared();
    let observer = Observer::default().on_played(&record);
    let results = Arena::new(rules, players, options).unwrap().run([], &observer).unwrap();
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
fn results_with_a_face_down_card_do_not_depend_on_threads() {
    compare("denexa", &["level:2", "level:8", "perfect"], 2_000);
}

#[test]
fn results_with_48_cards_do_not_depend_on_threads() {
    compare("bga+pinochle", &["level:8", "perfect"], 1_000);
}

/// Tests that a perfect bot that joins a match in the middle, and sees the earlier games, plays like a bot that played
/// all games.
#[test]
fn a_bot_started_in_the_middle_of_a_match_plays_the_same() {
    let rules = RuleSet::named("denexa").unwrap().shared();
    let budget = Budget::unlimited().with_nodes(3_000);
    let player = |name: &str, seed| name.parse::<BotSpec>().unwrap().seeded(seed);
    let view = |state: &Match, index: usize, player| {
        state.games()[index].view(Viewer::Seat(Match::seat(index, player)))
    };
    let mut state = Match::new(&rules, &mut SeededDeals::new(8));
    let mut bots = [player("perfect", 3), player("level:4", 4)];
    let (mut turns, mut compared) = (0, 0);
    while let Some(player_to_act) = state.to_act() {
        let index = state.current_index();
        let seen = view(&state, index, player_to_act);
        let standing = Standing::of(&state, player_to_act);
        let turn = Turn::new(&seen, standing, &budget);
        let choice = bots[player_to_act as usize].choose(&turn).unwrap();
        if player_to_act == Player::A {
            turns += 1;
            if turns % 4 == 0 {
                let mut late: Box<dyn Bot> = player("perfect", 3);
                (0..index).for_each(|index| late.game_over(&view(&state, index, Player::A)));
                assert_eq!(late.choose(&turn).unwrap(), choice, "{seen}");
                compared += 1;
            }
        }
        state = state.play(choice.action).unwrap();
        if state.current_index() > index || state.to_act().is_none() {
            for player in Player::BOTH {
                bots[player as usize].game_over(&view(&state, index, player));
            }
        }
    }
    assert!(compared > 5, "{compared}");
}
