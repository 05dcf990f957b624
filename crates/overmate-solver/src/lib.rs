//! Exact values of *Mate*: every position of a deal, best lines, and what each action of a played game lost.
//!
//! [`Solver`] is the front door. [`DealTable`] holds every position of one deal of up to 20 cards. With
//! more cards a search proves what its [`Budget`] allows, and a [`Value`] says what that is. [`WholeGame`] holds
//! every position of every deal, and [`Tablebase`] the same in a file. [`LeadGraph`] is a deal as a graph, for
//! whoever wants to know more of it than its values.
//!
//! ```
//! use overmate_rules::{Deal, Game, RuleSet};
//! use overmate_solver::{Budget, Solver};
//!
//! let rules = RuleSet::named("sackson")?.shared();
//! let game = Game::new(Deal::numbered(&rules, 20_010)?);
//! let analysis = Solver::new().analyse(&game, &Budget::unlimited());
//! let value = analysis.value.exact().expect("20 cards are always solved");
//! let best = analysis.actions.iter().find(|action| action.value == analysis.value);
//! assert_eq!(best.map(|best| best.action), analysis.principal_variation.first().copied());
//! # let _ = value;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod analysis;
mod budget;
mod deal;
mod graph;
mod memory;
mod parallel;
mod progress;
mod retrograde;
mod search;
mod single_value;
mod table;
mod tablebase;
mod value;
mod whole;

pub use analysis::advice::{Advice, AdvisedAction, possible_worlds};
pub use analysis::solver::{ActionValue, Analysis, Review, ReviewedAction, Solver};
pub use budget::{Budget, BudgetExhausted, Meter};
pub use graph::lead_graph::{AnswerChoice, Continuation, LeadChoice, LeadGraph, LeadNode};
pub use graph::lead_table::{HorizonDeepening, LeadTable};
pub use progress::{Progress, Stopped};
pub use table::build::MAX_TABLE_HAND;
pub use table::deal_table::{DealTable, TooManyCards};
pub use table::hands_table::HandsTable;
pub use tablebase::error::TablebaseError;
pub use tablebase::file::Tablebase;
pub use tablebase::reader::TablebaseReader;
pub use tablebase::verify::Verified;
pub use tablebase::write::NewTablebase;
pub use value::{Value, ValueForFirst};
pub use whole::deals::DealFacts;
pub use whole::error::WholeError;
pub use whole::facts::LayerFacts;
pub use whole::game::{WholeGame, WholeOptions};
pub use whole::hashes::{HashedLayer, NotALayer};
pub use whole::kernel::{Kernel, UnknownKernel};
pub use whole::layers::MAX_WHOLE_DECK;

/// The kernel of a deal, for bots that number the cards of two hands themselves.
pub mod kernel {
    pub use crate::deal::cards::{LeadKind, lead_kinds};
    pub use crate::deal::follow_masks::FollowMasks;
}
