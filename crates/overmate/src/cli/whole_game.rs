//! The commands about whole games, as types: solved from nothing, and kept in files.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint, value_parser};
use overmate_solver::Kernel;

use super::examples;
use super::values::{MAX_THREADS, RulesOption};
use crate::rules_argument::RulesArg;

/// Solves the whole game from nothing: every position of every deal, and what they come to
///
/// Tells how many deals either player wins with best play, by how much, and who has to foreplace for it. With 20
/// cards it takes seconds, and a byte of memory for each position: about 1.1 GB, 0.4 GB without foreplacing,
/// twice that with a free move. All cards are taken as known.
#[derive(Args, Debug)]
#[command(after_long_help = examples::SOLVED)]
pub(crate) struct SolvedArgs {
    #[command(flatten)]
    pub(crate) rules: RulesOption,

    /// Prints one JSON object
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) work: WorkOptions,
}

/// How a whole game is worked out.
#[derive(Args, Debug)]
pub(crate) struct WorkOptions {
    /// How many threads work [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=MAX_THREADS))]
    pub(crate) threads: Option<u16>,

    /// Which instructions work it out [default: the fastest that the processor has]
    #[arg(long, value_name = "K")]
    pub(crate) kernel: Option<KernelArg>,
}

/// A kernel.
#[derive(Clone, Copy, ValueEnum, Debug)]
pub(crate) enum KernelArg {
    /// 64 positions at once, with AVX-512 VBMI2
    Avx512,
    /// 16 positions at once, with SSE4.1
    Sse,
    /// One position at a time, on any processor
    Portable,
}

impl From<KernelArg> for Kernel {
    fn from(kernel: KernelArg) -> Self {
        match kernel {
            KernelArg::Avx512 => Self::Avx512,
            KernelArg::Sse => Self::Sse,
            KernelArg::Portable => Self::Portable,
        }
    }
}

/// Keeps a solved game in a file: builds it, verifies it, reads values from it
///
/// Nothing needs the file, and to solve a game anew takes seconds. It is for those who want every value
/// at hand, without the memory and the time that solving takes.
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

/// Solves a whole game and writes it to a file
///
/// The file takes about seven tenths of the memory that solving does. It appears when it is whole: whatever
/// stops the work before leaves nothing there.
#[derive(Args, Debug)]
#[command(after_long_help = examples::TABLEBASE_BUILD)]
pub(crate) struct BuildArgs {
    #[command(flatten)]
    pub(crate) rules: RulesOption,

    #[command(flatten)]
    pub(crate) work: WorkOptions,

    /// Replaces the file if it exists
    #[arg(long)]
    pub(crate) force: bool,

    /// The file, which must not exist yet
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
}

/// Checks a file: every byte, every value, and some values by a search
///
/// First all checksums; then, for the rule sets that have a name, the published hashes of all layers; then
/// each value against those after every lead and answer, told the plain way; at last 1000
/// random positions against a search. It takes as much memory as solving, and more time.
#[derive(Args, Debug)]
#[command(after_long_help = examples::TABLEBASE_VERIFY)]
pub(crate) struct VerifyArgs {
    /// The rule set that the file has to be of: a name, or a TOML file
    #[arg(long, value_name = "R", value_parser = RulesArg::parse, value_hint = ValueHint::FilePath)]
    pub(crate) rules: Option<RulesArg>,

    /// How many threads work [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=MAX_THREADS))]
    pub(crate) threads: Option<u16>,

    /// The file
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
}

/// Reads the values of deals, or of positions in them, from a file
///
/// Says the same as overmate solve. Without a deal it tells what the file holds.
#[derive(Args, Debug)]
#[command(after_long_help = examples::TABLEBASE_PROBE)]
pub(crate) struct ProbeArgs {
    /// The rule set that the file has to be of: a name, or a TOML file
    #[arg(long, value_name = "R", value_parser = RulesArg::parse, value_hint = ValueHint::FilePath)]
    pub(crate) rules: Option<RulesArg>,

    /// Reads the position after these actions, separated by blanks
    #[arg(long, value_name = "ACTIONS", default_value = "", hide_default_value = true)]
    #[arg(allow_hyphen_values = true, requires = "deals")]
    pub(crate) after: String,

    /// Prints one JSON object a line
    #[arg(long)]
    pub(crate) json: bool,

    /// The file
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// Which deals: a number, a range 0..1000, two hands "Tc … / Ac …", or - for one of these per
    /// line of the standard input
    #[arg(value_name = "DEAL")]
    pub(crate) deals: Vec<String>,
}

/// Solves a whole game and prints a hash of each of its layers
///
/// A line for each layer, with tabs between: rule set, cards of the leader, cards of the other, whether
/// the free move is still there, positions, sum of their values for the leader, sum of the squares, and the
/// XXH3-64 of the values (two bytes each, the lower first) in the order of the file.
#[derive(Args, Debug)]
#[command(after_long_help = examples::TABLEBASE_HASHES)]
pub(crate) struct HashesArgs {
    #[command(flatten)]
    pub(crate) rules: RulesOption,

    /// Every rule set of 20 cards that has a name, one after the other
    #[arg(long, conflicts_with = "rules")]
    pub(crate) all: bool,

    #[command(flatten)]
    pub(crate) work: WorkOptions,
}
