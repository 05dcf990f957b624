//! Defines the JSON types of a browser's data: the export and the retention periods.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::accounts::MyAccount;
use super::answers::AnswerBranch;
use super::days_off::ExportedAbsence;
use super::lobby::OwnOffer;
use super::matches::MatchSummary;
use super::passkeys::MyPasskey;
use super::people::MyBrowsers;
use super::player::PlayerWire;
use super::puzzles::CountedAttempt;
use super::ratings::{ExportedMatchRating, ExportedRatingChange};

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
    /// Offers of this browser to play with somebody: open ones, and those that were accepted within the last hour.
    pub offers: Vec<ExportedOffer>,
    /// Counted puzzle attempts of this browser, from new to old.
    pub puzzle_attempts: Vec<CountedAttempt>,
    /// Puzzle rating of this browser; null before the first attempt.
    #[schema(required)]
    pub puzzle_rating: Option<ExportedRating>,
    /// Acts of operators on this browser, its matches or its seats, from old to new.
    pub operator_acts: Vec<ExportedAct>,
    /// Browsers that share these matches, and the number of recovery codes.
    pub browsers: MyBrowsers,
    /// Days off of the person of this browser, the first ones first.
    pub absences: Vec<ExportedAbsence>,
    /// Path of the secret address of the feed of turns; null without one.
    #[schema(required)]
    pub feed: Option<String>,
    /// Account of the person of this browser, without the hash of its password; null without an account.
    #[schema(required)]
    pub account: Option<MyAccount>,
    /// Passkeys of the account, without their public keys.
    pub passkeys: Vec<MyPasskey>,
    /// Ratings of the account by its rated matches.
    pub ratings: Vec<ExportedMatchRating>,
    /// Changes of these ratings, the latest first.
    pub rating_changes: Vec<ExportedRatingChange>,
}

/// Match in the export of a browser's data.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedMatch {
    /// Summary of the match, as in the list of matches.
    pub summary: MatchSummary,
    /// Record of the match, as far as this browser may see the match.
    pub record: String,
    /// Path of the unused invitation; null once the invitation is used.
    #[schema(required)]
    pub invitation: Option<String>,
    /// Path of the spectators' link.
    pub watch: String,
    /// Whether the creator of the match chose the deal of the first round by its number.
    pub deal_chosen: bool,
    /// Number of the network that created the match, 16 bits of a hash; null without a computer opponent.
    #[schema(required)]
    pub network: Option<u16>,
    /// Conditional answers of this browser, of both seats if it holds both; none after the end of the match.
    pub conditional_answers: Vec<AnswerBranch>,
    /// Note of this browser to itself, with an empty line between those of both seats if it holds both; null without a note.
    #[schema(required)]
    pub note: Option<String>,
    /// Entries in the log of the match that this browser caused, in order.
    pub entries: Vec<ExportedEntry>,
}

/// Request for a new match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedRequest {
    /// Id of the match.
    pub match_id: String,
    /// Id that the page gave to the request. The server removes the id after the end of the match.
    pub client_id: String,
}

/// Offer to play with somebody.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedOffer {
    /// The offer, as others see it.
    pub offer: OwnOffer,
    /// Id that the page gave to the request.
    pub client_id: String,
    /// Number of the network from which the offer was made, 16 bits of a hash.
    pub network: u16,
    /// Time from which nobody may accept the offer, and from which the server may remove it, in RFC 3339.
    pub until: String,
}

/// Puzzle rating on the scale of Glicko-2, without rounding.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedRating {
    /// Rating on the scale of Elo.
    pub rating: f64,
    /// Standard deviation of the rating.
    pub deviation: f64,
    /// Expected fluctuation of the rating.
    pub volatility: f64,
}

/// Act of an operator.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedAct {
    /// Time of the act, in RFC 3339.
    pub at: String,
    /// Kind of the act: `rename`, `end`, `revoke` or `erase`.
    pub act: String,
    /// Match, player of a match, or browser that the act concerns.
    pub target: String,
    /// Reason that the operator gave.
    pub reason: String,
    /// Number of changed or removed matches; null if the act was interrupted.
    #[schema(required)]
    pub matches: Option<u64>,
}

/// Entry in the log of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedEntry {
    /// Sequence number of the entry.
    pub sequence: u64,
    /// Player for whom this browser acted.
    pub player: PlayerWire,
    /// Kind of the entry: `act`, `resign`, `undo`, `hint`, `join`, `leave`, `offer`, `accept`, `operator`, `flag`, `credit`, `away` or `pause`.
    pub kind: String,
    /// Notation of an action, or the id of an accepted rematch; null for other kinds.
    #[schema(required)]
    pub detail: Option<String>,
    /// Id that the page gave to the request. Empty after the server has removed the id. The server needs the id only until the
    /// end of the match.
    pub client_id: String,
    /// Time of the entry, in RFC 3339.
    pub at: String,
    /// Time of the entry in milliseconds since 1970, for the clocks of the match.
    pub at_ms: i64,
    /// Milliseconds that the entry gave back to the clock of the player.
    pub given_ms: i64,
}

/// Retention periods and quotas in the configuration of this server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Privacy {
    /// Days for which the identity cookie is valid. A visit renews the cookie.
    pub cookie_days: u64,
    /// Days for which an unfinished match is kept after its last action.
    pub unfinished_match_days: u64,
    /// Days for which a match without an action of a person is kept after its creation.
    pub empty_match_days: u64,
    /// Days for which an unused invitation is kept after the creation of its match.
    pub invitation_days: u64,
    /// Largest number of unfinished matches of a browser; null if unlimited.
    #[schema(required)]
    pub unfinished_matches: Option<u32>,
    /// Largest number of matches of a browser, unfinished and finished; null if unlimited.
    #[schema(required)]
    pub kept_matches: Option<u32>,
    /// Number of log entries from which a match refuses undos and hints.
    pub log_entries: u64,
    /// Days after the end of a match when the ids of its requests are removed; null if they are kept.
    #[schema(required)]
    pub fold_after_days: Option<u32>,
    /// Days for which an offer stays open whose clocks have days for an action.
    pub offer_days: u64,
    /// Days for which an act of an operator is kept in the operators' log.
    pub operator_log_days: u64,
    /// Minutes for which the code in a link is valid, and for which a used code is kept.
    pub code_minutes: u64,
    /// Minutes for which a challenge for a passkey is valid and kept.
    pub challenge_minutes: u64,
}
