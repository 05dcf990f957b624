//! Gathers the statistics of a search for puzzles.

use std::ops::AddAssign;

use overmate_bots::Level;

use crate::dull::RareKind;
use crate::puzzle::Puzzle;
use crate::solution::NoPuzzle;
use crate::theme::Theme;

/// Statistics of a search for puzzles: numbers of examined and refused positions, and of found and kept puzzles.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Survey {
    /// Number of positions that the search has examined as possible starts of puzzles. Positions with the same pattern count once in a
    /// deal.
    pub positions: u64,
    /// Number of refused positions for each reason, in the order of [`NoPuzzle::ALL`].
    pub refused: [u64; NoPuzzle::ALL.len()],
    /// Numbers of found puzzles.
    pub found: Tally,
    /// Numbers of kept puzzles: the found puzzles that the search has chosen for its result, at most one for each deal.
    pub kept: Tally,
    /// Statistics of the puzzles in the search's result, separately for each rating band (range of [`BAND`] rating points).
    pub bands: [Band; BANDS],
}

/// Numbers of puzzles, in all, with each theme, and of each rare kind.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Tally {
    /// Number of all counted puzzles.
    pub puzzles: u64,
    /// Number of puzzles with each theme, in the order of [`Theme::ALL`].
    pub by_theme: [u64; Theme::ALL.len()],
    /// Number of puzzles of each dull kind in the list [`RareKind::ALL`], in the order of the list. A puzzle set holds only a limited
    /// number of puzzles of these kinds.
    pub by_kind: [u64; RareKind::ALL.len()],
}

impl Tally {
    /// Counts a puzzle in the total number, for each of its themes, and for each rare kind of dull puzzle to which it belongs.
    fn count(&mut self, puzzle: &Puzzle) {
        self.puzzles += 1;
        for theme in puzzle.themes.iter() {
            self.by_theme[theme as usize] += 1;
        }
        for (number, kind) in self.by_kind.iter_mut().zip(RareKind::ALL) {
            *number += u64::from(kind.holds(puzzle));
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.puzzles += other.puzzles;
        add_each(&mut self.by_theme, other.by_theme);
        add_each(&mut self.by_kind, other.by_kind);
    }
}

/// Width of a rating band (a range of puzzle ratings), in rating points.
pub const BAND: u16 = 300;

/// Number of rating bands (ranges of puzzle ratings). The bands cover all possible ratings of puzzles.
const BANDS: usize = 10;

/// Statistics of the puzzles in the search's result whose ratings lie in one rating band.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Band {
    /// Number of kept puzzles whose ratings lie in one rating band.
    pub puzzles: u64,
    /// Expected number of the kept puzzles in one rating band that the bot of each strength level (1 to 9) solves.
    pub solved_by_level: [f64; Level::COUNT],
}

impl Survey {
    /// Counts a position that the search for puzzles has refused, under the given reason.
    pub(crate) fn refuse(&mut self, reason: NoPuzzle) {
        self.positions += 1;
        self.refused[reason as usize] += 1;
    }

    /// Counts a position at which the search has found a puzzle.
    pub(crate) fn count(&mut self, puzzle: &Puzzle) {
        self.positions += 1;
        self.found.count(puzzle);
    }

    /// Counts a puzzle that the search for puzzles has chosen for its result. The puzzle also counts in its rating band. `success` holds
    /// the probability that each level solves the puzzle.
    pub(crate) fn keep(&mut self, puzzle: &Puzzle, success: &[f64; Level::COUNT]) {
        self.kept.count(puzzle);
        let band = usize::from(puzzle.rating / BAND).min(BANDS - 1);
        self.bands[band].puzzles += 1;
        add_each(&mut self.bands[band].solved_by_level, *success);
    }
}

impl AddAssign for Survey {
    fn add_assign(&mut self, other: Self) {
        self.positions += other.positions;
        add_each(&mut self.refused, other.refused);
        self.found += other.found;
        self.kept += other.kept;
        for (band, other) in self.bands.iter_mut().zip(other.bands) {
            band.puzzles += other.puzzles;
            add_each(&mut band.solved_by_level, other.solved_by_level);
        }
    }
}

/// Adds each number of a list to the sum with the same index.
fn add_each<T: AddAssign, const N: usize>(sums: &mut [T; N], numbers: [T; N]) {
    for (sum, number) in sums.iter_mut().zip(numbers) {
        *sum += number;
    }
}
