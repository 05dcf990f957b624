//! Computes exact values for the card game *Mate*: values of positions, principal variations, and reviews of played games.
//!
//! The entry point is [`Solver`], which analyses and reviews games, and advises a player.
//! [`DealTable`] holds every position of one deal of at most 20 cards. For larger decks a search
//! proves as much as its [`Budget`] allows, and a [`Value`] states the proved bounds.
//! [`WholeGame`](whole::WholeGame) holds every position of every deal, and
//! [`Tablebase`](tablebase::Tablebase) holds the same values in a file.
//! [`LeadGraph`](graph::LeadGraph) gives the positions of a deal as a graph, for programs that need
//! more than values.
//!
//! ```
//! use overmate_rules::{Deal, Game, RuleSet};
//! use overmate_solver::{Budget, Solver};
//! let rules = RuleSet::named("sackson")?.shared();
//! let game = Game::new(Deal::numbered(&rules, 20_010)?);
//! let analysis = Solver::new().analyse(&game, &Budget::unlimited());
//! let value = analysis.value.exact().expect("20 cards are always solved");
//! let best = analysis.actions.iter().find(|action| action.value == analysis.value);
//! assert_eq!(best.map(|best| best.action), analysis.principal_variation.first().copied());
//! # let _ = value;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(
    target_family = "wasm",
    allow(dead_code, reason = "the kernels for other processors and the whole games are left out")
)]

/// Empty type that turns the README's code example into a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod analysis;
mod budget;
mod byte_table;
mod deal;
pub mod graph;
mod kernel;
mod memory;
mod parallel;
mod progress;
mod retrograde;
mod search;
mod table;
#[cfg(not(target_family = "wasm"))]
pub mod tablebase;
mod value;
#[cfg(not(target_family = "wasm"))]
pub mod whole;

pub use analysis::advice::{Advice, AdvisedAction};
pub use analysis::mistake::Mistake;
pub use analysis::results::{ActionValue, Analysis, Review, ReviewedAction};
pub use analysis::solver::Solver;
pub use budget::Budget;
pub use deal::cards::MAX_TABLE_HAND;
pub use kernel::{Kernel, UnknownKernel};
pub use progress::{Progress, Stopped};
pub use table::deal_table::{DealTable, TooManyCards};
pub use value::{Value, ValueForFirst};

/// Components of the solver for bots that run their own searches.
pub mod for_bots {
    pub use crate::analysis::advice::possible_worlds;
    pub use crate::budget::{BudgetExhausted, Meter};
    pub use crate::deal::cards::{LeadKind, MOST_HELD, lead_kinds};
    pub use crate::deal::follow_masks::FollowMasks;
    pub use crate::deal::subsets::bits;
    pub use crate::table::hands_table::HandsTable;
}
