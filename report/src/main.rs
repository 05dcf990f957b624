//! Works out what only a computer can, and writes it down: "Mate, solved", and how strong the levels are.

mod cards;
mod catalogue;
mod columnar;
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
use crate::levels::Choice;

/// Works out what only a computer can, and writes it down.
#[derive(Parser)]
struct Cli {
    /// The folder of the documents
    #[arg(long, default_value = "docs")]
    docs: PathBuf,
    #[command(subcommand)]
    what: What,
}

/// What is worked out.
#[derive(Subcommand)]
enum What {
    /// Solve every rule set of 20 cards and write `solved.md` and `solved/`
    Solved {
        /// Write the value of every deal in every rule set into this folder instead
        #[arg(long, value_name = "DIR")]
        data: Option<PathBuf>,
    },
    /// Let all opponents meet and write `levels.md` and `levels/`
    Levels {
        /// Work out these alone anew: rule sets, and `face-down` for the table of those who do not see a card
        #[arg(long, value_name = "RULES,…", value_delimiter = ',')]
        only: Vec<String>,
        /// Let these alone meet all others anew: `random`, `1` to `9`, `perfect`
        #[arg(long, value_name = "PLAYER,…", value_delimiter = ',')]
        with: Vec<String>,
        /// With so many percent of the usual deals and matches
        #[arg(long, value_name = "PERCENT", default_value_t = 100)]
        share: u64,
        /// Write the page and its plots again from the tables that are there
        #[arg(long, conflicts_with_all = ["only", "with", "share"])]
        only_text: bool,
    },
    /// Draw how far Pinochle is solved, from the table in `performance/` that the solver's bench writes
    Pinochle,
}

fn main() -> Result<()> {
    let cli = Cli::parse();
    match cli.what {
        What::Solved { data: Some(folder) } => data::write(&folder, &catalogue::games()),
        What::Solved { data: None } => {
            let mut report = Report::work_out(&catalogue::games())?;
            report.write(&cli.docs)?;
            figures::write(&cli.docs.join("solved"), &report)
        }
        What::Levels { only_text, only, with, share } => {
            if !only_text {
                levels::work_out(&cli.docs, &Choice { only, with, percent: share })?;
            }
            levels::write(&cli.docs)
        }
        What::Pinochle => pinochle::write(&cli.docs.join("performance")),
    }
}
