//! Builds and checks the web client, which is embedded in the release binary.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::command::{cargo, run};
use crate::files::Repository;
use crate::wasm;

/// Path of the folder that contains the web client.
const FOLDER: &str = "web";
/// Path of the server's OpenAPI document, relative to the folder of the web client.
const OPENAPI: &str = "../crates/overmate-server/openapi.json";
/// Path of the TypeScript types that `npm run client` generates from the server's OpenAPI document.
const TYPES: &str = "web/src/lib/api/schema.d.ts";

/// Builds the web client and then the release binary, in which the web client is embedded.
pub(crate) fn build(repository: &Repository) -> Result<()> {
    build_client(repository)?;
    let binary = ["build", "--release", "--locked", "--package", "overmate", "--bin", "overmate"];
    run(&mut cargo(repository, binary))?;
    wasm::note_if_missing(repository);
    Ok(())
}

/// Builds the web client into the folder from which the server's crate embeds it.
pub(crate) fn build_client(repository: &Repository) -> Result<()> {
    wasm::refresh(repository)?;
    install(repository)?;
    run(npm(repository).args(["run", "build"]))
}

/// Checks the web client's types, format and lints, runs its unit tests, and compares its API types with the server's OpenAPI document.
pub(crate) fn check(repository: &Repository) -> Result<()> {
    install(repository)?;
    for script in ["check", "lint", "test"] {
        run(npm(repository).args(["run", script]))?;
    }
    check_api_types(repository)
}

/// Checks the format and the lints of the web client, if its npm packages have been installed before.
pub(crate) fn lint_if_installed(repository: &Repository) -> Result<()> {
    if !repository.path("web/node_modules").is_dir() {
        return Ok(());
    }
    install(repository)?;
    run(npm(repository).args(["run", "lint"]))
}

/// Installs the npm packages that the lock file lists, unless they are already installed.
pub(crate) fn install(repository: &Repository) -> Result<()> {
    let modified =
        |file: &str| fs::metadata(repository.path(file)).and_then(|data| data.modified());
    let wanted = modified("web/package-lock.json")
        .context("the file web/package-lock.json is missing: restore it from git")?;
    // The file `.package-lock.json` is compared, because npm writes it after all packages are installed. Two installations at the
    // same time write it too, but can lack programs.
    let has_programs = repository.path("web/node_modules/.bin/vite").exists();
    let installed = modified("web/node_modules/.package-lock.json");
    if has_programs && installed.is_ok_and(|installed| installed >= wanted) {
        return Ok(());
    }
    run(npm(repository).args(["ci", "--no-audit", "--no-fund"])).context(
        "npm cannot install the packages of web/package-lock.json; Node 20.19 or later is needed",
    )
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
            .with_context(|| format!("cannot read the API types {}", path.display()))
    };
    if read(&fresh)? != read(&repository.path(TYPES))? {
        bail!(
            "{TYPES} differs from the types of the server's OpenAPI document: run `npm --prefix {FOLDER} run client`"
        );
    }
    Ok(())
}

/// Returns an npm command that runs in the folder of the web client.
pub(crate) fn npm(repository: &Repository) -> Command {
    in_folder(repository, "npm")
}

/// Returns a command that runs a program in the folder of the web client.
pub(crate) fn in_folder(repository: &Repository, program: &str) -> Command {
    let mut command = Command::new(program);
    command.current_dir(repository.path(FOLDER));
    command
}
