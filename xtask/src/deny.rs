//! Checks licences, versions and sources of all dependencies with `cargo deny`, under the rules in `deny.toml`.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::command::{cargo, run};
use crate::files::Repository;

/// Version of `cargo-deny` that the check installs; another version may judge the same dependencies differently.
const VERSION: &str = "0.20.2";

/// Checks all dependencies of the workspace with `cargo deny`.
pub(crate) fn check(repository: &Repository) -> Result<()> {
    let program = installed(repository)?;
    let mut command = Command::new(program);
    command.current_dir(repository.root());
    run(command.args(["--locked", "check", "licenses", "bans", "sources"]))
}

/// Returns the path of `cargo-deny` under `target/tools`, and installs `cargo-deny` there if it is missing.
///
/// The build takes 90 seconds of processor time without optimisation and without the code for advisories.
fn installed(repository: &Repository) -> Result<PathBuf> {
    let root = repository.path("target/tools");
    let program = root.join("bin/cargo-deny");
    let version = Command::new(&program).arg("--version").output();
    if version.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(VERSION)) {
        return Ok(program);
    }
    let mut install =
        cargo(repository, ["install", "cargo-deny", "--version", VERSION, "--locked"]);
    install.args(["--debug", "--no-default-features", "--quiet", "--root"]).arg(&root);
    install.arg("--target-dir").arg(root.join("build"));
    install.env("CARGO_PROFILE_DEV_DEBUG", "false");
    run(&mut install).context("cannot install cargo-deny from crates.io")?;
    Ok(program)
}
