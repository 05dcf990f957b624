//! Runs the tests of `overmate-solver`, the crate with unsafe code, under `AddressSanitizer` and Miri. `AddressSanitizer` finds accesses
//! outside of allocated memory, and Miri finds undefined behaviour.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use xtask::command::{cargo, run};
use xtask::repository::Repository;

use crate::command::{host, output};

/// Name of the crate that holds all code of the workspace with unsafe memory accesses.
const PACKAGE: &str = "overmate-solver";

/// Arguments of two runs of `cargo test` under `AddressSanitizer`. The first runs all unit tests; the second
/// runs the integration tests of the vector kernels, which no unit test covers.
const TESTS: [&[&str]; 2] = [&["--lib"], &["--test", "it", "--", "whole::", "fast_value::"]];

/// Filter that selects the unit tests for Miri by a part of their names. The other unit tests solve whole games, which takes Miri hours.
const MIRI_TESTS: &str = "transposition_table::";

/// Runs the tests of `overmate-solver`, the crate with unsafe code, under `AddressSanitizer` and Miri.
pub(crate) fn check(repository: &Repository) -> Result<()> {
    under_address_sanitizer(repository)?;
    under_miri(repository)
}

/// Runs the tests of `overmate-solver`, the crate with unsafe code, under `AddressSanitizer`. If the compiler has no `AddressSanitizer`,
/// prints why nothing runs.
///
/// The compiler option is unstable, so that the stable compiler needs `RUSTC_BOOTSTRAP`. No other
/// step sets this variable.
fn under_address_sanitizer(repository: &Repository) -> Result<()> {
    let libraries = output(Command::new("rustc").args(["--print", "target-libdir"]))?;
    if !has_runtime(Path::new(libraries.trim()))? {
        println!(
            "AddressSanitizer is left out: the compiler has no runtime library of it in {}",
            libraries.trim()
        );
        return Ok(());
    }
    let host = host()?;
    for selected in TESTS {
        let mut tests = cargo(repository, ["test", "--locked", "--package", PACKAGE]);
        // The host platform is named explicitly as the compilation target, so that the compiler flags do not apply to build scripts and
        // procedural macros.
        tests.args(["--target", &host, "--target-dir", "target/sanitizer"]).args(selected);
        tests.env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", "-Zsanitizer=address");
        run(tests.env_remove("CARGO_ENCODED_RUSTFLAGS"))?;
    }
    Ok(())
}

/// Runs the unit tests of the transposition table under Miri, if the toolchain has Miri. Only nightly toolchains have Miri.
fn under_miri(repository: &Repository) -> Result<()> {
    let version = cargo(repository, ["miri", "--version"]).output();
    if !version.is_ok_and(|version| version.status.success()) {
        println!(
            "Miri is left out: the command `cargo miri` does not work, which only nightly toolchains have"
        );
        return Ok(());
    }
    let tests = ["miri", "test", "--locked", "--package", PACKAGE, "--lib"];
    run(cargo(repository, tests).args(["--target-dir", "target/miri", "--", MIRI_TESTS]))
}

/// Returns whether a folder of compiler libraries contains the `AddressSanitizer` runtime.
fn has_runtime(libraries: &Path) -> Result<bool> {
    let entries = std::fs::read_dir(libraries)
        .with_context(|| format!("cannot read the folder {}", libraries.display()))?;
    let mut names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    Ok(names.any(|name| name.starts_with("librustc") && name.contains("rt.asan")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_runtime_library_is_recognised_by_its_name() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("librustc-stable_rt.tsan.a"), "").unwrap();
        assert!(!has_runtime(folder.path()).unwrap());
        std::fs::write(folder.path().join("librustc-stable_rt.asan.a"), "").unwrap();
        assert!(has_runtime(folder.path()).unwrap());
    }
}
