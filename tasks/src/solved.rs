//! Implements the subcommands `solved`, `pinochle`, `levels` and `puzzles` of `cargo xtask`, which compute results and write documents.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use clap::Args;
use xtask::command::{cargo, run};
use xtask::repository::{Repository, create_folder};

use crate::files::absolute;

/// Solves all rule sets of 20 cards, and writes `docs/solved.md`. With `data`, writes the values of all deals into that folder instead.
pub(crate) fn solve(repository: &Repository, data: Option<&Path>) -> Result<()> {
    let mut report = report(repository, "solved");
    if let Some(folder) = data {
        // The path of the folder for the values is made absolute, because the report program runs in the repository's top folder, not in
        // the caller's folder.
        report.arg("--data").arg(absolute(folder)?);
    }
    run(&mut report)
}

/// Measures with a benchmark which positions with the Pinochle deck the solver can solve, and draws a plot of the results.
pub(crate) fn pinochle(repository: &Repository) -> Result<()> {
    let folder = repository.path("docs/performance");
    create_folder(&folder)?;
    let mut bench = cargo(repository, ["bench", "--locked", "--quiet"]);
    bench.args(["--package", "overmate-solver", "--bench", "pinochle", "--", "--tsv"]);
    run(bench.arg(folder.join("pinochle.tsv")))?;
    run(&mut report(repository, "pinochle"))
}

/// Selection of the parts of `docs/levels.md` to compute again. Without a selection, all parts are computed.
#[derive(Args)]
pub(crate) struct Levels {
    /// Recompute only the results of the rule sets with the given names; the name `face-down` stands for the table of exploitability
    #[arg(long, value_name = "RULES,…", value_delimiter = ',')]
    only: Vec<String>,
    /// Recompute only the results of the given computer opponents against all others; the names are `random`, `1` to `9` and `perfect`
    #[arg(long, value_name = "PLAYER,…", value_delimiter = ',')]
    with: Vec<String>,
    /// Write `docs/levels.md` and its plots again from the existing tables
    #[arg(long, conflicts_with_all = ["only", "with"])]
    only_text: bool,
}

/// Measures the strength of the built-in computer opponents and writes `docs/levels.md`.
pub(crate) fn levels(repository: &Repository, levels: &Levels) -> Result<()> {
    let mut report = report(repository, "levels");
    for (option, names) in [("--only", &levels.only), ("--with", &levels.with)] {
        if !names.is_empty() {
            report.arg(option).arg(names.join(","));
        }
    }
    if levels.only_text {
        report.arg("--only-text");
    }
    run(&mut report)
}

/// Command-line options of the search for the embedded puzzles.
#[derive(Args, Debug)]
pub(crate) struct Puzzles {
    /// Find the puzzles of this rule set only, to compare them with its embedded puzzles
    #[arg(long, value_name = "RULES", requires = "folder")]
    only: Option<String>,
    /// Folder to which the puzzles of a single rule set are written
    #[arg(long, requires = "only")]
    folder: Option<PathBuf>,
}

/// Searches for the puzzles that the binary `overmate` embeds, and writes these puzzles and `docs/puzzles.md`. With the options `only` and
/// `folder`, finds only the puzzles of one rule set.
pub(crate) fn puzzles(repository: &Repository, options: &Puzzles) -> Result<()> {
    let mut program = cargo(repository, ["run", "--release", "--locked", "--quiet"]);
    program.args(["--package", "overmate-puzzles", "--example", "build_sets", "--"]);
    if let (Some(only), Some(folder)) = (&options.only, &options.folder) {
        create_folder(folder)?;
        // The path of the folder for the puzzles is made absolute, because the search for puzzles runs in the repository's top folder, not
        // in the caller's folder.
        program.arg(absolute(folder)?).arg(only);
    } else {
        program.args(["crates/overmate-puzzles/data", "docs/puzzles.md"]);
    }
    run(&mut program)
}

/// Returns the cargo command that computes the report named `what` with the package `overmate-report`, built in the
/// release profile.
fn report(repository: &Repository, what: &str) -> Command {
    let mut report = cargo(repository, ["run", "--release", "--locked", "--quiet"]);
    report.args(["--package", "overmate-report", "--", "--docs", "docs", what]);
    report
}
