//! Defines the errors of HTTP requests, each with its HTTP status, error code, public text and log level.

use std::borrow::Cow;
use std::error::Error;
use std::sync::Arc;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use overmate_json::AnalysisError;
use overmate_rules::error_with_causes;
use tracing::Level;

use crate::identity::handle::HandleFault;
use crate::identity::passwords::PasswordFault;
use crate::names::{PlayerNameFault, TextFault};
use crate::store::StoreError;
use crate::wire::{Code, MatchView, Problem};

/// Error response to an HTTP request or to a WebSocket message. The `Display` text is public;
/// internal causes only go to the log.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ApiError {
    #[error("the request is not valid: {0}")]
    BadRequest(String),
    #[error("the {0} does not exist, or this browser may not see it")]
    NotFound(&'static str),
    /// The server, the match or the person lacks a prerequisite of the request, such as a confirmed e-mail address. The field holds the
    /// whole error text for the client.
    #[error("{0}")]
    Lacking(&'static str),
    #[error(
        "the path does not support the HTTP method of the request: use a method that the header `Allow` of this response names"
    )]
    MethodNotAllowed,
    #[error("it is the other player's turn: wait for their action")]
    NotYourTurn,
    #[error("the action is not legal: {0}")]
    IllegalAction(String),
    #[error("the match has changed since you loaded it: load the match again, and choose again")]
    Conflict(Box<MatchView>),
    #[error(
        "the request is allowed only to the players of the match: send the request from the browser of a player"
    )]
    NotAPlayer,
    #[error("the invitation has already been used: ask for a new invitation or create a match")]
    InvitationUsed,
    #[error("the match is over and cannot be changed: create a new match")]
    MatchOver,
    #[error("the request is refused while a game or match goes on: {0}")]
    MatchRunning(&'static str),
    #[error("the request is not allowed: {0}")]
    NotAllowed(&'static str),
    #[error(
        "you have no action in the current game that an undo could take back: play an action first"
    )]
    NothingToUndo,
    #[error("the match has reached a limit of the server: {0}")]
    MatchFull(&'static str),
    #[error("a browser may have at most {most} unfinished matches: finish or resign one of them")]
    TooManyUnfinished { most: u32 },
    #[error(
        "a browser may have at most {most} matches: export and erase your matches in the settings"
    )]
    TooManyKept { most: u32 },
    #[error("a person may have at most {most} open offers: withdraw one of them")]
    TooManyOffers { most: u32 },
    #[error(
        "an account may have created at most {most} unfinished events: wait for the end of one of them"
    )]
    TooManyEvents { most: u32 },
    #[error(
        "the event has begun or ended, or only its host or its players may make this request: load the event again"
    )]
    EventClosed,
    #[error(
        "the event has {most} players, and an event may not have more: join another event, or make one"
    )]
    EventFull { most: u32 },
    #[error("an account may have at most {most} favourites: remove one of them")]
    TooManyFavourites { most: usize },
    #[error(
        "a person may have at most {most} mutes and {most} blocks: end a mute before a new mute, or a block before a new block"
    )]
    TooManyIgnored { most: usize },
    #[error(
        "the player has too many open challenges, has an open challenge from you, or declined your challenge less than a day ago: try again later"
    )]
    TooManyChallenges,
    #[error("the offer has ended, or somebody else has accepted the offer: choose another offer")]
    OfferGone,
    #[error("the offer is your own: wait until somebody else accepts it")]
    OwnOffer,
    #[error(
        "the linking or recovery code is not valid, has been used, or is too old: check the code, enter another recovery code, or make a new code in a browser that has your matches"
    )]
    CodeRefused,
    #[error(
        "the handle and the password do not belong together: check both, or use a recovery code"
    )]
    SignInRefused,
    #[error(
        "the link from the e-mail is not valid, has been used, or is too old: request a new e-mail"
    )]
    LinkRefused,
    #[error(
        "this server offers no passkeys at the address of the request: use a password, or ask the operator to set --public-url"
    )]
    PasskeysOff,
    #[error(
        "the passkey is unknown, already registered or not verifiable, or the sign-in or registration was completed before, began in another browser or took longer than 5 minutes: start again, or use another passkey"
    )]
    PasskeyRefused,
    #[error("an account may have at most {most} passkeys: remove one of them")]
    TooManyPasskeys { most: usize },
    #[error(
        "the passkey is the only way to sign in to the account: set a password or add another passkey first"
    )]
    LastWayIn,
    #[error(
        "the given password is neither your current password nor an unused recovery code: check your input"
    )]
    PasswordWrong,
    #[error(
        "there are too many attempts to sign in with this handle: try again in {seconds} seconds"
    )]
    TooManySignIns { seconds: u64 },
    #[error("this browser already belongs to an account: sign the browser out first")]
    HasAccount,
    #[error(
        "a rated match, a challenge or an event needs an account: make an account or sign in, and try again"
    )]
    AccountNeeded,
    #[error("the handle, or a handle that looks alike, is taken: choose another handle")]
    HandleTaken,
    #[error(
        "the handle was changed less than {days} days ago: change the handle again {days} days after that change"
    )]
    HandleTooNew { days: i64 },
    #[error(transparent)]
    Handle(#[from] HandleFault),
    #[error(transparent)]
    Password(#[from] PasswordFault),
    #[error(transparent)]
    Name(#[from] PlayerNameFault),
    #[error(transparent)]
    Text(#[from] TextFault),
    #[error(
        "an operator has muted you until {until}: wait until then before you send phrases or texts"
    )]
    MutedByOperator { until: String },
    #[error(
        "an operator has closed the account: ask the operator of this server to open the account again"
    )]
    AccountClosed,
    #[error(
        "free texts are possible only between two accounts that have each other as favourites: send a phrase instead"
    )]
    TalkClosed,
    #[error(
        "the request comes from a page of another site, which may not change matches on this server: ask the operator to allow the site with the option --origin"
    )]
    ForeignOrigin,
    #[error(
        "this server does not answer for the host name of the request: ask the operator to allow the host name with the option --host"
    )]
    ForeignHost,
    #[error(
        "the token in the header Authorization is not valid, was removed, or belongs to a closed account: make a new token in the settings"
    )]
    TokenRefused,
    #[error("the kind of the account (bot or person) does not allow the request: {0}")]
    BotRefused(&'static str),
    #[error(
        "two players may begin at most {most} rated matches with each other within 24 hours: play an unrated match, or play with somebody else"
    )]
    TooManyRated { most: u32 },
    #[error(
        "each day, an account may resign at most {most} rated matches before both players have acted: play on, and resign after both players have acted"
    )]
    TooManyAbandoned { most: u32 },
    #[error(
        "another browser or an operator has signed this browser out: sign in, or enter a linking or recovery code; to go on as a new person without your earlier matches, create a match, a second time if the first request is refused"
    )]
    SignedOut,
    #[error("a bot may have at most {most} tokens: remove one of them")]
    TooManyTokens { most: usize },
    #[error(
        "a limit on {what}, such as the limit of your browser or network, is reached: try again in {seconds} seconds"
    )]
    TooMany { what: &'static str, seconds: u64 },
    /// The server's limit on all clients together is reached, for example the limit on open connections.
    #[error("the server's limit on {what} is reached: try again soon")]
    Full { what: &'static str },
    #[error("the body of the request has more than {most} bytes: send less data")]
    TooLarge { most: usize },
    #[error(
        "the body of the request is not JSON: send JSON with the header Content-Type: application/json"
    )]
    UnsupportedMediaType,
    #[error("the request exceeded the time limit of the server: try again")]
    Timeout,
    /// The server is overloaded, or lacks disk space. The field holds the cause for the log.
    #[error("the server is busy: try again soon")]
    Busy(Cow<'static, str>),
    /// The server failed because of an internal error. The field holds the cause for the log.
    #[error(
        "the server failed: report the id of this request to the operator, who finds the cause in the log of the server"
    )]
    Internal(String),
}

