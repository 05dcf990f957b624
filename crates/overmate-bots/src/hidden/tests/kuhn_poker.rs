//! Tests the solver on Kuhn poker (Kuhn 1950), a game of three cards whose equilibria are known.

use overmate_rules::{BySeat, Seat};
use overmate_solver::Budget;

use crate::hidden::cfr::{StopRule, solve};
use crate::hidden::tree::Tree;
use crate::hidden::tree_response::{OpponentModel, best_responses};
use crate::public_game::types::{MAX_TYPES, TypeChances};

const ALL: [u8; 3] = [0, 1, 2];
const TYPES: BySeat<u8> = BySeat { first: 3, second: 3 };

/// Adds a leaf to the game tree of Kuhn poker, at which the player with the higher card wins `stake` points from the opponent. All nine
/// pairs of cards are equally likely. Pairs of equal cards are worth 0.
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

/// Returns the game tree of Kuhn poker, and the probability of each card that a player may hold.
///
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

/// Ratio of the values of the tests' game tree to the values of Kuhn poker. In the tree the two cards are drawn independently from three
/// cards, but in Kuhn poker the two cards always differ. The ratio is the probability that independent cards differ, and the tests divide
/// the values of the tree by this ratio.
const SCALE: f64 = 6.0 / 9.0;

#[test]
fn solution_of_kuhn_poker_has_the_known_value_and_strategy() {
    let (tree, chances) = kuhn();
    let mut meter = Budget::unlimited().start();
    let solution =
        solve(&tree, &chances, 0.0, None, StopRule { gap: 1e-4, rounds: 100_000 }, &mut meter);
    assert!(solution.gap <= 1e-4, "{}", solution.gap);
    assert!((solution.points_for_first / SCALE + 1.0 / 18.0).abs() < 1e-3);
    // Returns the probability that a player with a given card bets or calls at a given choice of Kuhn poker. The bet or call is the second
    // edge of the choice.
    let chance = |choice: usize, card: usize| solution.strategy[6 * choice + 3 + card];
    // In every equilibrium of Kuhn poker, a player who faces a bet always folds the worst card and always calls with the best card. Some
    // other choices of *first* differ between equilibria.
    for choice in [0, 2] {
        assert!(chance(choice, 0) < 0.01 && chance(choice, 2) > 0.99, "{:?}", solution.strategy);
    }
    // In every equilibrium of Kuhn poker, *second* calls with the middle card, and bluffs with the worst card, each with probability 1/3.
    for (choice, card) in [(2, 1), (1, 0)] {
        assert!((chance(choice, card) - 1.0 / 3.0).abs() < 0.01, "{:?}", solution.strategy);
    }
}

#[test]
fn best_response_to_always_betting_and_calling_has_the_known_payoff() {
    let (tree, chances) = kuhn();
    let mut strategy = vec![0.0; tree.slots()];
    // At each of the four choices in Kuhn poker, the second edge is a bet or a call.
    for choice in 0..4 {
        strategy[choice * 6 + 3..choice * 6 + 6].fill(1.0);
    }
    let best = best_responses(&tree, &strategy, &chances);
    // In Kuhn poker against an opponent who always bets and calls, *second* should call with the best card (+2) and fold with the worst
    // card (−1). Calling with the middle card is worth 0. The average, computed by hand, is 1/3.
    assert!((-best.second / SCALE - 1.0 / 3.0).abs() < 1e-6, "{}", best.second / SCALE);
    // In Kuhn poker against an opponent who always bets and calls, *first* should bet with the best card, and check and fold with the worst
    // card. The best card is then worth +2, the middle card 0, and the worst card −1.
    assert!((best.first / SCALE - 1.0 / 3.0).abs() < 1e-6, "{}", best.first / SCALE);
}

#[test]
fn solution_moves_from_equilibrium_to_best_response_with_the_share_of_the_opponent_model() {
    let (tree, chances) = kuhn();
    let mut always = vec![0.0; tree.slots()];
    for choice in 0..4 {
        always[choice * 6 + 3..choice * 6 + 6].fill(1.0);
    }
    for (me, known) in [(Seat::First, -1.0 / 18.0), (Seat::Second, 1.0 / 18.0)] {
        let points = [0.0, 0.5, 1.0].map(|share| {
            let model = OpponentModel { seat: !me, strategy: &always, share };
            let mut meter = Budget::unlimited().start();
            let effort = StopRule { gap: 1e-3, rounds: 20_000 };
            let solution = solve(&tree, &chances, 0.0, Some(model), effort, &mut meter);
            assert!(solution.gap <= 1e-3, "{}", solution.gap);
            solution.points_for_first / SCALE * f64::from(me.sign_for_first())
        });
        // In Kuhn poker against an opponent who always bets and calls, the best response of each seat wins 1/3 point on average. The test
        // `best_response_to_always_betting_and_calling_has_the_known_payoff` has the computation by hand.
        let [none, half, all] = points;
        assert!((none - known).abs() < 2e-3 && (all - 1.0 / 3.0).abs() < 2e-3, "{points:?}");
        assert!(none <= half + 2e-3 && half <= all + 2e-3, "{points:?}");
    }
}
