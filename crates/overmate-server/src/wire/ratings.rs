//! Defines the JSON types of ratings, profiles and leaderboards.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Pace of a match: live or correspondence. A player has separate ratings for both paces.
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
    /// Whether the rating is provisional: its deviation is above 110, because the player's matches are few or long ago.
    pub provisional: bool,
}

/// Numbers of a player's won, drawn and lost matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct RatedResults {
    /// Number of matches that the player won.
    pub wins: u32,
    /// Number of matches that ended in a draw.
    pub draws: u32,
    /// Number of matches that the player lost.
    pub losses: u32,
}

/// Rating of a player in one rule set and one pace, live or correspondence.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct PlayerRating {
    /// Name of the rule set to which the rating belongs.
    pub rules: String,
    /// English title of the rule set to which the rating belongs.
    pub rules_title: String,
    /// Pace of the rated matches: live or correspondence.
    pub pace: PaceWire,
    /// Current rating of the player in the rule set and pace (live or correspondence).
    pub rating: RatingState,
    /// Numbers of the player's won, drawn and lost rated matches.
    pub results: RatedResults,
}

/// Rated match in a player's profile.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct RatedMatchState {
    /// Name of the match's rule set.
    pub rules: String,
    /// English title of the match's rule set.
    pub rules_title: String,
    /// Pace of the match: live or correspondence.
    pub pace: PaceWire,
    /// Handle of the opponent; null for a computer opponent, a private profile or an erased account.
    #[schema(required)]
    pub opponent: Option<String>,
    /// Computer opponent, such as `level:3` or `perfect`; null for a person, and after the match has been deleted.
    #[schema(required)]
    pub computer: Option<String>,
    /// Result of the match for the player.
    pub result: MatchScoreWire,
    /// Points of the player minus the opponent's points, in the match. These points do not count for the rating.
    pub margin: i32,
    /// Rating of the player before the match.
    pub before: RatingState,
    /// Rating of the player after the match.
    pub after: RatingState,
    /// Time at which the match ended, in RFC 3339.
    pub ended_at: String,
    /// Id of the match; null in the profile of another person, and after you have deleted the match.
    #[serde(rename = "match")]
    #[schema(required)]
    pub match_id: Option<String>,
}

/// Unrated match in a player's profile.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct CasualMatchState {
    /// Name of the match's rule set.
    pub rules: String,
    /// English title of the match's rule set.
    pub rules_title: String,
    /// Pace of the match, live or correspondence; null for a match without clocks.
    #[schema(required)]
    pub pace: Option<PaceWire>,
    /// Handle of the opponent; null for a computer opponent, and for an opponent without a public profile.
    #[schema(required)]
    pub opponent: Option<String>,
    /// Computer opponent, such as `level:3`, `perfect` or `program:mine`; null for a person.
    #[schema(required)]
    pub computer: Option<String>,
    /// Result of the match for the player.
    pub result: MatchScoreWire,
    /// Points of the player minus the opponent's points, in the match.
    pub margin: i32,
    /// Time at which the match began, in RFC 3339.
    pub began_at: String,
    /// Id of the match; null in the profile of another person.
    #[serde(rename = "match")]
    #[schema(required)]
    pub match_id: Option<String>,
}

