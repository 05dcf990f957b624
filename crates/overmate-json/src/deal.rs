//! Defines the JSON forms of cards, actions, seats and deals.

use overmate_rules::{Action, BySeat, Card, CardSet, Dealt, RuleSet};
use serde::{Deserialize, Serialize};

/// Seat of a player in one game. The seat *first* leads to the first move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", schema(as = Seat))]
pub enum SeatWire {
    /// Seat that leads to the first move.
    First,
    /// Seat that answers the first lead.
    Second,
}

impl From<overmate_rules::Seat> for SeatWire {
    fn from(seat: overmate_rules::Seat) -> Self {
        match seat {
            overmate_rules::Seat::First => Self::First,
            overmate_rules::Seat::Second => Self::Second,
        }
    }
}

impl From<SeatWire> for overmate_rules::Seat {
    fn from(seat: SeatWire) -> Self {
        match seat {
            SeatWire::First => Self::First,
            SeatWire::Second => Self::Second,
        }
    }
}

/// Hands of both seats, each sorted by suit from the highest card to the lowest.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Hands {
    /// Cards in the hand of the seat *first*, in notation.
    pub first: Vec<String>,
    /// Cards in the hand of the seat *second*, in notation.
    pub second: Vec<String>,
}

impl Hands {
    /// Formats the cards of both hands in notation.
    #[must_use]
    pub fn new(rules: &RuleSet, hands: BySeat<CardSet>) -> Self {
        let BySeat { first, second } = hands.map(|hand| cards(rules, hand));
        Self { first, second }
    }

    /// Formats the hands of a deal in notation.
    #[must_use]
    pub fn dealt(rules: &RuleSet, dealt: &Dealt) -> Self {
        Self::new(rules, dealt.hands())
    }
}

/// Formats a card in notation, such as `Tc` for the ten of clubs.
#[must_use]
pub fn card(rules: &RuleSet, card: Card) -> String {
    rules.deck().card_text(card).to_string()
}

/// Formats the cards of a set in notation, sorted by suit from the highest card to the lowest.
#[must_use]
pub fn cards(rules: &RuleSet, set: CardSet) -> Vec<String> {
    rules.deck().cards_of(set).map(|one| card(rules, one)).collect()
}

/// Formats an action in notation, such as `-`, `(Tc)`, `Tc`, `Kc!` or `Ks*`.
#[must_use]
pub fn action(rules: &RuleSet, action: Action) -> String {
    rules.action_text(action).to_string()
}

/// Formats a list of actions in notation.
#[must_use]
pub fn actions(rules: &RuleSet, actions: &[Action]) -> Vec<String> {
    actions.iter().map(|one| action(rules, *one)).collect()
}

/// Formats the number of a deal as a string, because JSON numbers are exact only up to 2^53.
#[must_use]
pub fn deal_number(dealt: &Dealt) -> String {
    dealt.number().to_string()
}
