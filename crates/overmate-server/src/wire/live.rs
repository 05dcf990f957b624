//! Defines the JSON messages of a live connection (a WebSocket for the updates of one match).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::matches::MatchView;
use super::player::PlayerWire;
use super::problem::Problem;

/// Message from the client to the server on a live connection.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "t", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientMessage {
    /// First message of the client on a connection. The answer is a `state`. If the server cannot answer now, it sends a `problem` and closes the
    /// connection with code 1013.
    Hello {
        /// Sequence number of the match state that the client has with all its finished games; null without a state. The answer omits these games.
        #[serde(default)]
        have: Option<u64>,
    },
    /// Request to take an action in the match. The answer is an `ack` or a `problem`. The `changed` message of the action may come before the `ack`.
    Act {
        /// Sequence number of the match state for which the client chose the action.
        sequence: u64,
        /// Chosen action in notation.
        action: String,
        /// Unique name of the request, which makes the request idempotent.
        client_id: String,
    },
    /// Report that the page of a player shows the match, or is in the background. In a match between people the server answers with `presence`, and
    /// from then on sends `presence` and `said`.
    Attend {
        /// Whether the page is in the background.
        hidden: bool,
    },
    /// Request of a player to say a phrase to the opponent, after `attend`. The server keeps no phrases.
    Say {
        /// Phrase to say.
        phrase: Phrase,
    },
    /// Request for the message `pong`.
    Ping,
}

/// Message from the server to the client on a live connection.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "t", rename_all = "snake_case")]
pub enum ServerMessage {
    /// State of the match, sent in answer to `hello`. The message holds the finished games that the client does not have: see `finished_from`.
    State {
        /// State of the match, with only the facts that this client may know.
        state: Box<MatchView>,
    },
    /// State of the match, sent after one or more changes. The message holds the finished games that the client does not have: see `finished_from`.
    Changed {
        /// Sequence number of the state, greater than the sequence number of the last message.
        sequence: u64,
        /// State of the match, with only the facts that this client may know.
        state: Box<MatchView>,
    },
    /// Acknowledgement that the client's action is stored durably.
    Ack {
        /// Client id of the request for the acknowledged action.
        client_id: String,
        /// Sequence number of the match after the action, or a later sequence number.
        sequence: u64,
    },
    /// Report that the server could not handle a message of the client.
    Problem {
        /// Client id of the failed request for an action; null if the failed message was of another kind.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        client_id: Option<String>,
        /// Problem (RFC 9457) that describes the failure.
        problem: Box<Problem>,
    },
    /// Presence of both players, sent to a player after `attend` and after every change. The message covers the connections of this server process: a
    /// player may be connected to another process.
    Presence {
        /// Presence of player A.
        a: PlayerPresence,
        /// Presence of player B.
        b: PlayerPresence,
    },
    /// Phrase that a player says, sent to both players.
    Said {
        /// Player who says the phrase.
        player: PlayerWire,
        /// Phrase that the page shows in the reader's language.
        phrase: Phrase,
    },
    /// Answer to the message `ping`.
    Pong,
}

/// Presence of a player at the table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct PlayerPresence {
    /// Kind of presence.
    pub kind: PresenceKind,
    /// Time, in RFC 3339, at which a player who is gone left the table; null for other kinds, and if the time is not known.
    #[schema(required)]
    pub since: Option<String>,
}

/// Kind of a player's presence at the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PresenceKind {
    /// A page of the player shows the match.
    Here,
    /// All pages of the player are in the background.
    Away,
    /// No page of the player is connected.
    Gone,
}

/// Phrase that a player can say to the opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phrase {
    /// Greeting before a game: "Good luck".
    GoodLuck,
    /// Praise of an action: "Well played".
    WellPlayed,
    /// Request for patience while the player thinks: "Thinking …".
    Thinking,
    /// Announcement of a short absence: "Back in a moment".
    BackSoon,
    /// Thanks: "Thank you".
    Thanks,
    /// Farewell: "Good game".
    GoodGame,
}
