//! The pages in a real browser: what they do, and how they look.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::command::{build_binaries, cargo, run};
use crate::files::Repository;
use crate::{install, web};

/// Plays on the real server in Chromium, and looks at every page.
pub(crate) fn check(repository: &Repository) -> Result<()> {
    playwright(repository, "tests")
}

/// Writes the pictures of the documents.
pub(crate) fn screenshots(repository: &Repository) -> Result<()> {
    playwright(repository, "screenshots")
}

/// Builds the client and the binary, then runs one of the projects of `web/e2e/playwright.config.ts`.
fn playwright(repository: &Repository, project: &str) -> Result<()> {
    let chromium = "Chromium, for the browser tests";
    install::ensure(chromium, Command::new("chromium").arg("--version"), &["chromium"])?;
    web::build_client(repository)?;
    let binary = binary(repository)?;
    let mut command = web::npm(repository);
    command.args(["run", "browser", "--", "--project", project]).env("OVERMATE_BINARY", binary);
    run(&mut command)
}

fn binary(repository: &Repository) -> Result<PathBuf> {
    let build = ["build", "--locked", "--package", "overmate", "--bin", "overmate"];
    let binaries = build_binaries(&mut cargo(repository, build))?;
    let (_, binary) = binaries
        .into_iter()
        .find(|(name, _)| name == "overmate")
        .context("cargo built no binary `overmate`")?;
    Ok(binary)
}
