//! Builds the binary of the previous version of Overmate, for a test that upgrades a cluster of servers.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Result, bail};
use xtask::command::{cargo, run};
use xtask::repository::{Repository, create_folder};

use crate::command::{build_binaries, output, overmate};

/// Environment variable with the path of the previous version's binary. The upgrade test reads the variable.
pub(crate) const BINARY_VARIABLE: &str = "OVERMATE_OLDER_BINARY";

/// Folder with the migrations of the PostgreSQL database that several servers share.
const MIGRATIONS: &str = "crates/overmate-server/migrations/postgres";

/// Names of Overmate's crates that the binary `overmate` contains.
const CRATES: [&str; 10] = [
    "overmate",
    "overmate-arena",
    "overmate-bots",
    "overmate-data",
    "overmate-json",
    "overmate-puzzles",
    "overmate-rules",
    "overmate-server",
    "overmate-solver",
    "overmate-terminal",
];

/// Builds the binary of the previous version of Overmate, unless an earlier run has built the binary. Returns the path of the binary.
///
/// The build uses the folder of this version's build, so that both versions share the dependencies that they have in common.
pub(crate) fn build(repository: &Repository) -> Result<PathBuf> {
    let commit = version_before(repository)?;
    let folder = repository.path("target/older");
    let binary = folder.join(format!("overmate-{commit}"));
    if binary.is_file() {
        return Ok(binary);
    }
    let sources = folder.join(&commit);
    create_folder(&sources)?;
    let archive = sources.with_extension("tar");
    run(git(repository, &["archive", "--output"]).arg(&archive).arg(&commit))?;
    run(Command::new("tar").arg("-xf").arg(&archive).arg("-C").arg(&sources))?;
    fs::remove_file(&archive)?;
    // Cargo builds this version and the previous version of Overmate to the same files. It compares only the times of the sources with the
    // time of the last build, and would take the files of this version for those of the previous version.
    remove_built(repository)?;
    let mut build =
        cargo(repository, ["build", "--locked", "--package", "overmate", "--bin", "overmate"]);
    build.arg("--manifest-path").arg(sources.join("Cargo.toml"));
    build.arg("--target-dir").arg(repository.path("target"));
    let built = overmate(build_binaries(&mut build)?)?;
    // The built binary of Overmate's previous version is copied, because the next build of the current version replaces the file. The copy
    // gets its name when it is complete.
    let copy = binary.with_extension("new");
    fs::copy(built, &copy)?;
    fs::rename(copy, &binary)?;
    fs::remove_dir_all(sources)?;
    remove_built(repository)?;
    Ok(binary)
}

/// Removes the build files of Overmate's crates from cargo's target folder, and keeps those of the dependencies.
fn remove_built(repository: &Repository) -> Result<()> {
    let mut clean = cargo(repository, ["clean", "--quiet", "--locked"]);
    for name in CRATES {
        clean.args(["--package", name]);
    }
    run(&mut clean)
}

/// Returns the commit of Overmate's previous version, that is, of the latest release. Without a release, returns the
/// commit before the newest migration, because the database tables of that commit differ from the present tables.
fn version_before(repository: &Repository) -> Result<String> {
    let latest = ["describe", "--tags", "--abbrev=0", "--match", "v*", "HEAD^"];
    let found = git(repository, &latest).stderr(Stdio::null()).output()?;
    let name = if found.status.success() {
        String::from_utf8(found.stdout)?.trim().to_owned()
    } else {
        let newest = ["log", "-1", "--diff-filter=A", "--format=%H", "--", MIGRATIONS];
        let newest = output(&mut git(repository, &newest))?;
        if newest.trim().is_empty() {
            bail!(
                "the history has no commit with a migration: fetch the whole history with `git fetch --unshallow`"
            );
        }
        format!("{}^", newest.trim())
    };
    let commit = output(&mut git(repository, &["rev-parse", &format!("{name}^{{commit}}")]))?;
    Ok(commit.trim().to_owned())
}

fn git(repository: &Repository, args: &[&str]) -> Command {
    let mut git = Command::new("git");
    git.args(args).current_dir(repository.root());
    git
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    #[test]
    fn the_crates_of_the_binary_are_named_as_their_folders() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let folders = fs::read_dir(root.join("crates")).unwrap();
        let mut names: BTreeSet<_> =
            folders.map(|folder| folder.unwrap().file_name().into_string().unwrap()).collect();
        // The crates `overmate-python` and `overmate-wasm` depend on the other crates, and are not part of the binary.
        assert!(names.remove("overmate-python") && names.remove("overmate-wasm"));
        assert!(names.iter().eq(CRATES.iter()), "{names:?}");
    }

    #[test]
    fn the_version_before_is_the_latest_release_or_has_other_tables() {
        let folder = tempfile::tempdir().unwrap();
        let repository = Repository::at(folder.path());
        let name = ["-c", "user.name=a", "-c", "user.email=a@overmate.example"];
        let git = |args: &[&str]| run(&mut git(&repository, &[&name[..], args].concat())).unwrap();
        git(&["init", "--quiet"]);
        create_folder(&repository.path(MIGRATIONS)).unwrap();
        let mut commits = Vec::new();
        for file in ["1.sql", "2.sql", "../other"] {
            fs::write(repository.path(MIGRATIONS).join(file), file).unwrap();
            git(&["add", "."]);
            git(&["commit", "--quiet", "--message", file]);
            let head = ["rev-parse", "HEAD"];
            commits.push(output(super::git(&repository, &head).stdin(Stdio::null())).unwrap());
        }
        assert_eq!(version_before(&repository).unwrap(), commits[0].trim());
        git(&["tag", "v1.0.0", "HEAD^"]);
        assert_eq!(version_before(&repository).unwrap(), commits[1].trim());
        git(&["tag", "v1.1.0"]);
        assert_eq!(version_before(&repository).unwrap(), commits[1].trim(), "not this version");
    }
}
