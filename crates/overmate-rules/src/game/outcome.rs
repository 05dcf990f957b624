//! Outcomes of a game: mate, draw, resignation.

use crate::cards::Seat;
use crate::game::mate::Mate;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// By mate or overmate.
    Mate(Mate),
    /// All moves were played without a mate: nobody scores.
    Draw,
    /// A player gave up. The game scores nothing, but the match is the other's.
    Resigned {
        /// Who gave up.
        by: Seat,
    },
}

impl Outcome {
    /// The points of the game, as *first* sees them.
    #[must_use]
    pub fn points_for_first(&self) -> i32 {
        match self {
            Self::Mate(mate) => mate.points_for_first(),
            Self::Draw | Self::Resigned { .. } => 0,
        }
    }

    /// Who won the game, unless it was drawn.
    #[must_use]
    pub fn winner(&self) -> Option<Seat> {
        match self {
            Self::Mate(mate) => Some(mate.by),
            Self::Draw => None,
            Self::Resigned { by } => Some(!*by),
        }
    }
}