/// HTTP status, error code, title, log level, metric label and `Retry-After` time of an API error.
struct Facts<'a> {
    status: StatusCode,
    code: Code,
    title: &'static str,
    level: Level,
    /// Internal cause of the error for the log; empty without a cause.
    cause: &'a str,
    /// Metric label for the number of requests refused with this error, or `None` for an error that is no refusal. Refusals are counted and
    /// not logged, because a hostile client can cause any number of them.
    refusal: Option<&'static str>,
    /// Value of the HTTP response header `Retry-After`, in seconds; `None` for a response without this header.
    retry_after: Option<u64>,
}

impl<'a> Facts<'a> {
    /// Returns the properties of an API error with the log level `debug` and without a `Retry-After` time.
    fn new(status: StatusCode, code: Code, title: &'static str) -> Self {
        Self {
            status,
            code,
            title,
            level: Level::DEBUG,
            cause: "",
            refusal: None,
            retry_after: None,
        }
    }

    /// Sets the metric label under which the refused request is counted.
    fn refusing(self, label: &'static str) -> Self {
        Self { refusal: Some(label), ..self }
    }

    /// Sets the log level and the internal cause of an error.
    fn logged(self, level: Level, cause: &'a str) -> Self {
        Self { level, cause, ..self }
    }

    /// Sets the value of the HTTP response header `Retry-After`, in seconds.
    fn retried_after(self, seconds: u64) -> Self {
        Self { retry_after: Some(seconds), ..self }
    }
}

