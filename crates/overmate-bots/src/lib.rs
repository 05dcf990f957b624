//! Provides computer opponents for the card game *Mate*, from beginner to perfect.
//!
//! A [`Bot`] gets a [`View`](overmate_rules::View), which holds only what its seat may know, and returns an action.
//! [`BuiltIn`] names the built-in bots. [`ExactGames`] computes the score distribution of a deal between two built-in
//! bots without playing.
//!
//! Modules import downwards only: `built_in` → `perfect` → `hidden` → `level` → `model` → `public_game` → `bot`.
//!
//! ```
//! use overmate_bots::{BuiltIn, Standing, Turn};
//! use overmate_rules::{Deal, Game, RuleSet, Seat, Viewer};
//! use overmate_solver::Budget;
//! let rules = RuleSet::named("bga")?.shared();
//! let game = Game::new(Deal::numbered(&rules, 20_010)?);
//! let view = game.view(Viewer::Seat(Seat::First));
//! let mut bot = "level:3".parse::<BuiltIn>()?.seeded(1);
//! let budget = Budget::unlimited();
//! let choice = bot.choose(&Turn::new(&view, Standing::of_one_game(), &budget))?;
//! assert!(game.play(choice.action).is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

/// Empty type that turns the README's code example into a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod bot;
mod built_in;
mod exact_games;
pub mod hidden;
mod level;
mod level_likelihood;
mod level_policies;
mod model;
mod perfect;
mod public_game;
mod words;

pub use bot::{
    ACTION_NODES, Bot, Choice, Forfeit, PointBounds, Standing, StandingFault, Thought, Turn,
};
pub use built_in::{BotSpec, BuiltIn, UnknownBot};
pub use exact_games::{ExactGames, ExactPlayer, TooManyPositions};
pub use level_likelihood::LevelLikelihood;
pub use level_policies::LevelPolicies;
pub use model::estimates::Estimates;
pub use model::parameters::Level;
pub use model::shared_tables::SharedTables;
pub use model::softmax::Distribution;
