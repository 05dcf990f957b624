//! Finds, parses and solves puzzles of the card game *Mate*, and proves their solutions by exact values.
//!
//! A puzzle is a position in which the person who solves the puzzle is to act. The solution has one to five decisions. At each decision the
//! right actions have the best value. The right actions beat all other actions by at least ten points, or change the winner of the game.
//! The opponent replies with the best value. Among equally good replies, the opponent takes the reply that the bot of level 5 chooses most
//! often. A turn with one legal action is not a decision.
//!
//! Some positions would be too easy or too dull as puzzles: [`NoPuzzle`] lists the reasons to refuse a position. [`RareKind`] names the
//! kinds of dull puzzle of which a set holds few. [`DullKind`] names the kinds of dull puzzle that [`PuzzleSet::is_dull`] detects. The best
//! result of a puzzle may be a draw.
//!
//! ```
//! use overmate_puzzles::{Wanted, find};
//! use overmate_rules::RuleSet;
//! let rules = RuleSet::named("bga")?.shared();
//! let found = find(&Wanted::new(rules).with_count(2).with_seed(1))?;
//! assert_eq!(found.puzzles.len(), 2);
//! for puzzle in &found.puzzles {
//!     let solution = &puzzle.solution;
//!     assert!(solution.value() > solution.best_wrong_value());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Modules import downwards: `finder` → `survey` and `sets` → `dull` and `difficulty` → `puzzle` and `predicates` → `solution` → `judge`.

/// Empty type that turns the README's code example into a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod difficulty;
mod dull;
mod finder;
mod judge;
mod pattern;
mod predicates;
mod puzzle;
mod puzzle_error;
mod sets;
mod solution;
mod survey;
mod theme;

pub use difficulty::{LEVEL_RATINGS, rating, success_of_levels};
pub use dull::{DULL_DISTANCE, DullKind, RareKind};
pub use finder::{FindError, FoundPuzzles, Wanted, find, find_with_progress};
pub use pattern::Pattern;
pub use predicates::themes_of;
pub use puzzle::Puzzle;
pub use puzzle_error::{FieldFault, NotAPuzzle};
pub use sets::{PuzzleEntry, PuzzleSet};
pub use solution::{Branch, Decision, MARGIN, MAX_DECISIONS, MAX_LINES, NoPuzzle, TOO_GUESSABLE};
pub use survey::{BAND, Band, Survey, Tally};
pub use theme::{Theme, Themes, UnknownTheme};
