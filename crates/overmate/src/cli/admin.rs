//! Defines the arguments of the command `admin`, with which operators find and change the data of a server.

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Subcommand, ValueEnum, value_parser};
use overmate_rules::Player;

use super::examples;
use super::maintenance::DataOptions;
use super::values::read_rule_set_name;

/// Maximum length of an operator's reason or warning, in characters.
const LONGEST_TEXT: usize = 400;

/// Finds and changes matches and browser identities in a server's database, also while the server runs
#[derive(Args, Debug)]
#[command(after_long_help = examples::ADMIN)]
pub(crate) struct AdminArgs {
    #[command(flatten)]
    pub(crate) data: DataOptions,

    /// Prints JSON, one object per line
    #[arg(long, global = true)]
    pub(crate) json: bool,

    #[command(subcommand)]
    pub(crate) command: AdminCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum AdminCommand {
    Find(FindArgs),
    Rename(RenameArgs),
    End(EndArgs),
    Revoke(RevokeArgs),
    Erase(EraseArgs),
    Reports(ReportsArgs),
    Warn(WarnArgs),
    Mute(MuteArgs),
    Close(CloseArgs),
    FairPlay(FairPlayArgs),
    Log(LogArgs),
    Event(EventArgs),
}

/// Finds matches, open offers and tournament events by id, link, browser id, handle such as @anna, or name
///
/// The exit code is 1 if nothing is found.
#[derive(Args, Debug)]
pub(crate) struct FindArgs {
    /// Maximum number of matches, of offers and of events to show
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = value_parser!(u32).range(1..=10_000))]
    pub(crate) limit: u32,

    /// Id of a match, offer, event or browser identity; an invitation, a link to a match or event, a handle, or part of a name or title
    #[arg(value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) text: String,
}

/// Changes or removes a name in a match or open offer, all names of a browser identity, or the title of an event
#[derive(Args, Debug)]
pub(crate) struct RenameArgs {
    #[command(flatten)]
    pub(crate) reason: ReasonOption,

    /// Player whose name changes; if TARGET is a browser identity, its name changes only in matches that the browser plays as this player
    #[arg(long)]
    pub(crate) player: Option<PlayerArg>,

    /// Id or link of a match or event, id of an offer or browser identity, or handle such as @anna
    #[arg(value_name = "TARGET")]
    pub(crate) target: String,

    /// New name, or new title of an event; without this argument the name is removed
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
}

/// Ends a running match by the resignation of one player
#[derive(Args, Debug)]
pub(crate) struct EndArgs {
    #[command(flatten)]
    pub(crate) reason: ReasonOption,

    /// Player who resigns
    #[arg(long)]
    pub(crate) loser: PlayerArg,

    /// Id or link of the match
    #[arg(value_name = "MATCH")]
    pub(crate) target: String,
}

/// Revokes an unused invitation or the cookie of a browser identity, or withdraws an open offer
///
/// All data of the browser move to a new id, for which no cookie exists. The old cookie then opens no data. The matches of the
/// browser continue without their player; operators can end or erase the matches under the new id. A player with an account signs
/// in again, and then has all data.
#[derive(Args, Debug)]
pub(crate) struct RevokeArgs {
    #[command(flatten)]
    pub(crate) reason: ReasonOption,

    /// Also removes the passkeys of the account, in case a stranger has added a passkey; the owner then needs a password to sign in
    #[arg(long)]
    pub(crate) passkeys: bool,

    /// Invitation, id of a match, link to a match, id of an offer, id of a browser identity, or handle such as @anna
    #[arg(value_name = "TARGET")]
    pub(crate) target: String,
}

/// Erases all data of a browser identity, like the erasure in the settings of the web page
#[derive(Args, Debug)]
pub(crate) struct EraseArgs {
    #[command(flatten)]
    pub(crate) reason: ReasonOption,

    /// Id of the browser identity, or handle such as @anna
    #[arg(value_name = "BROWSER")]
    pub(crate) target: String,
}

/// Lists the open reports of players about their opponents, or settles a report
///
/// Each report has its match, both players, the reason, the words of the player who reports, the chat messages of the
/// match, and its record: the deals, the moves and the result. With --json, the field `record` holds the record as
/// `overmate replay` and `overmate review` read it.
#[derive(Args, Debug)]
pub(crate) struct ReportsArgs {
    /// Also lists settled reports
    #[arg(long, conflicts_with = "settle")]
    pub(crate) all: bool,

    /// Settles the report with this id without a measure against the player
    #[arg(long, value_name = "ID", requires = "reason")]
    pub(crate) settle: Option<String>,

    /// Reason for this command, stored in the operators' log; the reason must not name any person
    #[arg(long, value_name = "TEXT", value_parser = read_line, requires = "settle")]
    pub(crate) reason: Option<String>,
}

/// Shows a warning to a person on every page from their next visit on, until they confirm it
#[derive(Args, Debug)]
pub(crate) struct WarnArgs {
    #[command(flatten)]
    pub(crate) act: MeasureOptions,

    /// Handle such as @anna, or id of a browser identity
    #[arg(value_name = "HANDLE")]
    pub(crate) target: String,

    /// Text of the warning
    #[arg(value_name = "TEXT", value_parser = read_line)]
    pub(crate) text: String,
}

/// Forbids a person to send chat phrases and chat messages for a number of days
#[derive(Args, Debug)]
pub(crate) struct MuteArgs {
    #[command(flatten)]
    pub(crate) act: MeasureOptions,

