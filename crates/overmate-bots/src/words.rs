//! Expresses cards, points and mates in English words for the reasons that bots give.

use overmate_rules::{Card, Outcome, Position, RuleSet};

/// Returns the English words for a card, such as `the ten of hearts`.
pub(crate) fn card_words(rules: &RuleSet, card: Card) -> String {
    let deck = rules.deck();
    let rank = deck.ranks().get(usize::from(card.rank.0)).map_or("card", |rank| &rank.name);
    // In a deck of chess pieces, the name of a suit is a colour.
    format!("the {rank} of {}", deck.suit_name(card.suit))
}

/// Returns a number with its English noun, such as `1 move` or `28 moves`. `noun` is the noun in the singular.
pub(crate) fn counted(number: i64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Returns the English words for a number of points, such as `1 point` or `28 points`.
pub(crate) fn points_words(points: i32) -> String {
    counted(points.into(), "point")
}

/// Returns a clause that describes the mate that a bot has given in a position, or `None` if the position is not mate.
pub(crate) fn mate_words(position: &Position) -> Option<String> {
    let Outcome::Mate(mate) = position.outcome()? else { return None };
    let verb = if mate.overmate { "overmates" } else { "mates" };
    let card = card_words(position.rules(), mate.card);
    Some(format!("it {verb} with {card} for {}", points_words(mate.points())))
}
