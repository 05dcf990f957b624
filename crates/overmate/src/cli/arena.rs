//! The commands that let opponents play each other, as types.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args, ValueHint, value_parser};
use overmate_arena::Sprt;
use overmate_bots::{BuiltIn, HousePlayer};

use super::arena_values::{ProgramArg, read_matches, read_sprt};
use super::examples;
use super::player_names::{opponent, player};
use super::values::{MAX_THREADS, RulesOption, read_seconds};

/// Has opponents play many matches on the same deals, and says which is the stronger
///
/// Every two players meet in pairs of matches: the same deals, each of the two leading once to game 1. What is
/// played depends on the seed alone, not on the number of threads, unless --time or a program of your own has a
/// say in it. Ctrl-C stops the arena, and tells how to go on.
#[derive(Args, Debug)]
#[command(after_long_help = examples::ARENA)]
pub(crate) struct ArenaArgs {
    /// Built-in players: level:1 to level:9, perfect, and perfect:vs=1 to perfect:vs=9, which takes the other for that level
    #[arg(long, value_name = "P,…", value_delimiter = ',')]
    #[arg(value_parser = player(), hide_possible_values = true)]
    pub(crate) players: Vec<HousePlayer>,

    /// A program that plays, under this name; again for each further one
    ///
    /// The command is split at blanks as a shell does it, with quotes, but no shell runs it. The program speaks the
    /// bot protocol on its standard input and output.
    #[arg(long = "bot", value_name = "NAME=COMMAND", value_parser = ProgramArg::parse)]
    pub(crate) bots: Vec<ProgramArg>,

    /// How many matches every two players play, an even number
    #[arg(long, value_name = "N", value_parser = read_matches, default_value = "100")]
    pub(crate) matches: u64,

    #[command(flatten)]
    pub(crate) rules: RulesOption,

    /// Makes deals and chance those of this seed, which are always the same
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Stops two players as soon as it is clear which of two Elo differences is the truth
    #[arg(long, value_name = "ELO0,ELO1", value_parser = read_sprt)]
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
    ///
    /// Built-in players work out what they see of a deal of 20 cards before their first action in it, which is not counted.
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
    /// How strong it is: 1 to 9, perfect, or perfect:vs=1 to perfect:vs=9, which takes the other for that level
    #[arg(long, value_name = "N|perfect")]
    #[arg(value_parser = opponent(), hide_possible_values = true)]
    level: Option<HousePlayer>,

    /// The same as --level perfect
    #[arg(long)]
    perfect: bool,

    /// Takes this seed for every match, and not the one that the arena gives
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
}

impl BotArgs {
    /// Who plays.
    pub(crate) fn opponent(&self) -> HousePlayer {
        // One of the two is there.
        self.level.unwrap_or(HousePlayer::BuiltIn(BuiltIn::Perfect))
    }
}
