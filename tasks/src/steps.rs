//! Defines the steps of `cargo xtask test` and `cargo xtask check`, and the commands that each step runs.

use std::env;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use anyhow::{Context, Result};
use clap::ValueEnum;
use test_sample::{REQUESTED, THOROUGH};
use xtask::command::{cargo, run};
use xtask::repository::Repository;

use crate::command::{LINT_ARGUMENTS, output};
use crate::files::{TEMPORARY, scratch};
use crate::install::{self, Program};
use crate::{
    api, browser, deny, examples, fuzz, generate, licences, no_std, npm, older, package, python,
    release, sanitizer, tidy, wasm, web,
};

/// Names of the quick test modules that `cargo xtask check` runs in all crates.
///
/// The quick tests cover the engines, the binary and the server, which finds most faults in the
/// least time. `cargo xtask test` runs all tests.
const QUICK_TESTS: &[&str] = &[
    // Modules that test the rules: counts of positions, worked examples, random games, views and texts.
    "perft::",
    "worked_examples::",
    "playouts::",
    "views::",
    "notation::",
    "records::",
    // Modules that compare the solver's engines with each other, with a naive search, and with deals that another solver has solved.
    "corpus::",
    "oracle::",
    "small_decks::",
    "fast_value::",
    // Module that tests that computer opponents act legally and see no hidden card.
    "blind_and_legal::",
    // Modules that test the requests to the server and the commands of the binary `overmate`.
    "acting::",
    "creating::",
    "misuse::",
    "solve::",
    "rules::",
];

/// Environment variable with the number of tests that a Rust test program runs in parallel.
const THREADS: &str = "RUST_TEST_THREADS";

/// Step of `cargo xtask test`; the file `plan.rs` defines the order of the steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum TestStep {
    /// Checks the format of all Rust code with `rustfmt`
    Fmt,
    /// Checks source files by project rules that neither the compiler nor Clippy covers
    Tidy,
    /// Checks all Rust code with the compiler's lints and Clippy
    Clippy,
    /// Compiles the engine for the page, and checks the web client and builds it: format, lints, types, unit tests
    Web,
    /// Installs the missing programs that later steps of the test suite need
    Programs,
    /// Checks licences, versions and sources of all dependencies, and the files with their licence texts
    Deny,
    /// Builds the binary, all tests and all benches
    Build,
    /// Runs all tests and each bench once, then the examples in the documentation
    Test,
    /// Runs a part of the test step `test`: the tests of servers that share a database, and the tests of match clocks
    Cluster,
    /// Runs the examples of all libraries once
    Examples,
    /// Builds the documentation of all crates, and fails if the build warns
    Doc,
    /// Compiles the crate `overmate-rules` without the standard library
    NoStd,
    /// Compares the generated documents with the output of the binary
    Generated,
    /// Packs, installs and tests the npm package; packs all published crates, and lints them without their default features; installs the binary with --thorough only
    Package,
    /// Builds and installs the Python package, and runs its tests, with --thorough only
    Python,
    /// With --thorough only: lints and builds the fuzz targets with `libFuzzer`, and runs each of them briefly
    Fuzz,
    /// Runs the tests of the unsafe code under the compiler's address sanitizer, with --thorough only
    Sanitizer,
    /// Builds the files of a release, and installs, starts, upgrades and purges the Debian package, with --thorough only
    Release,
    /// Tests the server with valid and invalid requests made from its OpenAPI document
    Api,
    /// Plays matches and visits every page in Chromium
    Browser,
    /// Plays a match in Firefox and in WebKit, with --thorough only
    Engines,
}

/// Options that apply to all steps of a run of `cargo xtask test`.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct StepOptions {
    /// Test all cases exhaustively instead of a random sample
    #[arg(long)]
    pub(crate) thorough: bool,
}

impl TestStep {
    /// Returns the name by which the option `--only` selects a test step.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Returns the description of a step of `cargo xtask test`, as the option `--list` prints it.
    pub(crate) fn what(self) -> String {
        let value = self.to_possible_value();
        value.and_then(|value| value.get_help().map(ToString::to_string)).unwrap_or_default()
    }

