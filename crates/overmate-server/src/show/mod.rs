//! From the game to the wire: what a viewer may see, in the wire's own types.

pub(crate) mod game;
pub(crate) mod matches;
mod reasons;
pub(crate) mod rules;
mod words;

use overmate_rules::{BySeat, CardSet, Player, RuleSet, Seat};
use overmate_solver::{Value, ValueForFirst};

use crate::wire;

/// A seat on the wire.
pub(crate) fn seat(seat: Seat) -> wire::Seat {
    match seat {
        Seat::First => wire::Seat::First,
        Seat::Second => wire::Seat::Second,
    }
}

/// A player on the wire.
pub(crate) fn player(player: Player) -> wire::Player {
    match player {
        Player::A => wire::Player::A,
        Player::B => wire::Player::B,
    }
}

/// The cards of both seats.
pub(crate) fn hands(rules: &RuleSet, hands: BySeat<CardSet>) -> wire::Hands {
    let deck = rules.deck();
    let BySeat { first, second } = hands
        .map(|hand| deck.cards_of(hand).map(|card| deck.card_text(card).to_string()).collect());
    wire::Hands { first, second }
}

/// A value on the wire.
pub(crate) fn value(value: Value) -> wire::ProvedValue {
    wire::ProvedValue {
        exact: value.exact().map(ValueForFirst::points),
        low: value.at_least().points(),
        high: value.at_most().points(),
    }
}