impl ApiError {
    /// Error for a request that needs the deal of a rated match before the invited player has joined.
    pub(crate) const DEAL_HIDDEN: Self = Self::NotAllowed(
        "the deal of a rated match is hidden until the invited player has joined: wait for them",
    );

    /// Error for a request to store a person's data, from a browser that has neither a match nor an account on this server.
    pub(crate) const BROWSER_UNKNOWN: Self = Self::Lacking(
        "the server knows neither a match nor an account of this browser: begin a match or sign in first",
    );

    pub(crate) fn bad_request(reason: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::BadRequest(error_with_causes(&*reason.into()))
    }

    /// Creates an internal server error from its cause. The cause is logged, and not sent to the
    /// client.
    pub(crate) fn internal(reason: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Internal(error_with_causes(&*reason.into()))
    }

    /// Creates an error for an overloaded server from its cause. The cause is logged, and not sent
    /// to the client.
    pub(crate) fn busy(cause: impl Into<Cow<'static, str>>) -> Self {
        Self::Busy(cause.into())
    }

    #[expect(clippy::too_many_lines, reason = "the match has one arm for each error")]
    fn facts(&self) -> Facts<'_> {
        match self {
            Self::BadRequest(_) => {
                Facts::new(StatusCode::BAD_REQUEST, Code::BadRequest, "Request not valid")
                    .refusing("bad request")
            }
            Self::NotFound(_) | Self::Lacking(_) => {
                Facts::new(StatusCode::NOT_FOUND, Code::NotFound, "Not found")
            }
            Self::MethodNotAllowed => Facts::new(
                StatusCode::METHOD_NOT_ALLOWED,
                Code::MethodNotAllowed,
                "Method not allowed",
            ),
            Self::NotYourTurn => {
                Facts::new(StatusCode::CONFLICT, Code::NotYourTurn, "Not your turn")
            }
            Self::IllegalAction(_) => Facts::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                Code::IllegalAction,
                "Action not legal",
            ),
            Self::Conflict(_) => {
                Facts::new(StatusCode::CONFLICT, Code::Conflict, "The match has changed")
            }
            Self::NotAPlayer => Facts::new(StatusCode::FORBIDDEN, Code::NotAPlayer, "Not a player")
                .refusing("not a player"),
            Self::InvitationUsed => {
                Facts::new(StatusCode::GONE, Code::InvitationUsed, "Invitation used")
            }
            Self::TooManyOffers { .. } => {
                Facts::new(StatusCode::CONFLICT, Code::OffersFull, "Too many offers")
                    .refusing("open offers")
            }
            Self::TooManyEvents { .. } => {
                Facts::new(StatusCode::CONFLICT, Code::EventsFull, "Too many events")
                    .refusing("open events")
            }
            Self::EventClosed => {
                Facts::new(StatusCode::CONFLICT, Code::EventClosed, "Event closed")
            }
            Self::EventFull { .. } => {
                Facts::new(StatusCode::CONFLICT, Code::EventFull, "Event full")
                    .refusing("players of an event")
            }
            Self::TooManyFavourites { .. } => {
                Facts::new(StatusCode::CONFLICT, Code::FavouritesFull, "Too many favourites")
                    .refusing("favourites")
            }
            Self::TooManyIgnored { .. } => {
                Facts::new(StatusCode::CONFLICT, Code::IgnoredFull, "Too many mutes or blocks")
                    .refusing("ignored")
            }
            Self::TooManyChallenges => {
                Facts::new(StatusCode::CONFLICT, Code::ChallengesFull, "Too many challenges")
                    .refusing("challenges")
            }
            Self::OfferGone => Facts::new(StatusCode::GONE, Code::OfferGone, "Offer has ended"),
            Self::OwnOffer => {
                Facts::new(StatusCode::FORBIDDEN, Code::OwnOffer, "Offer is your own")
            }
            Self::CodeRefused => {
                Facts::new(StatusCode::FORBIDDEN, Code::CodeRefused, "Code refused")
                    .refusing("code")
            }
            Self::SignInRefused => {
                Facts::new(StatusCode::FORBIDDEN, Code::SignInRefused, "Sign-in refused")
                    .refusing("sign-in")
            }
            Self::LinkRefused => {
                Facts::new(StatusCode::FORBIDDEN, Code::LinkRefused, "Link refused")
                    .refusing("link")
            }
            Self::PasskeysOff => {
                Facts::new(StatusCode::FORBIDDEN, Code::PasskeysOff, "No passkeys here")
                    .refusing("passkey")
            }
            Self::PasskeyRefused => {
                Facts::new(StatusCode::FORBIDDEN, Code::PasskeyRefused, "Passkey refused")
                    .refusing("passkey")
            }
            Self::TooManyPasskeys { .. } => {
                Facts::new(StatusCode::CONFLICT, Code::PasskeysFull, "Too many passkeys")
                    .refusing("passkey")
            }
            Self::LastWayIn => {
                Facts::new(StatusCode::CONFLICT, Code::LastWayIn, "Only way to sign in")
                    .refusing("passkey")
            }
            Self::PasswordWrong => {
                Facts::new(StatusCode::FORBIDDEN, Code::PasswordWrong, "Wrong password")
                    .refusing("password")
            }
            Self::TooManySignIns { seconds } => {
                Facts::new(StatusCode::TOO_MANY_REQUESTS, Code::TooMany, "Too many requests")
                    .refusing("sign-ins with a handle")
                    .retried_after(*seconds)
            }
            Self::HasAccount => {
                Facts::new(StatusCode::CONFLICT, Code::HasAccount, "Account exists already")
                    .refusing("account")
            }
            Self::AccountNeeded => {
                Facts::new(StatusCode::FORBIDDEN, Code::AccountNeeded, "Account needed")
                    .refusing("account")
            }
            Self::HandleTaken => {
                Facts::new(StatusCode::CONFLICT, Code::HandleTaken, "Handle taken")
                    .refusing("handle")
            }
            Self::HandleTooNew { .. } => {
                Facts::new(StatusCode::CONFLICT, Code::HandleTooNew, "Handle changed recently")
                    .refusing("handle")
            }
            Self::Handle(HandleFault::Form) => {
                Facts::new(StatusCode::BAD_REQUEST, Code::HandleNotValid, "Handle not valid")
                    .refusing("handle")
            }
            Self::Handle(HandleFault::Refused) => {
                Facts::new(StatusCode::BAD_REQUEST, Code::NameRefused, "Handle refused")
                    .refusing("handle")
            }
            Self::Password(PasswordFault::Length) => Facts::new(
                StatusCode::BAD_REQUEST,
                Code::PasswordLength,
                "Password too short or too long",
            )
            .refusing("password"),
            Self::Password(PasswordFault::Weak) => {
                Facts::new(StatusCode::BAD_REQUEST, Code::PasswordWeak, "Weak password")
                    .refusing("password")
            }
            Self::MatchOver => Facts::new(StatusCode::CONFLICT, Code::MatchOver, "Match over"),
            Self::MatchRunning(_) => {
                Facts::new(StatusCode::FORBIDDEN, Code::MatchRunning, "Refused during play")
            }
            Self::NotAllowed(_) => {
                Facts::new(StatusCode::FORBIDDEN, Code::NotAllowed, "Not allowed")
            }
            Self::NothingToUndo => {
                Facts::new(StatusCode::CONFLICT, Code::NothingToUndo, "Nothing to take back")
            }
            Self::MatchFull(_) => {
                Facts::new(StatusCode::CONFLICT, Code::MatchFull, "Limit of the match reached")
                    .refusing("match full")
            }
            Self::TooManyUnfinished { .. } => {
                Facts::new(StatusCode::CONFLICT, Code::MatchesFull, "Too many matches")
                    .refusing("unfinished matches")
            }
            Self::TooManyKept { .. } => {
                Facts::new(StatusCode::CONFLICT, Code::MatchesFull, "Too many matches")
                    .refusing("kept matches")
            }
            Self::Name(PlayerNameFault::TooLong) => {
                Facts::new(StatusCode::BAD_REQUEST, Code::NameTooLong, "Name too long")
                    .refusing("name")
            }
            Self::Name(PlayerNameFault::Refused) => {
                Facts::new(StatusCode::BAD_REQUEST, Code::NameRefused, "Name refused")
                    .refusing("name")
            }
            Self::Text(TextFault::Empty) => {
                Facts::new(StatusCode::BAD_REQUEST, Code::BadRequest, "Empty text").refusing("text")
            }
            Self::Text(TextFault::TooLong) => {
                Facts::new(StatusCode::BAD_REQUEST, Code::TextTooLong, "Text too long")
                    .refusing("text")
            }
            Self::Text(TextFault::Refused) => {
                Facts::new(StatusCode::BAD_REQUEST, Code::TextRefused, "Text refused")
                    .refusing("text")
            }
            Self::MutedByOperator { .. } => {
                Facts::new(StatusCode::FORBIDDEN, Code::MutedByOperator, "Muted by an operator")
                    .refusing("text")
            }
            Self::AccountClosed => {
                Facts::new(StatusCode::FORBIDDEN, Code::AccountClosed, "Account closed")
                    .refusing("account")
            }
            Self::TalkClosed => {
                Facts::new(StatusCode::FORBIDDEN, Code::TalkClosed, "No free texts here")
                    .refusing("text")
            }
            Self::ForeignOrigin => {
                Facts::new(StatusCode::FORBIDDEN, Code::ForeignOrigin, "Page of another site")
                    .refusing("foreign origin")
            }
            Self::ForeignHost => Facts::new(
                StatusCode::MISDIRECTED_REQUEST,
                Code::ForeignOrigin,
                "Unknown host name",
            )
            .refusing("foreign host"),
            Self::TokenRefused => {
                Facts::new(StatusCode::UNAUTHORIZED, Code::TokenRefused, "Token refused")
                    .refusing("token")
            }
            Self::SignedOut => {
                Facts::new(StatusCode::UNAUTHORIZED, Code::SignedOut, "Browser signed out")
                    .refusing("signed out")
            }
            Self::BotRefused(_) => {
                Facts::new(StatusCode::FORBIDDEN, Code::BotRefused, "Refused to bots")
                    .refusing("bot")
            }
            Self::TooManyRated { .. } => {
                Facts::new(StatusCode::CONFLICT, Code::RatedPairFull, "Too many rated matches")
                    .refusing("rated matches of a pair")
            }
            Self::TooManyAbandoned { .. } => {
                Facts::new(StatusCode::CONFLICT, Code::RatedLeftFull, "Too many abandoned matches")
                    .refusing("abandoned rated matches")
            }
            Self::TooManyTokens { .. } => {
                Facts::new(StatusCode::CONFLICT, Code::TokensFull, "Too many tokens")
                    .refusing("token")
            }
            Self::TooMany { what, seconds } => {
                Facts::new(StatusCode::TOO_MANY_REQUESTS, Code::TooMany, "Too many requests")
                    .refusing(what)
                    .retried_after(*seconds)
            }
            Self::Full { what } => {
                Facts::new(StatusCode::SERVICE_UNAVAILABLE, Code::Busy, "Server busy")
                    .refusing(what)
                    .retried_after(1)
            }
            Self::TooLarge { .. } => {
                Facts::new(StatusCode::PAYLOAD_TOO_LARGE, Code::TooLarge, "Request too large")
                    .refusing("too large")
            }
            Self::UnsupportedMediaType => Facts::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                Code::UnsupportedMediaType,
                "Request is not JSON",
            ),
            Self::Timeout => {
                Facts::new(StatusCode::REQUEST_TIMEOUT, Code::Timeout, "Request took too long")
                    .logged(Level::WARN, "")
            }
            Self::Busy(cause) => {
                Facts::new(StatusCode::SERVICE_UNAVAILABLE, Code::Busy, "Server busy")
                    .logged(Level::WARN, cause)
                    .retried_after(1)
            }
            Self::Internal(cause) => {
                Facts::new(StatusCode::INTERNAL_SERVER_ERROR, Code::Internal, "The server failed")
                    .logged(Level::ERROR, cause)
            }
        }
    }

    /// Converts the error to the problem response (RFC 9457) for the client.
    pub(crate) fn problem(&self, request_id: Option<String>) -> Problem {
        let Facts { status, code, title, .. } = self.facts();
        Problem {
            kind: "about:blank".to_owned(),
            title: title.to_owned(),
            status: status.as_u16(),
            detail: self.to_string(),
            code,
            request_id,
            state: if let Self::Conflict(state) = self { Some(state.clone()) } else { None },
        }
    }

    /// Logs the error with its cause, and increments the error metrics.
    pub(crate) fn log(&self) {
        let Facts { code, level, cause, refusal, .. } = self.facts();
        metrics::counter!("overmate_problems_total", "code" => code.text()).increment(1);
        if let Some(kind) = refusal {
            metrics::counter!("overmate_refusals_total", "kind" => kind).increment(1);
        }
        match level {
            Level::ERROR => tracing::error!(code = code.text(), cause, "{self}"),
            Level::WARN => tracing::warn!(code = code.text(), cause, "{self}"),
            _ => tracing::debug!(code = code.text(), "{self}"),
        }
    }

    /// Returns the value of the HTTP response header `Retry-After`, in seconds, or `None` for a response without this header.
    pub(crate) fn retry_after(&self) -> Option<u64> {
        self.facts().retry_after
    }
}

impl From<AnalysisError> for ApiError {
    fn from(error: AnalysisError) -> Self {
        match error {
            AnalysisError::Request(text) => Self::BadRequest(text),
            AnalysisError::Illegal(text) => Self::IllegalAction(text),
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Busy(cause) => Self::busy(error_with_causes(&*cause)),
            StoreError::Failed(cause) => Self::internal(cause),
        }
    }
}

impl IntoResponse for ApiError {
    /// Converts the API error to an HTTP response with an empty body, and attaches the error to this response as an extension. The problem
    /// layer, which knows the request id, writes the body and the log message.
    fn into_response(self) -> Response {
        let mut response = self.facts().status.into_response();
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}
