//! Tests the rules crate and the solver against a slow reference implementation, in every rule set
//! of 20 cards.

use overmate_rules::Position;
use overmate_solver::{Budget, DealTable, Solver, Value};
use test_sample::cases;

use crate::both::{Both, catalogue};
use crate::chance::{Chance, most_held};
use crate::naive;
use crate::sample;

/// Maximum hand size at which the naive reference implementation is fast enough for the tests.
const FEW: u32 = 6;

#[derive(Default)]
struct Counts {
    deals: u32,
    steps: u32,
    values: u32,
    foreplaced_by_one: u32,
    last_moves: u32,
}

fn play_and_compare(both: &Both, chance: &mut Chance, counts: &mut Counts) {
    let mut playing = both.random(chance);
    let dealt = playing.game.dealt();
    let table = DealTable::with_all_cards_open(dealt).unwrap();
    let (mut naive, mut solver) = (naive::Solver::new(&both.naive), Solver::new());
    let patience = chance.of(&[0, 3, 40]);
    loop {
        playing.compare();
        counts.steps += 1;
        let position = playing.game.position();
        if most_held(position) <= FEW {
            let value = playing.value(&mut naive);
            assert_eq!(table.value_for_first(position), Some(value), "{position:?}");
            let exact = solver.value(position, &Budget::unlimited());
            assert_eq!(exact, Value::Exact(value), "{position:?}");
            let actions = playing.action_values(&mut naive);
            assert_eq!(table.action_values(position), Some(actions), "{position:?}");
            counts.values += 1;
            counts.last_moves += u32::from(position.moves() + 1 >= both.rules.hand_size());
        }
        if playing.game.outcome().is_some() {
            break;
        }
        playing.play_at_random(chance, patience);
    }
    counts.foreplaced_by_one += u32::from(playing.game.position().sole_foreplacer().is_some());
    counts.deals += 1;
}

fn play_rule_sets(seed: u64, part: usize) -> Counts {
    let (mut chance, mut counts) = (Chance(seed), Counts::default());
    for rules in catalogue().iter().skip(part).step_by(2) {
        let both = Both::named(rules.name());
        for _ in 0..deals_of_each() {
            play_and_compare(&both, &mut chance, &mut counts);
        }
    }
    counts
}

/// Returns the number of random games that the tests play in each rule set.
fn deals_of_each() -> u32 {
    cases(6, 24)
}

/// Asserts that a test has compared enough deals, positions and values. In enough of the deals, exactly one player must have foreplaced.
/// Enough of the compared values must be those of positions in the last move or after it. The minimum number of deals covers half of the
/// rule sets, because each test plays one half.
fn assert_enough(counts: &Counts) {
    let rule_sets = u32::try_from(catalogue().len() / 2).unwrap();
    assert!(counts.deals >= rule_sets * deals_of_each(), "{}", counts.deals);
    assert!(counts.steps > 13 * counts.deals, "{}", counts.steps);
    assert!(counts.values > 3 * counts.deals, "{}", counts.values);
    assert!(counts.foreplaced_by_one > counts.deals / 6, "{}", counts.foreplaced_by_one);
    assert!(counts.last_moves > counts.deals / 3, "{}", counts.last_moves);
}

// Two tests play random games, each in half of the rule sets of the catalogue, so that two threads can run both tests at once.

#[test]
fn random_games_agree_in_rule_sets_with_even_index() {
    assert_enough(&play_rule_sets(1, 0));
}

#[test]
fn random_games_agree_in_rule_sets_with_odd_index() {
    assert_enough(&play_rule_sets(2, 1));
}

/// Returns the number of sequences of exactly `depth` legal actions that begin at a position, counted with the rules
/// crate.
fn sequences(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let next = position.legal_actions().map(|action| position.clone().play(action).unwrap());
    next.map(|next| sequences(&next, depth - 1)).sum()
}

/// Tests that the rules crate and the naive reference implementation count the same number of
/// action sequences (perft), and prints the counts.
#[test]
fn the_numbers_of_action_sequences_agree_in_every_rule_set() {
    const DEAL: u64 = 20_010;
    for rules in catalogue() {
        let both = Both::named(rules.name());
        let start = both.start(DEAL);
        let counts: Vec<u64> = (1..=5).map(|depth| both.naive.count(&start.state, depth)).collect();
        println!("{} {DEAL} {counts:?}", rules.name());
        for (depth, &expected) in (1..).zip(&counts) {
            assert_eq!(sequences(start.game.position(), depth), expected, "{}", rules.name());
        }
    }
}

/// Compares the solver's value of a random deal with the naive reference implementation's value, in `count` random rule
/// sets of `names`. A thorough test run uses all of `names`.
fn solve_whole_deals(seed: u64, names: &[&str], count: usize) {
    let (mut chance, mut solver) = (Chance(seed), Solver::new());
    for name in sample::of(names, count, seed) {
        let both = Both::named(name);
        let playing = both.random(&mut chance);
        let analysis = solver.analyse(&playing.game, &Budget::unlimited());
        playing.compare_analysis(&analysis, &mut naive::Solver::new(&both.naive));
        let value = solver.value(playing.game.position(), &Budget::unlimited());
        assert_eq!(value, analysis.value);
    }
}

#[test]
fn whole_deals_agree_without_foreplacing() {
    const NAMES: [&str; 24] = [
        "bga",
        "bga+double",
        "bga+free-move",
        "bga+kings-privilege",
        "bga+figure-privilege",
        "bga+double+free-move+kings-privilege",
        "bga+free-move+figure-privilege",
        "rael+no-foreplacing",
        "rael+kings-privilege+no-foreplacing",
        "rael+free-move+figure-privilege+no-foreplacing",
        "rael+double+figure-privilege+no-foreplacing",
        "sackson+no-foreplacing",
        "bga",
        "bga",
        "bga+double",
        "bga+double",
        "bga+free-move",
        "bga+kings-privilege",
        "bga+figure-privilege",
        "pagat+double+no-foreplacing",
        "denexa+free-move+no-foreplacing",
        "rael+double+no-foreplacing",
        "rael+figure-privilege+no-foreplacing",
        "sackson+double+kings-privilege+no-foreplacing",
    ];
    solve_whole_deals(3, &NAMES, 8);
}

#[test]
fn whole_deals_agree_with_foreplacing() {
    const NAMES: [&str; 5] =
        ["sackson", "sackson+double", "denexa", "denexa+kings-privilege", "rael"];
    solve_whole_deals(4, &NAMES, 2);
}

#[test]
fn whole_deals_agree_with_foreplacing_and_variations() {
    const NAMES: [&str; 5] = [
        "sackson+free-move",
        "pagat+free-move+figure-privilege",
        "pagat+double+kings-privilege",
        "rael+double+figure-privilege",
        "rael+free-move+figure-privilege",
    ];
    solve_whole_deals(5, &NAMES, 1);
}
