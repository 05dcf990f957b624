//! Defines the JSON types of the free chat texts that two players write to each other.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use overmate_json::PlayerWire;

/// Free chat text of a player in a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct TalkLine {
    /// Number of the free text in the match, from 1. Later texts have larger numbers.
    pub number: u64,
    /// Player who sent the free text.
    pub player: PlayerWire,
    /// Text of at most 200 characters in Unicode normalisation form C, without invisible characters.
    pub text: String,
    /// Time at which the server stored the free text, in RFC 3339.
    pub at: String,
}

/// Free chat texts of both players of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Talk)]
pub struct TalkState {
    /// Whether you may send a free text to your opponent now, because both of you have added one another to your favourites.
    pub writable: bool,
    /// Free chat texts of the match, ordered by number.
    pub lines: Vec<TalkLine>,
}

/// Request to send a free chat text to the opponent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTalkLine {
    /// Free text to send, of at most 200 characters. The server removes invisible characters.
    #[schema(max_length = 1_000)]
    pub text: String,
    /// Client id: an idempotency key that the client chooses for the request. A repeated request with the same id has no further effect.
    #[schema(min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub client_id: String,
    /// Number of the last free text that the client has; 0 for a client without texts. The response leaves out the texts up to this
    /// number.
    #[serde(default)]
    #[schema(maximum = 1_000_000)]
    pub after: u64,
}

/// Free chat text, as part of a data export.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedTalkLine {
    /// Id of the match in which the free text was sent.
    pub match_id: String,
    /// Free text with its number, sender and time.
    pub line: TalkLine,
}
