//! The arena: many matches of several players on the same deals, on all processors, and what they say about strength.
//!
//! Every two players meet in *pairs* of matches: two matches with the same deals, in which each is player A once. All
//! pairings have the same deals. What a bot does may depend on the seed of its match, on what it is shown
//! and on its budget alone; then an arena's results depend on its seed alone, not on the number of threads.
//!
//! ```
//! use std::sync::Arc;
//! use overmate_bots::BuiltIn;
//! use overmate_arena::{Arena, ArenaOptions, Contender, Watch};
//! use overmate_rules::RuleSet;
//!
//! let rules = RuleSet::named("bga")?.shared();
//! let players: Vec<Arc<dyn Contender>> =
//!     vec![Arc::new("level:1".parse::<BuiltIn>()?), Arc::new("perfect".parse::<BuiltIn>()?)];
//! let options = ArenaOptions { pairs: 2, seed: 7, ..ArenaOptions::default() };
//! let results = Arena::new(rules, players, options)?.run([], &Watch::default()).expect("nobody stops it");
//! assert_eq!(results[0].matches(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arena;
mod contender;
mod playing;
pub mod protocol;
mod sprt;
mod stats;
mod tally;

pub use arena::{Arena, ArenaOptions, MatchId, NoArena, Stopped, TellPlayed, Watch};
pub use contender::{Contender, Seating};
pub use playing::{PlayedMatch, play_match};
pub use sprt::{BadSprt, Hypothesis, Sprt};
pub use stats::{Estimate, PairCounts, elo_of_score, score_of_elo};
pub use tally::{MatchScore, PairingResult, SprtResult, ToldForfeit};
