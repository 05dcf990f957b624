//! Defines the JSON types of the personal data export and of the retention periods.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::accounts::MyAccount;
use super::answers::AnswerBranch;
use super::bots::MyBotToken;
use super::days_off::ExportedAbsence;
use super::events::ExportedEvent;
use super::lobby::OwnOffer;
use super::mail::ExportedMail;
use super::passkeys::MyPasskey;
use super::people::MyBrowsers;
use super::push::ExportedPush;
use super::puzzles::CountedAttempt;
use super::ratings::{ExportedMatchRating, ExportedRatingChange};
use super::relations::{Favourite, IgnoredPerson};
use super::reports::{ExportedReport, MyMeasures};
use super::talk::ExportedTalkLine;
use super::watching::MyVisibility;
use overmate_json::{MatchSummary, PlayerWire};

/// Export of all data that the server keeps about this browser and the person who uses the browser.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Export {
    /// Identity of this browser: the SHA-256 hash of the token in the browser's cookie, in hexadecimal digits. For browsers that share
    /// their matches, the identity is the hash of the first browser's token. The server does not keep the token. Null without a cookie.
    #[schema(required)]
    pub identity: Option<String>,
    /// Time of the export, in RFC 3339.
    pub exported_at: String,
    /// All matches in which the requester holds a seat.
    pub matches: Vec<ExportedMatch>,
    /// Requests by which the requester created matches.
    pub requests: Vec<ExportedRequest>,
    /// Match offers of the requester that the server still keeps: open offers, accepted offers and declined challenges.
    pub offers: Vec<ExportedOffer>,
    /// Puzzle attempts of the requester that counted for ratings, from new to old.
    pub puzzle_attempts: Vec<CountedAttempt>,
    /// Puzzle rating of the requester; null before the first puzzle attempt.
    #[schema(required)]
    pub puzzle_rating: Option<ExportedRating>,
    /// Operators' acts, such as a mute, that concern the requester, their matches or their seats, from old to new.
    pub operator_acts: Vec<ExportedAct>,
    /// Browsers of the requester, and the number of the requester's unused recovery codes.
    pub browsers: MyBrowsers,
    /// Periods of days off of the requester, the earliest first.
    pub absences: Vec<ExportedAbsence>,
    /// URL path of the secret feed of the requester's turns and deadlines; null without such a feed.
    #[schema(required)]
    pub feed: Option<String>,
    /// Push subscriptions of all browsers of the requester, without the keys of the subscriptions.
    pub push_subscriptions: Vec<ExportedPush>,
    /// Account of the requester, without the password hash; null without an account.
    #[schema(required)]
    pub account: Option<MyAccount>,
    /// Passkeys of the requester's account, without their public keys.
    pub passkeys: Vec<MyPasskey>,
    /// Tokens of the requester's bot account, without their secret texts, which the server does not keep.
    pub bot_tokens: Vec<MyBotToken>,
    /// E-mail address of the requester's account, and the e-mails to the account's owner.
    pub mail: ExportedMail,
    /// Ratings that the requester's account has got in rated matches.
    pub ratings: Vec<ExportedMatchRating>,
    /// Changes of the ratings of the requester's account by rated matches, the latest first.
    pub rating_changes: Vec<ExportedRatingChange>,
    /// The requester's favourites whose profiles are public, or who have added the requester to their own favourites.
    pub favourites: Vec<Favourite>,
    /// Persons whom the requester has muted or blocked, from old to new.
    pub ignored: Vec<IgnoredPerson>,
    /// Reports that the requester has made about other players, from old to new.
    pub reports: Vec<ExportedReport>,
    /// Measures of operators against the requester, such as a warning.
    pub measures: MyMeasures,
    /// Free-text chat messages that the requester has sent in their matches.
    pub talk: Vec<ExportedTalkLine>,
    /// Visibility settings of the requester.
    pub visibility: MyVisibility,
    /// Tournament events that the requester's account has created or joined.
    pub events: Vec<ExportedEvent>,
}

/// Match in which the requester holds a seat, as part of a data export.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedMatch {
    /// Summary of the match, as in the list of matches.
    pub summary: MatchSummary,
    /// Record of the match: its deals, actions and result as text, without the cards that are hidden from the requester.
    /// While a rated match waits for the invited player, its deal is hidden, and the record is empty.
    pub record: String,
    /// URL path of the unused invitation to the match; null for a match without such an invitation.
    #[schema(required)]
    pub invitation: Option<String>,
    /// URL path of the link for spectators of the match.
    pub watch: String,
    /// Whether the creator of the match chose the deal number of the first round.
    pub deal_chosen: bool,
    /// 16-bit hash of the IP network from which the match was created; null for a match without a computer opponent.
    #[schema(required)]
    pub network: Option<u16>,
    /// Conditional answers that the requester has stored in the match; empty after the end of the match.
    pub conditional_answers: Vec<AnswerBranch>,
    /// Private note of the requester about the match; null without a note. If the requester holds both seats, an empty line
    /// separates the two notes.
    #[schema(required)]
    pub note: Option<String>,
    /// Log entries that the requester caused in the match, in order.
    pub entries: Vec<ExportedEntry>,
}

