//! Builds and checks the web client, which is embedded in the release binary.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::UNIX_EPOCH;

use anyhow::{Context, Result, bail};

use crate::command::{RELEASE, cargo, run};
use crate::files::{Repository, create_folder, write_file};
use crate::install::{self, AUDITABLE};
use crate::wasm;

/// Path of the folder that contains the web client.
const FOLDER: &str = "web";
/// Path of the folder with the browser tests, which are not part of the web client.
const BROWSER_TESTS: &str = "web/e2e";
/// Path of the start page of the built web client.
const START_PAGE: &str = "crates/overmate-server/page/index.html";
/// Path of the file that lists the source files of the last build of the web client.
const BUILT_SOURCES: &str = "target/page.sources";
/// Path of the server's OpenAPI document, relative to the folder of the web client.
const OPENAPI: &str = "../crates/overmate-server/openapi.json";
/// Path of the TypeScript types that `npm run client` generates from the server's OpenAPI document.
const TYPES: &str = "web/src/lib/api/schema.d.ts";

/// Builds the web client, and then the release binary that embeds the web client. With `auditable`, the binary also contains the list of
/// its dependencies.
pub(crate) fn build(repository: &Repository, auditable: bool) -> Result<()> {
    build_client(repository)?;
    if auditable {
        let mut command = Command::new(install::tool(repository, AUDITABLE)?);
        run(command.arg("auditable").args(RELEASE).current_dir(repository.root()))?;
    } else {
        run(&mut cargo(repository, RELEASE))?;
    }
    wasm::note_if_missing(repository);
    Ok(())
}

/// Builds the web client into the folder from which the server's crate embeds the web client. Does nothing if an earlier run has built the
/// present source files, because a new build would also compile the server again.
pub(crate) fn build_client(repository: &Repository) -> Result<()> {
    wasm::refresh(repository)?;
    install(repository)?;
    let sources = sources(repository)?;
    let built = repository.path(BUILT_SOURCES);
    let is_built = repository.path(START_PAGE).is_file()
        && fs::read_to_string(&built).is_ok_and(|before| before == sources);
    if is_built {
        return Ok(());
    }
    // The record of the built sources is emptied before the build, because a failed build may leave a page of old and new files. The folder
    // `target` may be missing, because cargo can be configured to build in another folder.
    create_folder(&repository.path("target"))?;
    write_file(&built, "")?;
    run(npm(repository).args(["run", "build"]))?;
    write_file(&built, &sources)
}

/// Returns a line for each source file of the web client, with the path, size in bytes and modification time of the file.
fn sources(repository: &Repository) -> Result<String> {
    let mut files = repository.files()?;
    files.retain(|file| {
        let file = Path::new(file);
        file.starts_with(FOLDER) && !file.starts_with(BROWSER_TESTS)
    });
    // Git ignores the compiled engine, so that it is missing in the list of files and is added here.
    files
        .extend([wasm::BUILT.to_owned()].into_iter().filter(|file| repository.path(file).exists()));
    let mut lines = String::new();
    for file in files {
        let data = fs::metadata(repository.path(&file))
            .with_context(|| format!("cannot read the file {file} of the repository"))?;
        let changed = data.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
        writeln!(lines, "{file} {} {}", data.len(), changed.as_nanos())?;
    }
    Ok(lines)
}

/// Checks the web client's types, format and lints, and runs its unit tests. Also compares its API types with the server's OpenAPI
/// document.
pub(crate) fn check(repository: &Repository) -> Result<()> {
    install(repository)?;
    for script in ["check", "lint", "test"] {
        run(npm(repository).args(["run", script]))?;
    }
    check_api_types(repository)
}

/// Checks the format and the lints of the web client, if its npm packages are installed.
pub(crate) fn lint_if_installed(repository: &Repository) -> Result<()> {
    if !repository.path("web/node_modules").is_dir() {
        return Ok(());
    }
    install(repository)?;
    run(npm(repository).args(["run", "lint"]))
}

/// Installs the npm packages that the lock file of the web client lists, unless they are already installed.
pub(crate) fn install(repository: &Repository) -> Result<()> {
    let modified =
        |file: &str| fs::metadata(repository.path(file)).and_then(|data| data.modified());
    let wanted = modified("web/package-lock.json")
        .context("the file web/package-lock.json is missing: restore it from git")?;
    // The file `.package-lock.json` is compared, because npm writes it after all packages are installed. Two installations at the same time
    // can leave this file without the programs, so that a program is looked up as well.
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
            .with_context(|| format!("cannot read the file {} with the API types", path.display()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_change_of_a_source_file_changes_the_state_of_the_sources() {
        let folder = tempfile::tempdir().unwrap();
        let repository = Repository::at(folder.path());
        let page = folder.path().join("web/src/page.svelte");
        create_folder(&folder.path().join("web/src/lib/engine/built")).unwrap();
        write_file(&folder.path().join(".gitignore"), "built/\n").unwrap();
        let mut states = Vec::new();
        let mut note = || states.push(sources(&repository).unwrap());
        write_file(&page, "one").unwrap();
        note();
        write_file(&page, "three").unwrap();
        note();
        write_file(&folder.path().join("web/package.json"), "{}").unwrap();
        note();
        write_file(&folder.path().join(wasm::BUILT), "engine").unwrap();
        note();
        fs::remove_file(&page).unwrap();
        note();
        let before = states.len();
        let tests = Path::new(BROWSER_TESTS);
        create_folder(&folder.path().join(tests)).unwrap();
        for other in [Path::new("README.md"), &tests.join("page.spec.ts")] {
            write_file(&folder.path().join(other), "no source of the page").unwrap();
            states.push(sources(&repository).unwrap());
            assert_eq!(states.pop().as_ref(), states.last());
        }
        states.dedup();
        assert_eq!(states.len(), before, "{states:#?}");
    }
}
