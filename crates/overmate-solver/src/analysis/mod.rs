//! Analyses positions, reviews games, and advises one player.

pub(crate) mod advice;
pub(crate) mod mistake;
pub(crate) mod solver;
