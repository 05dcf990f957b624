//! Defines the command-line arguments of the command `data`.

use std::path::PathBuf;

use clap::{Args, ValueHint, value_parser};

use super::examples;
use super::values::read_rule_set_name;

/// Reads the data of "Mate, solved": the value of every deal in every published rule set of 20 cards
///
/// Without a deal, the command shows the number of deals and statistics of each rule set. With deals, it shows the hands and the
/// values of these deals. `cargo xtask solved --data DIR` in a clone of the project writes the files, one for each deck.
#[derive(Args, Debug)]
#[command(after_long_help = examples::DATA)]
pub(crate) struct DataArgs {
    /// Shows only the column of this rule set; repeat the option for each column
    #[arg(long, value_name = "NAME", value_parser = read_rule_set_name)]
    pub(crate) rules: Vec<String>,

    /// Prints the results as JSON, one object per line
    #[arg(long)]
    pub(crate) json: bool,

    /// Prints the deals as CSV with a header line
    #[arg(long, conflicts_with = "json", requires = "deals")]
    pub(crate) csv: bool,

    /// Compares the values of this number of random deals with those of the solver
    ///
    /// The command also compares the hands, and the values of all rows of the same deal.
    #[arg(long, value_name = "COUNT", value_parser = value_parser!(u64).range(1..))]
    #[arg(conflicts_with_all = ["json", "csv", "deals"])]
    pub(crate) verify: Option<u64>,

    /// Chooses the random deals from this seed: the same seed gives the same deals
    #[arg(long, value_name = "N", requires = "verify")]
    pub(crate) seed: Option<u64>,

    /// Parquet file of "Mate, solved" to read
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// Deals: a number, a range 0..1000 (0 to 999), two hands "Tc … / Ac …", or - to read deals in these forms from the standard input,
    /// one per line
    #[arg(value_name = "DEAL")]
    pub(crate) deals: Vec<String>,
}
