//! Defines the JSON type of problem responses (RFC 9457).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use overmate_json::MatchView;

/// Problem response (RFC 9457) to a failed request, sent as `application/problem+json`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// Problem type (RFC 9457), always `about:blank`. The field `code` names the kind of the problem.
    #[serde(rename = "type")]
    pub kind: String,
    /// Title of the problem: a few English words.
    pub title: String,
    /// HTTP status of the response.
    pub status: u16,
    /// English sentence that explains the problem and its remedy.
    pub detail: String,
    /// Machine-readable error code of the problem. The meaning of a code never changes.
    pub code: Code,
    /// Id of the failed request in the server's log; absent without such an id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// Current state of the match if the error code of the problem is `conflict`; otherwise absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<Box<MatchView>>,
}

/// Machine-readable error code of a problem response.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    /// The request is malformed, or names a rule set, deal or card that does not exist.
    BadRequest,
    /// The match, invitation or page does not exist, or this browser may not see the requested object.
    NotFound,
    /// The requested URL path does not support the HTTP method of the request.
    MethodNotAllowed,
    /// It is not the requester's turn.
    NotYourTurn,
    /// The rules do not allow the action in the current position.
    IllegalAction,
    /// The request refers to an outdated state: its sequence number is not the latest sequence number of the match. The problem
    /// holds the current state of the match.
    Conflict,
    /// Only players of the match may send this request.
    NotAPlayer,
    /// The invitation to the match has already been used.
    InvitationUsed,
    /// The person already has as many open match offers as the server permits.
    OffersFull,
    /// The account has as many unfinished tournament events as the server permits.
    EventsFull,
    /// The request comes too late for the tournament event, or is reserved for the event's creator or players. Some requests come too late
    /// when the event has begun, others when it has ended.
    EventClosed,
    /// The tournament event has as many players as an event may have.
    EventFull,
    /// The account has as many favourites as the server permits.
    FavouritesFull,
    /// The person has muted or blocked as many other persons as the server permits.
    IgnoredFull,
    /// The challenged player has too many open challenges, has an open challenge from the requester, or has recently declined a
    /// challenge of the requester.
    ChallengesFull,
    /// Another person has accepted the match offer, or the offer has ended.
    OfferGone,
    /// The requester made the match offer, and cannot accept their own offer.
    OwnOffer,
    /// The linking or recovery code in the request is invalid, used or expired.
    CodeRefused,
    /// The link from an e-mail is invalid, used or expired.
    LinkRefused,
    /// No account has the given handle and password.
    SignInRefused,
    /// The server offers no passkeys at the host name of the request.
    PasskeysOff,
    /// The passkey is unknown, the authenticator's answer is wrong, or the challenge is expired or used.
    PasskeyRefused,
    /// The account has as many passkeys as the server permits.
    PasskeysFull,
    /// The passkey is the only way to sign in to the account, and therefore cannot be removed.
    LastWayIn,
    /// The password in the request is neither the account's current password nor an unused recovery code.
    PasswordWrong,
    /// The browser already belongs to an account. The browser can neither join another person nor get a second account.
    HasAccount,
    /// The request needs an account, which this browser does not have. Examples are a rated match, a challenge and an event.
    AccountNeeded,
    /// The handle, or a handle that looks alike, belongs to another account, or belonged to another account within the last year.
    HandleTaken,
    /// The account's handle was changed too recently to be changed again.
    HandleTooNew,
    /// The handle has an invalid length, contains an invalid character, or breaks another rule for handles.
    HandleNotValid,
    /// The password has fewer than 10 or more than 256 characters.
    PasswordLength,
    /// The password contains the handle, has too few different characters, or is among the most common passwords.
    PasswordWeak,
    /// The bot token in the request is invalid, was removed, or belongs to a closed account.
    TokenRefused,
    /// Another browser or an operator has signed this browser out. The refusal of a request that would give the browser a new identity
    /// removes its cookie, and a repeated request gets the new identity.
    SignedOut,
    /// The kind of the account (bot or person) does not allow the request, or a bot token does not suffice for the request.
    BotRefused,
    /// The bot has as many tokens as the server permits.
    TokensFull,
    /// The two players have begun as many rated matches with each other as the server permits within 24 hours.
    RatedPairFull,
    /// Within a day, the account has resigned too many rated matches in which at least one player had not acted yet.
    RatedLeftFull,
    /// The match is over and cannot be changed.
    MatchOver,
    /// The server refuses the request until the end of a running game or match.
    MatchRunning,
    /// The kind of the match does not allow the request, such as an undo or hint in a match between two people.
    NotAllowed,
    /// The player has no action to undo.
    NothingToUndo,
    /// The match has reached the limit on its undos or log entries. Actions and resignation are
    /// still possible.
    MatchFull,
    /// A person who would hold a seat of the match already has as many matches as the server permits.
    MatchesFull,
    /// A name or title in the request is longer than 40 characters.
    NameTooLong,
    /// A name, title or handle in the request contains a word that the server's operator has banned, or the handle is reserved.
    NameRefused,
    /// The text to another player is longer than 200 characters.
    TextTooLong,
    /// The text to another player contains a word that the server's operator has banned.
    TextRefused,
    /// The two players may not send free-text chat messages, because they have not added one another to their favourites.
    TalkClosed,
    /// An operator has muted the person, who may send neither chat phrases nor free-text chat messages for some time.
    MutedByOperator,
    /// An operator has closed the account.
    AccountClosed,
    /// The request came from a page of another site, which may not change data on this server. The code also stands for a request
    /// to a host name that the server does not serve.
    ForeignOrigin,
    /// The client has sent too many requests, or has opened too many connections or matches. The client should try again later.
    TooMany,
    /// The request is larger than the server accepts.
    TooLarge,
    /// The header `Content-Type` of the request is not the media type of JSON.
    UnsupportedMediaType,
    /// The server's timeout for receiving or answering the request has expired.
    Timeout,
    /// The server is overloaded or about to stop. The client should try again soon.
    Busy,
    /// The server failed because of an internal error. The server's log holds the cause.
    Internal,
}

impl Code {
    /// Returns the JSON text of the error code.
    pub(crate) fn text(self) -> String {
        let text = serde_json::to_value(self).ok();
        text.and_then(|text| text.as_str().map(str::to_owned)).unwrap_or_default()
    }
}
