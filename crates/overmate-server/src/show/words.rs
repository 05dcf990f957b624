//! Describes actions in English.

use overmate_rules::{Action, Card, RuleSet, Seat};

/// Returns a card in words: `the ten of clubs`.
fn the(rules: &RuleSet, card: Card) -> String {
    let deck = rules.deck();
    format!("the {} of {}", deck.rank_name(card.rank), deck.suit_name(card.suit))
}

/// Returns the name of a seat.
fn seat_name(seat: Seat) -> &'static str {
    match seat {
        Seat::First => "first",
        Seat::Second => "second",
    }
}

/// Effects of an action.
pub(super) struct Consequence {
    /// Winner of the move that the action completed.
    pub(super) won_by: Option<Seat>,
    /// Whether the action gave mate.
    pub(super) mate: bool,
    /// Whether the mate is an overmate: in the extra last move, and doubled.
    pub(super) overmate: bool,
    /// Whether the action answers a lead.
    pub(super) is_answer: bool,
}

/// Describes an action in a clause, without a full stop.
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

/// Describes the foreplacing of a hidden card.
pub(super) fn face_down(seat: Seat) -> String {
    format!("{seat} foreplaces a card face down")
}
