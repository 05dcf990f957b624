//! Defines the arguments of the commands `puzzle` and `puzzles`.

use std::num::NonZero;

use clap::{Args, value_parser};
use jiff::civil::Date;
use overmate_puzzles::Theme;

use super::examples;
use super::values::{MAX_THREADS, RulesOption};

/// Plays a puzzle with a proved solution, and explains the solution
///
/// Right actions are best by exact values; all other actions are worse by at least ten points, or change the winner. Forced
/// actions are played for you. The puzzle comes from the embedded sets; for other rule sets the command searches for a puzzle.
#[derive(Args, Debug)]
#[command(after_long_help = examples::PUZZLE)]
pub(crate) struct PuzzleArgs {
    #[command(flatten)]
    pub(crate) rules: RulesOption,

    /// Plays a puzzle with this theme, such as wait or mate-in-2; `overmate puzzles --help` lists the themes
    #[arg(long, value_name = "THEME")]
    pub(crate) theme: Option<Theme>,

    /// Chooses the puzzle from this seed: the same seed gives the same puzzle
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Plays the puzzle of the day, which is the same for everybody; the day changes at midnight UTC
    #[arg(long, conflicts_with_all = ["theme", "seed"])]
    pub(crate) daily: bool,

    /// Plays the puzzle of this date, such as 2026-11-21
    #[arg(long, value_name = "YYYY-MM-DD", conflicts_with_all = ["theme", "seed"])]
    pub(crate) date: Option<Date>,
}

/// Finds puzzles with proved solutions
///
/// The search plays games between the levels with seeded deals, examines every position, and takes at most one puzzle from each
/// deal. The same seed gives the same puzzles. The search ends early if 2,000 deals in a row give no new puzzle.
#[derive(Args, Debug)]
#[command(after_long_help = examples::PUZZLES)]
pub(crate) struct PuzzlesArgs {
    #[command(flatten)]
    pub(crate) rules: RulesOption,

    /// Number of puzzles to find
    #[arg(long, value_name = "N", default_value_t = NonZero::<usize>::MIN)]
    pub(crate) count: NonZero<usize>,

    /// Seed of the random deals and games in which puzzles are searched
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Finds only puzzles with this theme
    #[arg(long, value_name = "THEME")]
    pub(crate) theme: Option<Theme>,

    /// Prints the puzzles as JSON, one object per line
    #[arg(long)]
    pub(crate) json: bool,

    /// Number of threads of the search [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=MAX_THREADS))]
    pub(crate) threads: Option<u16>,
}

impl PuzzlesArgs {
    /// Returns the number of threads that search for puzzles.
    pub(crate) fn threads(&self) -> NonZero<usize> {
        NonZero::new(crate::whole_game::threads(self.threads)).unwrap_or(NonZero::<usize>::MIN)
    }
}
