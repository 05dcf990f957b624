//! The command line as types: the parser, the help, the completions and the manual come from them.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum, ValueHint, value_parser};
use clap_complete::Shell;
use overmate_bots::arena::Sprt;
use overmate_bots::{BuiltIn, Level};
use overmate_rules::Seat;
use overmate_solver::Kernel;

use crate::arena::{self, ProgramArg};
use crate::examples;
use crate::ruleset::RulesArg;

/// Mate, the card game of pure skill: play it, solve it, look at what was played
#[derive(Parser, Debug)]
#[command(name = "overmate", version, max_term_width = 100, after_long_help = examples::TOP)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Play(PlayArgs),
    Solve(SolveArgs),
    Solved(SolvedArgs),
    Tablebase(TablebaseArgs),
    Deal(DealArgs),
    Replay(ReplayArgs),
    Review(ReviewArgs),
    Arena(ArenaArgs),
    Bot(BotArgs),
    Rules(RulesArgs),
    Serve(ServeArgs),
    #[command(hide = true)]
    Openapi(OpenapiArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Plays a match in the terminal against an opponent of any strength
///
/// A terminal is filled with the table; `?` shows its keys. Without one, or with --lines, the match is played line by
/// line. It is saved as a record after every action.
#[derive(Args, Debug)]
#[command(after_long_help = examples::PLAY)]
pub(crate) struct PlayArgs {
    /// The rule set: a name such as sackson+double, or a TOML file [default: sackson]
    #[arg(long, value_name = "R", value_parser = RulesArg::parse, value_hint = ValueHint::FilePath)]
    pub(crate) rules: Option<RulesArg>,

    /// How strong the opponent is: 1 to 9, or perfect [default: 3]
    #[arg(long, value_name = "N|perfect")]
    pub(crate) level: Option<BuiltIn>,

    /// Your seat in the first game [default: first]
    #[arg(long)]
    pub(crate) seat: Option<SeatArg>,

    /// The number of the first round's deal; again for each later round
    #[arg(long = "deal", value_name = "N")]
    pub(crate) deals: Vec<u64>,

    /// Makes the match's deals those of this seed, which are always the same
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Goes on with the match in this file, and saves it there
    #[arg(
        long,
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        conflicts_with_all = ["rules", "level", "seat", "deals", "seed", "record"]
    )]
    pub(crate) resume: Option<PathBuf>,

    /// Saves the match to this file, which must not exist yet
    ///
    /// Without it the match goes to a new file in your data directory, such as
    /// ~/.local/share/overmate/matches/2026-11-20-1.mate.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) record: Option<PathBuf>,

    /// Plays line by line, for screen readers and for who likes it so
    #[arg(long)]
    pub(crate) lines: bool,
}

/// A seat of a game.
#[derive(Clone, Copy, ValueEnum, Debug)]
pub(crate) enum SeatArg {
    /// Leads to the first move
    First,
    /// Answers the first lead
    Second,
}

impl From<SeatArg> for Seat {
    fn from(seat: SeatArg) -> Self {
        match seat {
            SeatArg::First => Self::First,
            SeatArg::Second => Self::Second,
        }
    }
}

/// Gives the exact value of deals, or of positions in them: all cards are taken as known
///
/// Shows the value for both players, the value of every legal action, and a line of best play. A game of 20 cards is
/// always solved; with 48 cards the search may stop at its limit, and then says between which values
/// the truth lies.
#[derive(Args, Debug)]
#[command(after_long_help = examples::SOLVE)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) rules: RulesOption,

    /// Solves the position after these actions, separated by blanks
    #[arg(long, value_name = "ACTIONS", default_value = "", hide_default_value = true)]
    #[arg(allow_hyphen_values = true)]
    pub(crate) after: String,

    /// Prints one JSON object a line
    #[arg(long)]
    pub(crate) json: bool,

    /// Stops searching a deal after so many seconds [default: 10 with more than 20 cards]
    #[arg(long, value_name = "SECONDS", value_parser = read_seconds)]
    pub(crate) time: Option<Duration>,

    /// Stops searching a deal after so many positions
    #[arg(long, value_name = "N")]
    pub(crate) nodes: Option<u64>,

    /// Which deals: a number, a range 0..1000, two hands "Tc … / Ac …", or - for one of these per
    /// line of the standard input
    #[arg(value_name = "DEAL", required = true)]
    pub(crate) deals: Vec<String>,
}

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

