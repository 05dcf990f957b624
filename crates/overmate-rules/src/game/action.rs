//! Actions of a player, and the card that was led.

use crate::cards::Card;

/// One thing that a player does: foreplacing or not, leading, following.
///
/// Actions name cards, not slots: identical cards that one player holds are the same action.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Foreplaces nothing: `-`.
    Decline,
    /// Foreplaces a card: `(Tc)`.
    Foreplace(Card),
    /// Leads a card, or follows with it in the ordinary way: `Tc`.
    Play(Card),
    /// Leads a card of a privileged rank and demands that the rank be answered first: `Kc!`.
    Demand(Card),
    /// Follows with the game's free move: `Ks*`.
    Free(Card),
}

impl Action {
    /// The card that the action puts down, if it does.
    #[must_use]
    pub fn card(self) -> Option<Card> {
        match self {
            Self::Decline => None,
            Self::Foreplace(card) | Self::Play(card) | Self::Demand(card) | Self::Free(card) => {
                Some(card)
            }
        }
    }
}
