//! Actions that a player can take in a game.

use crate::cards::Card;

/// Action of one player in a game, such as leading a card, following, or setting a card aside
/// (foreplacing).
///
/// Actions name cards and not slots, so identical cards in one hand give one action.
///
/// `Debug` prints `Play(Tc)`, with the letters of the single deck, as [`Card`] does.
/// [`RuleSet::action_text`](crate::RuleSet::action_text) prints notation with the letters of a rule set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Declines to set a card aside before the first move (foreplace), written `-`.
    Decline,
    /// Sets a card aside before the first move (foreplaces), written in parentheses as in `(Tc)`.
    Foreplace(Card),
    /// Leads a card without a demand, or follows with a card without the free move, written as in
    /// `Tc`.
    Play(Card),
    /// Leads a card of a privileged rank and demands that the rank be answered first, written as in
    /// `Kc!`.
    Demand(Card),
    /// Follows in rank while holding the led suit, by using the free move of the game, written as
    /// in `Ks*`.
    Free(Card),
}

impl Action {
    /// Returns the card that the action plays or sets aside, or `None` for
    /// [`Decline`](Self::Decline).
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
