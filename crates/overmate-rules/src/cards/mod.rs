//! Cards and decks: suits, ranks, sets of cards, and the seats and players that hold them.

mod card;
mod card_text;
mod deck;
mod seat;

pub use card::{Card, CardSet, Rank, Slots, Suit};
pub use deck::{Deck, MAX_DECK, RankFace, SuitFace};
pub use seat::{ByPlayer, BySeat, Player, Seat};
