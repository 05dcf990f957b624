//! Tests the solver for games with a face-down card by comparison with the rules crate, naive solvers and known solutions of games.

mod decisions;
mod kuhn_poker;
mod level_strategies;
mod naive_best_response;
mod public_states;
mod values;

use std::sync::Arc;

use overmate_rules::{DealSource, Game, RuleSet, SeededDeals};

use crate::hidden::cfr::{Solution, StopRule, solve};
use crate::hidden::exploitability::small_denexa;
use crate::hidden::planner::CHANCES_BEFORE_FOREPLACING;
use crate::hidden::regret_bound::RegretBounds;
use crate::hidden::tree_builder::{GameTree, TreeBuilder, TreeLimit};
use crate::public_game::cards::HandCards;

fn small(suits: u8, ranks: u8) -> Arc<RuleSet> {
    small_denexa(suits, ranks).expect("the number of cards is even")
}

fn named(name: &str) -> Arc<RuleSet> {
    RuleSet::named(name).expect("the rule set is published").shared()
}

/// Returns new games on the first `count` deals drawn from a random seed.
fn games(rules: &Arc<RuleSet>, seed: u64, count: usize) -> Vec<Game> {
    let mut source = SeededDeals::new(seed);
    (0..count).map(|_| Game::new(source.next_deal(rules))).collect()
}

/// Returns the complete tree of a game, from the choice of cards to set aside (foreplacing) to the end.
fn whole_tree(cards: &HandCards, prunes: bool) -> GameTree {
    let mut meter = overmate_solver::Budget::unlimited().start();
    let mut regrets = RegretBounds::default();
    let mut builder = TreeBuilder { cards, regrets: &mut regrets, prunes };
    let game = builder.game(TreeLimit::whole(1_000_000), &mut meter);
    game.expect("the tree is small").rated(cards)
}

/// Returns the cards, the complete game tree and the approximate equilibrium of a game from its first action on.
fn solved(game: &Game, prunes: bool, gap: f64) -> (HandCards, GameTree, Solution) {
    let cards = HandCards::new(game.rules(), game.dealt().hands()).expect("the deck is small");
    let whole = whole_tree(&cards, prunes);
    let mut meter = overmate_solver::Budget::unlimited().start();
    let stop = StopRule { gap, rounds: 5_000 };
    let solution = solve(&whole.tree, &CHANCES_BEFORE_FOREPLACING, 0.0, None, stop, &mut meter);
    (cards, whole, solution)
}

/// Draws a pseudo-random number below `end` and advances the generator's state.
fn draw(state: &mut u64, end: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    usize::try_from(*state >> 33).unwrap_or_default() % end
}
