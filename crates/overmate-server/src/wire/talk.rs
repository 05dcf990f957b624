//! Defines the JSON types of the free-text chat messages that two players write to each other.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use overmate_json::PlayerWire;

/// Free-text chat message of a player in a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct TalkLine {
    /// Number of the chat message in the match, from 1. Later messages have larger numbers.
    pub number: u64,
    /// Player who sent the chat message.
    pub player: PlayerWire,
    /// Text of the chat message: at most 200 characters in Unicode normalisation form C, without invisible characters.
    pub text: String,
    /// Time at which the server stored the chat message, in RFC 3339.
    pub at: String,
}

/// Free-text chat messages of both players of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Talk)]
pub struct TalkState {
    /// Whether you may send a free-text chat message to your opponent now. You may if you and the opponent have added one another to your
    /// favourites.
    pub writable: bool,
    /// Free-text chat messages of the match, ordered by number.
    pub lines: Vec<TalkLine>,
}

/// Request to send a free-text chat message to the opponent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTalkLine {
    /// Text of the chat message to send, at most 200 characters. The server removes invisible characters.
    #[schema(max_length = 1_000)]
    pub text: String,
    /// Client id: an idempotency key that the client chooses for the request. A repeated request with the same id has no further effect.
    #[schema(min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub client_id: String,
    /// Number of the latest chat message that the client has; 0 for a client without messages. The response leaves out the messages up to
    /// this number.
    #[serde(default)]
    #[schema(maximum = 1_000_000)]
    pub after: u64,
}

/// Free-text chat message, as part of a data export.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedTalkLine {
    /// Id of the match in which the chat message was sent.
    pub match_id: String,
    /// Chat message with its number, sender and time.
    pub line: TalkLine,
}
