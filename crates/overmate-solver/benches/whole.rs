//! Measures the speed of solving all positions of a rule set, with each solver kernel and with one or two threads. Each benchmark also
//! checks its results.

use std::sync::Arc;

use divan::Bencher;
use overmate_rules::RuleSet;
use overmate_solver::whole::{HashedLayer, WholeGame, WholeOptions};
use overmate_solver::{Kernel, Progress};

fn main() {
    divan::main();
}

/// Returns the rule set with a given name from the catalogue. The rule set is reduced to 12 cards when the benchmark runs as a test. The
/// rule set `bga` has 377,379,369 positions.
fn rules(name: &str) -> Arc<RuleSet> {
    let rules = RuleSet::named(name).expect("the rule set exists");
    if !is_test() {
        return rules.shared();
    }
    let mut draft = rules.draft();
    draft.cards.retain(|card| card.suit.0 < 3 && card.rank.0 < 4);
    RuleSet::new(draft).expect("the deck is valid").shared()
}

/// Returns whether the benchmarks run as tests: once each, without measurement.
fn is_test() -> bool {
    !std::env::args().any(|argument| argument == "--bench")
}

fn solve(rules: &Arc<RuleSet>, kernel: Kernel, threads: usize) -> WholeGame {
    WholeGame::solve(
        rules,
        WholeOptions::default().with_threads(threads).with_kernel(kernel),
        &Progress::default(),
    )
    .expect("the rule set is small enough")
}

/// Returns the sum of the values of all deals, as a checksum of the solved rule set.
fn sum(game: &WholeGame) -> i64 {
    game.deal_facts().iter().map(|facts| i64::from(facts.value_for_first.points())).sum()
}

fn time(bencher: Bencher<'_, '_>, name: &str, kernel: Kernel, threads: usize, expected: i64) {
    if !kernel.is_supported() {
        return;
    }
    let rules = rules(name);
    let game = solve(&rules, kernel, threads);
    let sum = sum(&game);
    assert!(is_test() || sum == expected, "{sum}");
    let facts = game.layer_facts();
    drop(game);
    // The benchmark library drops each result after its measurement, so that the measured time does not include freeing the memory of the
    // result. The statistics of the layers are compared once, after all measurements.
    bencher.bench_local(|| solve(&rules, kernel, threads));
    assert_eq!(solve(&rules, kernel, threads).layer_facts(), facts);
}

/// Measures the time to solve all positions of the rule set `bga` with the solver kernel `kernel` on one thread.
#[divan::bench(args = ["avx512", "avx2", "portable"], sample_count = 5, sample_size = 1)]
fn kernel(bencher: Bencher<'_, '_>, kernel: &str) {
    time(bencher, "bga", kernel.parse().expect("a kernel"), 1, BGA);
}

/// Measures the time to solve all positions of the rule set `bga` with the solver kernel `kernel` on two threads.
#[divan::bench(args = ["avx512", "avx2", "portable"], sample_count = 5, sample_size = 1)]
fn two_threads(bencher: Bencher<'_, '_>, kernel: &str) {
    time(bencher, "bga", kernel.parse().expect("a kernel"), 2, BGA);
}

/// Measures the time to solve all positions of the rule set `sackson` with a solver kernel on one or two threads.
#[divan::bench(
    args = [("avx512", 1), ("avx512", 2), ("avx2", 1), ("avx2", 2)],
    sample_count = 3,
    sample_size = 1
)]
fn with_foreplacing(bencher: Bencher<'_, '_>, (kernel, threads): (&str, usize)) {
    time(bencher, "sackson", kernel.parse().expect("a kernel"), threads, SACKSON);
}

/// Measures the time to read the value of every deal of a solved rule set.
#[divan::bench]
fn facts_of_all_deals(bencher: Bencher<'_, '_>) {
    let game = solve(&rules("bga"), Kernel::fastest(), 2);
    let expected = sum(&game);
    bencher.bench_local(|| assert_eq!(sum(&game), expected));
}

/// Measures the time to sum the values of all positions of the rule set `bga` on one or two threads.
#[divan::bench(args = [1, 2], sample_count = 5, sample_size = 1)]
fn sums_of_all_layers(bencher: Bencher<'_, '_>, threads: usize) {
    let game = solve(&rules("bga"), Kernel::fastest(), threads);
    let expected = game.layer_facts();
    bencher.bench_local(|| assert_eq!(game.layer_facts(), expected));
}

/// Measures the time to hash the values of all positions of the rule set `bga` on one or two threads.
#[divan::bench(args = [1, 2], sample_count = 3, sample_size = 1)]
fn hashes_of_all_layers(bencher: Bencher<'_, '_>, threads: usize) {
    let rules = rules("bga");
    let game = solve(&rules, Kernel::fastest(), threads);
    let expected = HashedLayer::published(&rules).unwrap_or_else(|| game.hashed_layers());
    bencher.bench_local(|| assert_eq!(game.hashed_layers(), expected));
}

/// Correct sum of the values of all deals of the rule set `bga`, from the point of view of seat *first*.
const BGA: i64 = 2_761_598;

/// Correct sum of the values of all deals of the rule set `sackson`, from the point of view of seat *first*.
const SACKSON: i64 = 2_739_847;
