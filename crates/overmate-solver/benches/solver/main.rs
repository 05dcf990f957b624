//! Benchmarks of the solver: values of positions, tables of whole deals, analyses, reviews and searches. Each benchmark
//! asserts the answers that it times.

#![allow(clippy::unwrap_used, reason = "a bench that panics has said what it wanted to say")]

#[path = "../../tests/it/chance.rs"]
mod chance;
mod sets;

use divan::Bencher;
use divan::counter::ItemsCount;
use overmate_rules::Game;
use overmate_solver::{Budget, DealTable, Solver, Value};

use crate::sets::Set;

fn main() {
    divan::main();
}

/// Times the computation of the values of all games in a benchmark set, one game after another.
fn time(bencher: Bencher<'_, '_>, set: &Set, mut value: impl FnMut(&Game) -> i32) {
    bencher.counter(ItemsCount::new(set.games.len())).bench_local(|| {
        let sum: i32 = set.games.iter().map(&mut value).sum();
        assert_eq!(sum, set.sum);
    });
}

fn exact(value: Value) -> i32 {
    value.exact().expect("without a limit it is exact").points()
}

fn time_values(bencher: Bencher<'_, '_>, set: &Set) {
    let mut solver = Solver::new();
    time(bencher, set, |game| exact(solver.value(game.position(), &Budget::unlimited())));
}

fn time_tables(bencher: Bencher<'_, '_>, set: &Set) {
    time(bencher, set, |game| {
        let table = DealTable::with_all_cards_open(game.dealt());
        let table = table.expect("the deck has 20 cards");
        table.value_for_first(game.position()).expect("it is of the deal").points()
    });
}

/// Times solving the first position of a deal without the option to set a card aside (foreplace), for 200 deals of `bga`.
#[divan::bench]
fn value(bencher: Bencher<'_, '_>) {
    time_values(bencher, &sets::plain_deals());
}

/// Times solving the first position of a deal with a free move, for 200 deals of `bga+free-move`.
#[divan::bench]
fn value_with_free_move(bencher: Bencher<'_, '_>) {
    time_values(bencher, &sets::plain_deals_with_free_move());
}

/// Times the value of a deal by search, which is the method for decks with many scores and for
/// processors without AVX-512.
#[divan::bench]
fn value_by_search(bencher: Bencher<'_, '_>) {
    time_values(bencher, &sets::deals_with_many_scores());
}

/// Times building the table of all positions of a deal in which players may set a card aside (foreplace), for 20 deals of `sackson`.
#[divan::bench]
fn table(bencher: Bencher<'_, '_>) {
    time_tables(bencher, &sets::deals_with_foreplacing());
}

/// Times building the table of all positions of a deal with foreplacing (setting cards aside) and a free move, for 20 deals of `sackson+free-move`.
#[divan::bench]
fn table_with_free_move(bencher: Bencher<'_, '_>) {
    time_tables(bencher, &sets::deals_with_free_move());
}

/// Times the analysis of a deal, including the computation of all positions of the deal, for 20 deals of `sackson`.
#[divan::bench]
fn analyse(bencher: Bencher<'_, '_>) {
    let mut solver = Solver::new();
    time(bencher, &sets::deals_with_foreplacing(), |game| {
        exact(solver.analyse(game, &Budget::unlimited()).value)
    });
}

/// Times the analysis of a `sackson` deal with a solver that has already solved the deal.
#[divan::bench]
fn analyse_again(bencher: Bencher<'_, '_>) {
    let set = sets::deals_with_foreplacing();
    let game = &set.games[0];
    let mut solver = Solver::new();
    let known = solver.analyse(game, &Budget::unlimited());
    bencher.bench_local(|| assert_eq!(solver.analyse(game, &Budget::unlimited()), known));
}

/// Times the review of a complete `sackson` game, including the computation of all positions of its deal.
#[divan::bench]
fn review(bencher: Bencher<'_, '_>) {
    let (game, lost) = sets::played_game();
    bencher.bench_local(|| {
        let review = Solver::new().review(&game, &Budget::unlimited());
        let sum: u32 = review.actions.iter().filter_map(|action| action.lost).sum();
        assert_eq!(sum, lost);
    });
}

/// Times the analysis of late Pinochle positions by search, for 10 games with `cards` cards in each hand.
#[divan::bench(args = sets::PINOCHLE_SUMS.map(|(cards, _)| cards), sample_count = 20)]
fn search_of_pinochle(bencher: Bencher<'_, '_>, cards: u32) {
    let mut solver = Solver::new();
    time(bencher, &sets::pinochle_ends(cards), |game| {
        exact(solver.analyse(game, &Budget::unlimited()).value)
    });
}
