//! Measures the time that the solver takes for several tasks: position values, deal tables, analyses, reviews and searches. Each
//! benchmark also checks its results.

#![allow(clippy::unwrap_used, reason = "a panic reports the failure of a benchmark")]

#[path = "../../tests/it/chance.rs"]
mod chance;
mod sets;

use divan::Bencher;
use divan::counter::ItemsCount;
use overmate_rules::Game;
use overmate_solver::{Budget, DealTable, Kernel, Solver, Value};

use crate::sets::Set;

fn main() {
    divan::main();
}

/// Measures the time to compute the values of all games in a benchmark set.
fn time(bencher: Bencher<'_, '_>, set: &Set, mut value: impl FnMut(&Game) -> i32) {
    bencher.counter(ItemsCount::new(set.games.len())).bench_local(|| {
        let sum: i32 = set.games.iter().map(&mut value).sum();
        assert_eq!(sum, set.sum);
    });
}

fn exact(value: Value) -> i32 {
    value.exact().expect("the value is exact").points()
}

fn time_values(bencher: Bencher<'_, '_>, set: &Set) {
    let mut solver = Solver::new();
    time(bencher, set, |game| exact(solver.value(game.position(), &Budget::unlimited())));
}

fn time_tables(bencher: Bencher<'_, '_>, set: &Set) {
    time(bencher, set, |game| {
        let table = DealTable::with_all_cards_open(game.dealt());
        let table = table.expect("the deck has 20 cards");
        table.value_for_first(game.position()).expect("the deal has the position").points()
    });
}

/// Measures the time to solve the initial positions of 200 deals in `bga`, a rule set without foreplacing.
#[divan::bench]
fn value(bencher: Bencher<'_, '_>) {
    time_values(bencher, &sets::plain_deals());
}

/// Measures the time to solve the initial positions of 200 deals in the rule set `bga+free-move`.
#[divan::bench]
fn value_with_free_move(bencher: Bencher<'_, '_>) {
    time_values(bencher, &sets::plain_deals_with_free_move());
}

/// Names of the solver kernels (instruction sets) that the benchmarks compare.
const KERNELS: [&str; 3] = ["avx512", "avx2", "portable"];

/// Returns a solver that uses a given kernel (instruction set), or `None` if the current processor does not support the kernel.
fn solver_by_kernel(kernel: &str) -> Option<Solver> {
    let kernel: Kernel = kernel.parse().unwrap();
    kernel.is_supported().then(|| Solver::new().with_kernel(kernel))
}

/// Measures the time to solve the initial positions of 200 deals in the rule set `bga` with a given solver kernel.
#[divan::bench(args = KERNELS, sample_count = 15)]
fn value_by_kernel(bencher: Bencher<'_, '_>, kernel: &str) {
    if let Some(mut solver) = solver_by_kernel(kernel) {
        time(bencher, &sets::plain_deals(), |game| {
            exact(solver.value(game.position(), &Budget::unlimited()))
        });
    }
}

/// Measures the time to solve the initial positions of 200 deals in the rule set `bga+free-move` with a given solver kernel.
#[divan::bench(args = KERNELS, sample_count = 7)]
fn value_with_free_move_by_kernel(bencher: Bencher<'_, '_>, kernel: &str) {
    if let Some(mut solver) = solver_by_kernel(kernel) {
        time(bencher, &sets::plain_deals_with_free_move(), |game| {
            exact(solver.value(game.position(), &Budget::unlimited()))
        });
    }
}

/// Measures the time to analyse 200 deals in the rule set `bga` with a given solver kernel, including the construction of the
/// deal tables.
#[divan::bench(args = KERNELS, sample_count = 7)]
fn analyse_by_kernel(bencher: Bencher<'_, '_>, kernel: &str) {
    if let Some(mut solver) = solver_by_kernel(kernel) {
        time(bencher, &sets::plain_deals(), |game| {
            exact(solver.analyse(game, &Budget::unlimited()).value)
        });
    }
}

/// Measures the time to analyse 20 deals in the rule set `sackson` with a given solver kernel, including the construction of the
/// deal tables.
#[divan::bench(args = KERNELS, sample_count = 15)]
fn analyse_with_foreplacing_by_kernel(bencher: Bencher<'_, '_>, kernel: &str) {
    if let Some(mut solver) = solver_by_kernel(kernel) {
        time(bencher, &sets::deals_with_foreplacing(), |game| {
            exact(solver.analyse(game, &Budget::unlimited()).value)
        });
    }
}

/// Measures the time to solve 20 deals by alpha-beta search. The solver must search because one byte cannot encode all scores of these
/// deals.
#[divan::bench]
fn value_by_search(bencher: Bencher<'_, '_>) {
    time_values(bencher, &sets::deals_with_many_scores());
}

/// Measures the time to build the deal tables of 20 deals in the rule set `sackson`.
#[divan::bench]
fn table(bencher: Bencher<'_, '_>) {
    time_tables(bencher, &sets::deals_with_foreplacing());
}

/// Measures the time to build the deal tables of 20 deals in the rule set `sackson+free-move`.
#[divan::bench]
fn table_with_free_move(bencher: Bencher<'_, '_>) {
    time_tables(bencher, &sets::deals_with_free_move());
}

/// Measures the time to analyse 20 deals in the rule set `sackson`, including the time to build their deal tables.
#[divan::bench]
fn analyse(bencher: Bencher<'_, '_>) {
    let mut solver = Solver::new();
    time(bencher, &sets::deals_with_foreplacing(), |game| {
        exact(solver.analyse(game, &Budget::unlimited()).value)
    });
}

/// Measures the time to repeat the analysis of a deal (rule set `sackson`) that the solver has already solved.
#[divan::bench]
fn analyse_again(bencher: Bencher<'_, '_>) {
    let set = sets::deals_with_foreplacing();
    let game = &set.games[0];
    let mut solver = Solver::new();
    let known = solver.analyse(game, &Budget::unlimited());
    bencher.bench_local(|| assert_eq!(solver.analyse(game, &Budget::unlimited()), known));
}

/// Measures the time to review a complete game (rule set `sackson`), including the time to build its deal table.
#[divan::bench]
fn review(bencher: Bencher<'_, '_>) {
    let (game, lost) = sets::played_game();
    bencher.bench_local(|| {
        let review = Solver::new().review(&game, &Budget::unlimited());
        let sum: u32 = review.actions.iter().filter_map(|action| action.lost).sum();
        assert_eq!(sum, lost);
    });
}

/// Measures the time to analyse, by search, 10 late Pinochle positions with `cards` cards in each hand.
#[divan::bench(args = sets::PINOCHLE_SUMS.map(|(cards, _)| cards), sample_count = 20)]
fn search_of_pinochle(bencher: Bencher<'_, '_>, cards: u32) {
    let mut solver = Solver::new();
    time(bencher, &sets::pinochle_ends(cards), |game| {
        exact(solver.analyse(game, &Budget::unlimited()).value)
    });
}
