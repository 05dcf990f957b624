//! The play of a level as a function of the position, and exact consequences of that play.

pub(crate) mod advised;
pub(crate) mod best_response;
pub(crate) mod depth_search;
pub(crate) mod evaluator;
pub(crate) mod game;
pub(crate) mod horizon_tables;
pub(crate) mod objective;
pub(crate) mod player;
#[cfg(test)]
mod tests;
