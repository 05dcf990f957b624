//! Computes and writes the reports "Mate, solved" and "How strong the levels are", and the plots about Pinochle decks.

mod cards;
mod catalogue;
mod data;
mod document;
mod examples;
mod figures;
mod foreplacing;
mod leads;
mod levels;
mod numbers;
mod overmates;
mod pinochle;
mod players;
mod plots;
mod survey;
mod totals;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::document::Report;
use crate::levels::MeasuredParts;

/// Computes and writes the reports on Mate.
#[derive(Parser)]
struct ReportCli {
    /// Folder into which the documents are written
    #[arg(long, default_value = "docs")]
    docs: PathBuf,
    #[command(subcommand)]
    report: ReportCommand,
}

/// Report that the program `overmate-report` computes.
#[derive(Subcommand)]
enum ReportCommand {
    /// Solve every rule set with published values and write `solved.md` and `solved/`
    Solved {
        /// Write tables with the value of every deal in every solved rule set into this folder, instead of `solved.md` and `solved/`
        #[arg(long, value_name = "DIR")]
        data: Option<PathBuf>,
    },
    /// Measure all opponents against each other and write `levels.md` and `levels/`
    Levels {
        /// Measure only the named rule sets again; the name `face-down` stands for the table of exploitability
        #[arg(long, value_name = "RULES,…", value_delimiter = ',')]
        only: Vec<String>,
        /// Measure only these players against all others again, each `random`, `1` to `9` or
        /// `perfect`
        #[arg(long, value_name = "PLAYER,…", value_delimiter = ',')]
        with: Vec<String>,
        /// Percentage of the usual number of deals and matches that is measured
        #[arg(long, value_name = "PERCENT", default_value_t = 100)]
        share: u64,
        /// Write only `levels.md` and its plots, from the existing tables
        #[arg(long, conflicts_with_all = ["only", "with", "share"])]
        only_text: bool,
    },
    /// Draw the plots of Pinochle from the table in `performance/`, which the solver's benchmark writes
    Pinochle,
}

fn main() -> Result<()> {
    let cli = ReportCli::parse();
    match cli.report {
        ReportCommand::Solved { data: Some(folder) } => data::write(&folder, &catalogue::games()),
        ReportCommand::Solved { data: None } => {
            let mut report = Report::work_out(&catalogue::games())?;
            report.write(&cli.docs)?;
            figures::write(&cli.docs.join("solved"), &report)
        }
        ReportCommand::Levels { only_text, only, with, share } => {
            if !only_text {
                levels::work_out(&cli.docs, &MeasuredParts { only, with, percent: share })?;
            }
            levels::write(&cli.docs)
        }
        ReportCommand::Pinochle => pinochle::write(&cli.docs.join("performance")),
    }
}
