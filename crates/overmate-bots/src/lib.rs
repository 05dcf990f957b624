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
//! let game = Game::new(Deal::numbered(&rules, 20_010)?);
//! let view = game.view(Viewer::Seat(Seat::First));
//! let mut bot = "level:3".parse::<BuiltIn>()?.seeded(1);
//! let budget = Budget::unlimited();
//! let choice = bot.choose(&Turn { view: &view, standing: Standing::of_one_game(), budget: &budget })?;
//! assert!(game.play(choice.action).is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bot;
mod built_in;
mod exact_games;
pub mod hidden;
mod level;
mod model;
mod perfect;
mod public_game;
mod words;

pub use bot::{Bot, Choice, Forfeit, Standing, Sure, Thought, Turn};
pub use built_in::{BuiltIn, HousePlayer, UnknownBot, UnknownPlayer};
pub use exact_games::{Contestant, ExactGames, TooManyPositions};
pub use level::bot::Level;