/// Profile of an account's owner, with their ratings and latest matches.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[allow(clippy::struct_excessive_bools, reason = "each field answers a separate question")]
pub struct Profile {
    /// Handle of the player, in the spelling that the player chose.
    pub handle: String,
    /// Date on which the account was created, such as `2026-11-21`.
    pub since: String,
    /// Whether the profile is your own.
    pub you: bool,
    /// Whether the profile is visible only to its owner.
    pub private: bool,
    /// Whether the account is a bot, for which a program plays.
    pub bot: bool,
    /// Whether the player is one of your favourites; null in your own profile, and if you have no account.
    #[schema(required)]
    pub favourite: Option<bool>,
    /// Whether an operator has closed the account of the player.
    pub closed: bool,
    /// Whether you have muted the player.
    pub muted: bool,
    /// Whether you have blocked the player.
    pub blocked: bool,
    /// Ratings of the player, ordered by rule set and pace (live or correspondence).
    pub ratings: Vec<PlayerRating>,
    /// Latest rated matches of the player, at most 20, ordered by end time from new to old.
    pub matches: Vec<RatedMatchState>,
    /// Numbers of the player's won, drawn and lost unrated matches, among their latest 100 finished matches. Matches on shared
    /// deals, matches that were played offline, matches in which not every person has acted, and matches that began before the
    /// account existed do not count.
    pub casual_results: RatedResults,
    /// Latest unrated matches of the player, at most 20, ordered by end time from new to old.
    pub casual: Vec<CasualMatchState>,
}

/// Request to hide your profile from other people, or to make your profile visible again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ProfileSetting {
    /// Whether your profile is to be visible only to you.
    pub private: bool,
}

/// Rule set and pace (live or correspondence) that identify a leaderboard.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct BoardName {
    /// Name of the leaderboard's rule set.
    pub rules: String,
    /// English title of the leaderboard's rule set.
    pub rules_title: String,
    /// Pace of the matches on the leaderboard: live or correspondence.
    pub pace: PaceWire,
}

/// Player on a leaderboard.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct LeaderState {
    /// Handle of the player, in the spelling that the player chose.
    pub handle: String,
    /// Current rating of the player on the leaderboard.
    pub rating: RatingState,
    /// Numbers of the player's won, drawn and lost rated matches.
    pub results: RatedResults,
}

/// Leaderboard: the players with the highest ratings in one rule set and one pace, live or correspondence.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Leaderboard {
    /// Available leaderboards, ordered by rule set and pace (live or correspondence).
    pub boards: Vec<BoardName>,
    /// Rule set and pace (live or correspondence) of the returned leaderboard; null if no leaderboard exists.
    #[schema(required)]
    pub board: Option<BoardName>,
    /// Players on the returned leaderboard, at most 100, the highest rating first.
    pub players: Vec<LeaderState>,
}

/// Ratings of the two players of a rated match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct MatchRatings {
    /// Pace of the match: live or correspondence.
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
    /// Rating of the player before a finished match, or their current rating while the match runs.
    pub before: RatingState,
    /// Rating of the player after the match; null while the match runs, and if the match changed no rating.
    #[schema(required)]
    pub after: Option<RatingState>,
}

/// Match rating of an account in one rule set and one pace, live or correspondence, without rounding, as part of a data export.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedMatchRating {
    /// Name of the rule set to which the rating belongs.
    pub rules: String,
    /// Pace of the matches to which the rating belongs: live or correspondence.
    pub pace: PaceWire,
    /// Rating in Elo points after the latest rated match.
    pub rating: f64,
    /// Standard deviation of the rating after the latest rated match.
    pub deviation: f64,
    /// Volatility of the rating (its expected fluctuation).
    pub volatility: f64,
    /// Numbers of your won, drawn and lost rated matches.
    pub results: RatedResults,
    /// Time at which the latest rated match ended, in RFC 3339.
    pub at: String,
}

/// Rating change by a rated match, without rounding, as part of a data export.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedRatingChange {
    /// Id of the match that changed the rating.
    pub match_id: String,
    /// Name of the match's rule set.
    pub rules: String,
    /// Pace of the match: live or correspondence.
    pub pace: PaceWire,
    /// Result of the match for you.
    pub result: MatchScoreWire,
    /// Your points minus the opponent's points, in the match.
    pub margin: i64,
    /// Rating and its standard deviation before the match.
    pub before: [f64; 2],
    /// Rating and its standard deviation after the match.
    pub after: [f64; 2],
    /// Time at which the match ended, in RFC 3339.
    pub at: String,
}
