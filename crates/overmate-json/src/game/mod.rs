//! JSON forms of games and of their states, and the conversion of games and positions to them.

mod effects;
pub(crate) mod forms;
mod reasons;
pub(crate) mod view;
mod words;
