//! Kuhn's poker, whose solution is known: three cards, one each, a bet of one.

use overmate_rules::{BySeat, Seat};
use overmate_solver::Budget;

use crate::hidden::best_response::best_responses;
use crate::hidden::cfr::{OpponentModel, StopRule, solve};
use crate::hidden::tree::Tree;
use crate::public_game::types::{MAX_TYPES, TypeChances};

const ALL: [u8; 3] = [0, 1, 2];
const TYPES: BySeat<u8> = BySeat { first: 3, second: 3 };

/// Each pair of cards is equally likely here, two equal ones as well: those are worth nothing.
fn showdown(tree: &mut Tree, stake: f32) -> u32 {
    ends(tree, |first, second| if first > second { stake } else { -stake })
}

fn ends(tree: &mut Tree, points: impl Fn(u8, u8) -> f32) -> u32 {
    let pairs =
        ALL.into_iter().flat_map(|first| ALL.into_iter().map(move |second| (first, second)));
    let points =
        pairs.map(|(first, second)| if first == second { 0.0 } else { points(first, second) });
    tree.add_leaf(TYPES, points.collect::<Vec<_>>())
}

/// Slots 0 to 5: *first* has checked and answers a bet with fold or call; 6 to 11: *second* answers a check with check or bet;
/// 12 to 17: *second* answers a bet with fold or call; 18 to 23: *first* checks or bets.
fn kuhn() -> (Tree, TypeChances) {
    let mut tree = Tree::default();
    let fold_first = ends(&mut tree, |_, _| -1.0);
    let called = showdown(&mut tree, 2.0);
    let bet_late = tree.add_choice(
        Seat::First,
        TYPES,
        &[(fold_first, ALL.to_vec()), (called, ALL.to_vec())],
        0.0,
    );
    let checked = showdown(&mut tree, 1.0);
    let check = tree.add_choice(
        Seat::Second,
        TYPES,
        &[(checked, ALL.to_vec()), (bet_late, ALL.to_vec())],
        0.0,
    );
    let fold_second = ends(&mut tree, |_, _| 1.0);
    let called = showdown(&mut tree, 2.0);
    let bet = tree.add_choice(
        Seat::Second,
        TYPES,
        &[(fold_second, ALL.to_vec()), (called, ALL.to_vec())],
        0.0,
    );
    tree.add_choice(Seat::First, TYPES, &[(check, ALL.to_vec()), (bet, ALL.to_vec())], 0.0);
    let mut even = [0.0; MAX_TYPES];
    even[..3].fill(1.0 / 3.0);
    (tree, TypeChances { first: even, second: even })
}

/// Of nine pairs six are dealt in the real game.
const SCALE: f64 = 6.0 / 9.0;

#[test]
fn the_solution_has_the_value_that_kuhn_found() {
    let (tree, chances) = kuhn();
    let mut meter = Budget::unlimited().start();
    let solution =
        solve(&tree, &chances, 0.0, None, StopRule { gap: 1e-4, rounds: 100_000 }, &mut meter);
    assert!(solution.gap <= 1e-4, "{}", solution.gap);
    assert!((solution.points_for_first / SCALE + 1.0 / 18.0).abs() < 1e-3);
    // What the second edge is chosen with.
    let chance = |choice: usize, card: usize| solution.strategy[6 * choice + 3 + card];
    // The worst card never calls a bet, the best always does; of the rest *first* is free to choose some.
    for choice in [0, 2] {
        assert!(chance(choice, 0) < 0.01 && chance(choice, 2) > 0.99, "{:?}", solution.strategy);
    }
    // *Second* is not: he calls with the middle card, and bluffs with the worst, one time in three.
    for (choice, card) in [(2, 1), (1, 0)] {
        assert!((chance(choice, card) - 1.0 / 3.0).abs() < 0.01, "{:?}", solution.strategy);
    }
}

#[test]
fn the_best_response_to_who_always_bets_and_calls_is_known() {
    let (tree, chances) = kuhn();
    let mut strategy = vec![0.0; tree.slots()];
    // The second edge of each choice: bet or call.
    for choice in 0..4 {
        strategy[choice * 6 + 3..choice * 6 + 6].fill(1.0);
    }
    let best = best_responses(&tree, &strategy, &chances);
    // By hand, to who always bets and calls: *second* calls with the best card (+2) and folds with the worst (−1); the
    // middle card is a coin toss either way, and calling then is worth 0. In all 1/3.
    assert!((-best.second / SCALE - 1.0 / 3.0).abs() < 1e-6, "{}", best.second / SCALE);
    // *First* bets the best (+2, always called); checks the worst and folds to the bet (−1); the middle is worth 0.
    assert!((best.first / SCALE - 1.0 / 3.0).abs() < 1e-6, "{}", best.first / SCALE);
}

/// Who reckons with a habit alone plays the best response to it; who does so in half of it, something between that and the solution.
#[test]
fn a_habit_is_answered_as_far_as_it_is_relied_on() {
    let (tree, chances) = kuhn();
    let mut always = vec![0.0; tree.slots()];
    for choice in 0..4 {
        always[choice * 6 + 3..choice * 6 + 6].fill(1.0);
    }
    for (me, known) in [(Seat::First, -1.0 / 18.0), (Seat::Second, 1.0 / 18.0)] {
        let points = [0.0, 0.5, 1.0].map(|share| {
            let habit = OpponentModel { seat: !me, strategy: &always, share };
            let mut meter = Budget::unlimited().start();
            let effort = StopRule { gap: 1e-3, rounds: 20_000 };
            let solution = solve(&tree, &chances, 0.0, Some(habit), effort, &mut meter);
            assert!(solution.gap <= 1e-3, "{}", solution.gap);
            solution.points_for_first / SCALE * f64::from(me.sign_for_first())
        });
        // By hand, as above: 1/3 for either.
        let [none, half, all] = points;
        assert!((none - known).abs() < 2e-3 && (all - 1.0 / 3.0).abs() < 2e-3, "{points:?}");
        assert!(none <= half + 2e-3 && half <= all + 2e-3, "{points:?}");
    }
}
