//! Phases of a game: foreplacing, leading, following, over.

use crate::cards::Seat;

/// Phase of a game, and the seat that acts next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// The seat must foreplace a card or decline.
    Foreplacing(Seat),
    /// The seat must lead to a move.
    Lead(Seat),
    /// The seat must answer a lead.
    Follow(Seat),
    /// The game has ended.
    Over,
}

impl Phase {
    /// Returns the seat that acts next; `None` if the game is over.
    #[must_use]
    pub fn to_act(self) -> Option<Seat> {
        match self {
            Self::Foreplacing(seat) | Self::Lead(seat) | Self::Follow(seat) => Some(seat),
            Self::Over => None,
        }
    }
}
