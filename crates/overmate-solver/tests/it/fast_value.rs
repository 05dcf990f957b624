//! Tests that the values which the solver computes for single positions equal the values in the deal table. Some tests compare the values
//! with those of the naive reference implementation.

use std::collections::HashSet;

use overmate_rules::{Deal, Dealt, Game, Phase};
use overmate_solver::{Budget, DealTable, Kernel, Solver, Value};
use test_sample::cases;

use crate::both::{Both, catalogue};
use crate::chance::{Chance, most_held};
use crate::naive;

/// Ranks with large prime values, which give a different score for every pair of a rank and a move number.
const RANKS: [(char, i32); 16] = [
    ('A', 997),
    ('K', 991),
    ('Q', 983),
    ('J', 977),
    ('T', 971),
    ('9', 967),
    ('8', 953),
    ('7', 947),
    ('6', 941),
    ('5', 937),
    ('4', 929),
    ('3', 919),
    ('2', 911),
    ('B', 907),
    ('C', 887),
    ('D', 883),
];

/// Creates a rule set whose deck has three suits and one or two cards of each rank.
fn deck_of_ranks(name: &str, ranks: usize, hand_size: usize, scores: usize) -> Both {
    let card = |i: usize| {
        let suit = ["c", "s", "h"][(i % ranks + i / ranks) % 3];
        format!("{}{suit}", RANKS[i % ranks].0)
    };
    let cards: Vec<String> = (0..2 * hand_size).map(card).collect();
    let cards: Vec<&str> = cards.iter().map(String::as_str).collect();
    Both::custom(name, "csh", &values(scores)[..ranks], &cards)
}

/// Returns the letter and the value of each rank of a test deck. The values make `scores` different scores of a mate possible.
fn values(scores: usize) -> [(char, i32); 16] {
    let mut ranks = RANKS;
    if scores == 127 {
        (ranks[14].1, ranks[15].1) = (8 * 109, 7 * 109);
    }
    ranks
}

/// Compares the deal tables with the values that each kernel computes for random positions. The positions of each hand
/// size are counted in `sizes`.
fn compare_with_the_table(both: &Both, chance: &mut Chance, deals: usize, sizes: &mut [u32; 11]) {
    let supported = Kernel::ALL.into_iter().filter(|kernel| kernel.is_supported());
    let mut solvers: Vec<_> =
        supported.map(|kernel| (kernel, Solver::new().with_kernel(kernel))).collect();
    for _ in 0..deals {
        let mut game = chance.game(&both.rules);
        let table = DealTable::with_all_cards_open(game.dealt()).unwrap();
        let patience = chance.of(&[2, 60]);
        while game.outcome().is_none() {
            let position = game.position();
            let held = most_held(position) as usize;
            // The test checks the value of only about one in eight positions in the foreplacing phase. Computing the value of such a
            // position takes as long as filling a deal table.
            let quick = !matches!(position.phase(), Phase::Foreplacing(_)) || chance.one_in(8);
            if quick {
                let expected = table.value_for_first(position).unwrap();
                for (kernel, solver) in &mut solvers {
                    let value = solver.value(position, &Budget::unlimited().with_nodes(0));
                    assert_eq!(value, Value::Exact(expected), "{kernel}: {position:?}");
                }
                sizes[held] += 1;
            }
            let action = chance.action(position, patience);
            game = game.play(action).unwrap();
        }
    }
}

#[test]
fn single_values_equal_the_table() {
    let mut chance = Chance(10);
    let mut sizes = [0; 11];
    for rules in catalogue() {
        compare_with_the_table(&Both::named(rules.name()), &mut chance, cases(2, 6), &mut sizes);
    }
    for (size, count) in sizes.into_iter().enumerate().skip(1) {
        assert!(count > cases(40, 150), "{count} values with {size} cards");
    }
}

#[test]
fn values_of_deals_without_foreplacing_equal_the_table() {
    let (mut chance, mut solver) = (Chance(11), Solver::new());
    let mut count = 0;
    for name in ["bga", "bga+double", "rael+free-move+figure-privilege+no-foreplacing"] {
        let both = Both::named(name);
        for _ in 0..cases(50, 150) {
            let game = chance.game(&both.rules);
            let table = DealTable::with_all_cards_open(game.dealt()).unwrap();
            let expected = table.value_for_first(game.position()).unwrap();
            let value = solver.value(game.position(), &Budget::unlimited());
            assert_eq!(value, Value::Exact(expected), "{:?}", game.position());
            count += 1;
        }
    }
    assert_eq!(count, 3 * cases(50, 150));
}

