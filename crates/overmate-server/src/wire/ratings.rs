//! Defines the JSON types of ratings, profiles and leaderboards.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Pace of a match: live or correspondence, each with a separate rating.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Pace)]
pub enum PaceWire {
    /// Live play, with a base time for the whole match.
    Live,
    /// Correspondence play, with one or more days for each action.
    Correspondence,
}

/// Result of a match for one player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MatchScoreWire {
    /// The player won the match.
    Win,
    /// The match ended in a draw.
    Draw,
    /// The player lost the match.
    Loss,
}

/// Glicko-2 rating of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct RatingState {
    /// Rating in Elo points; 1500 for a player without a rated match.
    pub rating: i32,
    /// Standard deviation of the rating, from 45 to 350.
    pub deviation: u16,
    /// Whether the rating is provisional: its deviation is above 110, after few or old matches.
    pub provisional: bool,
}

/// Numbers of matches by result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct RatedResults {
    /// Number of matches that the player won.
    pub wins: u32,
    /// Number of matches that ended in a draw.
    pub draws: u32,
    /// Number of matches that the player lost.
    pub losses: u32,
}

/// Rating of a player in one rule set and pace.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct PlayerRating {
    /// Name of the rule set.
    pub rules: String,
    /// English title of the rule set.
    pub rules_title: String,
    /// Pace of the matches.
    pub pace: PaceWire,
    /// Current rating.
    pub rating: RatingState,
    /// Numbers of rated matches by result.
    pub results: RatedResults,
}

/// Rated match in a player's profile.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct RatedMatchState {
    /// Name of the rule set.
    pub rules: String,
    /// English title of the rule set.
    pub rules_title: String,
    /// Pace of the match.
    pub pace: PaceWire,
    /// Handle of the opponent; null for a computer opponent, a private profile or an erased account.
    #[schema(required)]
    pub opponent: Option<String>,
    /// Computer opponent, such as `level:3` or `perfect`; null for a person, and after the match was deleted.
    #[schema(required)]
    pub computer: Option<String>,
    /// Result of the match for the player.
    pub result: MatchScoreWire,
    /// Points of the player minus the opponent's points, in the match. They do not count for the rating.
    pub margin: i32,
    /// Rating before the match.
    pub before: RatingState,
    /// Rating after the match.
    pub after: RatingState,
    /// End of the match, in RFC 3339.
    pub ended_at: String,
    /// Id of the match; null in the profile of somebody else, and after you have deleted the match.
    #[serde(rename = "match")]
    #[schema(required)]
    pub match_id: Option<String>,
}

/// Unrated match in a player's profile.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct CasualMatchState {
    /// Name of the rule set.
    pub rules: String,
    /// English title of the rule set.
    pub rules_title: String,
    /// Pace of the match; null for a match without clocks.
    #[schema(required)]
    pub pace: Option<PaceWire>,
    /// Handle of the opponent; null for a computer opponent, and for a person without a public profile.
    #[schema(required)]
    pub opponent: Option<String>,
    /// Computer opponent, such as `level:3`, `perfect` or `program:mine`; null for a person.
    #[schema(required)]
    pub computer: Option<String>,
    /// Result of the match for the player.
    pub result: MatchScoreWire,
    /// Points of the player minus the opponent's points, in the match.
    pub margin: i32,
    /// Beginning of the match, in RFC 3339.
    pub began_at: String,
    /// Id of the match; null in the profile of somebody else.
    #[serde(rename = "match")]
    #[schema(required)]
    pub match_id: Option<String>,
}

