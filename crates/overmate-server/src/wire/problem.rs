//! Defines the JSON type of problem responses (RFC 9457).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use overmate_json::MatchView;

/// Problem response (RFC 9457) to a failed request, sent as `application/problem+json`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// Type of the problem in the sense of RFC 9457, always `about:blank`. `code` names the kind of the problem.
    #[serde(rename = "type")]
    pub kind: String,
    /// Title of the problem in a few English words.
    pub title: String,
    /// HTTP status of the response.
    pub status: u16,
    /// English sentence that names the fault and the remedy.
    pub detail: String,
    /// Machine-readable error code. The meaning of a code never changes.
    pub code: Code,
    /// Id of the failed request in the server's log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// Current state of the match if the code is `conflict`, otherwise null.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<Box<MatchView>>,
}

/// Machine-readable error code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    /// The request cannot be read, or names a rule set, deal or card that does not exist.
    BadRequest,
    /// The match, invitation or page does not exist, or this browser may not see the requested object.
    NotFound,
    /// The path does not support the HTTP method of the request.
    MethodNotAllowed,
    /// It is the other player's turn.
    NotYourTurn,
    /// The rules do not allow the action in the current position.
    IllegalAction,
    /// The sequence number in the request is not the latest sequence number of the match. The problem holds the current state
    /// of the match.
    Conflict,
    /// Only players of the match may send this request.
    NotAPlayer,
    /// The invitation has already been used.
    InvitationUsed,
    /// The person has used up their quota of open offers.
    OffersFull,
    /// The account has as many unfinished events as the server permits.
    EventsFull,
    /// The event is closed to new players or to changes.
    EventClosed,
    /// The account has as many favourites as the server permits.
    FavouritesFull,
    /// The person has muted or blocked as many other persons as the server permits.
    IgnoredFull,
    /// The handle has too many open challenges, or the requester has already challenged the handle.
    ChallengesFull,
    /// The offer has been accepted by another person, or has expired.
    OfferGone,
    /// The offer is the requester's own, and only another person may accept the offer.
    OwnOffer,
    /// The code for adding a browser is invalid, used or expired.
    CodeRefused,
    /// The link of an e-mail is not valid, has been used, or is too old.
    LinkRefused,
    /// No account has the given handle and password.
    SignInRefused,
    /// The server offers no passkeys at the address of the request.
    PasskeysOff,
    /// The passkey is unknown, the answer is wrong, or the challenge is too old or already used.
    PasskeyRefused,
    /// The account has as many passkeys as the server permits.
    PasskeysFull,
    /// The passkey is the only way to sign in to the account.
    LastWayIn,
    /// The request contains neither the current password of the account nor an unused recovery code.
    PasswordWrong,
    /// The browser already belongs to an account. It can neither join another person nor get a second account.
    HasAccount,
    /// A rated match needs an account, which this browser does not have.
    AccountNeeded,
    /// The handle, or a handle that looks alike, belongs to another account or did so within the last year.
    HandleTaken,
    /// The account got its current handle too recently to change it again.
    HandleTooNew,
    /// The handle has an invalid length or character.
    HandleNotValid,
    /// The password has fewer than 10 or more than 256 characters.
    PasswordLength,
    /// The password contains the handle, has too few different characters, or is among the most common passwords.
    PasswordWeak,
    /// The bot token in the request is not valid.
    TokenRefused,
    /// Bots may not send this request, or a bot token does not suffice for the request.
    BotRefused,
    /// The bot has as many tokens as the server permits.
    TokensFull,
    /// The two players have reached the limit on rated matches with each other within 24 hours.
    RatedPairFull,
    /// The account has left as many rated matches as it may in a day before both players have acted.
    RatedLeftFull,
    /// The match has ended and cannot be changed.
    MatchOver,
    /// The request is refused until the end of the game or match.
    MatchRunning,
    /// The request is not allowed in this kind of match, such as an undo or hint between two people.
    NotAllowed,
    /// The player has no action to undo.
    NothingToUndo,
    /// The match has reached its limit on undos or log entries. Actions and resignation are still
    /// possible.
    MatchFull,
    /// A browser in the match has used up its quota of matches.
    MatchesFull,
    /// The name of a player is longer than 40 characters.
    NameTooLong,
    /// The name or handle contains a word that the operator refuses.
    NameRefused,
    /// A text to another player is longer than 200 characters.
    TextTooLong,
    /// A text to another player contains a word that the operator refuses.
    TextRefused,
    /// The two players may not send free texts, because they have not added one another to their favourites.
    TalkClosed,
    /// An operator has muted the person, who may not send phrases and texts for some time.
    MutedByOperator,
    /// An operator has closed the account.
    AccountClosed,
    /// The request came from a page of another site, which may not change data on this server.
    ForeignOrigin,
    /// The client has sent too many requests, or opened too many connections or matches. The client should try again later.
    TooMany,
    /// The request is larger than the server accepts.
    TooLarge,
    /// The header `Content-Type` of the request is not the media type of JSON.
    UnsupportedMediaType,
    /// The server did not receive or answer the request within its time limit.
    Timeout,
    /// The server is overloaded or about to stop. The client should try again soon.
    Busy,
    /// The server failed because of an internal error. Its log holds the cause.
    Internal,
}
