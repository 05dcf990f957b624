//! JSON form of the reason why an action lost points.

use overmate_rules::RuleSet;
use overmate_solver::Mistake;
use serde::{Deserialize, Serialize};

/// Reason why an action lost points against best play, with the cards that the reason names.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Mistake))]
pub struct MistakeWire {
    /// Kind of the reason why the action lost points.
    pub kind: MistakeKind,
    /// Cards that the reason names, in notation; empty for a kind of reason without cards.
    pub cards: Vec<String>,
}

/// Kind of a reason why an action lost points against best play.
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
    /// The player set a wrong card aside (foreplaced it), or made the wrong choice between foreplacing and declining.
    Foreplacing,
    /// After the action, the opponent can win the move and then give mate with the named card.
    MateAllowed,
    /// The played card was the player's last answer to the named cards of the opponent.
    LastAnswer,
    /// After the action, the opponent can win the move, whereas after every best action the player surely wins the
    /// move.
    MoveLost,
    /// After the action, the player surely wins the move, whereas after every best action the opponent can win the
    /// move.
    MoveWon,
}

impl MistakeWire {
    /// Returns the JSON form of a reason under a rule set, whose deck gives the cards their notation.
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