    /// Returns whether only a run with `--thorough` contains the test step. With `--only`, the step runs without `--thorough`.
    pub(crate) fn is_thorough_only(self) -> bool {
        matches!(self, Self::Fuzz | Self::Sanitizer | Self::Engines | Self::Python | Self::Release)
    }

    fn run(self, repository: &Repository, options: StepOptions) -> Result<()> {
        match self {
            Self::Fmt => fmt(repository),
            Self::Tidy => tidy::run(repository),
            Self::Clippy => clippy(repository),
            Self::Web => wasm::build(repository)
                .and_then(|_| wasm::example(repository))
                .and_then(|_| web::check(repository))
                .and_then(|()| web::build_client(repository)),
            Self::Programs => install::ensure_all(),
            Self::Deny => deny::check(repository).and_then(|()| licences::run(repository, true)),
            Self::Build => build(repository),
            Self::Test => test(repository, options),
            Self::Cluster => cluster(repository, options),
            Self::Examples => examples::run_all(repository),
            Self::Doc => doc(repository),
            Self::NoStd => no_std::check(repository),
            Self::Generated => generate::run(repository, true),
            // The step `package` tests the npm package before it checks the packages of the crates. After the compilation of the crates'
            // packages, cargo would build the server for the npm test again.
            Self::Package => {
                npm::check(repository).and_then(|()| package::check(repository, options.thorough))
            }
            Self::Python => python::check(repository),
            Self::Fuzz => fuzz::briefly(repository),
            Self::Sanitizer => sanitizer::check(repository),
            Self::Release => release::build(repository, true),
            Self::Api => api::check(repository, options.thorough),
            Self::Browser => browser::check(repository, options.thorough),
            Self::Engines => browser::check_engines(repository),
        }
    }
}

/// Prints the names and descriptions of all steps of `cargo xtask test`.
pub(crate) fn list() {
    for step in TestStep::value_variants() {
        println!("{:<10} {}", step.name(), step.what());
    }
}

/// Runs one step of `cargo xtask test` with the given options.
pub(crate) fn run_one(repository: &Repository, step: TestStep, options: StepOptions) -> Result<()> {
    eprintln!("\n==== {}: {} ====", step.name(), step.what());
    step.run(repository, options).with_context(|| {
        format!(
            "step `{name}` failed; to run only this step: cargo xtask test --only {name}",
            name = step.name()
        )
    })
}

/// Runs the checks for use before a commit: code format, project rules, lints and quick tests.
pub(crate) fn check(repository: &Repository) -> Result<()> {
    fmt(repository)?;
    tidy::run(repository)?;
    web::lint_if_installed(repository)?;
    clippy(repository)?;
    let mut tests = cargo(repository, ["test", "--workspace", "--locked", "--quiet"]);
    run(tests.args(["--lib", "--bins", "--tests", "--"]).args(QUICK_TESTS))
}

fn fmt(repository: &Repository) -> Result<()> {
    run(&mut cargo(repository, ["fmt", "--all", "--check"]))
}

fn clippy(repository: &Repository) -> Result<()> {
    let mut clippy = cargo(repository, ["clippy", "--workspace", "--all-targets", "--locked"]);
    run(clippy.arg("--").args(LINT_ARGUMENTS))
}

/// Cargo options that select all targets with tests or benches. The option `--tests` also selects the example with a test. The step
/// `examples` runs the examples.
const TESTED_TARGETS: [&str; 4] = ["--lib", "--bins", "--tests", "--benches"];

/// Builds all tests and benches by one cargo call, so that cargo selects the same dependency features for all of them.
fn build(repository: &Repository) -> Result<()> {
    let mut build = cargo(repository, ["test", "--workspace", "--locked", "--no-run"]);
    run(build.args(TESTED_TARGETS))
}

/// Returns the number of parallel tests: twice the number of processors, because many tests wait for servers and databases.
fn test_threads() -> usize {
    2 * thread::available_parallelism().map_or(1, NonZero::get)
}

