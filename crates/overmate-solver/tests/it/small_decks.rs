//! Tests decks so small that the naive reference implementation can solve all deals.

use overmate_rules::Dealt;
use overmate_solver::{Budget, DealTable, Solver, Value};
use test_sample::cases;

use crate::both::Both;
use crate::naive;
use crate::sample;

const FOUR_RANKS: [(char, i32); 4] = [('A', 11), ('K', 4), ('Q', 3), ('7', 7)];

/// Compares the solver's values of deals, and of the first actions in these deals, with the naive reference
/// implementation's values. Returns the number of compared deals and of compared values.
fn compare_deals(both: &Both, count: usize) -> (usize, usize) {
    let (mut naive, mut solver) = (naive::Solver::new(&both.naive), Solver::new());
    let (mut deals, mut values) = (0, 0);
    let all: Vec<u64> = (0..Dealt::count(&both.rules)).collect();
    for number in sample::of(&all, count, 60) {
        let playing = both.start(number);
        playing.compare();
        let position = playing.game.position();
        let value = playing.value(&mut naive);
        let actions = playing.action_values(&mut naive);
        let table = DealTable::with_all_cards_open(playing.game.dealt()).unwrap();
        assert_eq!(table.value_for_first(position), Some(value), "{position:?}");
        assert_eq!(table.action_values(position).as_ref(), Some(&actions), "{position:?}");
        assert_eq!(solver.value(position, &Budget::unlimited()), Value::Exact(value));
        for &(action, value) in &actions {
            let after = position.clone().play(action).unwrap();
            assert_eq!(solver.value(&after, &Budget::unlimited()), Value::Exact(value));
        }
        deals += 1;
        values += 1 + actions.len();
    }
    (deals, values)
}

#[test]
fn deals_of_twelve_different_cards_agree() {
    const NAMES: [&str; 12] = [
        "bga",
        "bga+free-move",
        "bga+kings-privilege",
        "bga+free-move+figure-privilege",
        "sackson",
        "sackson+free-move",
        "pagat+kings-privilege",
        "denexa",
        "denexa+free-move+figure-privilege",
        "rael",
        "rael+kings-privilege",
        "rael+free-move+figure-privilege",
    ];
    for name in NAMES {
        let both = Both::one_of_each(name, "csh", &FOUR_RANKS);
        let foreplacing = both.rules.foreplacing().is_some();
        let leads = if foreplacing { 7 } else { 6 };
        let (deals, values) = compare_deals(&both, 100);
        assert_eq!(deals, cases(100, 924));
        assert_eq!(values, deals * (leads + 1), "{name}");
    }
}

#[test]
fn deals_of_twelve_cards_with_identical_cards_agree() {
    const CARDS: [&str; 12] =
        ["Ac", "Kc", "7c", "7c", "As", "Ks", "Ks", "7s", "Ah", "Ah", "Qh", "7h"];
    const NAMES: [&str; 8] = [
        "bga",
        "bga+free-move+kings-privilege",
        "sackson",
        "sackson+free-move",
        "pagat+figure-privilege",
        "denexa",
        "rael+kings-privilege",
        "rael+free-move+figure-privilege",
    ];
    for name in NAMES {
        let both = Both::custom(name, "csh", &FOUR_RANKS, &CARDS);
        let (deals, values) = compare_deals(&both, 200);
        assert_eq!(deals, cases(200, 924));
        assert!(values > 5 * deals, "{name}: {values}");
    }
}

/// Small test deck: a string of suit letters, a description, the ranks with values, and the cards.
type Small = (&'static str, &'static str, &'static [(char, i32)], &'static [&'static str]);

#[test]
fn all_deals_of_the_smallest_decks_agree() {
    const DECKS: [Small; 6] = [
        ("cs", "two of each suit", &[('A', 11), ('K', 4)], &["Ac", "Kc", "As", "Ks"]),
        ("c", "one suit", &[('A', 1000), ('K', 999)], &["Ac", "Ac", "Ac", "Kc"]),
        ("cshd", "one rank", &[('K', 7)], &["Kc", "Ks", "Kh", "Kd"]),
        (
            "csh",
            "all different",
            &[('A', 3), ('K', 2), ('7', 1)],
            &["Ac", "Ks", "7h", "Kc", "As", "Kh"],
        ),
        (
            "cs",
            "copies in both hands",
            &[('A', 11), ('K', 4)],
            &["Ac", "Ac", "Kc", "Kc", "As", "As", "Ks", "Ks"],
        ),
        (
            "cshd",
            "no suit twice but one",
            &[('A', 11), ('K', 4), ('Q', 3), ('7', 7)],
            &["Ac", "Kc", "Qc", "7c", "As", "Kh", "Qd", "7s"],
        ),
    ];
    const NAMES: [&str; 10] = [
        "bga",
        "bga+free-move",
        "sackson",
        "sackson+free-move+kings-privilege",
        "pagat",
        "pagat+free-move",
        "denexa",
        "denexa+kings-privilege",
        "rael",
        "rael+free-move+kings-privilege",
    ];
    let mut deals = 0;
    for (suits, _, ranks, cards) in DECKS {
        for name in NAMES {
            let both = Both::custom(name, suits, ranks, cards);
            deals += compare_deals(&both, usize::MAX).0;
        }
    }
    assert_eq!(deals, 10 * (3 * 6 + 20 + 2 * 70));
}
