//! Defines cards and decks with their suits and ranks, sets of cards, and the seats and players of a game.

mod card;
mod card_text;
mod deck;
mod seat;

pub use card::{Card, CardSet, Rank, Slots, Suit};
pub use deck::{Deck, MAX_DECK, RankFace, SuitFace};
pub use seat::{ByPlayer, BySeat, Player, Seat};