/// More than any machine has use for, and few enough to be started.
const MAX_THREADS: i64 = 1024;

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

/// Shows deals by number, the numbers of hands, and random deals
#[derive(Args, Debug)]
#[command(
    group = ArgGroup::new("which").required(true).args(["deals", "random"]),
    after_long_help = examples::DEAL
)]
pub(crate) struct DealArgs {
    #[command(flatten)]
    pub(crate) rules: RulesOption,

    /// Prints one JSON object a line
    #[arg(long)]
    pub(crate) json: bool,

    /// Deals at random: each cut of the deck is equally likely
    #[arg(long)]
    pub(crate) random: bool,

    /// Makes the random deals those of this seed, which are always the same
    #[arg(long, value_name = "N", requires = "random", conflicts_with = "deals")]
    pub(crate) seed: Option<u64>,

    /// How many random deals
    #[arg(
        long,
        value_name = "N",
        requires = "random",
        conflicts_with = "deals",
        default_value_t = 1
    )]
    pub(crate) count: u64,

    /// Which deals: a number, a range 0..1000, two hands "Tc … / Ac …", or - for one of these per
    /// line of the standard input
    #[arg(value_name = "DEAL")]
    pub(crate) deals: Vec<String>,
}

/// Checks the record of a match, and shows its positions and scores
#[derive(Args, Debug)]
#[command(after_long_help = examples::REPLAY)]
pub(crate) struct ReplayArgs {
    /// Prints one JSON object a line
    #[arg(long)]
    pub(crate) json: bool,

    /// The record, or - for the standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
}

/// Shows how many points each action of a record lost to best play
#[derive(Args, Debug)]
#[command(after_long_help = examples::REVIEW)]
pub(crate) struct ReviewArgs {
    /// Prints one JSON object a line
    #[arg(long)]
    pub(crate) json: bool,

    /// Stops searching a game after so many seconds [default: 60 with more than 20 cards]
    #[arg(long, value_name = "SECONDS", value_parser = read_seconds)]
    pub(crate) time: Option<Duration>,

    /// The record, or - for the standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
}

/// Has opponents play many matches on the same deals, and says which is the stronger
///
/// Every two players meet in pairs of matches: the same deals, each of the two leading once to game 1. What is
/// played depends on the seed alone, not on the number of threads, unless --time or a program of your own has a
/// say in it. Ctrl-C stops the arena, and tells how to go on.
#[derive(Args, Debug)]
#[command(after_long_help = examples::ARENA)]
pub(crate) struct ArenaArgs {
    /// Built-in players: level:1 to level:9, perfect
    #[arg(long, value_name = "P,…", value_delimiter = ',', value_parser = arena::read_built_in)]
    pub(crate) players: Vec<BuiltIn>,

    /// A program that plays, under this name; again for each further one
    ///
    /// The command is split at blanks as a shell does it, with quotes, but no shell runs it. The program speaks the
    /// bot protocol on its standard input and output.
    #[arg(long = "bot", value_name = "NAME=COMMAND", value_parser = ProgramArg::parse)]
    pub(crate) bots: Vec<ProgramArg>,

    /// How many matches every two players play, an even number
    #[arg(long, value_name = "N", value_parser = arena::read_matches, default_value = "100")]
    pub(crate) matches: u64,

    #[command(flatten)]
    pub(crate) rules: RulesOption,

    /// Makes deals and chance those of this seed, which are always the same
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Stops two players as soon as it is clear which of two Elo differences is the truth
    #[arg(long, value_name = "ELO0,ELO1", value_parser = arena::read_sprt)]
    #[arg(allow_hyphen_values = true)]
    pub(crate) sprt: Option<Sprt>,

    /// Keeps all matches in this file; goes on with those that it holds
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) record: Option<PathBuf>,

    /// Prints one JSON object
    #[arg(long)]
    pub(crate) json: bool,

    /// How many matches are played at once [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=MAX_THREADS))]
    pub(crate) threads: Option<u16>,

    /// How many seconds a player has for an action [default: no limit, and 10 for a program]
    #[arg(long, value_name = "SECONDS", value_parser = read_seconds)]
    pub(crate) time: Option<Duration>,

    /// How many positions a player may look at for an action [default: 200000 with more than 20 cards or a card face down]
    #[arg(long, value_name = "N")]
    pub(crate) nodes: Option<u64>,
}

