//! Integration tests of the bots, in one binary with a module for each subject.
//!
//! By default long sweeps run on a sample. The environment variable `OVERMATE_THOROUGH=1` runs them in full.

#![allow(clippy::unwrap_used, reason = "a panic reports the failed test")]

mod blind_and_legal;
mod budgets;
mod levels;
mod likelihood;
mod never_loses;
mod perfect;
mod support;
