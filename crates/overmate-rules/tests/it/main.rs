//! Tests of the rules: against the text of the rules, a naive implementation, and hostile input.

// Clippy knows this of functions marked as tests, and not of what they call.
#![allow(clippy::unwrap_used, reason = "a test that panics has said what it wanted to say")]

mod chance;
mod custom_rules;
mod deal_numbers;
mod faulty_rules;
mod matches;
mod model;
mod notation;
mod perft;
mod playouts;
mod positions;
mod records;
mod records_refused;
mod seeds;
mod sizes;
mod views;
mod worked_examples;
