//! Plays a batch of games at once, with arrays for the observations, actions and results.

pub(crate) mod games;
mod kernel;
