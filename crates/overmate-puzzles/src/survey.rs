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
    /// Number of positions refused because their best actions are not clearly better than all others (see [`NoPuzzle::Unclear`]).
    pub unclear: u64,
    /// Number of positions refused because the player to act loses even with best play.
    pub lost: u64,
    /// Number of positions refused because a line of play in their solution has too many decisions for a puzzle.
    pub too_long: u64,
    /// Number of positions refused because their solution has too many lines of play for a puzzle.
    pub too_many_lines: u64,
    /// Number of positions refused because random actions find the solution with a probability of 0.5 or more.
    pub guessable: u64,
    /// Number of positions refused because the bot of strength level 1 nearly always finds the solution; mates in one are exempt.
    pub too_easy: u64,
    /// Number of positions refused because their solution requires only arithmetic (see [`NoPuzzle::Arithmetic`]).
    pub arithmetic: u64,
    /// Number of positions at which the search found a puzzle.
    pub puzzles: u64,
    /// Number of kept puzzles: the found puzzles that the search has chosen for its result, at most one for each deal.
    pub kept: u64,
    /// Number of found puzzles with each theme, in the order of [`Theme::ALL`].
    pub puzzles_by_theme: [u64; Theme::ALL.len()],
    /// Number of kept puzzles with each theme, in the order of [`Theme::ALL`].
    pub kept_by_theme: [u64; Theme::ALL.len()],
    /// Number of found puzzles of each dull kind in the list [`RareKind::ALL`], in the order of the list. A puzzle set holds only a
    /// limited number of puzzles of these kinds.
    pub puzzles_by_kind: [u64; RareKind::ALL.len()],
    /// Number of kept puzzles of each dull kind in the list [`RareKind::ALL`], in the order of the list.
    pub kept_by_kind: [u64; RareKind::ALL.len()],
    /// Statistics of the puzzles in the search's result, separately for each rating band (range of [`BAND`] rating points).
    pub bands: [Band; BANDS],
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
        let counter = match reason {
            NoPuzzle::Unclear => &mut self.unclear,
            NoPuzzle::Lost => &mut self.lost,
            NoPuzzle::TooLong => &mut self.too_long,
            NoPuzzle::TooManyLines => &mut self.too_many_lines,
            NoPuzzle::Guessable => &mut self.guessable,
            NoPuzzle::TooEasy => &mut self.too_easy,
            NoPuzzle::Arithmetic => &mut self.arithmetic,
        };
        *counter += 1;
    }

    /// Counts a found puzzle in the total number, for each of its themes, and for each rare kind of dull puzzle to which it belongs.
    pub(crate) fn count(&mut self, puzzle: &Puzzle) {
        self.positions += 1;
        self.puzzles += 1;
        for theme in puzzle.themes.iter() {
            self.puzzles_by_theme[theme as usize] += 1;
        }
        for (number, kind) in self.puzzles_by_kind.iter_mut().zip(RareKind::ALL) {
            *number += u64::from(kind.holds(puzzle));
        }
    }

    /// Counts a puzzle that the search for puzzles has chosen for its result. The puzzle counts in the total number of kept puzzles, for
    /// each of its themes, for each rare kind of dull puzzle to which it belongs, and in its rating band. `success` holds the probability
    /// that each level solves the puzzle.
    pub(crate) fn keep(&mut self, puzzle: &Puzzle, success: &[f64; Level::COUNT]) {
        self.kept += 1;
        for theme in puzzle.themes.iter() {
            self.kept_by_theme[theme as usize] += 1;
        }
        for (number, kind) in self.kept_by_kind.iter_mut().zip(RareKind::ALL) {
            *number += u64::from(kind.holds(puzzle));
        }
        let band = usize::from(puzzle.rating / BAND).min(BANDS - 1);
        self.bands[band].puzzles += 1;
        for (sum, probability) in self.bands[band].solved_by_level.iter_mut().zip(success) {
            *sum += probability;
        }
    }
}

impl AddAssign for Survey {
    fn add_assign(&mut self, other: Self) {
        self.positions += other.positions;
        self.unclear += other.unclear;
        self.lost += other.lost;
        self.too_long += other.too_long;
        self.too_many_lines += other.too_many_lines;
        self.guessable += other.guessable;
        self.too_easy += other.too_easy;
        self.arithmetic += other.arithmetic;
        self.puzzles += other.puzzles;
        self.kept += other.kept;
        let themes = self.puzzles_by_theme.iter_mut().zip(other.puzzles_by_theme);
        let themes = themes.chain(self.kept_by_theme.iter_mut().zip(other.kept_by_theme));
        let kinds = self.puzzles_by_kind.iter_mut().zip(other.puzzles_by_kind);
        let kinds = kinds.chain(self.kept_by_kind.iter_mut().zip(other.kept_by_kind));
        for (sum, number) in themes.chain(kinds) {
            *sum += number;
        }
        for (band, other) in self.bands.iter_mut().zip(other.bands) {
            band.puzzles += other.puzzles;
            for (sum, number) in band.solved_by_level.iter_mut().zip(other.solved_by_level) {
                *sum += number;
            }
        }
    }
}
