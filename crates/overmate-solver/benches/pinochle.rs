//! Benchmarks the solver on Pinochle, by counting the positions that the solver solves within given time limits.
//!
//! `cargo bench -p overmate-solver --bench pinochle -- --tsv FILE` writes the results to a file as well. Run as a test,
//! the benchmark uses small node limits and checks that more nodes never prove less. `-- --whole-deals` measures only the bounds of whole
//! deals of 48 cards after a minute.

#[path = "../tests/it/chance.rs"]
#[allow(dead_code, clippy::unwrap_used, reason = "the tests use more of it, and may panic")]
mod chance;

use std::fmt::Write as _;
use std::num::NonZero;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use overmate_rules::{Game, Phase, RuleSet};
use overmate_solver::{Budget, Solver, Value, ValueForFirst};

use crate::chance::{Chance, most_held};

/// Time limits for which the benchmark counts the solved positions. Each search stops at the last limit.
const TIMES: [Duration; 4] = [
    Duration::from_millis(10),
    Duration::from_millis(100),
    Duration::from_secs(1),
    Duration::from_secs(10),
];

/// Memory limit of each retrograde analysis: 2 GB.
const MEMORY: u64 = 2_000_000_000;

/// Time and memory limit of the analysis of a whole deal of 48 cards with the option `--whole-deals`: a minute and 6 GB.
const WHOLE_DEAL: (Duration, u64) = (Duration::from_mins(1), 6_000_000_000);

/// Number of positions in the benchmark for each deck and hand size.
const COUNT: usize = 10;

/// Node limits that replace the time limits when the benchmark runs as a test.
const NODES: [u64; 2] = [1_000, 30_000];

/// Hand sizes of late 48-card benchmark positions, each with the correct sum of the position values in points for seat
/// *first*.
const SUMS: [(u32, i32); 3] = [(12, 667), (14, 320), (16, 602)];

/// Group of benchmark positions with the same deck and hand size.
struct Kind {
    ranks: u32,
    in_each_hand: u32,
}

/// Returns the groups of benchmark positions: whole deals of 32, 40 and 48 cards, and late positions of the 48-card deck.
fn kinds() -> impl Iterator<Item = Kind> {
    let whole = [4, 5, 6].map(|ranks| Kind { ranks, in_each_hand: 4 * ranks });
    let late = [8, 10, 12, 14, 15, 16, 17, 18, 20, 22];
    whole.into_iter().chain(late.map(|in_each_hand| Kind { ranks: 6, in_each_hand }))
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if !arguments.iter().any(|argument| argument == "--bench") {
        kinds().for_each(|kind| test(&kind));
        return;
    }
    if arguments.iter().any(|argument| argument == "--whole-deals") {
        return whole_deals();
    }
    let mut tsv = "cards\tin_each_hand\tpositions\twithin_10_ms\twithin_100_ms\twithin_1_s\twithin_10_s\topen_points\n".to_owned();
    println!("| cards | in each hand | 10 ms | 0.1 s | 1 s | 10 s | the others |");
    println!("|--:|--:|--:|--:|--:|--:|--:|");
    for kind in kinds() {
        let (solved, open) = curve(&kind);
        let (cards, in_each_hand) = (8 * kind.ranks, kind.in_each_hand);
        let [a, b, c, d] = solved;
        let others = open.map_or(String::new(), |open| format!("±{open}"));
        println!("| {cards} | {in_each_hand} | {a} | {b} | {c} | {d} | {others} |");
        let open = open.unwrap_or_default();
        writeln!(tsv, "{cards}\t{in_each_hand}\t{COUNT}\t{a}\t{b}\t{c}\t{d}\t{open}")
            .expect("writing to a string succeeds");
    }
    if let Some(at) = arguments.iter().position(|argument| argument == "--tsv") {
        let file = arguments.get(at + 1).expect("--tsv FILE");
        std::fs::write(file, tsv).expect("the file can be written");
    }
}

