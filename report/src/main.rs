//! Works out every rule set of 20 cards and writes "Mate, solved": the text, its plots, and its data.

mod cards;
mod catalogue;
mod columnar;
mod data;
mod document;
mod examples;
mod figures;
mod foreplacing;
mod leads;
mod numbers;
mod overmates;
mod players;
mod plots;
mod survey;
mod totals;

use std::path::PathBuf;

use anyhow::Result;
use clap::Parser;

use crate::document::Report;

/// Works out every rule set of 20 cards and writes what players want to know.
#[derive(Parser)]
struct Cli {
    /// The folder of the documents: `solved.md` and `solved/` are written there
    #[arg(long, default_value = "docs")]
    docs: PathBuf,
    /// Write the value of every deal in every rule set into this folder instead, as CSV and as Parquet
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

fn main() -> Result<()> {
    let cli = Cli::parse();
    let games = catalogue::games();
    if let Some(folder) = cli.data {
        return data::write(&folder, &games);
    }
    let mut report = Report::work_out(&games)?;
    report.write(&cli.docs)?;
    figures::write(&cli.docs.join("solved"), &report)
}
