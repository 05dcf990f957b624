//! Checks licences, versions and sources of all dependencies with `cargo deny`, under the rules in `deny.toml`.

use std::process::Command;

use anyhow::Result;
use xtask::command::run;
use xtask::repository::Repository;

use crate::install::{self, Tool};

/// Cargo subcommand `cargo deny`, built without its check of security advisories. The version is fixed, because another version may judge
/// unchanged dependencies differently.
const DENY: Tool =
    Tool { name: "cargo-deny", version: "0.20.2", options: &["--no-default-features"] };

/// Checks all dependencies of the workspace with `cargo deny`.
pub(crate) fn check(repository: &Repository) -> Result<()> {
    let mut command = Command::new(install::tool(repository, DENY)?);
    command.current_dir(repository.root());
    run(command.args(["--locked", "check", "licenses", "bans", "sources"]))
}
