//! Analyses positions, reviews games, and advises one player.

pub(crate) mod advice;
mod large;
pub(crate) mod mistake;
pub(crate) mod results;
pub(crate) mod solver;
