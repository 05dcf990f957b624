//! Defines the JSON types of personal data: the data export and the retention periods.

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

/// All data that the server keeps about this browser.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Export {
    /// Identity of this browser: the SHA-256 hash of the token in its cookie, in hexadecimal digits. For browsers that share
    /// their matches, the hash of the first browser. The server does not keep the token. Null without a cookie.
    #[schema(required)]
    pub identity: Option<String>,
    /// Time of the export, in RFC 3339.
    pub exported_at: String,
    /// All matches in which this browser holds a seat.
    pub matches: Vec<ExportedMatch>,
    /// Requests of this browser for new matches.
    pub requests: Vec<ExportedRequest>,
    /// Open offers of this browser, and its offers that were accepted within the last hour.
    pub offers: Vec<ExportedOffer>,
    /// Puzzle attempts of this browser that counted for ratings, from new to old.
    pub puzzle_attempts: Vec<CountedAttempt>,
    /// Puzzle rating of this browser; null before the first attempt.
    #[schema(required)]
    pub puzzle_rating: Option<ExportedRating>,
    /// Acts of operators on this browser, its matches or its seats, from old to new.
    pub operator_acts: Vec<ExportedAct>,
    /// Browsers of the person who uses this browser, and the number of unused recovery codes.
    pub browsers: MyBrowsers,
    /// Days off of the person who uses this browser, the earliest first.
    pub absences: Vec<ExportedAbsence>,
    /// URL path of the secret turn feed; null without a feed.
    #[schema(required)]
    pub feed: Option<String>,
    /// Push subscriptions of the browsers of the person who uses this browser, without their keys.
    pub push_subscriptions: Vec<ExportedPush>,
    /// Account of the person who uses this browser, without the password hash; null without an account.
    #[schema(required)]
    pub account: Option<MyAccount>,
    /// Passkeys of the account, without their public keys.
    pub passkeys: Vec<MyPasskey>,
    /// Tokens of the bot, without their secret texts, which the server does not keep.
    pub bot_tokens: Vec<MyBotToken>,
    /// E-mail address of the account, and messages to the address.
    pub mail: ExportedMail,
    /// Ratings of the account from rated matches.
    pub ratings: Vec<ExportedMatchRating>,
    /// Changes of the match ratings, the latest first.
    pub rating_changes: Vec<ExportedRatingChange>,
    /// Favourites of the account that the account may see.
    pub favourites: Vec<Favourite>,
    /// Persons whom the person who uses this browser has muted or blocked, from old to new.
    pub ignored: Vec<IgnoredPerson>,
    /// Reports that the person who uses this browser has made about other players, from old to new.
    pub reports: Vec<ExportedReport>,
    /// Measures of operators against the person who uses this browser.
    pub measures: MyMeasures,
    /// Free texts that this browser has sent in its matches.
    pub talk: Vec<ExportedTalkLine>,
    /// Visibility settings of the person.
    pub visibility: MyVisibility,
    /// Events that the account has created or joined.
    pub events: Vec<ExportedEvent>,
}

/// Match, as part of a data export.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedMatch {
    /// Summary of the match, as in the list of matches.
    pub summary: MatchSummary,
    /// Record of the match, without the cards that are hidden from this browser. The record is empty while the deal of a rated
    /// match is hidden, until the invited player joins.
    pub record: String,
    /// URL path of the unused invitation; null once the invitation is used.
    #[schema(required)]
    pub invitation: Option<String>,
    /// URL path of the spectators' link.
    pub watch: String,
    /// Whether the creator of the match chose the deal of the first round by its number.
    pub deal_chosen: bool,
    /// Network number (16-bit hash of the network) of the match's creator; null without a computer opponent.
    #[schema(required)]
    pub network: Option<u16>,
    /// Conditional answers of this browser's seat or seats; empty after the end of the match.
    pub conditional_answers: Vec<AnswerBranch>,
    /// Private note of this browser; null without a note. If the browser holds both seats, an empty
    /// line separates both notes.
    #[schema(required)]
    pub note: Option<String>,
    /// Log entries of the match that this browser caused, in order.
    pub entries: Vec<ExportedEntry>,
}

