//! Tests the solver against a slow reference implementation and against solved deals, and the solver's methods against each other.

// Clippy allows `unwrap` in functions marked as tests, but not in their helpers.
#![allow(clippy::unwrap_used, reason = "a panic reports the failure of a test")]

mod advice;
mod bench_answers;
mod both;
mod chance;
mod corpus;
mod fast_value;
mod graph;
mod mistakes;
mod naive;
mod naive_scores;
mod oracle;
mod principal_variation;
mod sample;
mod search;
#[path = "../../benches/solver/sets.rs"]
mod sets;
mod small_decks;
mod table;
mod tablebase;
mod whole;
