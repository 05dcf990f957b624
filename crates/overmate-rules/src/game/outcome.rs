//! Defines the outcomes of a finished game: mate, draw and resignation.

use crate::cards::Seat;
use crate::game::mate::Mate;

/// Outcome of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// Mate, which scores points for the player who gave mate.
    Mate(Mate),
    /// Draw: all moves were played without a mate, and neither player scores.
    Draw,
    /// Resignation of one player. The game scores nothing, and the opponent wins the match.
    Resigned {
        /// Seat of the player who resigned.
        by: Seat,
    },
}

impl Outcome {
    /// Returns the points of the game for seat `First`, negative if seat `Second` has scored.
    #[must_use]
    pub fn points_for_first(&self) -> i32 {
        match self {
            Self::Mate(mate) => mate.points_for_first(),
            Self::Draw | Self::Resigned { .. } => 0,
        }
    }

    /// Returns the seat of the player who won the game, or `None` for a draw.
    #[must_use]
    pub fn winner(&self) -> Option<Seat> {
        match self {
            Self::Mate(mate) => Some(mate.by),
            Self::Draw => None,
            Self::Resigned { by } => Some(!*by),
        }
    }
}