/// Tests the computed values of single positions against the deal table, in decks with more scores
/// than a byte can encode.
#[test]
fn values_with_too_many_scores_for_a_byte_equal_the_table() {
    let mut chance = Chance(12);
    let mut sizes = [0; 11];
    for (ranks, hand_size, scores) in
        [(10, 10, 100), (14, 9, 126), (16, 8, 127), (16, 8, 128), (14, 10, 140)]
    {
        for name in [
            "bga",
            "bga+free-move",
            "sackson",
            "sackson+free-move+kings-privilege",
            "rael+figure-privilege",
            "denexa+free-move",
        ] {
            let both = deck_of_ranks(name, ranks, hand_size, scores);
            let of_rank = |rank: usize| {
                let value = values(scores)[rank].1;
                (1..=hand_size).map(move |number| value * i32::try_from(number).unwrap())
            };
            let different: HashSet<i32> = (0..ranks).flat_map(of_rank).collect();
            assert_eq!(different.len(), scores);
            compare_with_the_table(&both, &mut chance, cases(4, 12), &mut sizes);
        }
    }
    assert!(sizes.into_iter().sum::<u32>() > cases(600, 2_000), "{sizes:?}");
}

#[test]
fn values_of_hands_of_every_size_equal_the_table() {
    let mut chance = Chance(13);
    let mut sizes = [0; 11];
    let mut compared = 0;
    for hand_size in 2..=10 {
        for name in [
            "bga",
            "bga+free-move",
            "sackson",
            "pagat+free-move+kings-privilege",
            "rael+kings-privilege",
        ] {
            // Each test deck is a random multiset that holds each card at most three times.
            let kinds: Vec<String> = "cshd"
                .chars()
                .flat_map(|suit| ["A", "K", "Q", "7"].map(|r| format!("{r}{suit}")))
                .collect();
            let mut cards: Vec<&str> = vec!["Kc"];
            while cards.len() < 2 * hand_size {
                let card = kinds[chance.below(kinds.len())].as_str();
                if cards.iter().filter(|known| **known == card).count() < 3 {
                    cards.push(card);
                }
            }
            let ranks = [('A', 11), ('K', 4), ('Q', 3), ('7', 7)];
            let both = Both::custom(name, "cshd", &ranks, &cards);
            compare_with_the_table(&both, &mut chance, 20, &mut sizes);
            if hand_size <= 6 {
                let mut naive = naive::Solver::new(&both.naive);
                for _ in 0..20 {
                    let playing = both.random(&mut chance);
                    let value = Solver::new().value(playing.game.position(), &Budget::unlimited());
                    assert_eq!(value, Value::Exact(playing.value(&mut naive)));
                    compared += 1;
                }
            }
        }
    }
    assert_eq!(compared, 5 * 5 * 20);
    assert!(sizes.into_iter().skip(1).all(|count| count > 100), "{sizes:?}");
}

/// Tests the value of a position in which a mate scores more points than a 16-bit integer can hold.
#[test]
fn values_beyond_16_bits_equal_the_naive_reference() {
    const RANKS: [(char, i32); 6] =
        [('A', 1000), ('K', 990), ('Q', 980), ('J', 970), ('9', 960), ('7', 950)];
    let mut cards = Vec::new();
    for suit in "abcde".chars() {
        for (rank, _) in RANKS {
            cards.extend([format!("{rank}{suit}"), format!("{rank}{suit}")]);
        }
    }
    let cards: Vec<&str> = cards.iter().map(String::as_str).collect();
    assert_eq!(cards.len(), 60);
    let (mut chance, mut solver) = (Chance(14), Solver::new());
    let (mut compared, mut large) = (0, 0);
    for name in ["sackson", "rael+figure-privilege", "pagat+free-move", "bga"] {
        let both = Both::custom(name, "abcde", &RANKS, &cards);
        assert_eq!(Dealt::count(&both.rules), 118_264_581_564_861_424);
        let mut naive = naive::Solver::new(&both.naive);
        for _ in 0..60 {
            let mut playing = both.random(&mut chance);
            while playing.game.outcome().is_none() && most_held(playing.game.position()) > 4 {
                playing.play_at_random(&mut chance, 100);
                playing.compare();
            }
            let expected = playing.value(&mut naive);
            let value = solver.value(playing.game.position(), &Budget::unlimited());
            assert_eq!(value, Value::Exact(expected), "{:?}", playing.game.position());
            compared += 1;
            large += u32::from(expected.points().abs() > i32::from(i16::MAX));
        }
    }
    assert_eq!(compared, 240);
    assert!(large > 10, "{large}");
}

#[test]
fn several_numbers_of_one_deal_have_one_value() {
    let both = Both::named("bga+double");
    let mut solver = Solver::new();
    let mut pairs = 0;
    for number in (0..Dealt::count(&both.rules)).step_by(997) {
        let dealt = Deal::numbered(&both.rules, number).unwrap();
        let canonical = Deal::numbered(&both.rules, dealt.number()).unwrap();
        assert_eq!(dealt, canonical);
        let value = |dealt| {
            let game = Game::new(dealt);
            solver.value(game.position(), &Budget::unlimited())
        };
        pairs += u32::from(dealt.number() != number);
        let values = [dealt, canonical].map(value);
        assert_eq!(values[0], values[1]);
    }
    assert!(pairs > 50, "{pairs}");
}
