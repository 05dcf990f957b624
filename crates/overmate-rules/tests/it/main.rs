//! Tests the rules crate against the written rules, a naive implementation, and hostile input.

// Clippy allows `unwrap` in functions marked as tests, but not in the functions that tests call.
#![allow(clippy::unwrap_used, reason = "a panic reports the failure of a test")]

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
