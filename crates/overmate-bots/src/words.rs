//! Words for what bots say of their reasons.

use overmate_rules::{Card, Outcome, Position, RuleSet};

/// `the ten of hearts`.
pub(crate) fn card_words(rules: &RuleSet, card: Card) -> String {
    let deck = rules.deck();
    let rank = deck.ranks().get(usize::from(card.rank.0)).map_or("card", |rank| &rank.name);
    // Chess pieces have a colour, and cards a suit.
    format!("the {rank} of {}", deck.suit_name(card.suit))
}

/// `1 point`, `28 points`.
pub(crate) fn points_words(points: i32) -> String {
    format!("{points} point{}", if points == 1 { "" } else { "s" })
}

/// What a position says that is mate.
pub(crate) fn mate_words(position: &Position) -> Option<String> {
    let Outcome::Mate(mate) = position.outcome()? else { return None };
    let verb = if mate.overmate { "overmates" } else { "mates" };
    let card = card_words(position.rules(), mate.card);
    Some(format!("{verb} with {card} for {}", points_words(mate.points())))
}
