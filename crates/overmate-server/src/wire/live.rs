//! Defines the JSON messages of a live connection: a WebSocket with the updates of one match.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::problem::Problem;
use super::talk::TalkLine;
use overmate_json::{MatchView, PlayerWire};

/// Message from the client to the server on a live connection.
// All variants of this enum have braces, because Serde refuses unknown fields only in variants with braces.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "t", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientMessage {
    /// First message of a client, which requests the state of the match. The server answers with a
    /// `state` message. A server that cannot answer at the moment sends a `problem`, and closes the
    /// connection with code 1013.
    Hello {
        /// Sequence number of the match state that the client already has; null for a client
        /// without a match state. The answer leaves out the finished games of that state.
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
        /// Client id: an idempotency key that the client chooses for the request. A repeated request with the same id has no further
        /// effect.
        client_id: String,
    },
    /// Report of the client that its page is in the foreground or in the background. In a match between people, the server answers
    /// with `presence` and `talk`. From then on, the server also sends each new `presence`, `said` and `talk`. A program with a bot token
    /// receives only `presence`.
    Attend {
        /// Whether the player's page is in the background.
        hidden: bool,
    },
    /// Request to send a predefined chat phrase to the opponent. The client must have sent `attend`
    /// before. The server stores no phrases. A phrase can get lost on its way to another server
    /// process.
    Say {
        /// Chat phrase to send.
        phrase: Phrase,
    },
    /// Request that the server answer with a `pong` message.
    Ping {},
}

/// Message from the server to the client on a live connection.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "t", rename_all = "snake_case")]
pub enum ServerMessage {
    /// State of the match, in response to a `hello` message. The message leaves out the finished games that the client already has:
    /// see `finished_from`.
    State {
        /// Match state, with only the data that this client may see.
        state: Box<MatchView>,
    },
    /// State of the match after one or more changes. The message leaves out the finished games that the client already has: see
    /// `finished_from`.
    Changed {
        /// Sequence number of the match state. The number is larger than in the previous message.
        sequence: u64,
        /// Match state, with only the data that this client may see.
        state: Box<MatchView>,
    },
    /// Acknowledgement that an action of the client has been stored durably.
    Ack {
        /// Id that the client chose for its request to take the acknowledged action.
        client_id: String,
        /// Sequence number of the match state after the action, or of a later match state.
        sequence: u64,
    },
    /// Report that a message of the client has failed.
    Problem {
        /// Id that the client chose for its failed request to take an action. The id is absent if the failed message was not a request for
        /// an action.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        client_id: Option<String>,
        /// Problem (RFC 9457) that describes why the client's message failed.
        problem: Box<Problem>,
    },
    /// Presence of both players in the match, sent in response to an `attend` message and after each change of the presence. A
    /// change at another server process arrives within some seconds. If a server process is killed, its players are shown as absent
    /// within a minute.
    Presence {
        /// Presence of player A.
        a: PlayerPresence,
        /// Presence of player B.
        b: PlayerPresence,
    },
    /// Predefined chat phrase of a player. The server sends the phrase to both players, but neither to an opponent who has muted or blocked
    /// the sender, nor to a program with a bot token.
    Said {
        /// Player who sent the chat phrase.
        player: PlayerWire,
        /// Chat phrase, which the page shows in the viewer's language.
        phrase: Phrase,
    },
    /// Free-text chat messages of the players. The server answers the first `attend` message with all chat messages, and
    /// then sends each new message. The messages of an opponent whom the player has muted or blocked are left out. A program with a bot
    /// token receives no messages.
    Talk {
        /// Free-text chat messages of the players, ordered by number. The client may already have some of these messages.
        lines: Vec<TalkLine>,
    },
    /// Response to a `ping` message.
    Pong,
}

/// Presence of a player in a match: whether a page of the player shows the match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct PlayerPresence {
    /// Kind of the player's presence: here, away or gone.
    pub kind: PresenceKind,
    /// Time at which the player's last connection ended, in RFC 3339; null for a connected player, and if the time is unknown.
    #[schema(required)]
    pub since: Option<String>,
}

/// Kind of a player's presence in a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PresenceKind {
    /// At least one page of the player that is connected to the match is in the foreground.
    Here,
    /// All pages of the player that are connected to the match are in the background.
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
    /// Announcement that the player needs time to think: "Thinking …".
    Thinking,
    /// Announcement of a short absence: "Back in a moment".
    BackSoon,
    /// Thanks: "Thank you".
    Thanks,
    /// Farewell: "Good game".
    GoodGame,
}
