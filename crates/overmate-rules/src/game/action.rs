//! Actions of a player.

use crate::cards::Card;

/// Action of one player: foreplacing or declining, leading, following.
///
/// Actions name cards and not slots, so identical cards in one hand give one action.
///
/// `Debug` prints cards by their indices, as [`Card`] does.
/// [`RuleSet::action_text`](crate::RuleSet::action_text) prints notation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Foreplaces nothing: `-`.
    Decline,
    /// Foreplaces a card: `(Tc)`.
    Foreplace(Card),
    /// Leads a card, or follows with a forced answer: `Tc`.
    Play(Card),
    /// Leads a card of a privileged rank and demands that the rank be answered first: `Kc!`.
    Demand(Card),
    /// Follows with the free move of the game: `Ks*`.
    Free(Card),
}

impl Action {
    /// Returns the card that the action moves; `None` for [`Decline`](Self::Decline).
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