/// Request for a new match, as part of a data export.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedRequest {
    /// Id of the match.
    pub match_id: String,
    /// Client id of the request. The server removes the id after the end of the match.
    pub client_id: String,
}

/// Offer to play a match, as part of a data export.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedOffer {
    /// Offer as its maker sees it.
    pub offer: OwnOffer,
    /// Client id of the request.
    pub client_id: String,
    /// Network number (16-bit hash of the network) from which the offer was made.
    pub network: u16,
    /// Expiry of the offer, in RFC 3339.
    pub until: String,
}

/// Unrounded Glicko-2 puzzle rating.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedRating {
    /// Rating in Elo points.
    pub rating: f64,
    /// Standard deviation of the rating.
    pub deviation: f64,
    /// Volatility of the rating (its expected fluctuation).
    pub volatility: f64,
}

/// Act of an operator, as part of a data export.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedAct {
    /// Time of the act, in RFC 3339.
    pub at: String,
    /// Kind of the act, which is `rename`, `end`, `revoke` or `erase`.
    pub act: String,
    /// Target of the act: a match, a player of a match, or a browser.
    pub target: String,
    /// Operator's reason for the act.
    pub reason: String,
    /// Number of matches that the act changed or removed; null if the act was interrupted.
    #[schema(required)]
    pub matches: Option<u64>,
}

/// Log entry of a match, as part of a data export.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedEntry {
    /// Sequence number of the entry.
    pub sequence: u64,
    /// Player for whom this browser acted.
    pub player: PlayerWire,
    /// Kind of the entry, which is `act`, `resign`, `undo`, `hint`, `join`, `leave`, `offer`, `accept`, `operator`, `flag`, `credit`, `away` or `pause`.
    pub kind: String,
    /// Notation of an action, or the id of an accepted rematch; null for other kinds.
    #[schema(required)]
    pub detail: Option<String>,
    /// Client id of the request. Empty after the server has removed the id. The server needs the id
    /// only until the end of the match.
    pub client_id: String,
    /// Time of the log entry, in RFC 3339.
    pub at: String,
    /// Time of the log entry, as Unix time in milliseconds.
    pub at_ms: i64,
    /// Time, in milliseconds, that the entry returned to the player's clock.
    pub given_ms: i64,
}

/// Retention periods and quotas in the configuration of this server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Privacy {
    /// Lifetime of the identity cookie, in days. A visit renews the cookie.
    pub cookie_days: u64,
    /// Retention period of an unfinished match after its last action, in days.
    pub unfinished_match_days: u64,
    /// Retention period, from the creation, of a match in which no person has acted, in days.
    pub empty_match_days: u64,
    /// Retention period of an unused invitation after the creation of its match, in days.
    pub invitation_days: u64,
    /// Quota of unfinished matches for each browser; null if unlimited.
    #[schema(required)]
    pub unfinished_matches: Option<u32>,
    /// Quota of unfinished and finished matches for each browser; null if unlimited.
    #[schema(required)]
    pub kept_matches: Option<u32>,
    /// Number of log entries at which a match stops accepting undos and hints.
    pub log_entries: u64,
    /// Number of days from the end of a match to the removal of its client ids; null if the server keeps the client ids.
    #[schema(required)]
    pub fold_after_days: Option<u32>,
    /// Retention period of an event after its end, in days.
    pub event_days: u64,
    /// Retention period of a message between two players, in days.
    pub message_days: u64,
    /// Number of days for which a former handle stays reserved for its owner.
    pub former_handle_days: u64,
    /// Minimum number of days between two changes of a handle.
    pub handle_change_days: u64,
    /// Number of days for which an offer of a correspondence match stays open.
    pub offer_days: u64,
    /// Retention period of a report about a player, in days.
    pub report_days: u64,
    /// Retention period of the operators' log, in days.
    pub operator_log_days: u64,
    /// Validity period of a linking code, and retention period of a used code, in minutes.
    pub code_minutes: u64,
    /// Whether the server sends e-mail to accounts at their request.
    pub mail: bool,
    /// Time, in minutes, for which the server keeps a passkey challenge and accepts an answer.
    pub challenge_minutes: u64,
}
