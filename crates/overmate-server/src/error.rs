//! Defines the errors of HTTP requests, each with its HTTP status, error code, public text and log level.

use std::borrow::Cow;
use std::sync::Arc;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use tracing::Level;

use crate::names::NameFault;
use crate::store::StoreError;
use crate::wire::{Code, MatchView, Problem};

/// Error that an HTTP request or a message on a live connection causes. The `Display` text is public; internal causes are logged only.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ApiError {
    #[error("the request is not valid: {0}")]
    BadRequest(String),
    #[error("the {0} does not exist, or this browser may not see it")]
    NotFound(&'static str),
    #[error("the path does not support the HTTP method of the request")]
    MethodNotAllowed,
    #[error("it is the other player's turn: wait for their action")]
    NotYourTurn,
    #[error("the action is not legal: {0}")]
    IllegalAction(String),
    #[error(
        "the match has changed since the state for which the action was chosen: read its new state"
    )]
    Conflict(Box<MatchView>),
    #[error("the request is allowed only to the players of the match")]
    NotAPlayer,
    #[error("the invitation has already been used: ask for a new invitation or create a match")]
    InvitationUsed,
    #[error("the match is over and cannot be changed: create a new match")]
    MatchOver,
    #[error("the request is refused until the end of a game or match: {0}")]
    MatchRunning(&'static str),
    #[error("the match does not allow the request: {0}")]
    NotAllowed(&'static str),
    #[error("you have no action in the current game that an undo could take back")]
    NothingToUndo,
    #[error("the match has reached a limit of the server: {0}")]
    MatchFull(&'static str),
    #[error("a browser may have at most {most} unfinished matches: finish or resign one of them")]
    TooManyUnfinished { most: u32 },
    #[error(
        "a browser may have at most {most} matches: export them and erase them in the settings"
    )]
    TooManyKept { most: u32 },
    #[error(transparent)]
    Name(#[from] NameFault),
    #[error(
        "the request comes from a page of another site, which may not change matches on this server"
    )]
    ForeignOrigin,
    #[error(
        "this server does not answer for the host name of the request: the operator allows host names with the option --host"
    )]
    ForeignHost,
    #[error("there are too many {what} from your network address: try again in {seconds} seconds")]
    TooMany { what: &'static str, seconds: u64 },
    /// The number of requests or connections has reached the limit for all clients together.
    #[error("all clients together have too many {what}: try again soon")]
    Full { what: &'static str },
    #[error("the request is larger than the server accepts: send less data")]
    TooLarge,
    #[error(
        "the body of the request is not JSON: send JSON with the header Content-Type: application/json"
    )]
    UnsupportedMediaType,
    #[error("the request exceeded the time limit of the server: try again")]
    Timeout,
    /// The server is overloaded or lacks disk space; the text is the cause for the log.
    #[error("the server is busy: try again soon")]
    Busy(Cow<'static, str>),
    /// The server has failed; the text is the cause for the log.
    #[error("the server failed: its log has the cause under the id of this request")]
    Internal(String),
}

/// HTTP status, error code, title and log level of an error.
struct Facts {
    status: StatusCode,
    code: Code,
    title: &'static str,
    level: Level,
}

impl ApiError {
    #[allow(clippy::needless_pass_by_value, reason = "`map_err` passes errors by value")]
    pub(crate) fn bad_request(reason: impl ToString) -> Self {
        Self::BadRequest(reason.to_string())
    }

    /// Creates the error for a failure of the server from its cause, which is logged and not sent to the client.
    #[allow(clippy::needless_pass_by_value, reason = "`map_err` passes errors by value")]
    pub(crate) fn internal(reason: impl ToString) -> Self {
        Self::Internal(reason.to_string())
    }

    /// Creates the error for an overloaded server from the cause, which is logged and not sent to the client.
    pub(crate) fn busy(cause: impl Into<Cow<'static, str>>) -> Self {
        Self::Busy(cause.into())
    }

