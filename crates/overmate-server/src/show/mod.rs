//! Converts games and matches to the JSON types of the HTTP interface. The result holds nothing that the viewer may not know.

pub(crate) mod events;
pub(crate) mod lessons;
pub(crate) mod lobby;
pub(crate) mod matches;
pub(crate) mod progress;
pub(crate) mod puzzles;
pub(crate) mod ratings;
pub(crate) mod records;
pub(crate) mod watching;
