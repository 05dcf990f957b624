//! Defines the command-line arguments of the program `overmate`. The argument parser, the help, the completions and the manual are
//! generated from these types.

mod admin;
mod arena;
mod arena_values;
mod data;
mod database;
mod examples;
mod maintenance;
mod player_names;
mod programs;
mod puzzles;
mod values;
mod whole_game;

use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum, ValueHint, value_parser};
use clap_complete::Shell;
use overmate_bots::BotSpec;
use overmate_rules::Seat;
use overmate_server::{MailFrom, NoticeChannel, PublicUrl, PushContact, ServerRole};
use overmate_solver::Budget;
use overmate_terminal::Charset;

pub(crate) use self::admin::{
    AdminArgs, AdminCommand, EventArgs, EventCommand, FindArgs, MakeEventArgs, MeasureOptions,
    PlayerArg, ReportsArgs, RevokeArgs,
};
pub(crate) use self::arena::{ArenaArgs, BotArgs};
pub(crate) use self::arena_values::{CommandArg, ProgramArg};
pub(crate) use self::data::DataArgs;
pub(crate) use self::database::{CopyArgs, DatabaseArgs, DatabaseCommand, DatabasePlace};
pub(crate) use self::maintenance::{ArchiveArgs, BackupArgs, DataOptions, DoctorArgs, RestoreArgs};
pub(crate) use self::programs::{ProcessCount, ProgramOptions, ServedProgram};
pub(crate) use self::puzzles::{PuzzleArgs, PuzzlesArgs};
use self::values::{
    MAX_THREADS, RulesOption, Within, read_host, read_listen, read_origin, read_seconds,
};
pub(crate) use self::values::{Seconds, TimeLimit};
pub(crate) use self::whole_game::{
    BuildArgs, HashesArgs, ProbeArgs, SolvedArgs, TablebaseArgs, TablebaseCommand, VerifyArgs,
    WorkOptions,
};
use crate::memory::MB;
use crate::rules_argument::RulesArg;

/// Number of days off that a server grants each person in a calendar year.
pub(crate) type DaysOff = Within<0, 366>;

/// Mate, the card game of pure skill: play matches, solve deals, and review matches
#[derive(Parser, Debug)]
#[command(name = "overmate", version, max_term_width = 100, after_long_help = examples::TOP)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Play(PlayArgs),
    Puzzle(PuzzleArgs),
    Puzzles(PuzzlesArgs),
    Solve(SolveArgs),
    Solved(SolvedArgs),
    Tablebase(TablebaseArgs),
    Data(DataArgs),
    Deal(DealArgs),
    Replay(ReplayArgs),
    Review(ReviewArgs),
    Arena(ArenaArgs),
    Bot(BotArgs),
    Rules(RulesArgs),
    Serve(Box<ServeArgs>),
    Backup(BackupArgs),
    Restore(RestoreArgs),
    Archive(ArchiveArgs),
    Doctor(DoctorArgs),
    Database(DatabaseArgs),
    Admin(AdminArgs),
    #[command(hide = true)]
    Openapi(OpenapiArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Plays a match in the terminal against an opponent of any strength
///
/// The table fills the terminal, and `?` shows the keys. Without a terminal, or with --lines, the match is played line by line.
/// The match is saved as a record after every action.
#[derive(Args, Debug)]
#[command(after_long_help = examples::PLAY)]
pub(crate) struct PlayArgs {
    /// The rule set: a name such as sackson+double, or a TOML file [default: sackson]
    #[arg(long, value_name = "R", value_parser = RulesArg::parse, value_hint = ValueHint::FilePath)]
    pub(crate) rules: Option<RulesArg>,

    /// Strength of the opponent: 1 to 9, or perfect [default: 3]
    ///
    /// perfect:vs=1 to perfect:vs=9 play perfectly, and assume that you play at the given level.
    #[arg(long, value_name = "N|perfect")]
    #[arg(value_parser = player_names::opponent(), hide_possible_values = true)]
    pub(crate) level: Option<BotSpec>,

    /// Command of an external program that plays as your opponent, with 10 seconds for each action
    ///
    /// The command is split at blanks and quotes as a shell would, but no shell runs it. The program speaks the bot protocol on its
    /// standard input and output.
    #[arg(long, value_name = "COMMAND", value_parser = CommandArg::parse, conflicts_with = "level")]
    pub(crate) bot: Option<CommandArg>,

    /// Your seat in the first game [default: first]
    #[arg(long)]
    pub(crate) seat: Option<SeatArg>,

    /// Number of the deal of the first round; repeat the option for each later round
    #[arg(long = "deal", value_name = "N")]
    pub(crate) deals: Vec<u64>,

    /// Generates the deals from this seed: the same seed gives the same deals
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Plays one game from this position line, as `overmate replay` prints it
    #[arg(long, value_name = "LINE", conflicts_with_all = ["deals", "seed"])]
    pub(crate) position: Option<String>,

    /// Resumes the match in this file, and saves the match to the same file
    #[arg(
        long,
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        conflicts_with_all = ["rules", "level", "seat", "deals", "seed", "position", "record"]
    )]
    pub(crate) resume: Option<PathBuf>,

    /// Saves the match to this file, which must not exist yet
    ///
    /// By default the match is saved to a new file in your data directory, such as
    /// ~/.local/share/overmate/matches/2026-11-20-1.mate.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) record: Option<PathBuf>,

    /// Plays line by line, for example for a screen reader
    #[arg(long)]
    pub(crate) lines: bool,

    /// Character set for cards, symbols and lines [default: from the locale]
    #[arg(long)]
    pub(crate) charset: Option<CharsetArg>,
}

