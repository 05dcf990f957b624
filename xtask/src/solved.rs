//! `cargo xtask solved`, `pinochle` and `levels`: what only a computer can work out, written down.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use clap::Args;

use crate::command::{cargo, run};
use crate::files::Repository;

/// Everything that there is to know of the game: writes the document, or the data into a folder.
pub(crate) fn solve(repository: &Repository, data: Option<&Path>) -> Result<()> {
    let mut report = report(repository, "solved");
    if let Some(folder) = data {
        // The program runs in the top folder, whoever calls from where.
        let folder = std::path::absolute(folder)
            .with_context(|| format!("cannot find {}", folder.display()))?;
        report.arg("--data").arg(folder);
    }
    run(&mut report)
}

/// How far Pinochle is solved: measures it by the bench, and draws what came of it.
pub(crate) fn pinochle(repository: &Repository) -> Result<()> {
    let folder = repository.path("docs/performance");
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot create {}", folder.display()))?;
    let mut bench = cargo(repository, ["bench", "--locked", "--quiet"]);
    bench.args(["--package", "overmate-solver", "--bench", "pinochle", "--", "--tsv"]);
    run(bench.arg(folder.join("pinochle.tsv")))?;
    run(&mut report(repository, "pinochle"))
}

/// What of the document on the levels is worked out anew; everything, unless told otherwise.
#[derive(Args)]
pub(crate) struct Levels {
    /// Work out these alone anew: rule sets of the page, and `face-down` for the table of those who do not see a card
    #[arg(long, value_name = "RULES,…", value_delimiter = ',')]
    only: Vec<String>,
    /// Let these alone meet all others anew: `random`, `1` to `9`, `perfect`
    #[arg(long, value_name = "PLAYER,…", value_delimiter = ',')]
    with: Vec<String>,
    /// Write the page and its plots again from the tables that are there
    #[arg(long, conflicts_with_all = ["only", "with"])]
    only_text: bool,
}

/// How strong the levels are: writes the document.
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

/// The report's program, built for speed.
fn report(repository: &Repository, what: &str) -> Command {
    let mut report = cargo(repository, ["run", "--release", "--locked", "--quiet"]);
    report.args(["--package", "overmate-report", "--", "--docs", "docs", what]);
    report
}
