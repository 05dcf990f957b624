//! Matches between bots of the card game *Mate*: tournaments, statistics of the bots' strength, and the bot protocol.
//!
//! In an [`Arena`], every two entrants meet in *match pairs*: two matches on the same deals, with
//! each entrant as player A once. All pairings play the same deals. If the play of each bot depends
//! only on its seed, its views and its budget, the results depend only on the seed of the arena,
//! not on the number of threads.
//!
//! The module [`protocol`] lets programs in any language enter an arena.
//!
//! ```
//! use std::sync::Arc;
//! use overmate_arena::{Arena, ArenaOptions, Entrant, Observer};
//! use overmate_bots::BotSpec;
//! use overmate_rules::RuleSet;
//! let rules = RuleSet::named("bga")?.shared();
//! let players: Vec<Arc<dyn Entrant>> =
//!     vec![Arc::new("level:1".parse::<BotSpec>()?), Arc::new("perfect".parse::<BotSpec>()?)];
//! let options = ArenaOptions::default().with_pairs(2).with_seed(7);
//! let results = Arena::new(rules, players, options)?.run([], &Observer::default())?;
//! assert_eq!(results[0].matches(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

/// Empty type that turns the README's code example into a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod arena;
mod entrant;
mod likelihood;
mod match_play;
mod pair_counts;
mod pairing;
pub mod protocol;
mod sprt;
mod stats;

pub use arena::{
    Arena, ArenaError, ArenaOptions, ArenaStopped, MatchId, Observer, OnPlayed, Pairings,
};
pub use entrant::{Entrant, Seating};
pub use match_play::{PlayedMatch, play_match};
pub use pair_counts::{PairCounts, elo_of_score, score_of_elo};
pub use pairing::{MatchScore, PairingResult, ReportedForfeit, SprtResult};
pub use sprt::{Hypothesis, Sprt, SprtError};
pub use stats::Estimate;
