//! Builds the web client.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::UNIX_EPOCH;
use std::{fs, io};

use anyhow::{Context, Result};

use crate::command::{at_low_priority, run};
use crate::repository::{Repository, create_folder, write_file};

/// Path of the folder that contains the web client.
pub const FOLDER: &str = "web";
/// Paths of the files and folders from which the web client is built.
const SOURCES: [&str; 4] = [FOLDER, "docs/guide", "docs/guide.md", "docs/guide.de.md"];
/// Paths of files and folders in [`FOLDER`] that are not sources of the web client. Hidden files are not sources, either.
const OTHERS: [&str; 6] = [
    "web/README.md",
    "web/e2e",
    "web/node_modules",
    "web/src/lib/paraglide",
    "web/tests",
    "web/vitest.config.ts",
];
/// Path of the start page of the built web client.
const START_PAGE: &str = "crates/overmate-server/page/index.html";
/// Path of the list of npm packages whose modules the built web client contains. Vite writes the list at each build.
pub const BUNDLED: &str = "web/.svelte-kit/output/client/.vite/licences.json";
/// Path of the file that lists the source files of the last build of the web client.
const BUILT_SOURCES: &str = "target/page.sources";

/// Set of npm packages that `web/package.json` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packages {
    /// Packages in the section `dependencies` of `web/package.json`, which are enough for a build of the web client.
    Build,
    /// All packages: the dependencies, and the development packages that check and test the web client.
    All,
}

impl Packages {
    /// Returns whether a set of npm packages seems to be installed, judged by one of its programs (`vite` or `vitest`).
    #[must_use]
    pub fn have_program(self, repository: &Repository) -> bool {
        let program = match self {
            Self::Build => "web/node_modules/.bin/vite",
            Self::All => "web/node_modules/.bin/vitest",
        };
        repository.path(program).exists()
    }

    /// Returns the options with which `npm ci` installs a given set of npm packages.
    fn options(self) -> &'static [&'static str] {
        match self {
            Self::Build => &["--omit=dev"],
            Self::All => &[],
        }
    }
}

/// Builds the web client into the folder from which the server's crate embeds the web client. Does nothing if an earlier run has built the
/// present source files, because a new build would also compile the server again.
///
/// `npm` returns an npm command, such as the function [`npm`].
///
/// # Errors
///
/// Returns an error if npm cannot install the packages, or if the build fails.
pub fn build_client(repository: &Repository, npm: fn(&Repository) -> Command) -> Result<()> {
    install(repository, npm(repository), Packages::Build)?;
    let sources = sources(repository)?;
    let built = repository.path(BUILT_SOURCES);
    let is_built = [START_PAGE, BUNDLED].iter().all(|file| repository.path(file).is_file())
        && fs::read_to_string(&built).is_ok_and(|before| before == sources);
    if is_built {
        return Ok(());
    }
    // The file that lists the source files of the last build is emptied before a new build. A failed build may leave a page that mixes old
    // and new files, and this page must not count as the last build. The folder `target` may be missing, because cargo can be configured
    // to build in another folder.
    create_folder(&repository.path("target"))?;
    write_file(&built, "")?;
    run(npm(repository).args(["run", "build"]))?;
    write_file(&built, &sources)
}

/// Returns a line for each source file of the web client, with the path, size in bytes and modification time of the file.
fn sources(repository: &Repository) -> Result<String> {
    let mut lines = String::new();
    let mut left = SOURCES.map(PathBuf::from).to_vec();
    while let Some(path) = left.pop() {
        let data = fs::metadata(repository.root().join(&path)).with_context(|| {
            format!("cannot read {}, a source of the web client", path.display())
        })?;
        if data.is_dir() {
            left.extend(entries(repository, &path)?);
        } else {
            let changed = data.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
            writeln!(lines, "{} {} {}", path.display(), data.len(), changed.as_nanos())?;
        }
    }
    Ok(lines)
}