    /// Number of days of the mute, at most 3,650; 0 ends the current mute
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(0..=3_650))]
    pub(crate) days: u32,

    /// Handle such as @anna, or id of a browser identity
    #[arg(value_name = "HANDLE")]
    pub(crate) target: String,
}

/// Closes an account, or opens a closed account again
///
/// The owner of a closed account cannot sign in, play rated matches, challenge players, make or join events, make codes or access tokens,
/// or send chat phrases and chat messages. Their open challenges and rated offers are withdrawn, of a bot all open offers. They leave the
/// events that have not begun, and are not paired again in running events. Their profile shows that the account is closed. Running matches
/// continue.
#[derive(Args, Debug)]
pub(crate) struct CloseArgs {
    #[command(flatten)]
    pub(crate) act: MeasureOptions,

    /// Opens the closed account again
    #[arg(long)]
    pub(crate) reopen: bool,

    /// Handle such as @anna, or id of a browser identity
    #[arg(value_name = "HANDLE")]
    pub(crate) target: String,
}

/// Command-line options of a measure against a person, such as a mute.
#[derive(Args, Debug)]
pub(crate) struct MeasureOptions {
    #[command(flatten)]
    pub(crate) reason: ReasonOption,

    /// Also settles the report with this id
    #[arg(long, value_name = "ID")]
    pub(crate) settle: Option<String>,
}

/// Shows how often a person finds the best action in clocked matches, by ranges of decision times
///
/// Only finished matches with clocks of minutes against other people count, and only real choices: decisions whose actions
/// have different exact values. The table also shows the opponents in the same matches, and peers. Peers are at most 30 other
/// players for each rule set whose live ratings there differ by at most 100 points, each with their latest 10 matches. Everybody can
/// consult a solver, and good play is no proof of it: the figures change nothing by themselves.
#[derive(Args, Debug)]
pub(crate) struct FairPlayArgs {
    /// Maximum number of finished matches to look at, beginning with the latest match
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = value_parser!(u32).range(1..=1_000))]
    pub(crate) limit: u32,

    /// Id of the browser identity, or handle such as @anna
    #[arg(value_name = "BROWSER")]
    pub(crate) target: String,
}

/// Lists the recorded acts of operators, such as mutes and closed accounts, the oldest first
#[derive(Args, Debug)]
pub(crate) struct LogArgs {}

/// Makes, lists and removes tournament events: arenas and Swiss events of the operator
#[derive(Args, Debug)]
pub(crate) struct EventArgs {
    #[command(subcommand)]
    pub(crate) command: EventCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum EventCommand {
    /// Makes a tournament event, and prints its id
    Make(MakeEventArgs),
    /// Lists the tournament events that are not over
    List,
    /// Removes a tournament event before its start
    Remove {
        /// Id of the tournament event
        #[arg(value_name = "ID")]
        id: String,
    },
}

/// Makes a tournament event, and prints its id
#[derive(Args, Debug)]
pub(crate) struct MakeEventArgs {
    /// Number of rounds of a Swiss event, 1 to 15; without this option the event is an arena
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=15))]
    pub(crate) rounds: Option<u32>,

    /// Duration of an arena in minutes, 5 to 240
    #[arg(long, value_name = "N", default_value_t = 60, conflicts_with = "rounds", value_parser = value_parser!(u32).range(5..=240))]
    pub(crate) minutes: u32,

    /// Title of the tournament event
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,

    /// Name of the event's rule set, which must have 20 cards and no face-down card
    #[arg(long, value_name = "RULES", default_value = "bga", value_parser = read_rule_set_name)]
    pub(crate) rules: String,

    /// Base time of each player for a match, in seconds, 30 to 900
    #[arg(long, value_name = "SECONDS", default_value_t = 180, value_parser = value_parser!(u32).range(30..=900))]
    pub(crate) base: u32,

    /// Increment for each action except a player's first, in seconds, 0 to 30
    #[arg(long, value_name = "SECONDS", default_value_t = 2, value_parser = value_parser!(u32).range(0..=30))]
    pub(crate) increment: u32,

    /// Minutes until the start of the event, 0 to 20160 (14 days)
    #[arg(long, value_name = "MINUTES", default_value_t = 60, value_parser = value_parser!(u32).range(0..=20_160))]
    pub(crate) starts_in: u32,

    /// Interval in days between the starts of the events of a series, 1 to 365; 0 for a single event
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = value_parser!(u32).range(0..=365))]
    pub(crate) every_days: u32,
}

/// Command-line option for the reason of an operator's act, such as a mute.
#[derive(Args, Debug)]
pub(crate) struct ReasonOption {
    /// Reason for this command, stored in the operators' log; the reason must not name any person
    #[arg(long, value_name = "TEXT", value_parser = read_line)]
    pub(crate) reason: String,
}

/// Player of a match, as a value on the command line.
#[derive(Clone, Copy, ValueEnum, Debug)]
pub(crate) enum PlayerArg {
    /// Player A, who leads in the first game
    A,
    /// Player B
    B,
}

impl From<PlayerArg> for Player {
    fn from(player: PlayerArg) -> Self {
        match player {
            PlayerArg::A => Self::A,
            PlayerArg::B => Self::B,
        }
    }
}

/// Validates a text that an operator has given, such as a reason or a warning.
fn read_line(text: &str) -> Result<String, String> {
    let text = text.trim();
    let is_printable = !text.chars().any(char::is_control);
    if text.is_empty() || text.chars().count() > LONGEST_TEXT || !is_printable {
        return Err(format!(
            "the text is empty, too long, or has a control character such as a line break: give one line of 1 to {LONGEST_TEXT} characters"
        ));
    }
    Ok(text.to_owned())
}
