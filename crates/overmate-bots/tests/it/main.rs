//! Integration tests of the bots.
//!
//! By default, long parameter sweeps test only a sample of the cases. The environment variable
//! `OVERMATE_THOROUGH=1` runs them in full.

#![allow(clippy::unwrap_used, reason = "a panic reports the failed test")]

mod blind_and_legal;
mod budgets;
mod levels;
mod likelihood;
mod never_loses;
mod perfect;
mod support;
