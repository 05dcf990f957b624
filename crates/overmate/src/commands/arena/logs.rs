//! Chooses the log folder for the standard error of an arena's external programs, and removes the log folders of deleted arena files.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// File extension of a log folder, which holds the standard error of an arena's external programs.
const ENDING: &str = "stderr";

/// Returns the path of the log folder beside an arena file, such as `my.mates.stderr`. The folder holds the standard
/// error of the arena's external programs.
pub(super) fn folder_beside(arena_file: &Path) -> PathBuf {
    let mut name = OsString::from(arena_file);
    name.push(".");
    name.push(ENDING);
    name.into()
}

/// Removes the log folders of arenas whose arena file no longer exists. Errors are ignored, because old logs do no harm.
pub(super) fn remove_orphans(arenas: &Path) {
    for entry in fs::read_dir(arenas).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|end| end == ENDING) && !path.with_extension("").exists() {
            let _ = fs::remove_dir_all(path);
        }
    }
}
