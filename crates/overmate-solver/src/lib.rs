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
pub use graph::{
    Answer, Continuation, HorizonDeepening, LeadChoice, LeadGraph, LeadNode, LeadTable,
};
pub use progress::{Progress, Stopped};
pub use table::{DealTable, HandsTable, MAX_TABLE_HAND, TooManyCards};
pub use tablebase::{NewTablebase, Tablebase, TablebaseError, TablebaseReader, Verified};
pub use value::{Value, ValueForFirst};
pub use whole::{
    DealFacts, Hands, HashedLayer, Kernel, LayerFacts, MAX_WHOLE_DECK, NotALayer, UnknownKernel,
    WholeError, WholeGame, WholeOptions,
};
