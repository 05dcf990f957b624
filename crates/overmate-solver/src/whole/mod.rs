//! Solves the exact value of every position of every deal of a rule set with at most 20 cards.
//!
//! A lead position is given by the set of cards in both hands together and the subset that the leader holds. A row has one byte for each
//! division of the same set of cards between both hands. The bytes are values from the leader's point of view.
//!
//! A lead and its answer remove two cards. The values after the move are therefore a smaller row, in the same order. If the other player
//! leads next, the values are the smaller row read backwards and negated. So all positions of a row are solved at once, by retrograde
//! analysis (Ströhlein 1970, Thompson 1986). All sizes are binomial coefficients.
//!
//! Each file imports only files to its left in this list: `layer`, `splits`, `job` → `layers`, `answers` → `kernel` → `build` →
//! `game` → `deals`, `hashes`.

mod answers;
pub(crate) mod build;
pub(crate) mod deals;
pub(crate) mod error;
pub(crate) mod facts;
pub(crate) mod game;
pub(crate) mod hashes;
mod job;
pub(crate) mod kernel;
pub(crate) mod layer;
pub(crate) mod layers;
mod splits;

pub use deals::DealFacts;
pub use error::WholeError;
pub use facts::LayerFacts;
pub use game::{WholeGame, WholeOptions};
pub use hashes::{HashedLayer, NotALayer};
pub use layers::MAX_WHOLE_DECK;
