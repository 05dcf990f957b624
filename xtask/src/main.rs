//! Starts the task that the arguments of `cargo xtask` name. The task `play` runs in this process, and every other task
//! in the package `tasks`.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;
use xtask::command::{hand_over, task};
use xtask::play::Play;
use xtask::repository::Repository;

fn main() -> ExitCode {
    xtask::exit_code(run(&std::env::args_os().skip(1).collect::<Vec<_>>()))
}

/// Runs the task that the arguments of `cargo xtask` name.
fn run(args: &[OsString]) -> Result<ExitCode> {
    let repository = Repository::of_this_run()?;
    match Play::parse(args) {
        Some(play) => play.run(&repository),
        None => hand_over(task(&repository, args)),
    }
}
