//! The web client: built for the binary that carries it, and checked.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::command::{cargo, run};
use crate::files::Repository;

/// Where the client's sources are.
const FOLDER: &str = "web";
/// What the server offers, as the client's folder sees the file.
const OPENAPI: &str = "../crates/overmate-server/openapi.json";
/// Made from the OpenAPI document of the server.
const TYPES: &str = "web/src/lib/api/schema.d.ts";

/// Builds the client and then the release binary, which carries it.
pub(crate) fn build(repository: &Repository) -> Result<()> {
    build_client(repository)?;
    let binary = ["build", "--release", "--locked", "--package", "overmate", "--bin", "overmate"];
    run(&mut cargo(repository, binary))
}

/// Builds the client alone, to where the server's crate looks for it.
pub(crate) fn build_client(repository: &Repository) -> Result<()> {
    install(repository)?;
    run(npm(repository).args(["run", "build"]))
}

/// Checks what the client's sources hold: types, format, tests, and that its types are those of the server.
pub(crate) fn check(repository: &Repository) -> Result<()> {
    install(repository)?;
    for script in ["check", "lint", "test"] {
        run(npm(repository).args(["run", script]))?;
    }
    types_are_the_servers(repository)
}

/// Installs the packages of the lock file, unless they are there already.
fn install(repository: &Repository) -> Result<()> {
    let modified =
        |file: &str| fs::metadata(repository.path(file)).and_then(|data| data.modified());
    let wanted = modified("web/package-lock.json").context("web/package-lock.json is missing")?;
    // npm writes this file last.
    if modified("web/node_modules/.package-lock.json").is_ok_and(|installed| installed >= wanted) {
        return Ok(());
    }
    // Not `npm ci`: it refuses a lock file without the optional packages of other systems, and some of those that ours
    // names were never published. This takes what the lock file says, too, and writes nothing back.
    run(npm(repository).args(["install", "--no-save", "--no-audit", "--no-fund"]))
        .context("Node 20.19 or later is needed, with its npm")
}

fn types_are_the_servers(repository: &Repository) -> Result<()> {
    let folder = tempfile::tempdir().context("no temporary folder")?;
    let fresh = folder.path().join("schema.d.ts");
    let generate = ["exec", "--", "openapi-typescript", OPENAPI, "--output"];
    run(npm(repository).args(generate).arg(&fresh))?;
    let read = |path: &Path| {
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
    };
    if read(&fresh)? != read(&repository.path(TYPES))? {
        bail!(
            "{TYPES} is not what the server's OpenAPI document says; to write it: npm --prefix {FOLDER} run client"
        );
    }
    Ok(())
}

/// npm in the client's folder.
pub(crate) fn npm(repository: &Repository) -> Command {
    let mut command = Command::new("npm");
    command.current_dir(repository.path(FOLDER));
    command
}
