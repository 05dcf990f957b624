//! Tests the naive reference implementation against the worked examples of the rules.

use crate::naive::{Foreplacing, Rules, Seat, State};

#[test]
fn the_naive_reference_gives_the_scores_of_the_rules_text() {
    let score = |rules: &str, card: &str, number, own, others| {
        let rules = Rules::named(rules).unwrap();
        rules.score(rules.card(card), number, own, others)
    };
    assert_eq!(score("bga", "Qs", 1, false, false), 3);
    assert_eq!(score("sackson", "Ad", 10, false, false), 110);
    assert_eq!(score("sackson", "Kh", 7, false, false), 28);
    for other in [false, true] {
        assert_eq!(score("sackson", "Kh", 7, true, other), 32);
    }
    for (rules, of_the_other) in [("sackson", 220), ("pagat", 110), ("denexa", 110)] {
        assert_eq!(score(rules, "Ac", 10, true, false), 242);
        assert_eq!(score(rules, "Ac", 10, false, true), of_the_other);
    }
    for (own, others, points) in [(false, false, 28), (true, false, 56), (true, true, 35)] {
        assert_eq!(score("rael", "Rg", 4, own, others), points);
    }
    assert_eq!(score("rael", "Rg", 10, true, false), 140);
    assert_eq!(score("rael", "Rg", 10, false, true), 70);
}

/// Tests the outcomes that the naive reference implementation computes for games with a repeated card. The games are played from the last
/// move but one on.
#[test]
fn the_naive_reference_plays_the_repeated_card() {
    let outcome = |rules: &str, hands: [&[&str]; 2], actions: &[&str]| {
        let rules = Rules::named(rules).unwrap();
        let mut state = State {
            hands: hands.map(|hand| rules.sorted_hand(hand)),
            foreplacings: [Foreplacing::Card(rules.card("Ts")), Foreplacing::Nothing],
            move_number: 9,
            leader: Seat::First,
            led: None,
            free_move_used: false,
        };
        for action in actions {
            assert_eq!(rules.outcome(&state), None);
            state = rules.play(&state, action).unwrap();
        }
        rules.outcome(&state)
    };
    for (rules, of_the_other) in [("sackson", -140), ("pagat", -70), ("denexa", -70)] {
        // The only player who foreplaced leads the repeated card, an ace, in the last move and gives an overmate. This overmate scores
        // "11 × 11 × 2 = 242".
        assert_eq!(outcome(rules, [&["Ac"], &["7c", "Kd"]], &["Ac", "7c", "Ac"]), Some(242));
        // "A player whose last card is the repeated card is mated by a lead that the repeated card cannot answer."
        let actions = ["Kc", "Ac", "7d"];
        assert_eq!(outcome(rules, [&["Kc"], &["Ac", "7d"]], &actions), Some(of_the_other));
        let actions = ["Kc", "Ac", "7c", "Kc"];
        assert_eq!(outcome(rules, [&["Kc"], &["Ac", "7c"]], &actions), Some(0));
    }
}
