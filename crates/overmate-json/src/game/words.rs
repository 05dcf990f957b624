//! Describes game actions in English.

use overmate_rules::{Action, Card, RuleSet, Seat};

/// Returns the English name of a card with the definite article, such as `the ten of clubs`.
fn the(rules: &RuleSet, card: Card) -> String {
    let deck = rules.deck();
    format!("the {} of {}", deck.rank_name(card.rank), deck.suit_name(card.suit))
}

/// Returns the English name of a seat.
fn seat_name(seat: Seat) -> &'static str {
    match seat {
        Seat::First => "first",
        Seat::Second => "second",
    }
}

/// Effects of an action, as input for the English description of the action.
pub(super) struct Consequence {
    /// Seat that wins the move, if the action completes a move.
    pub(super) won_by: Option<Seat>,
    /// Whether the action ends the game with a mate.
    pub(super) mate: bool,
    /// Whether the action gives an overmate: a mate whose score is doubled, usually in the extra last move.
    pub(super) overmate: bool,
    /// Whether the action answers a lead.
    pub(super) is_answer: bool,
}

/// Describes an action and its effects as an English clause without a full stop.
pub(super) fn action(
    rules: &RuleSet,
    seat: Seat,
    action: Action,
    consequence: &Consequence,
) -> String {
    let mut text = match action {
        Action::Decline => format!("{seat} foreplaces nothing"),
        Action::Foreplace(card) => format!("{seat} foreplaces {}", the(rules, card)),
        Action::Play(card) if consequence.is_answer => {
            format!("{seat} follows with {}", the(rules, card))
        }
        Action::Play(card) => format!("{seat} leads {}", the(rules, card)),
        Action::Demand(card) => {
            let rank = rules.deck().rank_name(card.rank);
            format!("{seat} leads {} and demands a {rank}", the(rules, card))
        }
        Action::Free(card) => format!("{seat} uses the free move for {}", the(rules, card)),
    };
    match consequence.won_by {
        Some(winner) if winner == seat => text.push_str(" and wins the move"),
        Some(winner) => text.extend(["; ", seat_name(winner), " wins the move"]),
        None => {}
    }
    if consequence.mate {
        text.push_str(if consequence.overmate { ": overmate" } else { ": mate" });
    }
    text
}

/// Describes in English that a seat foreplaces a card face down, without naming the card.
pub(super) fn face_down(seat: Seat) -> String {
    format!("{seat} foreplaces a card face down")
}