/// Character set of the terminal, as a command-line value.
#[derive(Clone, Copy, ValueEnum, Debug)]
pub(crate) enum CharsetArg {
    /// Letters for suits, for terminals without UTF-8
    Ascii,
    /// Suit symbols and box-drawing lines
    #[value(name = "utf-8")]
    Utf8,
}

impl From<CharsetArg> for Charset {
    fn from(charset: CharsetArg) -> Self {
        match charset {
            CharsetArg::Ascii => Self::Ascii,
            CharsetArg::Utf8 => Self::Utf8,
        }
    }
}

/// Human player's seat in the first game, as a command-line value.
#[derive(Clone, Copy, ValueEnum, Debug)]
pub(crate) enum SeatArg {
    /// Leads the first card of the game
    First,
    /// Answers the first lead of the game
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

/// Shows the exact value of deals or positions with all cards open
///
/// The output holds the value for both players, the value of every legal action, and a line of best play. A game of 20 cards is
/// always solved. With 48 cards the search may reach its limit; the value is then given as a lower and an upper bound.
#[derive(Args, Debug)]
#[command(after_long_help = examples::SOLVE)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) rules: RulesOption,

    /// Solves the position after the given actions, which are separated by blanks
    #[arg(long, value_name = "ACTIONS", default_value = "", hide_default_value = true)]
    #[arg(allow_hyphen_values = true)]
    pub(crate) after: String,

    /// Prints the results as JSON, one object per line
    #[arg(long)]
    pub(crate) json: bool,

    /// Stops searching a deal of more than 20 cards after this number of seconds [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = read_seconds)]
    pub(crate) time: Option<Duration>,

    /// Stops searching a deal of more than 20 cards after this number of positions
    #[arg(long, value_name = "N")]
    pub(crate) nodes: Option<u64>,

    /// Memory limit in megabytes; with more memory and time, positions earlier in a game of more than 20 cards are solved
    #[arg(long, value_name = "MB", default_value_t = Budget::MEMORY / MB)]
    pub(crate) memory: u64,

    /// Number of threads for a position of more than 20 cards [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=MAX_THREADS))]
    pub(crate) threads: Option<u16>,

    /// Deals: a number, a range 0..1000 (0 to 999), two hands "Tc … / Ac …", a position line as `overmate replay` prints it, or - to
    /// read deals in these forms from the standard input, one per line
    #[arg(value_name = "DEAL", required = true)]
    pub(crate) deals: Vec<String>,
}

/// Shows numbered or random deals, the deal numbers of given hands, and positions
#[derive(Args, Debug)]
#[command(
    group = ArgGroup::new("which").required(true).args(["deals", "random"]),
    after_long_help = examples::DEAL
)]
pub(crate) struct DealArgs {
    #[command(flatten)]
    pub(crate) rules: RulesOption,

    /// Prints the results as JSON, one object per line
    #[arg(long)]
    pub(crate) json: bool,

    /// Shows random deals; each deal is equally likely
    #[arg(long)]
    pub(crate) random: bool,

    /// Generates the random deals from this seed: the same seed gives the same deals
    #[arg(long, value_name = "N", requires = "random", conflicts_with = "deals")]
    pub(crate) seed: Option<u64>,

    /// Number of random deals
    #[arg(
        long,
        value_name = "N",
        requires = "random",
        conflicts_with = "deals",
        default_value_t = NonZero::<u64>::MIN
    )]
    pub(crate) count: NonZero<u64>,

    /// Deals: a number, a range 0..1000 (0 to 999), two hands "Tc … / Ac …", a position line as `overmate replay` prints it, or - to
    /// read deals in these forms from the standard input, one per line
    #[arg(value_name = "DEAL")]
    pub(crate) deals: Vec<String>,
}

/// Checks the record of a match, and shows its positions and scores
#[derive(Args, Debug)]
#[command(after_long_help = examples::REPLAY)]
pub(crate) struct ReplayArgs {
    /// Prints the results as JSON, one object per line
    #[arg(long)]
    pub(crate) json: bool,

