//! Tests the search for puzzles and the embedded puzzles.
//!
//! By default the tests recompute a sample of the embedded puzzles. With the environment variable `OVERMATE_THOROUGH=1`, the tests
//! recompute all embedded puzzles.

#![allow(clippy::unwrap_used, reason = "a panic reports the failure of a test")]

mod embedded;
mod finding;
mod proof;
mod tempted;
mod themes;
