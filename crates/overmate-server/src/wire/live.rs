//! Defines the JSON messages of a live connection, which is a WebSocket for the updates of one match.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::matches::MatchView;
use super::player::PlayerWire;
use super::problem::Problem;

/// Message from the client to the server on a live connection.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "t", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientMessage {
    /// First message of the client on a connection. The answer is a `state`. If the server cannot answer at the moment, it sends
    /// a `problem` and closes the connection with code 1013.
    Hello {
        /// Sequence number of the match state that the client has with all its finished games; null without a state. The answer
        /// leaves out these games.
        #[serde(default)]
        have: Option<u64>,
    },
    /// Request to take an action in the match. The answer is an `ack` or a `problem`. The `changed` message of the action may come before the `ack`.
    Act {
        /// Sequence number of the match state on which the client chose the action.
        sequence: u64,
        /// Chosen action in notation.
        action: String,
        /// Unique name of the request, which makes the request idempotent.
        client_id: String,
    },
    /// Report that the player's page shows the match, or is in the background. In a match between people the server answers with
    /// `presence`, and sends `presence` and `said` from then on.
    Attend {
        /// Whether the page is in the background.
        hidden: bool,
    },
    /// Request of a player to say a phrase to the opponent. Must follow `attend`. The server stores no phrases.
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
    /// State of the match, as the answer to `hello`. The message leaves out finished games that the client has: see
    /// `finished_from`.
    State {
        /// State of the match, with only the facts that this client may know.
        state: Box<MatchView>,
    },
    /// State of the match after one or more changes. The message leaves out finished games that the client has: see
    /// `finished_from`.
    Changed {
        /// Sequence number of the state. It exceeds the sequence number of the last message.
        sequence: u64,
        /// State of the match, with only the facts that this client may know.
        state: Box<MatchView>,
    },
    /// Acknowledgement that the client's action is stored durably.
    Ack {
        /// Client id of the request for the acknowledged action.
        client_id: String,
        /// Sequence number of the match after the action, or a later one.
        sequence: u64,
    },
    /// Report that the server could not handle a message of the client.
    Problem {
        /// Client id of the failed request for an action; null for a message of another kind.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        client_id: Option<String>,
        /// Problem (RFC 9457) that describes the failure.
        problem: Box<Problem>,
    },
    /// Presence of both players, sent to a player after `attend` and after every change. The message covers only connections to
    /// this server process. A player may be connected to another process.
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
    /// Time in RFC 3339 at which an absent player left the table; null for other kinds, and if the time is unknown.
    #[schema(required)]
    pub since: Option<String>,
}

/// Kind of a player's presence.
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