    /// File with the record of a match, or - for the standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
}

/// Shows the points that each action of a record lost compared with best play
#[derive(Args, Debug)]
#[command(after_long_help = examples::REVIEW)]
pub(crate) struct ReviewArgs {
    /// Prints the results as JSON, one object per line
    #[arg(long)]
    pub(crate) json: bool,

    /// Stops searching a game after this number of seconds [default: 60 with more than 20 cards]
    #[arg(long, value_name = "SECONDS", value_parser = read_seconds)]
    pub(crate) time: Option<Duration>,

    /// File with the record of a match, or - for the standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
}

/// Lists the rule sets, or shows one rule set in full
#[derive(Args, Debug)]
#[command(after_long_help = examples::RULES)]
pub(crate) struct RulesArgs {
    /// Prints JSON: the rule set NAME, or the rule sets and variations, as one object
    #[arg(long, conflicts_with = "toml")]
    pub(crate) json: bool,

    /// Prints the rule set as TOML, a basis for your own rule set
    #[arg(long, requires = "name")]
    pub(crate) toml: bool,

    /// The rule set to show: a name such as pagat+free-move, or a TOML file
    #[arg(value_name = "NAME", value_parser = RulesArg::parse, value_hint = ValueHint::FilePath)]
    pub(crate) name: Option<RulesArg>,
}

/// Serves the game to browsers: matches against the computer, friends and other players, lessons, puzzles and events
///
/// Matches are kept in an SQLite file in the data folder, or in PostgreSQL. An acknowledged action survives a power cut. Several
/// servers on one PostgreSQL database show each other's actions. After Ctrl-C, SIGTERM or the closing of its terminal the server
/// finishes the requests in progress and stops.
#[derive(Args, Debug)]
#[command(after_long_help = examples::SERVE)]
pub(crate) struct ServeArgs {
    /// Address or host name, and port, at which the server listens; port 0 picks a free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:2420", value_parser = read_listen)]
    pub(crate) listen: String,

    #[command(flatten)]
    pub(crate) data: DataOptions,

    /// Channel (`local`, `postgres`, or `nats://HOST:PORT`) on which servers on one database notify each other of changes
    ///
    /// The default is `postgres` with PostgreSQL, and `local` with SQLite, where one server needs no channel. The environment
    /// variable `OVERMATE_EVENTS` and the key `events` in the file of --config have the same meaning. Put a password of NATS into
    /// the variable or the file.
    #[arg(long, value_name = "CHANNEL")]
    pub(crate) events: Option<NoticeChannel>,

    /// Role of this server (the work that it does) in a group of servers on one PostgreSQL database
    #[arg(long, value_name = "ROLE", default_value = "all")]
    pub(crate) role: RoleArg,

    /// Format of the log on the standard error; the variable `RUST_LOG` sets the level of the log
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub(crate) log: LogForm,

    /// Address at which browsers reach this server, and to which passkeys are bound, such as `https://mate.example`
    ///
    /// Without the address, passkeys work at `http://localhost` only. A later change of the host name makes all passkeys
    /// useless. Pages of the address may use the server, as with --origin. The environment variable `OVERMATE_PUBLIC_URL` and the
    /// key `public-url` in the file of --config have the same meaning.
    #[arg(long, value_name = "URL")]
    pub(crate) public_url: Option<PublicUrl>,

    /// Your contact address for push services, such as `mailto:admin@mate.example` or `https://mate.example/contact`
    ///
    /// The server sends push messages with this contact, so that the operators of push services can tell you of faults. Without
    /// the option, the contact is an `https` address in --public-url; without both, the server sends no push messages. The
    /// environment variable `OVERMATE_PUSH_CONTACT` and the key `push-contact` in the file of --config have the same meaning.
    #[arg(long, value_name = "CONTACT")]
    pub(crate) push_contact: Option<PushContact>,

    /// SMTP server for e-mail, such as `smtps://USER:PASSWORD@mail.example:465`; without the option the server sends no e-mail
    ///
    /// `smtps://` encrypts from the start (port 465), and `smtp://` after STARTTLS (port 587). Only connections to this machine, such
    /// as `smtp://localhost:25`, stay unencrypted. Signs such as @ and / in user and password are percent-encoded. The options
    /// --mail-from and --public-url are needed, too. The environment variable `OVERMATE_SMTP` and the key `smtp` in the file of
    /// --config have the same meaning. Put the password into the variable or the file, because other users of the machine see the
    /// options of running programs.
    // The text is parsed later, because errors of the argument parser repeat the value, and thus the password.
    #[arg(long, value_name = "URL")]
    pub(crate) smtp: Option<String>,

