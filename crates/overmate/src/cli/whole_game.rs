//! Defines the command-line arguments of the commands `solved` and `tablebase`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint, value_parser};
use overmate_solver::Kernel;

use super::examples;
use super::values::{MAX_THREADS, RulesOption};
use crate::rules_argument::RulesArg;

/// Solves the whole game of a rule set: every position of every deal
///
/// Shows how many deals each player wins with best play, by how many points, and which players need the right to foreplace. With
/// 20 cards the computation takes seconds, and a byte of memory for each position: about 1.1 GB, 0.4 GB without foreplacing, and
/// twice as much with a free move. All cards count as open.
#[derive(Args, Debug)]
#[command(after_long_help = examples::SOLVED)]
pub(crate) struct SolvedArgs {
    #[command(flatten)]
    pub(crate) rules: RulesOption,

    /// Prints the statistics of all deals as one JSON object
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) work: WorkOptions,
}

/// Command-line options for solving a whole game, that is, every position of every deal.
#[derive(Args, Debug)]
pub(crate) struct WorkOptions {
    /// Number of threads [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=MAX_THREADS))]
    pub(crate) threads: Option<u16>,

    /// Instruction set of the solver [default: the fastest that the processor has]
    #[arg(long, value_name = "K")]
    pub(crate) kernel: Option<KernelArg>,
}

/// Processor instruction set with which the solver solves a whole game, as a command-line value.
#[derive(Clone, Copy, ValueEnum, Debug)]
pub(crate) enum KernelArg {
    /// Computes 64 positions at once, with AVX-512 VBMI2
    Avx512,
    /// Computes 32 positions at once, with AVX2
    Avx2,
    /// Computes the value of one position at a time; runs on every type of processor
    Portable,
}

impl From<KernelArg> for Kernel {
    fn from(kernel: KernelArg) -> Self {
        match kernel {
            KernelArg::Avx512 => Self::Avx512,
            KernelArg::Avx2 => Self::Avx2,
            KernelArg::Portable => Self::Portable,
        }
    }
}

/// Builds, verifies and reads a tablebase: a file with every value of a solved game
///
/// The file gives every value without the memory and the time of solving. No other command needs the file, because solving a game
/// takes seconds.
#[derive(Args, Debug)]
#[command(after_long_help = examples::TABLEBASE)]
pub(crate) struct TablebaseArgs {
    #[command(subcommand)]
    pub(crate) command: TablebaseCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum TablebaseCommand {
    Build(BuildArgs),
    Verify(VerifyArgs),
    Probe(ProbeArgs),
    Hashes(HashesArgs),
}

/// Solves a whole game and writes the values to a tablebase
///
/// The size of the file is about seven tenths of the memory that solving needs. The file gets its name only when it is complete.
#[derive(Args, Debug)]
#[command(after_long_help = examples::TABLEBASE_BUILD)]
pub(crate) struct BuildArgs {
    #[command(flatten)]
    pub(crate) rules: RulesOption,

    #[command(flatten)]
    pub(crate) work: WorkOptions,

    /// Replaces the tablebase file if the file exists already
    #[arg(long)]
    pub(crate) force: bool,

    /// Tablebase file to write, which must not exist yet unless --force is given
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
}

/// Checks a tablebase: every byte and every value, and some of the values also by a search
///
/// The command compares all checksums; then the hashes of all layers, if published; then each value with the values after every
/// lead and answer; at last 1000 random positions with the results of a search. Verifying needs as much memory as solving, and
/// more time.
#[derive(Args, Debug)]
#[command(after_long_help = examples::TABLEBASE_VERIFY)]
pub(crate) struct VerifyArgs {
    /// Rule set that the tablebase must hold: a name, or a TOML file
    #[arg(long, value_name = "R", value_parser = RulesArg::parse, value_hint = ValueHint::FilePath)]
    pub(crate) rules: Option<RulesArg>,

    /// Number of threads [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=MAX_THREADS))]
    pub(crate) threads: Option<u16>,

    /// Tablebase file to check
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
}

/// Reads the values of deals or positions from a tablebase
///
/// The output is that of `overmate solve`. Without a deal, the command describes the file.
#[derive(Args, Debug)]
#[command(after_long_help = examples::TABLEBASE_PROBE)]
pub(crate) struct ProbeArgs {
    /// Rule set that the tablebase must hold: a name, or a TOML file
    #[arg(long, value_name = "R", value_parser = RulesArg::parse, value_hint = ValueHint::FilePath)]
    pub(crate) rules: Option<RulesArg>,

    /// Reads the values of the position after the given actions, which are separated by blanks
    #[arg(long, value_name = "ACTIONS", default_value = "", hide_default_value = true)]
    #[arg(allow_hyphen_values = true, requires = "deals")]
    pub(crate) after: String,

    /// Prints the results as JSON, one object per line
    #[arg(long)]
    pub(crate) json: bool,

    /// Tablebase file to read
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// Deals: a number, a range 0..1000 (0 to 999), two hands "Tc … / Ac …", a position line as `overmate replay` prints it, or -
    /// to read deals in these forms from the standard input, one per line
    #[arg(value_name = "DEAL")]
    pub(crate) deals: Vec<String>,
}

/// Solves a whole game, and prints one hash for each layer of positions with equal hand sizes
///
/// Each layer has a line with tabs between the fields: rule set, cards of the leader, cards of the other player, whether the free
/// move is unused, number of positions, sum of their values for the leader, sum of the squares, and XXH3-64 hash. The hash covers
/// the values (two bytes each, little-endian) in the order of the file.
#[derive(Args, Debug)]
#[command(after_long_help = examples::TABLEBASE_HASHES)]
pub(crate) struct HashesArgs {
    #[command(flatten)]
    pub(crate) rules: RulesOption,

    /// Prints the hashes of all layers for each rule set whose deal values Overmate publishes
    #[arg(long, conflicts_with = "rules")]
    pub(crate) all: bool,

    #[command(flatten)]
    pub(crate) work: WorkOptions,
}
