//! Lists and reads the files in the work tree of the repository.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use tempfile::TempDir;
use xtask::repository::Repository;

/// Mount point of Linux's in-memory file system.
const MEMORY: &str = "/dev/shm";

/// Minimum free space of the in-memory file system, in KiB, for the tests to create their temporary files there. The
/// tests need only a fraction of this space.
const FREE_MEMORY: u64 = 2 << 20;

/// Environment variable that names the folder for temporary files. Programs and tests read the variable.
pub(crate) const TEMPORARY: &str = "TMPDIR";

/// Returns the sorted paths of all tracked files, and of all untracked files that git does not ignore. The separator of folders is `/`.
///
/// Untracked files are included, so that the house rules check a file before `git add`.
pub(crate) fn files(repository: &Repository) -> Result<Vec<String>> {
    let root = repository.root();
    let mut files = match listed_by_git(root) {
        Some(files) => files,
        None => listed_by_walking(root)?,
    };
    // The list of files is filtered, because Git also lists deleted files, and lists files in conflict repeatedly.
    files.retain(|file| repository.path(file).is_file());
    files.sort_unstable();
    files.dedup();
    if files.is_empty() {
        bail!("the work tree {} contains no files: check out the repository again", root.display());
    }
    Ok(files)
}

/// Returns the paths of all files in the repository whose names end in `.extension`.
pub(crate) fn files_with_extension(
    repository: &Repository,
    extension: &str,
) -> Result<Vec<String>> {
    let mut files = files(repository)?;
    files.retain(|file| has_extension(file, extension));
    Ok(files)
}

/// Returns the paths of all tracked files, including deleted files, and of all untracked files that git does not ignore. Returns `None` for
/// a work tree without git.
fn listed_by_git(root: &Path) -> Option<Vec<String>> {
    // Inside another repository, git would treat a work tree without a `.git` folder as a part of that repository.
    if !root.join(".git").exists() {
        return None;
    }
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    let names = String::from_utf8(output.stdout).ok()?;
    Some(names.split_terminator('\0').map(str::to_owned).collect())
}

/// Returns the paths of all files in a work tree without git, except the files that a `.gitignore` excludes.
fn listed_by_walking(root: &Path) -> Result<Vec<String>> {
    let mut files = Vec::new();
    let walk = ignore::WalkBuilder::new(root)
        .hidden(false)
        .require_git(false)
        .parents(false)
        .filter_entry(|entry| entry.file_name() != ".git")
        .build();
    for entry in walk {
        let entry = entry.context("cannot list the files of the git work tree")?;
        if entry.file_type().is_some_and(|kind| kind.is_file()) {
            let relative = entry.path().strip_prefix(root)?;
            let parts: Vec<_> =
                relative.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            files.push(parts.join("/"));
        }
    }
    Ok(files)
}

/// Copies the file `from` to the path `to`.
pub(crate) fn copy_file(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to)
        .map(drop)
        .with_context(|| format!("cannot copy the file {} to {}", from.display(), to.display()))
}

/// Deletes a folder with its contents, if the folder exists.
pub(crate) fn delete_folder(folder: &Path) -> Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    fs::remove_dir_all(folder)
        .with_context(|| format!("cannot delete the folder {}", folder.display()))
}

/// Creates a temporary folder for the files of tests. Dropping the value deletes the folder.
///
/// The folder is in memory if the machine has enough free memory. Tests create hundreds of databases, whose files on a disk would take
/// a seventh of the tests' processor time. Tests of crashes only kill processes, and files in memory survive the end of a process.
pub(crate) fn scratch() -> Result<TempDir> {
    // PostgreSQL runs as another user than root, and must be able to pass through this folder to its own folder.
    let mut folder = tempfile::Builder::new();
    #[cfg(unix)]
    folder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o711));
    let folder = if free(MEMORY).is_some_and(|free| free >= FREE_MEMORY) {
        folder.tempdir_in(MEMORY)
    } else {
        folder.tempdir()
    };
    folder.context("cannot make a temporary folder for the files of tests")
}

/// Returns the free space, in KiB, of the file system that holds a folder. Returns `None` if the program `df` does not report the space.
fn free(folder: &str) -> Option<u64> {
    let shown = Command::new("df").args(["-Pk", folder]).output().ok()?;
    let shown = String::from_utf8(shown.stdout).ok()?;
    shown.lines().nth(1)?.split_whitespace().nth(3)?.parse().ok()
}

/// Converts a path relative to the current folder to an absolute path.
pub(crate) fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path)
        .with_context(|| format!("cannot make the path {} absolute", path.display()))
}

/// Returns whether the name of a file ends in `.extension`.
pub(crate) fn has_extension(file: &str, extension: &str) -> bool {
    Path::new(file).extension().is_some_and(|found| found == extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_copy_without_git_respect_gitignore() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("target")).unwrap();
        fs::create_dir_all(root.join(".ci")).unwrap();
        for file in [".gitignore", "target/built", ".ci/run", "b.md", "a.rs"] {
            fs::write(root.join(file), "/target/\n").unwrap();
        }

        let repository = Repository::at(root);

        assert_eq!(files(&repository).unwrap(), [".ci/run", ".gitignore", "a.rs", "b.md"]);
        assert_eq!(files_with_extension(&repository, "md").unwrap(), ["b.md"]);
    }

    #[cfg(unix)]
    #[test]
    fn programs_of_other_users_reach_their_folders_below_the_scratch_folder() {
        use std::os::unix::fs::PermissionsExt as _;

        let folder = scratch().unwrap();

        assert_eq!(fs::metadata(folder.path()).unwrap().permissions().mode() & 0o777, 0o711);
        assert!(free("/").is_some_and(|free| free > 0));
        assert_eq!(free("/no such folder"), None);
    }

    #[test]
    fn new_files_are_listed_but_not_deleted_or_ignored_files() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let git = |args: &[&str]| Command::new("git").args(args).current_dir(root).output();
        // The test ends here on a machine without git.
        let Ok(_) = git(&["init"]) else { return };
        for file in [".gitignore", "added.rs", "deleted.rs", "new.rs", "ignored.log"] {
            fs::write(root.join(file), "*.log\n").unwrap();
        }
        git(&["add", "added.rs", "deleted.rs"]).unwrap();
        fs::remove_file(root.join("deleted.rs")).unwrap();

        let files = files(&Repository::at(root)).unwrap();

        assert_eq!(files, [".gitignore", "added.rs", "new.rs"]);
    }
}
