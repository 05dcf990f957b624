//! Opponents for *Mate*: from beginner to perfect.
//!
//! A [`Bot`] is shown what its seat may know, a [`View`](overmate_rules::View), and returns an action. It cannot peek: there is
//! nothing else in what it is given. [`BuiltIn`] names the opponents that Overmate brings.
//!
//! ```
//! use overmate_bots::{BuiltIn, Standing, Turn};
//! use overmate_rules::{Deal, Game, RuleSet, Seat, Viewer};
//! use overmate_solver::Budget;
//!
//! let rules = RuleSet::named("bga")?.shared();
//! let game = Game::new(&rules, Deal::numbered(&rules, 20_010)?);
//! let view = game.view(Viewer::Seat(Seat::First));
//! let mut bot = "level:3".parse::<BuiltIn>()?.seeded(1);
//! let budget = Budget::unlimited();
//! let choice = bot.choose(&Turn { view: &view, standing: Standing::of_one_game(), budget: &budget })?;
//! assert!(game.play(choice.action).is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod arena;
mod bot;
mod built_in;
mod counselled;
pub mod hidden;
mod judge;
mod level;
mod level_belief;
mod level_chance;
mod level_look;
mod level_reason;
mod level_words;
mod model;
mod model_exact;
mod model_game;
mod model_odds;
mod model_reply;
#[cfg(test)]
mod model_tests;
mod perfect;
mod perfect_aim;
mod perfect_opinion;
mod perfect_reason;
#[cfg(test)]
mod perfect_tests;
pub mod protocol;

pub use bot::{Bot, Choice, Forfeit, Standing, Sure, Thought, Turn};
pub use built_in::{BuiltIn, HousePlayer, UnknownBot, UnknownPlayer};
pub use level::Level;
pub use model_exact::{Contestant, ExactGames, TooManyPositions};