/// Counts the positions of a benchmark group that the solver, with all processors, solves within each time limit. Also returns
/// the result of [`half_open`] for the group.
fn curve(kind: &Kind) -> ([usize; 4], Option<i32>) {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let budget = Budget::unlimited().with_time(TIMES[3]).with_threads(threads).with_memory(MEMORY);
    let mut solved = [0; 4];
    let mut values = Vec::new();
    for game in games(&deck(kind.ranks), kind.in_each_hand, COUNT) {
        let start = Instant::now();
        let value = Solver::new().value(game.position(), &budget);
        let time = start.elapsed();
        if value.exact().is_some() {
            for (solved, within) in solved.iter_mut().zip(TIMES) {
                *solved += usize::from(time <= within);
            }
        }
        values.push(value);
    }
    assert_sum(kind, &values);
    (solved, half_open(&values))
}

/// Prints the bounds of ten whole deals of 48 cards within [`WHOLE_DEAL`], with all processors.
fn whole_deals() {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let (time, memory) = WHOLE_DEAL;
    let budget = Budget::unlimited().with_time(time).with_threads(threads).with_memory(memory);
    println!("| deal | at least | at most | time |");
    println!("|--:|--:|--:|--:|");
    let mut values = Vec::new();
    for game in games(&deck(6), 24, COUNT) {
        let start = Instant::now();
        let value = Solver::new().value(game.position(), &budget);
        let (low, high) = (value.at_least().points(), value.at_most().points());
        let number = game.dealt().number();
        println!("| {number} | {low} | {high} | {:.1} s |", start.elapsed().as_secs_f64());
        values.push(value);
    }
    println!("mean of the unsolved deals: ±{}", half_open(&values).unwrap_or_default());
}

/// Checks that a larger node limit never gives looser bounds, and that the solver solves positions with few cards.
fn test(kind: &Kind) {
    let games = games(&deck(kind.ranks), kind.in_each_hand, 2);
    let mut solved: Vec<Value> = Vec::new();
    for nodes in NODES {
        let budget = Budget::unlimited().with_nodes(nodes);
        let values: Vec<Value> =
            games.iter().map(|game| Solver::new().value(game.position(), &budget)).collect();
        assert_consistent(&solved, &values);
        solved = values;
    }
    if kind.in_each_hand <= 12 {
        assert!(solved.iter().all(|value| value.exact().is_some()), "few cards are solved");
    }
}

/// Returns the rule set `bga` with a Pinochle deck that keeps only the first `ranks` of the ranks A, 10, K, Q, J and 9. Each card exists
/// twice.
fn deck(ranks: u32) -> Arc<RuleSet> {
    let mut draft = RuleSet::named("bga+pinochle").expect("the rule set exists").draft();
    draft.cards.retain(|card| u32::from(card.rank.0) < ranks);
    if ranks < 6 {
        draft.name = format!("{} cards", 8 * ranks);
    }
    RuleSet::new(draft).expect("the deck is valid").shared()
}

/// Returns `count` random games in which the next action is a lead, and each hand has `cards` cards.
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

/// Checks that a search with a larger budget proves bounds at least as tight as a search with a smaller budget.
fn assert_consistent(less: &[Value], more: &[Value]) {
    for (less, more) in less.iter().zip(more) {
        assert!(less.at_least() <= more.at_least() && more.at_most() <= less.at_most());
        assert!(more.at_least() <= more.at_most());
    }
}

/// Checks that the values of a group of benchmark positions add up to the known sum in [`SUMS`]. The check is skipped if a position of the
/// group is unsolved, or if `SUMS` has no sum for the group.
fn assert_sum(kind: &Kind, values: &[Value]) {
    let known = SUMS.iter().find(|(of, _)| (6, *of) == (kind.ranks, kind.in_each_hand));
    let exact: Option<Vec<i32>> =
        values.iter().map(|value| value.exact().map(ValueForFirst::points)).collect();
    if let Some((_, sum)) = known
        && let Some(exact) = exact
    {
        assert_eq!(exact.iter().sum::<i32>(), *sum);
    }
}

/// Returns half of the mean gap between the lower and the upper value bound of the unsolved positions, in points.
/// Returns `None` if all positions are solved.
fn half_open(values: &[Value]) -> Option<i32> {
    let widths = values.iter().map(|value| value.at_most().points() - value.at_least().points());
    let open: Vec<i32> = widths.filter(|width| *width > 0).collect();
    let count = i32::try_from(open.len()).ok().filter(|count| *count > 0)?;
    Some(open.iter().sum::<i32>() / (2 * count))
}
