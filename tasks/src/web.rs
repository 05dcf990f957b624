//! Builds the release binary with the web client, and checks the web client.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use xtask::command::{cargo, run};
use xtask::engine;
use xtask::repository::Repository;
use xtask::web::{FOLDER, Packages, install, npm};

use crate::command::RELEASE;
use crate::install::{AUDITABLE, tool};
use crate::wasm;

/// Path of the server's OpenAPI document, relative to the folder of the web client.
const OPENAPI: &str = "../crates/overmate-server/openapi.json";
/// Path of the TypeScript types that `npm run client` generates from the server's OpenAPI document.
const TYPES: &str = "web/src/lib/api/schema.d.ts";

/// Builds the web client, and then the release binary that embeds the web client. With `auditable`, the binary also contains the list of
/// its dependencies.
pub(crate) fn build(repository: &Repository, auditable: bool) -> Result<()> {
    build_client(repository)?;
    if auditable {
        let mut command = Command::new(tool(repository, AUDITABLE)?);
        run(command.arg("auditable").args(RELEASE).current_dir(repository.root()))?;
    } else {
        run(&mut cargo(repository, RELEASE))?;
    }
    engine::note_if_missing(repository);
    Ok(())
}

/// Builds the web client. If an earlier run has compiled the engine, first compiles the engine from its present sources.
pub(crate) fn build_client(repository: &Repository) -> Result<()> {
    if engine::is_built(repository) {
        wasm::build(repository)?;
    }
    xtask::web::build_client(repository, npm)
}

/// Checks the web client's types, format and lints, and runs its unit tests. Also compares its API types with the server's OpenAPI
/// document.
pub(crate) fn check(repository: &Repository) -> Result<()> {
    install(repository, npm(repository), Packages::All)?;
    for script in ["check", "lint", "test"] {
        run(npm(repository).args(["run", script]))?;
    }
    check_api_types(repository)
}

/// Checks the format and the lints of the web client, if the npm packages for this check are installed.
pub(crate) fn lint_if_installed(repository: &Repository) -> Result<()> {
    if !Packages::All.have_program(repository) {
        return Ok(());
    }
    install(repository, npm(repository), Packages::All)?;
    run(npm(repository).args(["run", "lint"]))
}

/// Returns an error if the web client's API types differ from the types generated from the OpenAPI document.
fn check_api_types(repository: &Repository) -> Result<()> {
    let folder = tempfile::tempdir()
        .context("cannot make a temporary folder for the generated API types")?;
    let fresh = folder.path().join("schema.d.ts");
    let generate = ["exec", "--", "openapi-typescript", OPENAPI, "--output"];
    run(npm(repository).args(generate).arg(&fresh))?;
    let read = |path: &Path| {
        fs::read_to_string(path)
            .with_context(|| format!("cannot read the file {} with the API types", path.display()))
    };
    if read(&fresh)? != read(&repository.path(TYPES))? {
        bail!(
            "{TYPES} differs from the types of the server's OpenAPI document: run `npm --prefix {FOLDER} run client`"
        );
    }
    Ok(())
}
