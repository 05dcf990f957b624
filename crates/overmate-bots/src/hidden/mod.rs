//! Chooses actions in games with a face-down card, given a player's view and a budget.
//!
//! If cards are foreplaced face down, the game after foreplacing is a two-player zero-sum game of imperfect information.
//! Every action is public. The only private information of a player is their face-down card, their *type*. The module
//! `public_game` defines the public states of the game.
//!
//! The module has the following files. Each file imports only from earlier files in this list.
//!
//! - `tree`: a game tree over public states with one private type per player.
//! - `tree_response`: exact best responses, expected payoffs and exploitability.
//! - `cfr`: CFR+, which approximates an equilibrium of a tree.
//! - `regret_bound`: bounds on the cost of not knowing the opponent's card.
//! - `value_bounds`: bounds on the value of a decision, found without a tree.
//! - `tree_builder`: the tree of a deal, cut off at a horizon or where the hidden card no longer matters.
//! - `match_utility`: the utility of points near the end of a match.
//! - `opponent_model`: the strategy of a softmax player on a tree.
//! - `subgame`: solved subgames.
//! - `config`: limits of the search, and the opponent model.
//! - `planner`: solves the largest subgame that the budget allows and reads off a decision.
//! - `advice`: mixed strategies as text and numbers.
//! - `solver`: [`HiddenSolver`], the entry point for players.
//! - `level_strategy`, `exploitability`, `solvable_sizes`: measurements.

mod advice;
mod cfr;
mod config;
mod exploitability;
mod level_strategy;
mod match_utility;
mod opponent_model;
mod planner;
mod regret_bound;
mod solvable_sizes;
mod solver;
mod subgame;
#[cfg(test)]
mod tests;
mod tree;
mod tree_builder;
mod tree_response;
mod value_bounds;

pub use advice::{MixedAdvice, WeightedAction};
pub use config::Strength;
pub use exploitability::{
    ExploitabilityReport, PlayerExploitability, exploitability_report, small_denexa,
};
pub(crate) use match_utility::MatchUtility;
pub use solvable_sizes::{SizeRow, SolvableSizesReport, solvable_sizes_report};
pub use solver::HiddenSolver;