fn test(repository: &Repository, options: StepOptions) -> Result<()> {
    [install::PYTHON, install::PROMTOOL].iter().try_for_each(Program::ensure)?;
    ensure_cluster_programs()?;
    let older = older_binary(repository, options)?;
    let scratch = scratch()?;
    for targets in [TESTED_TARGETS.as_slice(), &["--doc"]] {
        let mut tests = cargo(repository, ["test", "--workspace", "--locked"]);
        tests.args(targets);
        // Examples in the documentation are compiled to programs in the folder for temporary files. This folder must not be in memory,
        // because the system may not permit programs to run from a folder in memory.
        if targets == TESTED_TARGETS {
            tests.env(TEMPORARY, scratch.path());
        }
        if env::var_os(THREADS).is_none() {
            tests.env(THREADS, test_threads().to_string());
        }
        if let Some(older) = &older {
            tests.env(THOROUGH, REQUESTED).env(older::BINARY_VARIABLE, older);
        }
        run(&mut tests)?;
    }
    Ok(())
}

/// Runs the tests of servers that share a database, and the tests of clocks in matches.
fn cluster(repository: &Repository, options: StepOptions) -> Result<()> {
    ensure_cluster_programs()?;
    let args = ["test", "--locked", "--package", "overmate", "--test", "it", "--"];
    let mut tests = cargo(repository, args);
    let scratch = scratch()?;
    tests.env(TEMPORARY, scratch.path());
    tests.args([
        "--nocapture",
        "cluster::",
        "faults::",
        "timed::",
        "downtime::",
        "killed_clocks::",
    ]);
    if let Some(older) = older_binary(repository, options)? {
        tests.env(THOROUGH, REQUESTED).env(older::BINARY_VARIABLE, older);
    }
    run(&mut tests)
}

/// Builds the binary of the previous version of Overmate for the test of a rolling upgrade. Builds nothing unless the run is thorough.
fn older_binary(repository: &Repository, options: StepOptions) -> Result<Option<PathBuf>> {
    options.thorough.then(|| older::build(repository)).transpose()
}

/// Installs the programs for the tests of a cluster of servers, if they are missing.
fn ensure_cluster_programs() -> Result<()> {
    [install::POSTGRES, install::NATS, install::FAKETIME].iter().try_for_each(Program::ensure)
}

/// Builds the documentation of all crates.
///
/// Cargo reuses everything that the step `clippy` has checked. For the dependencies, one example must be among the targets: cargo then selects
/// the same features as for tests. For the crates of the workspace, the environment must be that in which `cargo clippy` runs the compiler.
/// In any other environment, cargo checks these crates once more.
fn doc(repository: &Repository) -> Result<()> {
    let args = ["doc", "--workspace", "--no-deps", "--locked", "--document-private-items"];
    let mut doc = cargo(repository, args);
    doc.args(["--lib", "--bins", "--example", "play_game"]).env("RUSTDOCFLAGS", "-D warnings");
    let sysroot = output(Command::new("rustc").args(["--print", "sysroot"]))?;
    let clippy = Path::new(sysroot.trim()).join("bin/clippy-driver");
    if clippy.is_file() {
        // The variable `CLIPPY_ARGS` has the text `__CLIPPY_HACKERY__` after each argument, as if `cargo clippy` had set the variable.
        let arguments = LINT_ARGUMENTS.map(|argument| format!("{argument}__CLIPPY_HACKERY__"));
        doc.env("RUSTC_WORKSPACE_WRAPPER", clippy).env("CLIPPY_ARGS", arguments.concat());
    }
    run(&mut doc)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::files;

    #[test]
    fn quick_tests_name_modules_that_exist() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let files = files(&Repository::at(root)).unwrap();
        for filter in QUICK_TESTS {
            let module = filter.trim_end_matches("::");
            let names = [format!("/{module}.rs"), format!("/{module}/mod.rs")];
            let exists = files.iter().any(|file| {
                file.contains("/tests/") && names.iter().any(|name| file.ends_with(name))
            });
            assert!(exists, "no crate has a test module `{module}`");
        }
    }

    #[test]
    fn every_step_has_a_name_and_a_description() {
        for step in TestStep::value_variants() {
            assert!(!step.name().is_empty() && !step.what().is_empty(), "{step:?}");
        }
    }
}