    fn facts(&self) -> Facts {
        let (status, code, title, level) = match self {
            Self::BadRequest(_) => {
                (StatusCode::BAD_REQUEST, Code::BadRequest, "Not understood", Level::DEBUG)
            }
            Self::NotFound(_) => (StatusCode::NOT_FOUND, Code::NotFound, "Not found", Level::DEBUG),
            Self::MethodNotAllowed => (
                StatusCode::METHOD_NOT_ALLOWED,
                Code::MethodNotAllowed,
                "Not this method",
                Level::DEBUG,
            ),
            Self::NotYourTurn => {
                (StatusCode::CONFLICT, Code::NotYourTurn, "Not your turn", Level::DEBUG)
            }
            Self::IllegalAction(_) => {
                (StatusCode::UNPROCESSABLE_ENTITY, Code::IllegalAction, "Not legal", Level::DEBUG)
            }
            Self::Conflict(_) => {
                (StatusCode::CONFLICT, Code::Conflict, "The match has gone on", Level::DEBUG)
            }
            Self::NotAPlayer => {
                (StatusCode::FORBIDDEN, Code::NotAPlayer, "Not a player", Level::DEBUG)
            }
            Self::InvitationUsed => {
                (StatusCode::GONE, Code::InvitationUsed, "Invitation used", Level::DEBUG)
            }
            Self::MatchOver => (StatusCode::CONFLICT, Code::MatchOver, "Match over", Level::DEBUG),
            Self::MatchRunning(_) => {
                (StatusCode::FORBIDDEN, Code::MatchRunning, "Not while it is played", Level::DEBUG)
            }
            Self::NotAllowed(_) => {
                (StatusCode::FORBIDDEN, Code::NotAllowed, "Not in this match", Level::DEBUG)
            }
            Self::NothingToUndo => {
                (StatusCode::CONFLICT, Code::NothingToUndo, "Nothing to take back", Level::DEBUG)
            }
            Self::MatchFull(_) => {
                (StatusCode::CONFLICT, Code::MatchFull, "Match is full", Level::DEBUG)
            }
            Self::TooManyUnfinished { .. } | Self::TooManyKept { .. } => {
                (StatusCode::CONFLICT, Code::MatchesFull, "Too many matches", Level::DEBUG)
            }
            Self::Name(NameFault::TooLong) => {
                (StatusCode::BAD_REQUEST, Code::NameTooLong, "Name too long", Level::DEBUG)
            }
            Self::Name(NameFault::Refused) => {
                (StatusCode::BAD_REQUEST, Code::NameRefused, "Name refused", Level::DEBUG)
            }
            Self::ForeignOrigin => {
                (StatusCode::FORBIDDEN, Code::ForeignOrigin, "Foreign page", Level::DEBUG)
            }
            Self::ForeignHost => (
                StatusCode::MISDIRECTED_REQUEST,
                Code::ForeignOrigin,
                "Foreign host name",
                Level::DEBUG,
            ),
            Self::TooMany { .. } => {
                (StatusCode::TOO_MANY_REQUESTS, Code::TooMany, "Too many", Level::DEBUG)
            }
            Self::Full { .. } => {
                (StatusCode::SERVICE_UNAVAILABLE, Code::Busy, "Busy", Level::DEBUG)
            }
            Self::TooLarge => {
                (StatusCode::PAYLOAD_TOO_LARGE, Code::TooLarge, "Too large", Level::DEBUG)
            }
            Self::UnsupportedMediaType => (
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                Code::UnsupportedMediaType,
                "Not JSON",
                Level::DEBUG,
            ),
            Self::Timeout => (StatusCode::REQUEST_TIMEOUT, Code::Timeout, "Too slow", Level::WARN),
            Self::Busy(_) => (StatusCode::SERVICE_UNAVAILABLE, Code::Busy, "Busy", Level::WARN),
            Self::Internal(_) => (
                StatusCode::INTERNAL_SERVER_ERROR,
                Code::Internal,
                "The server failed",
                Level::ERROR,
            ),
        };
        Facts { status, code, title, level }
    }

    /// Converts the error to the problem response (RFC 9457) that is sent to the client.
    pub(crate) fn problem(&self, request_id: Option<String>) -> Problem {
        let Facts { status, code, title, .. } = self.facts();
        Problem {
            kind: "about:blank".to_owned(),
            title: title.to_owned(),
            status: status.as_u16(),
            detail: self.to_string(),
            code,
            request_id,
            state: match self {
                Self::Conflict(state) => Some(state.clone()),
                _ => None,
            },
        }
    }

    /// Logs the error with its cause, and counts it in the metrics.
    pub(crate) fn log(&self) {
        let Facts { code, level, .. } = self.facts();
        let cause = match self {
            Self::Internal(cause) => cause.as_str(),
            Self::Busy(cause) => cause,
            _ => "",
        };
        metrics::counter!("overmate_problems_total", "code" => code_text(code)).increment(1);
        if let Some(kind) = self.refusal() {
            metrics::counter!("overmate_refusals_total", "kind" => kind).increment(1);
        }
        match level {
            Level::ERROR => tracing::error!(code = code_text(code), cause, "{self}"),
            Level::WARN => tracing::warn!(code = code_text(code), cause, "{self}"),
            _ => tracing::debug!(code = code_text(code), "{self}"),
        }
    }

    /// Returns the metric label of an error that refuses a request, or `None` for other errors. Refusals are counted and not logged, because
    /// a hostile client can cause any number of them.
    fn refusal(&self) -> Option<&'static str> {
        match self {
            Self::TooMany { what, .. } | Self::Full { what } => Some(what),
            Self::ForeignOrigin => Some("foreign origin"),
            Self::ForeignHost => Some("foreign host"),
            Self::TooLarge => Some("too large"),
            Self::MatchFull(_) => Some("match full"),
            Self::Name(_) => Some("name"),
            Self::TooManyUnfinished { .. } => Some("unfinished matches"),
            Self::TooManyKept { .. } => Some("kept matches"),
            Self::BadRequest(_) => Some("bad request"),
            Self::NotAPlayer => Some("not a player"),
            _ => None,
        }
    }

    /// Returns the number of seconds after which a client may repeat the request, or `None` if a repetition is not advised.
    pub(crate) fn retry_after(&self) -> Option<u64> {
        match self {
            Self::TooMany { seconds, .. } => Some(*seconds),
            Self::Busy(_) | Self::Full { .. } => Some(1),
            _ => None,
        }
    }
}

/// Returns the text that stands for an error code in JSON.
pub(crate) fn code_text(code: Code) -> String {
    serde_json::to_value(code)
        .ok()
        .and_then(|value| value.as_str().map(str::to_owned))
        .unwrap_or_default()
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Busy(cause) => Self::busy(cause),
            StoreError::Failed(cause) => Self::Internal(cause),
        }
    }
}

impl IntoResponse for ApiError {
    /// Attaches the error to an HTTP response. The problem layer, which knows the request id, writes the body and logs the error.
    fn into_response(self) -> Response {
        let mut response = self.facts().status.into_response();
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}
