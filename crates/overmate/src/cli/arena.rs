//! Defines the command-line arguments of the commands `arena` and `bot`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args, ValueHint, value_parser};
use overmate_arena::Sprt;
use overmate_arena::protocol::TimeControl;
use overmate_bots::{BotSpec, BuiltIn};

use super::arena_values::{ProgramArg, read_clock, read_matches, read_sprt};
use super::examples;
use super::player_names::{opponent, player};
use super::values::{MAX_THREADS, RulesOption, read_time_limit};

/// Plays many matches between computer players, and shows which player is stronger
///
/// Every two players meet in pairs of matches with the same deals; each player leads once to game 1. The matches depend only on
/// the seed, not on the number of threads. Exceptions are --time, --clock and external programs. Ctrl-C stops the arena, and prints a
/// command that resumes the arena.
#[derive(Args, Debug)]
#[command(after_long_help = examples::ARENA)]
pub(crate) struct ArenaArgs {
    /// Built-in players: level:1 to level:9, perfect, and perfect:vs=1 to perfect:vs=9, which assumes an opponent of that level
    #[arg(long, value_name = "P,…", value_delimiter = ',')]
    #[arg(value_parser = player(), hide_possible_values = true)]
    pub(crate) players: Vec<BotSpec>,

    /// External program that plays, with its name in the arena; repeat the option for each program
    ///
    /// The command is split at blanks and quotes as a shell would, but no shell runs it. The program speaks the
    /// bot protocol on its standard input and output.
    #[arg(long = "bot", value_name = "NAME=COMMAND", value_parser = ProgramArg::parse)]
    pub(crate) bots: Vec<ProgramArg>,

    /// Plays only the matches of the player NAME against each of the other players
    ///
    /// The results are from the point of view of NAME. The matches are those that an arena without this option plays.
    #[arg(long, value_name = "NAME")]
    pub(crate) gauntlet: Option<String>,

    /// Number of matches between every two players, an even number [default: 100, or as many as the deals of --deals permit]
    #[arg(long, value_name = "N", value_parser = read_matches)]
    pub(crate) matches: Option<u64>,

    /// Takes the deals from this file, one per line: a number, a range 0..1000 (0 to 999), or two hands, as `overmate deal` reads them
    ///
    /// Each pair of matches plays the next deals of the file, one for each round: two games. Blank lines are skipped.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) deals: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) rules: RulesOption,

    /// Generates deals and random choices from this seed: the same seed gives the same matches [default: the seed in the file of
    /// --record, or else a random seed]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Stops the matches between two players as soon as a sequential probability ratio test accepts one of two Elo differences
    #[arg(long, value_name = "ELO0,ELO1", value_parser = read_sprt)]
    #[arg(allow_hyphen_values = true)]
    pub(crate) sprt: Option<Sprt>,

    /// Saves all matches to this file, and resumes the arena from the matches in the file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) record: Option<PathBuf>,

    /// Folder for the files with the standard error of the programs [default: FILE.stderr for --record FILE]
    ///
    /// Each process has its own file. The folder keeps 16 MiB of each program. Without --record and --stderr the arena prints
    /// the path of the folder at the end if a program has written to its standard error; the next such arena removes the folder.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) stderr: Option<PathBuf>,

    /// Folder for the protocol logs: all lines between the arena and each program
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) trace: Option<PathBuf>,

    /// Prints the results as one JSON object
    #[arg(long)]
    pub(crate) json: bool,

    /// Number of matches played at once [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=MAX_THREADS))]
    pub(crate) threads: Option<u16>,

    /// Time limit for an action in seconds [default: no limit, and 10 for a program without --clock]
    ///
    /// Built-in players analyse a deal of 20 cards before their first action. That time does not count.
    #[arg(long, value_name = "SECONDS", value_parser = read_time_limit)]
    pub(crate) time: Option<Duration>,

    /// Clock of each program: the seconds for a match, and the seconds that each action adds, such as 60+0.5
    ///
    /// A program whose clock runs out forfeits the match. Half a second for the whole match is tolerated. With --time the
    /// limit for an action holds, too. Built-in players have no clock.
    #[arg(long, value_name = "SECONDS+SECONDS", value_parser = read_clock)]
    pub(crate) clock: Option<TimeControl>,

    /// Node limit for an action [default: 200000 with more than 20 cards or a card face down]
    #[arg(long, value_name = "N")]
    pub(crate) nodes: Option<u64>,
}

/// Runs a built-in player that speaks the bot protocol, for arena programs other than `overmate arena`
///
/// The command reads JSON lines from the standard input and answers on the standard output. It ends with the input.
#[derive(Args, Debug)]
#[command(
    group = ArgGroup::new("who").required(true).args(["level", "perfect"]),
    after_long_help = examples::BOT
)]
pub(crate) struct BotArgs {
    /// Strength: 1 to 9, perfect, or perfect:vs=1 to perfect:vs=9, which assumes an opponent of that level
    #[arg(long, value_name = "N|perfect")]
    #[arg(value_parser = opponent(), hide_possible_values = true)]
    level: Option<BotSpec>,

    /// Plays perfectly, as with --level perfect
    #[arg(long)]
    perfect: bool,

    /// Seed for every match, in place of the seed from the arena
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
}

impl BotArgs {
    /// Returns the built-in player that the option `--level` or `--perfect` selects.
    pub(crate) fn opponent(&self) -> BotSpec {
        // The parser requires one of the two options, so `--perfect` was given if `--level` is missing.
        self.level.unwrap_or(BotSpec::BuiltIn(BuiltIn::Perfect))
    }
}
