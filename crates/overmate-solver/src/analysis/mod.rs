//! Analyses of positions, reviews of games, and advice to one player.

pub(crate) mod advice;
pub(crate) mod mistake;
pub(crate) mod solver;
