//! Implements the part of `cargo xtask` that builds and runs Overmate. The package `tasks` implements all other tasks.
//!
//! The part is a package of its own, because it compiles in a few seconds. The dependencies of all tasks compile much longer.

pub mod command;
pub mod engine;
pub mod play;
pub mod repository;
pub mod web;

use std::process::ExitCode;

use anyhow::{Error, Result};

/// Returns the exit code of a task. Prints the error of a failed task with its causes.
pub fn exit_code(result: Result<ExitCode>) -> ExitCode {
    result.unwrap_or_else(|error: Error| {
        eprintln!("error: {error}");
        for cause in error.chain().skip(1) {
            eprintln!("  because: {cause}");
        }
        ExitCode::FAILURE
    })
}
