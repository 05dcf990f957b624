//! Defines the JSON form of the reasons for lost points.

use overmate_rules::RuleSet;
use overmate_solver::Mistake;
use serde::{Deserialize, Serialize};

/// Reason why an action lost points against best play, with the relevant cards.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Mistake))]
pub struct MistakeWire {
    /// Kind of mistake.
    pub kind: MistakeKind,
    /// Cards of the mistake, in notation; empty for a kind without cards.
    pub cards: Vec<String>,
}

/// Kind of mistake: the reason why an action lost points against best play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum MistakeKind {
    /// Leading the named card would have given mate.
    MateOverlooked,
    /// The player gave mate, and a mate in the same move with the named card scores more.
    CheaperMate,
    /// The player gave mate, and a later mate scores more.
    MateTooEarly,
    /// The player foreplaced the wrong card, or wrongly chose between foreplacing and declining.
    Foreplacing,
    /// After the action, the opponent can win the move and then give mate with the named card.
    MateAllowed,
    /// The played card was the player's last answer to the named cards of the opponent.
    LastAnswer,
    /// The action lets the opponent win the move, which no best action does.
    MoveLost,
    /// The action makes the player certain to win the move, which no best action does.
    MoveWon,
}

impl MistakeWire {
    /// Converts a reason to its JSON form, with cards in the notation of a rule set's deck.
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
