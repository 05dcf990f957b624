//! Phases of a game, which are foreplacing, leading, following, and the end.

use crate::cards::Seat;

/// Phase of a game, with the seat that acts next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// Phase in which the seat must foreplace a card or decline.
    Foreplacing(Seat),
    /// Phase in which the seat must lead a card to a move.
    Lead(Seat),
    /// Phase in which the seat must answer a lead.
    Follow(Seat),
    /// Phase after the end of the game.
    Over,
}

impl Phase {
    /// Returns the seat that acts next, or `None` if the game is over.
    #[must_use]
    pub fn to_act(self) -> Option<Seat> {
        match self {
            Self::Foreplacing(seat) | Self::Lead(seat) | Self::Follow(seat) => Some(seat),
            Self::Over => None,
        }
    }
}