    /// Sender of e-mail, such as `mate@example.org` or `Overmate <mate@example.org>`
    ///
    /// The environment variable `OVERMATE_MAIL_FROM` and the key `mail-from` in the file of --config have the same meaning.
    #[arg(long, value_name = "SENDER")]
    pub(crate) mail_from: Option<MailFrom>,

    /// Number of days in a calendar year on which each person can stop their clocks in matches by correspondence [default: 20]
    ///
    /// The environment variable `OVERMATE_DAYS_OFF` and the key `days-off` in the file of --config have the same meaning.
    #[arg(long, value_name = "N")]
    pub(crate) days_off: Option<DaysOff>,

    /// Maximum number of rated matches that two persons may begin with each other within 24 hours; 0 lifts the limit [default: 12]
    ///
    /// The environment variable `OVERMATE_RATED_MATCHES_OF_PAIR` and the key `rated-matches-of-pair` in the file of --config have
    /// the same meaning.
    #[arg(long, value_name = "N")]
    pub(crate) rated_matches_of_pair: Option<u32>,

    #[command(flatten)]
    pub(crate) programs: ProgramOptions,

    /// Further origin whose pages may use this server, such as `https://mate.example`; repeat the option for each origin
    #[arg(long = "origin", value_name = "ORIGIN", value_parser = read_origin)]
    pub(crate) origins: Vec<String>,

    /// Host name at which browsers reach this server, such as mate.example; repeat the option for each host name
    ///
    /// IP addresses, local names such as cellar or cellar.local, and the hosts of --origin need no option. The server refuses
    /// requests for other names, because a foreign page could point its own name to this server (DNS rebinding). Behind a proxy
    /// the server accepts all names, unless this option names some.
    #[arg(long = "host", value_name = "NAME", value_parser = read_host)]
    pub(crate) hosts: Vec<String>,

    /// Address and port at which /metrics is served for Prometheus; without the option, /metrics is not served
    ///
    /// The server prints the address as the second line. Use an address that only operators can reach.
    #[arg(long, value_name = "ADDRESS", value_parser = read_listen)]
    pub(crate) metrics: Option<String>,

    /// Identifies clients by the last address in the header X-Forwarded-For or Forwarded, which a reverse proxy sets
    ///
    /// Use the option only behind a proxy that sets one of the headers. Without such a proxy, clients can forge both. The server
    /// reads Forwarded only in requests without X-Forwarded-For: a proxy that sets Forwarded must remove X-Forwarded-For.
    #[arg(long)]
    pub(crate) behind_proxy: bool,

    /// File with words that names, handles, event titles and chat messages may not contain, one word per line
    ///
    /// A line `word` refuses the whole word. A line `*word*` refuses the word also inside other words. Case and accents make no
    /// difference. Lines that start with # are comments. The server reads the file at the start.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) refused_words: Option<PathBuf>,

    /// Lifts the limits on the requests, connections, matches and offers of single clients
    ///
    /// Use the option only for load tests on one machine, and never where others can reach the server.
    #[arg(long)]
    pub(crate) no_limits: bool,

    /// For tests: kills the process after this number of database commits
    #[arg(long, value_name = "N", hide = true)]
    pub(crate) die_after_commits: Option<u64>,
}

/// Kind of work that a server does in a group of servers, as a command-line value.
#[derive(Clone, Copy, ValueEnum, Debug)]
pub(crate) enum RoleArg {
    /// Answers requests, and does background work
    All,
    /// Answers requests; another server must do the background work, such as the turns of computer opponents
    Web,
    /// Does background work, and answers only /healthz, /readyz and, with --metrics, /metrics
    Worker,
}

impl From<RoleArg> for ServerRole {
    fn from(role: RoleArg) -> Self {
        match role {
            RoleArg::All => Self::All,
            RoleArg::Web => Self::Web,
            RoleArg::Worker => Self::Worker,
        }
    }
}

/// Format of the messages in the server's log.
#[derive(Clone, Copy, ValueEnum, Debug)]
pub(crate) enum LogForm {
    /// Each message as one JSON object on a line
    Json,
    /// Messages as human-readable text
    Text,
}

/// Prints the OpenAPI document of the server's interface
#[derive(Args, Debug)]
pub(crate) struct OpenapiArgs {}

/// Prints completions for a shell
#[derive(Args, Debug)]
#[command(after_long_help = examples::COMPLETIONS)]
pub(crate) struct CompletionsArgs {
    /// Shell for which the completions are printed
    pub(crate) shell: Shell,
}

/// Prints the manual page of the program or of a command
#[derive(Args, Debug)]
#[command(after_long_help = examples::MAN)]
pub(crate) struct ManArgs {
    /// Command whose manual page is printed, such as solve or tablebase build; without a command, the page of the program
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_definition_is_consistent() {
        Cli::command().debug_assert();
    }
}
