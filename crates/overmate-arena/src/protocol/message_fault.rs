//! Defines the faults of messages from an arena to a bot.

use overmate_bots::Standing;
use overmate_json::FactsError;
use overmate_rules::{DealFaults, Illegal, ReadError};

use crate::protocol::wire::{DOCUMENT, VERSION};

/// Maximum accepted length, in bytes, of a line from the arena to the bot.
pub(super) const MAX_LINE: u64 = 4 << 20;

/// Reason why a bot rejects a message from an arena, such as invalid JSON or an illegal action.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MessageFault {
    /// The line from the arena is longer than the bot accepts.
    #[error(
        "the line has more than {MAX_LINE} bytes, the limit for a message: send shorter messages"
    )]
    TooLong,
    /// The line from the arena is not JSON.
    #[error(
        "the line is not JSON, at column {column}: send one JSON object on each line, first {{\"type\":\"hello\",\"protocol\":{VERSION},\"arena\":\"NAME\"}} (see {DOCUMENT})"
    )]
    NotJson {
        /// Number of the column in the line at which the text stops being JSON, in bytes from 1.
        column: usize,
        /// Error of the JSON parser.
        source: serde_json::Error,
    },
    /// The line from the arena holds further text after a JSON value.
    #[error(
        "the line has further text after a JSON value, at column {column}: send one JSON object on each line"
    )]
    FurtherText {
        /// Number of the column at which the text after the JSON value begins, in bytes from 1.
        column: usize,
    },
    /// The line from the arena is JSON, but not a message of the bot protocol.
    #[error("the line is not a message of the bot protocol")]
    NotAMessage(#[source] serde_json::Error),
    /// The arena speaks a version of the bot protocol that differs from the bot's version.
    #[error(
        "the arena speaks version {0} of the bot protocol, but this bot speaks version {VERSION}: update the older program"
    )]
    OtherVersion(u32),
    /// The message is about a game, but no match has begun.
    #[error("no match has begun: send the message `match` first")]
    NoMatch,
    /// The rule set of the match in the message is invalid.
    #[error("the rule set in the message is not valid")]
    Rules(#[from] FactsError),
    /// The message contains a dealt card in invalid notation.
    #[error("a card in the dealt hands of the message cannot be read")]
    Card(#[source] ReadError),
    /// The dealt hands in the arena's message are not a deal of the match's rule set.
    #[error("the dealt hands in the message are not a deal of the rule set")]
    Deal(#[from] DealFaults),
    /// The message contains an action in invalid notation.
    #[error("the action `{action}` cannot be read")]
    Action {
        /// Text of the unreadable action in the message.
        action: String,
        /// Parse error for the text of the action.
        source: ReadError,
    },
    /// The message contains an action that is illegal in the described game.
    #[error("the action `{action}` is not legal")]
    Illegal {
        /// Text of the illegal action in the arena's message.
        action: String,
        /// Reason why the action in the arena's message is illegal.
        source: Illegal,
    },
    /// The message reports a forfeit in a game that has already ended.
    #[error(
        "the message reports the forfeit of a game that had already ended: report a forfeit only of an unfinished game"
    )]
    Forfeit(#[source] Illegal),
    /// The message reports the end of a game, but hides a foreplaced card.
    #[error(
        "the game has ended, but the message hides a foreplaced card: reveal all cards of an ended game"
    )]
    FaceDown,
    /// The arena requests an action from the bot although it is the opponent's turn.
    #[error(
        "the message requests an action of the bot, but the opponent is to act: wait for the turn of the bot"
    )]
    NotTheTurn,
    /// The message reports the end of a game that has not ended yet.
    #[error(
        "the message reports the end of an unfinished game: list all actions of the game, and after a forfeit, name the forfeiting side in `by`"
    )]
    NotOver,
    /// The match has no game, or more games than [`Standing::MAX_GAMES`].
    #[error("a match has 1 to {} games, not {games}: play several matches", Standing::MAX_GAMES)]
    GameCount {
        /// Rejected number of games in the arena's message.
        games: usize,
    },
    /// The game number in the message is 0, or exceeds the number of games in the match, or the match has more
    /// games than [`Standing::MAX_GAMES`].
    #[error(
        "there can be no game {game} of {games}: number the games of a match from 1, and play at most {} games in a match",
        Standing::MAX_GAMES
    )]
    Game {
        /// Rejected game number in the arena's message.
        game: usize,
        /// Number of games in the match, as stated in the message.
        games: usize,
    },
    /// The message from the arena to the bot states points outside the allowed range.
    #[error(
        "the message states {you} points for the bot and {other} for its opponent: the points of each player must be from 0 to {}",
        Standing::MAX_POINTS
    )]
    Points {
        /// Points of the bot, as stated in the message.
        you: i32,
        /// Points of the bot's opponent, as stated in the message.
        other: i32,
    },
}
