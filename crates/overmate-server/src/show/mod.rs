//! Converts games and matches to the wire types. Nothing that the viewer may not know is in the result.

pub(crate) mod game;
pub(crate) mod matches;
mod reasons;
mod words;
