//! Benchmarks matches between bots, and the choice of a bot's first action in a new deal.
//! Each benchmark also checks the results of the timed calls.

#![allow(clippy::unwrap_used, reason = "a panic reports the failure of a benchmark")]

#[path = "../tests/it/alone.rs"]
mod alone;

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use divan::Bencher;
use divan::counter::ItemsCount;
use overmate_arena::{Arena, ArenaOptions, Entrant, MatchId, Observer, PlayedMatch};
use overmate_bots::{BotSpec, Standing, Turn};
use overmate_rules::{DealSource as _, Game, RuleSet, SeededDeals, Viewer};
use overmate_solver::{Budget, Solver};

use self::alone::Alone;

fn main() {
    divan::main();
}

/// Plays four match pairs (eight matches) between two players with seed 1 on one thread, and returns all matches.
fn play<E: Entrant + 'static>(
    rules: &Arc<RuleSet>,
    players: impl Iterator<Item = E>,
) -> Vec<(MatchId, PlayedMatch)> {
    let players = players.map(|player| Arc::new(player) as Arc<dyn Entrant>).collect();
    let played = Mutex::new(Vec::new());
    let options = ArenaOptions::default().with_pairs(4).with_seed(1).with_threads(1);
    let arena = Arena::new(Arc::clone(rules), players, options).unwrap();
    let on_played = |id: MatchId, of: &PlayedMatch| {
        played.lock().unwrap().push((id, of.clone()));
        ControlFlow::Continue(())
    };
    arena.run([], &Observer::default().on_played(&on_played)).unwrap();
    played.into_inner().unwrap()
}

/// Measures the time to play eight matches on one thread.
#[divan::bench(
    sample_count = 5,
    args = [
        "bga level:1 level:2",
        "sackson level:1 level:2",
        "bga level:5 perfect",
        "sackson level:5 perfect",
    ],
)]
fn matches(bencher: Bencher<'_, '_>, pairing: &str) {
    let mut words = pairing.split(' ');
    let rules = RuleSet::named(words.next().unwrap()).unwrap().shared();
    let bots: Vec<BotSpec> = words.map(|name| name.parse().unwrap()).collect();
    let alone = play(&rules, bots.iter().copied().map(Alone));
    assert_eq!(alone.len(), 8);
    bencher.counter(ItemsCount::new(alone.len())).bench_local(|| {
        let played = play(&rules, bots.iter().copied());
        assert!(played == alone, "shared tables change the matches of {pairing}");
    });
}

/// Measures the time that a new bot takes to choose the first action of a deal, over 32 deals. The game is the first of
/// a match of four games.
#[divan::bench(
    sample_count = 32,
    sample_size = 1,
    args = ["sackson level:5", "sackson level:9", "bga perfect", "sackson perfect"],
)]
fn first_action(bencher: Bencher<'_, '_>, player: &str) {
    let (rules, name) = player.split_once(' ').unwrap();
    let rules = RuleSet::named(rules).unwrap().shared();
    let standing = Standing { game: 0, games: 4, own: 0, other: 0 };
    let mut deals = SeededDeals::new(1);
    let mut chosen = Vec::new();
    bencher
        .with_inputs(|| {
            let game = Game::new(deals.next_deal(&rules));
            (game, name.parse::<BotSpec>().unwrap().seeded(7))
        })
        .bench_local_refs(|(game, bot)| {
            let view = game.view(Viewer::Seat(game.to_act().unwrap()));
            let choice = bot.choose(&Turn::new(&view, standing, &Budget::unlimited())).unwrap();
            chosen.push((game.clone(), choice.action));
        });
    let mut solver = Solver::new();
    for (game, action) in chosen {
        let analysis = solver.analyse(&game, &Budget::unlimited());
        let known = analysis.actions.iter().find(|known| known.action == action);
        let known = known.expect("the action is legal");
        assert!(name != "perfect" || known.value == analysis.value, "{game}");
    }
}
