//! Defines the two representations of position values in the analysis by blocks: a byte with the score, or a bit with the answer to one
//! question about the score.

#![allow(
    clippy::inline_always,
    reason = "the caller's instruction set applies only to inlined code"
)]

use overmate_rules::{BySeat, Seat};

use super::grid::{HIGHEST, LOWEST, grid_code};
use crate::deal::score_codes::ScoreCodes;

/// Representation of position values in memory. All values are from the view of the player who leads. The complement of a byte is the
/// same value from the other player's view.
pub(super) trait Cells: Copy + Sync {
    /// Number of positions whose values one byte holds.
    const POSITIONS_A_BYTE: usize;

    /// Returns a byte in which all positions have the value of `points` points for `leader`.
    fn byte(self, points: i32, leader: Seat) -> u8;

    /// Returns, for each position of a byte, the lower of two values.
    fn lower(a: u8, b: u8) -> u8;

    /// Returns, for each position of a byte, the higher of two values.
    fn higher(a: u8, b: u8) -> u8;
}

/// Representation of a value by a byte with a [score code](ScoreCodes).
#[derive(Clone, Copy)]
pub(super) struct ScoreBytes<'a>(pub(super) &'a ScoreCodes);

impl Cells for ScoreBytes<'_> {
    const POSITIONS_A_BYTE: usize = 1;

    fn byte(self, points: i32, _: Seat) -> u8 {
        grid_code(self.0.code(points))
    }

    #[inline(always)]
    fn lower(a: u8, b: u8) -> u8 {
        a.min(b)
    }

    #[inline(always)]
    fn higher(a: u8, b: u8) -> u8 {
        a.max(b)
    }
}

/// Representation of a value by a bit: whether the leader gets at least a given number of points. The numbers of both leaders belong
/// together, so that the complement of a bit is the answer from the other player's view.
#[derive(Clone, Copy)]
pub(super) struct AnswerBits(BySeat<i32>);

impl AnswerBits {
    /// Creates the representation for the question whether seat *first* gets at least `asked` points. Seat *second* then either gets at
    /// least 1 − `asked` points, or the answer is yes.
    pub(super) fn new(asked: i32) -> Self {
        Self(BySeat { first: asked, second: 1 - asked })
    }
}

impl Cells for AnswerBits {
    const POSITIONS_A_BYTE: usize = 8;

    fn byte(self, points: i32, leader: Seat) -> u8 {
        if points >= self.0[leader] { HIGHEST } else { LOWEST }
    }

    #[inline(always)]
    fn lower(a: u8, b: u8) -> u8 {
        a & b
    }

    #[inline(always)]
    fn higher(a: u8, b: u8) -> u8 {
        a | b
    }
}