/// Request that created a match, as part of a data export.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedRequest {
    /// Id of the match that the request created.
    pub match_id: String,
    /// Id that the client chose for the request that created the match. The server removes this id after the end of the match.
    pub client_id: String,
}

/// Offer to play a match, as part of a data export.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedOffer {
    /// Match offer, as its maker sees the offer.
    pub offer: OwnOffer,
    /// Id that the client chose for the request that made the match offer.
    pub client_id: String,
    /// 16-bit hash of the IP network from which the match offer was made.
    pub network: u16,
    /// Expiry of the match offer, in RFC 3339.
    pub until: String,
}

/// Glicko-2 puzzle rating of the requester, without rounding.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedRating {
    /// Puzzle rating in Elo points.
    pub rating: f64,
    /// Standard deviation of the puzzle rating, in Elo points.
    pub deviation: f64,
    /// Volatility of the puzzle rating (its expected fluctuation).
    pub volatility: f64,
}

/// Operator's act, such as a mute, as part of a data export.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedAct {
    /// Time, in RFC 3339, at which an operator of the server carried out an act, such as a mute.
    pub at: String,
    /// Kind of the operator's act (`rename`, `end`, `revoke`, `erase`, `warn`, `mute`, `unmute`, `close` or `reopen`).
    pub act: String,
    /// Target of the operator's act: a match, a player of a match, a browser, a person, or an event with its host.
    pub target: String,
    /// Reason for the operator's act, in the operator's words.
    pub reason: String,
    /// Number of matches that the operator's act changed or removed; null if the act was interrupted.
    #[schema(required)]
    pub matches: Option<u64>,
}

/// Log entry of a match, as part of a data export.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedEntry {
    /// Sequence number of the entry in the match log.
    pub sequence: u64,
    /// Player on whose behalf the requester made the log entry.
    pub player: PlayerWire,
    /// Kind of the log entry (`act`, `resign`, `undo`, `hint`, `join`, `leave`, `offer`, `accept`, `operator`, `flag`, `credit`,
    /// `away` or `pause`).
    pub kind: String,
    /// Text notation of the action in the log entry, or the id of an accepted rematch; null for other kinds of entries.
    #[schema(required)]
    pub detail: Option<String>,
    /// Client id of the request that made the log entry. Empty after the server has removed the
    /// client id, which the server needs only until the end of the match.
    pub client_id: String,
    /// Time of the log entry, in RFC 3339.
    pub at: String,
    /// Time of the log entry, as a Unix time in milliseconds.
    pub at_ms: i64,
    /// Time, in milliseconds, that the log entry added to the player's clock: lag compensation, downtime credit, or the
    /// time until the player's days off end.
    pub given_ms: i64,
}

/// Retention periods and quotas in the configuration of this server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Privacy {
    /// Lifetime of the identity cookie, in days. Each visit renews the cookie.
    pub cookie_days: u64,
    /// Retention period of an unfinished match after its last action, in days.
    pub unfinished_match_days: u64,
    /// Retention period of a match against the computer, or of one person alone, in which no person has acted, in days from the match's
    /// creation. A match on a deal of the day or the week has the period of other matches.
    pub empty_match_days: u64,
    /// Retention period of an unused invitation, in days from the creation of its match.
    pub invitation_days: u64,
    /// Maximum number of unfinished matches of a person; null if unlimited.
    #[schema(required)]
    pub unfinished_matches: Option<u32>,
    /// Maximum number of unfinished and finished matches of a person together; null if unlimited.
    #[schema(required)]
    pub kept_matches: Option<u32>,
    /// Number of log entries at which a match stops accepting undos, hints and requests for a pause.
    pub log_entries: u64,
    /// Number of days from the end of a match until the server removes the client ids from the match log. Null if the server keeps
    /// the client ids.
    #[schema(required)]
    pub fold_after_days: Option<u32>,
    /// Retention period of a tournament event after its end, in days.
    pub event_days: u64,
    /// Retention period of a chat message between two players, in days.
    pub message_days: u64,
    /// Number of days for which a former handle stays reserved for the account's owner.
    pub former_handle_days: u64,
    /// Minimum number of days between two changes of an account's handle.
    pub handle_change_days: u64,
    /// Number of days for which an offer of a correspondence match stays open.
    pub offer_days: u64,
    /// Retention period of a report about a player, in days.
    pub report_days: u64,
    /// Retention period of entries in the operators' log, in days.
    pub operator_log_days: u64,
    /// Validity period of a linking code in minutes. The server keeps a used code for the same time.
    pub code_minutes: u64,
    /// Whether the server can send e-mail to the owners of accounts.
    pub mail: bool,
    /// Time in minutes for which the server keeps a passkey challenge, and accepts an answer to the challenge.
    pub challenge_minutes: u64,
}
