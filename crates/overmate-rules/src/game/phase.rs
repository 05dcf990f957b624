//! Phases of a game: foreplacing, leading, following, over.

use crate::cards::Seat;

/// What is to be done next, and by whom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// The seat foreplaces a card or declines.
    Foreplacing(Seat),
    /// The seat leads to a move.
    Lead(Seat),
    /// The seat answers a lead.
    Follow(Seat),
    /// The game has ended.
    Over,
}

impl Phase {
    /// Whose turn it is, if the game goes on.
    #[must_use]
    pub fn to_act(self) -> Option<Seat> {
        match self {
            Self::Foreplacing(seat) | Self::Lead(seat) | Self::Follow(seat) => Some(seat),
            Self::Over => None,
        }
    }
}
