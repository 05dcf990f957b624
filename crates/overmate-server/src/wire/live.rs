//! JSON messages of a live connection.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::matches::MatchView;
use super::problem::Problem;

/// Message from a client to the server.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "t", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientMessage {
    /// First message of a connection. The answer is a `state`. If the server cannot answer now, it sends a `problem` and closes the
    /// connection with code 1013.
    Hello {
        /// Sequence number of the client's state, which includes all finished games. The answer omits these games.
        #[serde(default)]
        have: Option<u64>,
    },
    /// Request for an action. The answer is an `ack` or a `problem`. The `changed` message of the action may come before the `ack`.
    Act {
        /// Sequence number of the state for which the action was chosen.
        sequence: u64,
        /// Action in notation.
        action: String,
        /// Unique name of the request, which makes it idempotent.
        client_id: String,
    },
    /// Request for a `pong`.
    Ping,
}

/// Message from the server to a client.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "t", rename_all = "snake_case")]
pub enum ServerMessage {
    /// State of the match, in answer to `hello`. Of the finished games it holds those that the client does not have: see
    /// `finished_from`.
    State {
        /// Match as this client may see it.
        state: Box<MatchView>,
    },
    /// State of the match after one or more changes. Of the finished games it holds those that the client does not have: see
    /// `finished_from`.
    Changed {
        /// Sequence number of the state, greater than the sequence number of the last message.
        sequence: u64,
        /// Match as this client may see it.
        state: Box<MatchView>,
    },
    /// Acknowledgement that an action is durable.
    Ack {
        /// Client id of the action.
        client_id: String,
        /// Sequence number of the match after the action, or a later sequence number.
        sequence: u64,
    },
    /// Failure of a message.
    Problem {
        /// Client id of the failed action, if the message was an action.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        client_id: Option<String>,
        /// Problem that describes the failure.
        problem: Box<Problem>,
    },
    /// Answer to a `ping`.
    Pong,
}
