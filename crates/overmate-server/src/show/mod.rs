//! Converts games and matches to the JSON types of the HTTP interface. Nothing that the viewer may not know is in the result.

mod effects;
pub(crate) mod game;
pub(crate) mod lessons;
pub(crate) mod matches;
pub(crate) mod progress;
pub(crate) mod puzzles;
mod reasons;
mod words;
