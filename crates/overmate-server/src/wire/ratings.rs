//! Defines the JSON types of ratings, profiles and leaderboards.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Speed of a match, for which players have ratings of their own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Pace)]
pub enum PaceWire {
    /// Each player has a time for the whole match.
    Live,
    /// Each action has days of its own.
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

/// Rating by Glicko-2.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct RatingState {
    /// Rating on the scale of Elo; 1500 for a player without a rated match.
    pub rating: i32,
    /// Standard deviation of the rating, from 45 to 350.
    pub deviation: u16,
    /// Whether the deviation is above 110, because the player has played few rated matches, or none for long.
    pub provisional: bool,
}

/// Numbers of rated matches by their result.
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
    /// Speed of the matches.
    pub pace: PaceWire,
    /// Rating now.
    pub rating: RatingState,
    /// Rated matches by their result.
    pub results: RatedResults,
}

/// Rated match in a profile.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct RatedMatchState {
    /// Name of the rule set.
    pub rules: String,
    /// English title of the rule set.
    pub rules_title: String,
    /// Speed of the match.
    pub pace: PaceWire,
    /// Handle of the opponent; null if their profile is private or they have erased their account.
    #[schema(required)]
    pub opponent: Option<String>,
    /// Result of the match for the player.
    pub result: MatchScoreWire,
    /// Points of the player in the match less those of the opponent. They do not count for the rating.
    pub margin: i32,
    /// Rating before the match.
    pub before: RatingState,
    /// Rating after the match.
    pub after: RatingState,
    /// Time of the end of the match, in RFC 3339.
    pub ended_at: String,
    /// Id of the match; null in the profile of somebody else, and after you have deleted the match.
    #[serde(rename = "match")]
    #[schema(required)]
    pub match_id: Option<String>,
}

/// Profile of an account.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Profile {
    /// Handle as the player wrote it.
    pub handle: String,
    /// Day on which the account was made, such as `2026-11-21`.
    pub since: String,
    /// Whether the profile is your own.
    pub you: bool,
    /// Whether nobody else may see the profile.
    pub private: bool,
    /// Ratings of the player, ordered by rule set and pace.
    pub ratings: Vec<PlayerRating>,
    /// Latest rated matches of the player, at most 20, the match that ended last first.
    pub matches: Vec<RatedMatchState>,
}

/// Request to hide your profile from others, or to show it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ProfileSetting {
    /// Whether nobody else may see the profile.
    pub private: bool,
}

/// Rule set and pace of a leaderboard.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct BoardName {
    /// Name of the rule set.
    pub rules: String,
    /// English title of the rule set.
    pub rules_title: String,
    /// Speed of the matches.
    pub pace: PaceWire,
}

/// Player on a leaderboard.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct LeaderState {
    /// Handle as the player wrote it.
    pub handle: String,
    /// Rating now.
    pub rating: RatingState,
    /// Rated matches by their result.
    pub results: RatedResults,
}

/// Players with the best ratings in one rule set and pace.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Leaderboard {
    /// Leaderboards with a rated player, ordered by rule set and pace.
    pub boards: Vec<BoardName>,
    /// Leaderboard of this response; null if there is none.
    #[schema(required)]
    pub board: Option<BoardName>,
    /// Players of this leaderboard, at most 100, the best first, without provisional ratings and private profiles.
    pub players: Vec<LeaderState>,
}

/// Ratings of the players of a rated match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct MatchRatings {
    /// Speed of the match.
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
    /// Rating before the match is counted: now, or at its end.
    pub before: RatingState,
    /// Rating after the match; null while the match runs, and if it changed no rating.
    #[schema(required)]
    pub after: Option<RatingState>,
}

/// Rating in the export, without rounding.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedMatchRating {
    /// Name of the rule set.
    pub rules: String,
    /// Speed of the matches.
    pub pace: PaceWire,
    /// Rating on the scale of Elo after the last match.
    pub rating: f64,
    /// Standard deviation of the rating after the last match.
    pub deviation: f64,
    /// Expected fluctuation of the rating.
    pub volatility: f64,
    /// Rated matches by their result.
    pub results: RatedResults,
    /// Time of the end of the last match, in RFC 3339.
    pub at: String,
}

/// Change of a rating by a match in the export, without rounding.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedRatingChange {
    /// Id of the match.
    pub match_id: String,
    /// Name of the rule set.
    pub rules: String,
    /// Speed of the match.
    pub pace: PaceWire,
    /// Result of the match for you.
    pub result: MatchScoreWire,
    /// Your points in the match less those of the opponent.
    pub margin: i64,
    /// Rating and deviation before the match.
    pub before: [f64; 2],
    /// Rating and deviation after the match.
    pub after: [f64; 2],
    /// Time of the end of the match, in RFC 3339.
    pub at: String,
}
