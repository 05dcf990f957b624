//! Runs every example of the published crates once, to check that each example is a complete program.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use xtask::command::{cargo, run};
use xtask::repository::Repository;

use crate::command::build_binaries;
use crate::files::files;

/// Names of the example programs that are not run, each with the reason.
const NOT_RUN: [(&str, &str); 3] = [
    (
        "build_sets",
        "`cargo xtask puzzles` runs the search for the embedded puzzles, which takes minutes",
    ),
    ("hidden_numbers", "the report on games with hidden cards takes minutes"),
    ("tables", "the example is no program, but a WebAssembly module, and has a test"),
];

/// Runs all example programs, except those in [`NOT_RUN`], with an empty standard input and without arguments.
pub(crate) fn run_all(repository: &Repository) -> Result<()> {
    let files = files(repository)?;
    let wanted = names(&files);
    if let Some((missing, _)) = NOT_RUN.iter().find(|(name, _)| !wanted.contains(name)) {
        bail!("no example has the name `{missing}`: remove the name from `NOT_RUN` in {}", file!());
    }
    let build = ["build", "--workspace", "--examples", "--locked"];
    let built = build_binaries(&mut cargo(repository, build))?;
    for name in wanted {
        if NOT_RUN.iter().any(|(skipped, _)| *skipped == name) {
            continue;
        }
        let program = built.iter().find(|(built, _)| built == name).map(|(_, program)| program);
        let program = program.with_context(|| format!("cargo built no example `{name}`"))?;
        let mut command = Command::new(program);
        run(command.current_dir(repository.root()).stdin(Stdio::null()).stdout(Stdio::null()))?;
    }
    Ok(())
}

/// Returns the names of all example programs that consist of a single file, in the order of their paths.
fn names<S: AsRef<str>>(files: &[S]) -> Vec<&str> {
    files.iter().filter_map(|file| name(file.as_ref())).collect()
}

/// Returns the name of the example program in a file, or `None` for any other file.
fn name(file: &str) -> Option<&str> {
    let (folder, file) = file.rsplit_once('/')?;
    let is_example = folder.starts_with("crates/") && folder.ends_with("/examples");
    file.strip_suffix(".rs").filter(|_| is_example)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::path::Path;

    use super::*;

    #[test]
    fn every_library_has_three_examples_of_different_names() {
        let files = files(&Repository::at(Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()));
        let files = files.unwrap();
        let all = names(&files);
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        for file in &files {
            let mut folders = file.split('/');
            if let (Some("crates"), Some(name)) = (folders.next(), folders.next()) {
                *numbers.entry(name).or_default() += usize::from(super::name(file).is_some());
            }
        }
        assert_eq!(numbers.remove("overmate"), Some(0), "the binary has no library");
        assert_eq!(numbers.remove("overmate-python"), Some(0), "its examples are in Python");
        assert_eq!(numbers.remove("overmate-wasm"), Some(1), "other callers are in TypeScript");
        assert_eq!(numbers.len(), 9);
        for (name, number) in numbers {
            assert!(number >= 3, "{name} has {number} examples");
        }
    }
}