/// Profile of an account.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[allow(clippy::struct_excessive_bools, reason = "each field answers a separate question")]
pub struct Profile {
    /// Handle of the player, in the spelling that the player chose.
    pub handle: String,
    /// Creation date of the account, such as `2026-11-21`.
    pub since: String,
    /// Whether the profile is your own.
    pub you: bool,
    /// Whether the profile is visible only to its owner.
    pub private: bool,
    /// Whether the account is a bot, for which a program plays.
    pub bot: bool,
    /// Whether the player is one of your favourites; null for your own profile, and if you have no account.
    #[schema(required)]
    pub favourite: Option<bool>,
    /// Whether an operator has closed the account of the player.
    pub closed: bool,
    /// Whether you have muted the player.
    pub muted: bool,
    /// Whether you have blocked the player.
    pub blocked: bool,
    /// Ratings of the player, ordered by rule set and pace.
    pub ratings: Vec<PlayerRating>,
    /// Latest rated matches of the player, at most 20, the match that ended last first.
    pub matches: Vec<RatedMatchState>,
    /// Numbers of the player's unrated matches by result, among their latest 100 finished matches. Matches on shared deals,
    /// matches that were played offline, matches in which not every person has acted, and matches that began before the account do not
    /// count.
    pub casual_results: RatedResults,
    /// Latest unrated matches of the player, at most 20, the match that ended last first.
    pub casual: Vec<CasualMatchState>,
}

/// Request to hide your profile from other people, or to show your profile again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ProfileSetting {
    /// Whether the profile is visible only to its owner.
    pub private: bool,
}

/// Rule set and pace of a leaderboard.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct BoardName {
    /// Name of the rule set.
    pub rules: String,
    /// English title of the rule set.
    pub rules_title: String,
    /// Pace of the matches.
    pub pace: PaceWire,
}

/// Player on a leaderboard.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct LeaderState {
    /// Handle of the player, in the spelling that the player chose.
    pub handle: String,
    /// Current rating.
    pub rating: RatingState,
    /// Numbers of rated matches by result.
    pub results: RatedResults,
}

/// Leaderboard: the players with the highest ratings in one rule set and pace.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Leaderboard {
    /// Available leaderboards, ordered by rule set and pace.
    pub boards: Vec<BoardName>,
    /// Rule set and pace of the returned leaderboard; null if no leaderboard exists.
    #[schema(required)]
    pub board: Option<BoardName>,
    /// Players on the returned leaderboard, at most 100, the highest rating first.
    pub players: Vec<LeaderState>,
}

/// Ratings of the players of a rated match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct MatchRatings {
    /// Pace of the match.
    pub pace: PaceWire,
    /// Rating of player A; null for an open seat, and for a player without an account.
    #[schema(required)]
    pub a: Option<MatchRatingState>,
    /// Rating of player B; null for an open seat, and for a player without an account.
    #[schema(required)]
    pub b: Option<MatchRatingState>,
}

/// Rating of a player of a rated match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct MatchRatingState {
    /// Handle of the player; null if the profile is private.
    #[schema(required)]
    pub handle: Option<String>,
    /// Rating before a finished match, or the current rating while the match runs.
    pub before: RatingState,
    /// Rating after the match; null while the match runs, and if the match changed no rating.
    #[schema(required)]
    pub after: Option<RatingState>,
}

/// Unrounded rating, as part of a data export.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedMatchRating {
    /// Name of the rule set.
    pub rules: String,
    /// Pace of the matches.
    pub pace: PaceWire,
    /// Rating in Elo points after the last match.
    pub rating: f64,
    /// Standard deviation of the rating after the last match.
    pub deviation: f64,
    /// Volatility of the rating (its expected fluctuation).
    pub volatility: f64,
    /// Numbers of rated matches by result.
    pub results: RatedResults,
    /// End of the last match, in RFC 3339.
    pub at: String,
}

/// Unrounded rating change by a match, as part of a data export.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedRatingChange {
    /// Id of the match.
    pub match_id: String,
    /// Name of the rule set.
    pub rules: String,
    /// Pace of the match.
    pub pace: PaceWire,
    /// Result of the match for you.
    pub result: MatchScoreWire,
    /// Your points minus the opponent's points, in the match.
    pub margin: i64,
    /// Rating and deviation before the match.
    pub before: [f64; 2],
    /// Rating and deviation after the match.
    pub after: [f64; 2],
    /// End of the match, in RFC 3339.
    pub at: String,
}
