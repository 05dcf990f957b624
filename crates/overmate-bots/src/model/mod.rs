//! Models the play of a strength level (1 to 9), and computes exact results of games between modelled players.
//!
//! From the bottom up: `parameters` and `softmax` describe a level; `evaluator`, `depth_search` and
//! `horizon_tables` compute points at a limited horizon; `score_distribution` holds the probabilities of final scores; `shared_tables`
//! keeps the tables of the last deals; `decision` chooses among actions over possible worlds; `moves` lists the moves of a position with
//! their points; `player`, `objective`, `best_response`, `reached_positions` and `scores` compute exact consequences of known play;
//! `searched_advice` combines proofs with a depth search for large decks; `estimates` gives the points of all actions by that depth search.

pub(crate) mod best_response;
pub(crate) mod decision;
mod depth_search;
pub(crate) mod estimates;
mod evaluator;
pub(crate) mod horizon_tables;
mod mate_in_one;
mod moves;
mod next_move;
pub(crate) mod objective;
pub(crate) mod parameters;
pub(crate) mod player;
mod reached_positions;
pub(crate) mod score_distribution;
pub(crate) mod scores;
pub(crate) mod searched_advice;
pub(crate) mod shared_tables;
pub(crate) mod softmax;
pub(crate) mod state_map;
#[cfg(test)]
mod tests;
