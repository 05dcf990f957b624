//! The messages of a live connection.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{MatchState, Problem};

/// What a client sends.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "t", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientMessage {
    /// The first message: which sequence it has, if any. The answer is a `state`; if there can be none now, a `problem`, and
    /// the connection is closed with code 1013.
    Hello {
        /// The sequence of the state that it has, with all finished games: the answer then holds only those that are new.
        #[serde(default)]
        have: Option<u64>,
    },
    /// An action. The answer is an `ack` or a `problem`; the `changed` that tells of it may come before.
    Act {
        /// The sequence of the state that the action answers.
        sequence: u64,
        /// In notation.
        action: String,
        /// Made by the client for this action alone.
        client_id: String,
    },
    /// Asks for a `pong`.
    Ping,
}

/// What the server sends.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "t", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The match as it stands. To who said what it has, of finished games it holds those that are new: see `finished_from`.
    State {
        /// The match.
        state: Box<MatchState>,
    },
    /// Something has happened, perhaps several things at once: a state stands for all that came before it. Of finished games
    /// it holds those that are new: see `finished_from`.
    Changed {
        /// The sequence of the state: higher than the last one told, and not always by 1.
        sequence: u64,
        /// The match.
        state: Box<MatchState>,
    },
    /// An action is stored.
    Ack {
        /// Which.
        client_id: String,
        /// The sequence of the match after it, or a later one.
        sequence: u64,
    },
    /// Something went wrong.
    Problem {
        /// The action that it answers, if it is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        client_id: Option<String>,
        /// What.
        problem: Box<Problem>,
    },
    /// Answers a `ping`.
    Pong,
}