/// Returns the sorted paths in a folder of source files, without hidden files and without the files that [`OTHERS`] names. All paths are
/// relative to the top folder of the repository.
fn entries(repository: &Repository, folder: &Path) -> Result<Vec<PathBuf>> {
    let list = || -> io::Result<Vec<PathBuf>> {
        let entries = fs::read_dir(repository.root().join(folder))?;
        entries.map(|entry| Ok(folder.join(entry?.file_name()))).collect()
    };
    let mut entries =
        list().with_context(|| format!("cannot list the folder {}", folder.display()))?;
    entries.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        !name.starts_with('.') && !OTHERS.iter().any(|other| path == Path::new(other))
    });
    entries.sort_unstable();
    Ok(entries)
}

/// Installs npm packages in the versions that the lock file of the web client lists, unless the packages are already
/// installed.
///
/// # Errors
///
/// Returns an error if the lock file is missing, or if npm fails.
pub fn install(repository: &Repository, mut npm: Command, packages: Packages) -> Result<()> {
    let modified =
        |file: &str| fs::metadata(repository.path(file)).and_then(|data| data.modified());
    let wanted = modified("web/package-lock.json")
        .context("the file web/package-lock.json is missing: restore it from git")?;
    // The age of the installed packages is the age of the file `.package-lock.json`, because npm writes this file after all packages are
    // installed. Two installations at the same time can leave this file without the programs, so that a program is looked up as well.
    let installed = modified("web/node_modules/.package-lock.json");
    if packages.have_program(repository) && installed.is_ok_and(|installed| installed >= wanted) {
        return Ok(());
    }
    // A build must not remove the packages for development, which `npm ci --omit=dev` would do.
    let packages = if Packages::All.have_program(repository) { Packages::All } else { packages };
    run(npm.args(["ci", "--no-audit", "--no-fund"]).args(packages.options())).context(
        "npm cannot install the packages of web/package-lock.json; Node 20.19 or later is needed",
    )
}

/// Returns an npm command that runs in the folder of the web client.
#[must_use]
pub fn npm(repository: &Repository) -> Command {
    in_folder(repository, "npm")
}

/// Returns an npm command that runs in the folder of the web client, at the lowest scheduling priority on Unix systems.
#[must_use]
pub fn npm_at_low_priority(repository: &Repository) -> Command {
    at_low_priority(&npm(repository))
}

/// Returns a command that runs a program in the folder of the web client.
#[must_use]
pub fn in_folder(repository: &Repository, program: &str) -> Command {
    let mut command = Command::new(program);
    command.current_dir(repository.path(FOLDER));
    command
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine;

    #[test]
    fn each_change_of_a_source_file_changes_the_state_of_the_sources() {
        let folder = tempfile::tempdir().unwrap();
        let repository = Repository::at(folder.path());
        let write = |file: &str, contents: &str| {
            let file = repository.path(file);
            create_folder(file.parent().unwrap()).unwrap();
            write_file(&file, contents).unwrap();
        };
        for file in ["docs/guide/deals.jsonl", "docs/guide.md", "docs/guide.de.md"] {
            write(file, "guide");
        }
        let page = "web/src/page.svelte";
        let mut states = Vec::new();
        for (file, contents) in [
            (page, "one"),
            (page, "three"),
            ("web/package.json", "{}"),
            ("web/project.inlang/settings.json", "{}"),
            (engine::BUILT, "engine"),
            ("docs/guide.md", "another guide"),
        ] {
            write(file, contents);
            states.push(sources(&repository).unwrap());
        }
        fs::remove_file(repository.path(page)).unwrap();
        states.push(sources(&repository).unwrap());
        for other in [
            "README.md",
            "docs/server.md",
            "web/README.md",
            "web/.svelte-kit/tsconfig.json",
            "web/e2e/page.spec.ts",
            "web/node_modules/vite/package.json",
            "web/project.inlang/.meta.json",
            "web/src/lib/paraglide/messages.js",
            "web/tests/table.test.ts",
            "web/vitest.config.ts",
        ] {
            write(other, "no source of the page");
            assert_eq!(sources(&repository).unwrap(), states[6], "{other}");
        }
        states.dedup();
        assert_eq!(states.len(), 7, "{states:#?}");
    }
}
