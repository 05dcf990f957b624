//! Tests the search for puzzles and the embedded puzzles.
//!
//! By default the tests recompute a sample of the embedded puzzles; with the environment variable `OVERMATE_THOROUGH=1`, all of
//! them.

#![allow(clippy::unwrap_used, reason = "a test that panics has said what it wanted to say")]

mod embedded;
mod finding;
mod proof;
mod tempted;
mod themes;
