//! How many Pinochle deals and positions are solved with how many nodes: a curve, not a time, so every machine draws the same.

#[path = "../tests/it/chance.rs"]
#[allow(dead_code, clippy::unwrap_used, reason = "the tests use more of it, and may panic")]
mod chance;

use std::sync::Arc;
use std::time::{Duration, Instant};

use overmate_rules::{Game, Phase, RuleSet};
use overmate_solver::{Budget, Solver, Value};

use crate::chance::{Chance, most_held};

/// Budgets, in nodes. The largest is about a second.
const NODES: [u64; 4] = [1_000, 30_000, 300_000, 3_000_000];

/// The sums of the values of late positions, by the cards in each hand: found by another search as well.
const SUMS: [(u32, i32); 3] = [(12, 667), (14, 320), (16, 602)];

fn main() {
    let is_test = !std::env::args().any(|argument| argument == "--bench");
    let (count, budgets) = if is_test { (2, &NODES[..2]) } else { (10, &NODES[..]) };
    // Four ranks, five and all six: whole deals of 32, 40 and 48 cards.
    let whole = [4, 5, 6].map(|ranks| (ranks, 4 * ranks));
    // Of 48 cards, so many in each hand.
    let late = [8, 10, 12, 14, 16, 18, 20, 22].map(|cards| (6, cards));
    println!("| cards of the deck | in each hand |{}", row(budgets, |n| format!(" {n} nodes |")));
    println!("|--:|--:|{}", row(budgets, |_| "--:|".to_owned()));
    let (mut searched, mut time) = (0, Duration::ZERO);
    for (ranks, cards) in whole.into_iter().chain(late) {
        let games = games(&deck(ranks), cards, count);
        let mut solved: Vec<Value> = Vec::new();
        let shares = row(budgets, |nodes| {
            let values = games.iter().map(|game| {
                let start = Instant::now();
                let budget = Budget::unlimited().with_nodes(nodes);
                let value = Solver::new().value(game.position(), &budget);
                if value.exact().is_none() {
                    searched += nodes;
                    time += start.elapsed();
                }
                value
            });
            let values: Vec<Value> = values.collect();
            assert_consistent(&solved, &values);
            let exact = values.iter().filter(|value| value.exact().is_some()).count();
            let width = width(&values);
            solved = values;
            if exact == games.len() {
                assert_sum(ranks, cards, &solved);
                " all |".to_owned()
            } else {
                format!(" {exact} of {count}, ±{width} |")
            }
        });
        println!("| {} | {cards} |{shares}", 8 * ranks);
    }
    // What a budget is in time here: of those that were spent whole.
    let cells = row(budgets, |nodes| {
        let nanos = time.as_nanos() * u128::from(nodes) / u128::from(searched.max(1));
        format!(" {:.2?} |", Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX)))
    });
    println!("| the same in time, on this machine | |{cells}");
}

fn row(budgets: &[u64], mut cell: impl FnMut(u64) -> String) -> String {
    budgets.iter().map(|nodes| cell(*nodes)).collect()
}

/// `bga` with two of each card of the first ranks: A, 10, K, Q, J, 9.
fn deck(ranks: u32) -> Arc<RuleSet> {
    let mut draft = RuleSet::named("bga+pinochle").expect("it is of the catalogue").draft();
    draft.cards.retain(|card| u32::from(card.rank.0) < ranks);
    if ranks < 6 {
        draft.name = format!("{} cards", 8 * ranks);
    }
    RuleSet::new(draft).expect("so many cards are a deck").shared()
}

/// Random deals, played at random until so many cards are left, with a card to be led.
fn games(rules: &Arc<RuleSet>, cards: u32, count: usize) -> Vec<Game> {
    let mut chance = Chance(500);
    let mut games = Vec::new();
    while games.len() < count {
        let game = chance.game(rules);
        let game = chance.play_down(game, cards, 200);
        let leads = matches!(game.position().phase(), Phase::Lead(_));
        if leads && most_held(game.position()) == cards {
            games.push(game);
        }
    }
    games
}

/// What is proved with less is proved with more.
fn assert_consistent(less: &[Value], more: &[Value]) {
    for (less, more) in less.iter().zip(more) {
        assert!(less.at_least() <= more.at_least() && more.at_most() <= less.at_most());
        assert!(more.at_least() <= more.at_most());
    }
}

/// Where all late positions are solved, their values add up to what is known.
fn assert_sum(ranks: u32, cards: u32, values: &[Value]) {
    let known = SUMS.iter().find(|(of, _)| (6, *of) == (ranks, cards));
    if let Some((_, sum)) = known
        && values.len() == 10
    {
        assert_eq!(values.iter().map(|value| value.at_least().points()).sum::<i32>(), *sum);
    }
}

/// Half of the mean distance between the bounds of those that are not solved.
fn width(values: &[Value]) -> i32 {
    let widths = values.iter().map(|value| value.at_most().points() - value.at_least().points());
    let open: Vec<i32> = widths.filter(|width| *width > 0).collect();
    let count = i32::try_from(open.len()).unwrap_or(1).max(1);
    open.iter().sum::<i32>() / (2 * count)
}
