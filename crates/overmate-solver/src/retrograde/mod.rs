//! Retrograde analysis of late positions of large decks, from the end of the game backwards, one hand size at a time.
//!
//! Retrograde analysis solves all positions backwards from the end of the game (Ströhlein 1970, Thompson 1986). A layer
//! holds all positions with the same number of cards in each hand. A layer follows from the layer with one card less,
//! so only two layers are kept at a time. When a card is led, the follow masks depend on the other hand alone: a row
//! holds all sets of the leader for one set of the other player, and is the minimum, lane by lane, of the rows that the
//! answers lead to. Only the led card permutes the lanes, and neighbouring sets without the card mostly stay neighbours
//! with the card. Each seat needs rows of its own, so each layer is transposed once.

mod grid;
mod hand_sets;
mod layer;
mod points;
mod spread;
#[cfg(test)]
mod tests;

pub(crate) use points::points_for_first;
