//! Computes the ratings of players, computer opponents and puzzles.

pub(crate) mod anchors;
pub(crate) mod glicko2;
pub(crate) mod match_rating;
pub(crate) mod puzzle_rating;
