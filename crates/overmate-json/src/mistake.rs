//! Defines the JSON form of the reasons why an action lost points.

use overmate_rules::RuleSet;
use overmate_solver::Mistake;
use serde::{Deserialize, Serialize};

/// Reason why an action lost points against best play, with the relevant cards.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Mistake))]
pub struct MistakeWire {
    /// Kind of the player's mistake.
    pub kind: MistakeKind,
    /// Cards that explain the mistake, in notation; empty for a kind of mistake without cards.
    pub cards: Vec<String>,
}

/// Kind of mistake: the reason why an action lost points against best play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum MistakeKind {
    /// The player overlooked a mate: a lead of the card in the mistake's field `cards` would have given mate.
    MateOverlooked,
    /// The player gave mate, but a mate with the card in the mistake's field `cards` would have scored more in the same
    /// move.
    CheaperMate,
    /// The player gave mate, although a later mate scores more.
    MateTooEarly,
    /// The player foreplaced the wrong card, foreplaced instead of declining, or declined instead of foreplacing.
    Foreplacing,
    /// After the action, the opponent can win the move and then give mate with the card in the mistake's field `cards`.
    MateAllowed,
    /// The player played the last of their cards that could answer certain cards of the opponent. The mistake's field
    /// `cards` lists the opponent's cards.
    LastAnswer,
    /// The action lets the opponent win the move, unlike every best action.
    MoveLost,
    /// The action makes the player certain to win the move, unlike every best action.
    MoveWon,
}

impl MistakeWire {
    /// Converts the reason why an action lost points to its JSON form. Cards are in the notation of the rule set's
    /// deck.
    #[must_use]
    pub fn new(rules: &RuleSet, reason: Mistake) -> Self {
        let one = |card| vec![crate::card(rules, card)];
        let (kind, cards) = match reason {
            Mistake::MateOverlooked(card) => (MistakeKind::MateOverlooked, one(card)),
            Mistake::CheaperMate(card) => (MistakeKind::CheaperMate, one(card)),
            Mistake::MateTooEarly => (MistakeKind::MateTooEarly, Vec::new()),
            Mistake::Foreplacing => (MistakeKind::Foreplacing, Vec::new()),
            Mistake::MateAllowed(card) => (MistakeKind::MateAllowed, one(card)),
            Mistake::LastAnswer(cards) => (MistakeKind::LastAnswer, crate::cards(rules, cards)),
            Mistake::MoveLost => (MistakeKind::MoveLost, Vec::new()),
            Mistake::MoveWon => (MistakeKind::MoveWon, Vec::new()),
        };
        Self { kind, cards }
    }
}
