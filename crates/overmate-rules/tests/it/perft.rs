//! Tests the numbers of legal action sequences of each length (perft) against known counts.

use overmate_rules::{Deal, Game, Position};

use crate::chance::rules;

/// Table of perft counts by rule set and deal number: the numbers of legal sequences of 1, 2, …
/// actions.
///
/// The perft counts come from the naive implementation in the solver's tests, which shares no code
/// with this crate.
const COUNTS: &[(&str, u64, &[u64])] = &[
    ("bga", 20_010, &[10, 22, 198, 404, 3_232, 5_987, 41_909, 69_259]),
    ("sackson", 20_010, &[11, 87, 794, 1_588, 12_924]),
    ("sackson+double", 20_010, &[9, 59, 436, 840, 5_801]),
    ("pagat+free-move+kings-privilege", 20_010, &[11, 87, 794, 2_464, 20_052]),
    ("denexa", 20_010, &[11, 121, 1_100, 2_200, 17_820]),
    ("rael+kings-privilege", 20_010, &[11, 121, 1_320, 2_600, 24_660]),
    ("rael+double+free-move+figure-privilege", 20_010, &[9, 90, 1_070, 3_666, 37_345]),
    ("sackson+pinochle", 12_345_678_901_234, &[20, 266, 4_872, 22_201, 390_076]),
    ("bga+free-move", 20_010, &[10, 34, 306, 828, 6_624, 15_205, 106_435]),
    ("bga+kings-privilege+double", 20_010, &[8, 17, 127, 237, 1_583, 2_729, 16_014, 25_192]),
    ("rael+double+figure-privilege", 150_000, &[11, 99, 1_350, 2_350, 26_331, 45_947]),
    ("pagat", 184_755, &[11, 101, 920, 1_660, 13_480]),
    (
        "bga+free-move+figure-privilege",
        77_777,
        &[10, 40, 360, 986, 7_888, 18_385, 128_695, 261_992],
    ),
];

fn count(position: &Position, depth: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    let actions: Vec<_> = position.legal_actions().collect();
    actions.iter().map(|action| count(&position.clone().play(*action).unwrap(), depth - 1)).sum()
}

#[test]
fn the_number_of_action_sequences_equals_an_independent_count() {
    let mut counted = 0;
    for &(name, deal, expected) in COUNTS {
        let rules = rules(name);
        let game = Game::new(Deal::numbered(&rules, deal).unwrap());
        for (depth, &sequences) in (1..).zip(expected) {
            assert_eq!(count(game.position(), depth), sequences, "{name}, {deal}, depth {depth}");
            counted += 1;
        }
    }
    assert_eq!(counted, 77);
}
