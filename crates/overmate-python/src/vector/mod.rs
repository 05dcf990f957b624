//! Plays the games of a batch in parallel, with arrays for the observations, actions and results.

pub(crate) mod games;
mod kernel;
