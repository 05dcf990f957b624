//! Defines the actions of players in a game.

use crate::cards::Card;
use crate::rule_set::Lead;

/// Action of a player in a game, such as leading, following, or foreplacing a card.
///
/// Actions name cards rather than indices, so that identical cards in a hand give one action.
///
/// The `Debug` output is `Play(Tc)`, with the letters of the single deck, as for [`Card`].
/// [`RuleSet::action_text`](crate::RuleSet::action_text) prints notation with the letters of a rule
/// set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Decision to foreplace no card before the first move, written `-`.
    Decline,
    /// Foreplacing of a card (setting it aside before the first move), written in parentheses, such
    /// as `(Tc)`.
    Foreplace(Card),
    /// Lead of a card without a demand, or answer without the free move, such as `Tc`.
    Play(Card),
    /// Lead of a card of a privileged rank with a demand, such as `Kc!`: the opponent must answer in rank if possible, and
    /// otherwise in suit.
    Demand(Card),
    /// Answer that uses the free move, such as `Ks*`. The player answers in rank although they hold the led suit. After a lead that must be
    /// answered in rank first, the player answers in suit although they hold the led rank.
    Free(Card),
}

impl Action {
    /// Returns the played or foreplaced card, or `None` for [`Decline`](Self::Decline).
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

impl From<Lead> for Action {
    /// Returns the action of leading the card, with or without the demand.
    fn from(Lead { card, demanded }: Lead) -> Self {
        if demanded { Self::Demand(card) } else { Self::Play(card) }
    }
}
