//! Writes the licence texts of the software and fonts of others that the published files contain. A package without a licence text is an
//! error.

mod crates;
mod document;
mod package;
mod page;
mod texts;

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Result, bail};
use xtask::engine;
use xtask::repository::{Repository, write_file};

use self::crates::Crates;
use self::document::document;
use self::package::Package;

/// Targets for which the program and the Python package are published.
const LINUX: [&str; 2] = ["aarch64-unknown-linux-gnu", "x86_64-unknown-linux-gnu"];

/// File with licence texts.
struct Licences {
    /// Path of the file in the repository.
    file: &'static str,
    /// Name of the software to whose parts the licences belong, as the first line of the file says it.
    of: &'static str,
    /// Crates of the workspace whose dependencies the software contains, each with the targets for which the crate is compiled.
    crates: &'static [(&'static str, &'static [&'static str])],
    /// Whether the software contains the web page.
    has_page: bool,
}

/// Files with licence texts, one for each kind of published software.
const FILES: [Licences; 3] = [
    Licences {
        file: "web/static/third-party-licences.txt",
        of: "the program overmate and its web page",
        crates: &[("overmate", &LINUX), ("overmate-wasm", &[engine::TARGET])],
        has_page: true,
    },
    Licences {
        file: "web/packages/overmate/third-party-licences.txt",
        of: "the npm package overmate",
        crates: &[("overmate-wasm", &[engine::TARGET])],
        has_page: false,
    },
    Licences {
        file: "crates/overmate-python/third-party-licences.txt",
        of: "the Python package overmate",
        crates: &[("overmate-python", &LINUX)],
        has_page: false,
    },
];

/// Writes all files with licence texts. With `check`, returns an error if a file in the repository is outdated, and writes nothing.
///
/// # Errors
///
/// Returns an error if a package has no licence text, neither in its own files nor as a standard text.
pub(crate) fn run(repository: &Repository, check: bool) -> Result<()> {
    let crates = Crates::read(repository)?;
    let mut outdated = Vec::new();
    for Licences { file, of, crates: roots, has_page } in FILES {
        let mut packages = BTreeSet::from([Package::standard_library()]);
        for (root, targets) in roots {
            packages.extend(crates.dependencies(repository, root, targets)?);
        }
        if has_page {
            packages.extend(page::packages(repository)?);
        }
        let fresh = document(of, &packages, |package| texts::of_package(repository, package))?;
        if fs::read_to_string(repository.path(file)).is_ok_and(|found| found == fresh) {
            continue;
        }
        if check {
            outdated.push(file);
        } else {
            write_file(&repository.path(file), &fresh)?;
            eprintln!("wrote {file}");
        }
    }
    if !outdated.is_empty() {
        bail!(
            "licence texts are out of date in {}: run `cargo xtask licences`",
            outdated.join(", ")
        );
    }
    eprintln!("{} files with licence texts are up to date", FILES.len());
    Ok(())
}
