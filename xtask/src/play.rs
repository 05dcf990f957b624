//! `cargo xtask play`: the game, built for speed.

use std::process::ExitCode;

use anyhow::Result;

use crate::command::{cargo, run};
use crate::files::Repository;

/// Builds the release binary, showing progress, and runs `overmate play` in this terminal.
pub(crate) fn play(repository: &Repository, args: &[String]) -> Result<ExitCode> {
    let binary = ["--release", "--locked", "--package", "overmate", "--bin", "overmate"];
    run(cargo(repository, ["build"]).args(binary))?;
    let mut game = cargo(repository, ["run", "--quiet"]);
    game.args(binary).args(["--", "play"]).args(args);
    hand_over(game)
}

/// Becomes the other program: then Ctrl-C, the terminal's state and the exit code are its own.
#[cfg(unix)]
fn hand_over(mut program: std::process::Command) -> Result<ExitCode> {
    use std::os::unix::process::CommandExt as _;
    Err(program.exec().into())
}

/// Runs the other program and passes its exit code on.
#[cfg(not(unix))]
fn hand_over(mut program: std::process::Command) -> Result<ExitCode> {
    let code = program.status()?.code().unwrap_or(1);
    Ok(ExitCode::from(u8::try_from(code).unwrap_or(1)))
}
