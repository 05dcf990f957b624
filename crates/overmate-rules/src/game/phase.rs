//! Defines the phases of a game: foreplacing, leading, following, and the end.

use crate::cards::Seat;

/// Phase of a game, which determines the seat to act and the kind of action.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// Phase in which the player in the given seat foreplaces a card or declines.
    Foreplacing(Seat),
    /// Phase in which the player in the given seat must lead a card.
    Lead(Seat),
    /// Phase in which the player in the given seat must answer the led card.
    Follow(Seat),
    /// Phase after the end of the game.
    Over,
}

impl Phase {
    /// Returns the seat to act, or `None` if the game is over.
    #[must_use]
    pub fn to_act(self) -> Option<Seat> {
        match self {
            Self::Foreplacing(seat) | Self::Lead(seat) | Self::Follow(seat) => Some(seat),
            Self::Over => None,
        }
    }
}
