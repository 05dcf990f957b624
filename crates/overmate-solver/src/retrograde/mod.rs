//! Solves late positions of large decks by retrograde analysis, from the smallest hands to larger hands.
//!
//! Retrograde analysis solves positions backwards from the end of the game (Ströhlein 1970, Thompson 1986). A layer holds all positions
//! with given hand sizes. A layer follows from the layer with one card less in each hand, so two layers suffice at a time. A small analysis
//! by blocks keeps all layers for later positions of the game. The legal answers to a lead depend only on the follower's hand. A row
//! therefore holds the values for one set of the follower's cards and for each set of the leader's cards. The value of a lead is the
//! minimum of the values after all answers. This value is moved from the place of the leader's set without the led card to the place of the
//! set with the led card. Sets that are neighbours without the led card mostly stay neighbours with the led card. If the follower leads
//! next, rows and columns change places, so each layer is transposed once.
//!
//! Under rules that always require an answer in suit first, equal hands are solved by blocks of
//! positions with the same number of cards of each suit in each hand. Only blocks that can arise
//! are solved. A value takes a byte. If the budget does not suffice for that, null-window queries prove bounds: the answer to a query takes
//! a bit.
//!
//! - `points`: the entry point for exact values, and the analysis of all pairs of hands.
//! - `queries`: the entry point for bounds.
//! - `suit_layers`: the analysis by blocks, with a byte or a bit for each position.
//! - `cells`: bytes and bits as values.
//! - `suit_blocks`: the blocks that can arise.
//! - `suit_hands`, `suit_moves`, `void_leads`: the hands by suit, and the values of leads with and without answers in suit.
//! - `byte_windows`, `bit_windows`: instructions that permute short runs of values.
//! - `bit_rows`: leads in the last suit with a bit for each position.

mod bit_rows;
mod bit_windows;
mod byte_windows;
mod cells;
mod grid;
mod hand_sets;
mod layer;
mod points;
mod queries;
mod spread;
mod suit_blocks;
mod suit_hands;
mod suit_layers;
mod suit_moves;
#[cfg(test)]
mod tests;
mod void_leads;
mod wanted;

pub(crate) use points::{MOST_KEPT, points_for_first};
pub(crate) use queries::Queries;
pub(crate) use suit_layers::LateValues;
