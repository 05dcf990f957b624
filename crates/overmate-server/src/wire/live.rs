//! Defines the JSON messages of a live connection: a WebSocket with the updates of one match.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::problem::Problem;
use super::talk::TalkLine;
use overmate_json::{MatchView, PlayerWire};

/// Message from the client to the server on a live connection.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "t", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientMessage {
    /// First message of a client, which requests the state of the match. The answer is a `state`.
    /// If the server cannot answer at the moment, it sends a `problem` and closes the connection
    /// with code 1013.
    Hello {
        /// Sequence number of the match state that the client already has; null without a state.
        /// The answer leaves out these games.
        #[serde(default)]
        have: Option<u64>,
    },
    /// Request to take an action in a match. The answer is an `ack` or a `problem`. The `changed`
    /// message of the action may come before the `ack`.
    Act {
        /// Sequence number of the match state on which the client chose the action.
        sequence: u64,
        /// Chosen action in text notation, such as `Kc`.
        action: String,
        /// Client id of the request, which makes the request idempotent.
        client_id: String,
    },
    /// Report of whether the player's page is in the foreground or in the background. In a match between people the server
    /// answers with `presence` and `talk`, and sends `presence`, `said` and `talk` from then on.
    Attend {
        /// Whether the page is in the background.
        hidden: bool,
    },
    /// Request to send a chat phrase to the opponent. Must follow `attend`. The server stores no
    /// phrases. A phrase can get lost on its way to another server process.
    Say {
        /// Chat phrase to send.
        phrase: Phrase,
    },
    /// Request for a `pong` message.
    Ping,
}

/// Message from the server to the client on a live connection.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "t", rename_all = "snake_case")]
pub enum ServerMessage {
    /// State of the match, in response to `hello`. The message leaves out finished games that the
    /// client has: see `finished_from`.
    State {
        /// Match state with only the facts that this client may know.
        state: Box<MatchView>,
    },
    /// State of the match after one or more changes. The message leaves out finished games that the client has: see
    /// `finished_from`.
    Changed {
        /// Sequence number of the match state. It exceeds the sequence number of the last message.
        sequence: u64,
        /// Match state with only the facts that this client may know.
        state: Box<MatchView>,
    },
    /// Acknowledgement that an action of the client has been stored durably.
    Ack {
        /// Client id of the request for the acknowledged action.
        client_id: String,
        /// Sequence number of the match after the action, or a later sequence number.
        sequence: u64,
    },
    /// Report that a message of the client has failed.
    Problem {
        /// Client id of the failed request; null for a message other than an action.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        client_id: Option<String>,
        /// Problem (RFC 9457) that describes the failure.
        problem: Box<Problem>,
    },
    /// Presence of both players, sent after `attend` and after each change. A change at another server process arrives within
    /// some seconds. The end of a process that was killed shows within a minute.
    Presence {
        /// Presence of player A.
        a: PlayerPresence,
        /// Presence of player B.
        b: PlayerPresence,
    },
    /// Chat phrase of a player, sent to both players.
    Said {
        /// Player who sent the chat phrase.
        player: PlayerWire,
        /// Chat phrase, which the page shows in the reader's language.
        phrase: Phrase,
    },
    /// Free texts of the players, sent to both players: all texts after `attend`, and then each new text.
    Talk {
        /// Free texts, ordered by number. The client may know some of them already.
        lines: Vec<TalkLine>,
    },
    /// Response to a `ping` message.
    Pong,
}

/// Presence of a player in a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct PlayerPresence {
    /// Kind of presence: here, away or gone.
    pub kind: PresenceKind,
    /// Time at which the player's last connection ended, in RFC 3339; null for a connected player, and if the time is unknown.
    #[schema(required)]
    pub since: Option<String>,
}

/// Kind of a player's presence.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PresenceKind {
    /// A page of the player shows the match in the foreground.
    Here,
    /// All pages of the player are in the background.
    Away,
    /// No page of the player is connected to the match.
    Gone,
}

/// Predefined chat phrase of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phrase {
    /// Greeting before a game: "Good luck".
    GoodLuck,
    /// Praise of the opponent's play: "Well played".
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
