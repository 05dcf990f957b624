//! Finds the git work tree in which `cargo xtask` runs, and reads and writes files.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Git work tree of the repository.
pub struct Repository {
    root: PathBuf,
}

impl Repository {
    /// Returns the git work tree in which `cargo xtask` was called.
    ///
    /// The path comes from cargo at run time. A path from compile time would be wrong after the tree has been moved together
    /// with its `target` folder.
    ///
    /// # Errors
    ///
    /// Returns an error if cargo does not run this program.
    pub fn of_this_run() -> Result<Self> {
        let manifest = std::env::var_os("CARGO_MANIFEST_DIR").context(
            "the variable CARGO_MANIFEST_DIR is not set: start this program with `cargo xtask`",
        )?;
        let root = Path::new(&manifest)
            .parent()
            .context("the folder of the running program's package has no parent folder")?;
        Ok(Self::at(root))
    }

    /// Returns the git work tree whose top folder is `root`.
    pub fn at(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    /// Returns the path of the top folder of the repository.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the full path of a file, given the file's path relative to the top folder of the repository.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// Reads a text file, given the file's path relative to the top folder of the repository.
    ///
    /// # Errors
    ///
    /// Returns an error with the path if the file is missing or not UTF-8.
    pub fn read(&self, relative: &str) -> Result<String> {
        fs::read_to_string(self.path(relative))
            .with_context(|| format!("cannot read the file {relative} of the repository"))
    }
}

/// Creates a folder and its parent folders, unless the folder exists.
///
/// # Errors
///
/// Returns an error with the path if the folder cannot be created.
pub fn create_folder(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)
        .with_context(|| format!("cannot create the folder {}", folder.display()))
}

/// Writes a file, and replaces the contents of an existing file.
///
/// # Errors
///
/// Returns an error with the path if the file cannot be written.
pub fn write_file(file: &Path, contents: &str) -> Result<()> {
    fs::write(file, contents).with_context(|| format!("cannot write the file {}", file.display()))
}
