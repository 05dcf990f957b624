//! Faults of the messages that an arena sends to a bot.

use overmate_json::FactsError;
use overmate_rules::{DealFaults, Illegal, ReadError};

use crate::protocol::wire::VERSION;

/// Fault of a message from an arena to a bot.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MessageFault {
    /// Line of the bot protocol with more bytes than the bot accepts.
    #[error("the line has more than {max} bytes")]
    TooLong {
        /// Largest accepted number of bytes.
        max: u64,
    },
    /// Line that is not a message of the bot protocol.
    #[error("the line is not a message of the protocol")]
    NotAMessage(#[source] serde_json::Error),
    /// Greeting of an arena that speaks another version of the protocol.
    #[error("the arena speaks version {0} of the protocol, but this bot speaks version {VERSION}")]
    OtherVersion(u32),
    /// Message about a game that the bot received before any match had begun.
    #[error("no match has begun: send `match` first")]
    NoMatch,
    /// Start of a match under a rule set that is not valid.
    #[error("the rule set is not valid")]
    Rules(#[from] FactsError),
    /// Dealt card whose notation cannot be read.
    #[error("a dealt card cannot be read")]
    Card(#[source] ReadError),
    /// Dealt hands that are not a deal of the rule set.
    #[error("the dealt hands are not a deal of the rule set")]
    Deal(#[from] DealFaults),
    /// Action whose notation cannot be read.
    #[error("the action `{action}` cannot be read")]
    Action {
        /// Text of the action in the message.
        action: String,
        /// Error of reading the text.
        source: ReadError,
    },
    /// Action that is not legal in the described game.
    #[error("the action `{action}` is not legal")]
    Illegal {
        /// Text of the action in the message.
        action: String,
        /// Reason why the action is not legal.
        source: Illegal,
    },
    /// Game that had already ended before the forfeit that a message reports.
    #[error("the message ends a game by a forfeit that is not possible")]
    Forfeit(#[source] Illegal),
    /// Ended game in whose message the card that the opponent set aside (foreplaced) is still hidden.
    #[error("the game has ended, but the message hides a foreplaced card")]
    FaceDown,
    /// Request for an action in a game in which the other player is to act.
    #[error("the message asks the bot for an action in the opponent's turn")]
    NotTheTurn,
    /// Message about the end of a game that has not ended.
    #[error("the message ends a game that has not ended")]
    NotOver,
    /// Number of a game in a message, although the match has no game with this number.
    #[error("game {game} is not one of the {games} games of the match")]
    Game {
        /// Number of the game in the message.
        game: usize,
        /// Number of games of the match in the message.
        games: usize,
    },
    /// Points of a match in a message, if the points are out of range.
    #[error("the points of the match, {you} and {other}, must be from 0 to {max}")]
    Points {
        /// Points of the bot in the message.
        you: i32,
        /// Points of the opponent in the message.
        other: i32,
        /// Largest accepted number of points.
        max: i32,
    },
}
