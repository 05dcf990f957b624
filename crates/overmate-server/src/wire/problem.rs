//! Problems, as RFC 9457 defines them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::matches::MatchView;

/// Failure of a request, sent as `application/problem+json`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// Always `about:blank`. The code tells the kind of problem.
    #[serde(rename = "type")]
    pub kind: String,
    /// Kind of problem in a few words.
    pub title: String,
    /// HTTP status.
    pub status: u16,
    /// Fault and remedy, in a sentence.
    pub detail: String,
    /// Code of the problem. The meaning of a code never changes.
    pub code: Code,
    /// Id of the request in the log of the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// Present state of the match, with the code `conflict`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<Box<MatchView>>,
}

/// Code of a problem.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    /// The request cannot be read, or names a rule set, deal or card that does not exist.
    BadRequest,
    /// The match, invitation or page does not exist, or this browser may not see it.
    NotFound,
    /// The path does not support the method.
    MethodNotAllowed,
    /// It is the other player's turn.
    NotYourTurn,
    /// The rules do not allow this action here.
    IllegalAction,
    /// The match has another sequence than the request; the problem holds its state.
    Conflict,
    /// Only the players of the match may do this.
    NotAPlayer,
    /// The invitation has been used.
    InvitationUsed,
    /// The match is over.
    MatchOver,
    /// The request is refused until the game or match is over.
    MatchRunning,
    /// This kind of match does not allow the request: for example an undo or hint between two people.
    NotAllowed,
    /// There is no action to take back.
    NothingToUndo,
    /// The match has as many undos or log entries as the server allows. Actions and the resignation are still possible.
    MatchFull,
    /// A browser of this match has as many matches, unfinished or in all, as the server allows.
    MatchesFull,
    /// The name of a player is longer than 40 characters.
    NameTooLong,
    /// The name of a player contains a word that the operator of the server refuses.
    NameRefused,
    /// The request came from a page of another site.
    ForeignOrigin,
    /// Too many requests, connections or matches; try again later.
    TooMany,
    /// The request is larger than it may be.
    TooLarge,
    /// The body is not JSON by its `Content-Type`.
    UnsupportedMediaType,
    /// The request took too long.
    Timeout,
    /// The server is overloaded or stopping; try again soon.
    Busy,
    /// The server failed; its log has the cause.
    Internal,
}