/// Plays in an arena of others: a built-in opponent that speaks the bot protocol
///
/// It reads JSON lines from the standard input and answers on the standard output, until the input ends.
#[derive(Args, Debug)]
#[command(
    group = ArgGroup::new("who").required(true).args(["level", "perfect"]),
    after_long_help = examples::BOT
)]
pub(crate) struct BotArgs {
    /// The opponent of this level, 1 to 9
    #[arg(long, value_name = "N", value_parser = read_level)]
    pub(crate) level: Option<Level>,

    /// The perfect opponent
    #[arg(long)]
    pub(crate) perfect: bool,

    /// Takes this seed for every match, and not the one that the arena gives
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
}

/// Lists the rule sets, or shows one in full
#[derive(Args, Debug)]
#[command(after_long_help = examples::RULES)]
pub(crate) struct RulesArgs {
    /// Prints JSON: one object for NAME, or one a line for the list
    #[arg(long, conflicts_with = "toml")]
    pub(crate) json: bool,

    /// Prints the rule set as TOML, a start for one of your own
    #[arg(long, requires = "name")]
    pub(crate) toml: bool,

    /// The rule set to show: a name such as pagat+free-move, or a TOML file
    #[arg(value_name = "NAME", value_parser = RulesArg::parse, value_hint = ValueHint::FilePath)]
    pub(crate) name: Option<RulesArg>,
}

/// Serves the table in the browser: play the computer, a friend by link, or both sides
///
/// Matches are kept in an SQLite file in the data folder; a match that was acknowledged survives a power cut. Ctrl-C, or
/// SIGTERM, stops it in order: what was begun is ended first.
#[derive(Args, Debug)]
#[command(after_long_help = examples::SERVE)]
pub(crate) struct ServeArgs {
    /// Where to listen: an address and a port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:2420")]
    pub(crate) listen: SocketAddr,

    /// The folder of the database [default: server in your data directory]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) data: Option<PathBuf>,

    /// How the log on the standard error is written; what it tells is set by `RUST_LOG`
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub(crate) log: LogForm,

    /// Another origin whose pages may play here, such as `https://mate.example`; again for each
    #[arg(long = "origin", value_name = "ORIGIN")]
    pub(crate) origins: Vec<String>,

    /// Tells clients apart by what a reverse proxy says: the last address in X-Forwarded-For
    ///
    /// Only behind a proxy that sets the header: otherwise a client can write there what it likes.
    #[arg(long)]
    pub(crate) behind_proxy: bool,

    /// Lifts the limits of what a single client may ask for
    ///
    /// For a load test on one machine, and for nothing that others can reach.
    #[arg(long)]
    pub(crate) no_limits: bool,

    /// For tests: ends the process without a word after so many commits
    #[arg(long, value_name = "N", hide = true)]
    pub(crate) die_after_commits: Option<u64>,
}

/// How the log is written.
#[derive(Clone, Copy, ValueEnum, Debug)]
pub(crate) enum LogForm {
    /// One JSON object a line
    Json,
    /// For people
    Text,
}

/// Prints the OpenAPI document of the server's interface
#[derive(Args, Debug)]
pub(crate) struct OpenapiArgs {}

/// Prints completions for a shell
#[derive(Args, Debug)]
#[command(after_long_help = examples::COMPLETIONS)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: Shell,
}

/// Prints the manual page of the program or of a command
#[derive(Args, Debug)]
#[command(after_long_help = examples::MAN)]
pub(crate) struct ManArgs {
    /// The command; without it the page of the program
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Option<String>,
}

/// The rule set of a command about deals.
#[derive(Args, Debug)]
pub(crate) struct RulesOption {
    /// The rule set: a name such as sackson+double, or a TOML file
    #[arg(
        long,
        value_name = "R",
        value_parser = RulesArg::parse,
        value_hint = ValueHint::FilePath,
        default_value = "sackson"
    )]
    pub(crate) rules: RulesArg,
}

/// Reads a number of seconds, with decimals or without.
fn read_seconds(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.parse().ok();
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "a number of seconds such as 10 or 0.5 is needed".to_owned())
}

/// Reads the number of a level.
fn read_level(text: &str) -> Result<Level, String> {
    let level = text.parse().ok().and_then(Level::new);
    level.ok_or_else(|| "a level from 1 to 9 is needed".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn seconds_are_numbers_that_a_clock_can_count() {
        assert_eq!(read_seconds("0.5"), Ok(Duration::from_millis(500)));
        for text in ["", "x", "-1", "nan", "inf", "1e300"] {
            assert!(read_seconds(text).is_err(), "{text}");
        }
    }
}
