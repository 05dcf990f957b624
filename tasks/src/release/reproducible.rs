//! Checks that two builds of a release give identical files. The release is built in two folders, and the files are compared byte by byte.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use xtask::repository::{Repository, create_folder};

use super::{Architecture, FOLDER, Release, Sources, commit_time};
use crate::files::{copy_file, delete_folder, files};

/// Paths of the two folders in which a release is built. The paths differ in length and in depth.
const BUILDS: [&str; 2] = ["one", "another/build"];

/// Builds a release twice in different folders, and returns an error if the files differ.
///
/// The check deletes both folders at the end of their build, because each takes some gigabytes.
/// Files that differ are kept.
pub(crate) fn check(repository: &Repository) -> Result<()> {
    let architecture = &Architecture::of_this_machine()?;
    let time = commit_time(repository)?;
    let folder = repository.path(&format!("{FOLDER}/reproducible"));
    delete_folder(&folder)?;
    // Both copies of the repository's files are made before the first build, so that both builds have the same sources.
    for build in BUILDS {
        copy_sources(repository, &folder.join(build))?;
    }
    let mut releases = Vec::new();
    for (number, build) in BUILDS.into_iter().enumerate() {
        let place = folder.join(build);
        let sources =
            Sources { tools: repository, repository: &Repository::at(&place), time, architecture };
        let kept = folder.join(format!("release-{number}"));
        create_folder(&kept)?;
        releases.push(keep(&sources.build()?, &kept)?);
        delete_folder(&place)?;
    }
    let [first, second] = releases.as_slice() else {
        bail!("the comparison needs two builds, but a build is missing: run the release step again")
    };
    let mut compared = 0;
    for (one, other) in first.iter().zip(second) {
        compared += compare(one, other)?;
    }
    delete_folder(&folder)?;
    println!("two builds in two folders give the same {} files, {compared} bytes", first.len());
    Ok(())
}

/// Copies all files of the repository to another folder, except ignored files.
fn copy_sources(repository: &Repository, place: &Path) -> Result<()> {
    for file in files(repository)? {
        let copy = place.join(&file);
        create_folder(copy.parent().context("a file of the repository has no parent folder")?)?;
        copy_file(&repository.path(&file), &copy)?;
    }
    Ok(())
}

/// Moves the files of a release into a folder, and returns the new paths of the files.
fn keep(release: &Release, folder: &Path) -> Result<Vec<PathBuf>> {
    let files = [&release.binary, &release.package, &release.archive, &release.materials];
    let moved = files.into_iter().map(|file| {
        let name = file.file_name().context("a file of the release has no name")?;
        let to = folder.join(name);
        fs::rename(file, &to)
            .with_context(|| format!("cannot move {} to {}", file.display(), to.display()))?;
        Ok(to)
    });
    moved.collect()
}

/// Returns the common length of two files, or an error if the files differ in any byte.
fn compare(one: &Path, other: &Path) -> Result<usize> {
    let read = |file: &Path| {
        fs::read(file).with_context(|| format!("cannot read the file {}", file.display()))
    };
    let (first, second) = (read(one)?, read(other)?);
    let differs = first.iter().zip(&second).position(|(one, other)| one != other);
    if let Some(offset) = differs {
        bail!(
            "the builds first differ at offset {offset}: compare {} with {}, for example with diffoscope",
            one.display(),
            other.display()
        );
    }
    if first.len() != second.len() {
        bail!(
            "the builds differ in length: {} has {} bytes, {} has {}",
            one.display(),
            first.len(),
            other.display(),
            second.len()
        );
    }
    Ok(first.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_equal_only_with_the_same_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let files = [("a", "overmate"), ("b", "overmate"), ("c", "overrate"), ("d", "overmates")];
        let [a, b, c, d] = files.map(|(name, text)| {
            let file = folder.path().join(name);
            fs::write(&file, text).unwrap();
            file
        });
        assert_eq!(compare(&a, &b).unwrap(), 8);
        assert!(compare(&a, &c).unwrap_err().to_string().contains("first differ at offset 4"));
        assert!(compare(&a, &d).unwrap_err().to_string().contains("in length"));
    }

    #[test]
    fn a_copy_has_the_sources_and_no_products() {
        let folder = tempfile::tempdir().unwrap();
        let from = folder.path().join("from");
        for (file, text) in [("a/b.rs", "b"), ("target/c", "c"), (".gitignore", "/target/\n")] {
            create_folder(from.join(file).parent().unwrap()).unwrap();
            fs::write(from.join(file), text).unwrap();
        }
        let to = folder.path().join("to");
        copy_sources(&Repository::at(&from), &to).unwrap();
        assert_eq!(files(&Repository::at(&to)).unwrap(), [".gitignore", "a/b.rs"]);
        assert!(!to.join("target").exists());
    }
}
