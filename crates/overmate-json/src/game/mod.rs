//! Defines the JSON forms of games, and converts games and positions to these forms.

mod effects;
pub(crate) mod forms;
mod reasons;
pub(crate) mod view;
mod words;
