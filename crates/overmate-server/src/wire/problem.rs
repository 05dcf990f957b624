//! What went wrong, as RFC 9457 puts it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::MatchState;

/// What went wrong. Sent as `application/problem+json`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// Always `about:blank`: the code says what kind of problem it is.
    #[serde(rename = "type")]
    pub kind: String,
    /// The problem in a few words.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What is wrong, and what to do, in a sentence.
    pub detail: String,
    /// The kind of problem; never changes its meaning.
    pub code: Code,
    /// The request, as the log of the server names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The match as it stands, where the problem is that it stands otherwise than the request took it to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<Box<MatchState>>,
}

/// A kind of problem.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    /// The request cannot be read, or asks for what does not exist: a wrong rule set, deal, card.
    BadRequest,
    /// There is no such thing, or this browser may not see it.
    NotFound,
    /// There is such a path, for another method.
    MethodNotAllowed,
    /// It is the other player's turn.
    NotYourTurn,
    /// The rules do not allow this action here.
    IllegalAction,
    /// The match has gone on since the sequence that was named; the state is with the problem.
    Conflict,
    /// Only the players of the match may do this.
    NotAPlayer,
    /// The invitation has been used.
    InvitationUsed,
    /// The match is over.
    MatchOver,
    /// It has to wait until the game or match is over.
    MatchRunning,
    /// This kind of match does not allow it: undo or hints between two people.
    NotAllowed,
    /// There is nothing to take back.
    NothingToUndo,
    /// The request came from a page of another site.
    ForeignOrigin,
    /// Too many requests, connections or matches; try again later.
    TooMany,
    /// The request is larger than it may be.
    TooLarge,
    /// The body is not JSON by its `Content-Type`.
    UnsupportedMediaType,
    /// It took too long.
    Timeout,
    /// The server has more to do than it can, or is stopping; try again soon.
    Busy,
    /// The server failed; it has written down why.
    Internal,
}
