//! Implements the perfect player, a bot that loses no points against best play and exploits weaker opponents.

pub(crate) mod bot;
mod level_belief;
mod reason;
#[cfg(test)]
mod tests;
