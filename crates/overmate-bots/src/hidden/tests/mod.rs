//! Play with a hidden card against what is known otherwise: the rules, naive solvers, other games.

mod decisions;
mod kuhn_poker;
mod level_strategies;
mod naive_best_response;
mod public_states;
mod values;

use std::sync::Arc;

use overmate_rules::{DealSource, Game, RuleSet, Seat, SeededDeals};

use crate::hidden::cfr::{Solution, StopRule, solve};
use crate::hidden::exploitability::small_denexa;
use crate::hidden::planner::CHANCES_BEFORE_FOREPLACING;
use crate::hidden::regret_bound::RegretBounds;
use crate::hidden::tree_builder::{GameTree, TreeBuilder, TreeLimit};
use crate::public_game::cards::HandCards;

fn small(suits: u8, ranks: u8) -> Arc<RuleSet> {
    small_denexa(suits, ranks).expect("an even number of cards")
}

/// The first deals of a seed.
fn games(rules: &Arc<RuleSet>, seed: u64, count: usize) -> Vec<Game> {
    let mut source = SeededDeals::new(seed);
    (0..count).map(|_| Game::new(source.next_deal(rules))).collect()
}

/// The tree of a whole game and its solution.
fn solved(game: &Game, prunes: bool, gap: f64) -> (HandCards, GameTree, Solution) {
    let cards = HandCards::new(game.rules(), game.dealt().hands()).expect("a small deck");
    let mut meter = overmate_solver::Budget::unlimited().start();
    let mut secured = RegretBounds::default();
    let mut grower = TreeBuilder { cards: &cards, secured: &mut secured, prunes };
    let grown = grower.grow_game(TreeLimit::whole(1_000_000), &mut meter).expect("a small tree");
    let solution = solve(
        &grown.tree,
        &CHANCES_BEFORE_FOREPLACING,
        0.0,
        None,
        StopRule { gap, rounds: 5_000 },
        &mut meter,
    );
    (cards, grown, solution)
}

/// A number below `end` from a state that it moves on.
fn draw(state: &mut u64, end: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    usize::try_from(*state >> 33).unwrap_or_default() % end
}

fn sign(seat: Seat) -> f64 {
    seat.sign_for_first().into()
}
