//! Outcomes of a game: mate, draw, resignation.

use crate::cards::Seat;
use crate::game::mate::Mate;

/// Outcome of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// A player gave mate or overmate.
    Mate(Mate),
    /// All moves were played without a mate, and nobody scores.
    Draw,
    /// A player resigned. The game scores nothing, and the opponent wins the match.
    Resigned {
        /// Seat of the player who resigned.
        by: Seat,
    },
}

impl Outcome {
    /// Returns the points of the game for *first*: negative if *second* scored.
    #[must_use]
    pub fn points_for_first(&self) -> i32 {
        match self {
            Self::Mate(mate) => mate.points_for_first(),
            Self::Draw | Self::Resigned { .. } => 0,
        }
    }

    /// Returns the winner; `None` for a draw.
    #[must_use]
    pub fn winner(&self) -> Option<Seat> {
        match self {
            Self::Mate(mate) => Some(mate.by),
            Self::Draw => None,
            Self::Resigned { by } => Some(!*by),
        }
    }
}
