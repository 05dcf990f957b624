//! Models games with a face-down card: public states, their history, and beliefs about the face-down card.
//!
//! The module has the following files. Each file imports only from earlier files in this list.
//!
//! - [`types`]: probabilities and points by private type.
//! - [`cards`]: the cards of two hands as bit sets.
//! - [`state`]: [`PublicState`](state::PublicState), the information that both players share.
//! - [`history`]: the public states that led to a view.
//! - [`belief`]: Bayesian beliefs about the hidden card.

pub(crate) mod belief;
pub(crate) mod cards;
pub(crate) mod history;
pub(crate) mod state;
pub(crate) mod types;
