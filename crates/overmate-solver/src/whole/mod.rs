//! Solves the exact value of every position of every deal of a rule set with at most 20 cards.
//!
//! A lead position is the set of cards in both hands and the subset that the leader holds. A row
//! has a byte for each split of the same live cards, from the leader's point of view. When a lead
//! is answered, two cards are gone, and the values after the move are a smaller row, in order. If
//! the other player leads next, these values are the smaller row read backwards and negated. So all
//! splits of the same live cards are solved at once, by retrograde analysis (Ströhlein 1970,
//! Thompson 1986). All sizes are binomial coefficients.
//!
//! The files import only downwards: `layer`, `splits`, `job` → `layers`, `mirror`, `pairings` → `kernel` → `build` →
//! `game` → `deals`, `hashes`.

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
mod mirror;
mod pairings;
mod splits;

pub use deals::DealFacts;
pub use error::WholeError;
pub use facts::LayerFacts;
pub use game::{WholeGame, WholeOptions};
pub use hashes::{HashedLayer, NotALayer};
pub use layers::MAX_WHOLE_DECK;
