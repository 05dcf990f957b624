//! Play with a card face down: from a view and a budget to an action.
//!
//! In a rule set that foreplaces face down, the game after foreplacing is a two-player zero-sum game of imperfect information in
//! which every action is public and the only private information of a player is their face-down card, their *type*.
//!
//! The files, each importing only from those above it in this list:
//!
//! - [`tree`]: a game tree over public states with one private type per player.
//! - [`best_response`]: exact best responses, expected payoffs and exploitability.
//! - [`cfr`]: CFR+, which approximates an equilibrium of a tree.
//! - [`regret_bound`]: bounds on what not knowing the opponent's card can cost.
//! - [`value_bounds`]: bounds on the value of a decision that need no tree.
//! - [`tree_builder`]: builds the tree of a deal, cut off at a horizon or where the hidden card no longer matters.
//! - [`opponent_model`]: the strategy of a softmax player on a tree.
//! - [`match_utility`]: the payoff of a game near the end of a match.
//! - [`planner`]: solves the largest subgame that the budget allows and reads off a decision.
//! - [`solver`]: [`HiddenSolver`], the entry point for players.
//! - [`baseline`], [`level_strategy`], [`exploitability`], [`solvable_sizes`]: measurements.

mod baseline;
mod best_response;
mod cfr;
mod exploitability;
mod level_strategy;
mod match_utility;
mod opponent_model;
mod planner;
mod regret_bound;
mod solvable_sizes;
mod solver;
#[cfg(test)]
mod tests;
mod tree;
mod tree_builder;
mod value_bounds;

pub use exploitability::{
    ExploitabilityReport, PlayerExploitability, exploitability_report, small_denexa,
};
pub(crate) use match_utility::MatchUtility;
pub use solvable_sizes::{SizeRow, SolvableSizesReport, solvable_sizes_report};
pub use solver::{Advice, AdvisedAction, HiddenSolver, Strength};
