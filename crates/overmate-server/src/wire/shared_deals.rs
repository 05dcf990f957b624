//! Defines the JSON types of the shared deals: deals of the day and of the week.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Shared deals of today, yesterday and this week, with the requester's results.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SharedDeals {
    /// Shared deals of today, one for each rule set of the deal of the day.
    pub today: Vec<SharedDealSummary>,
    /// End of today in RFC 3339: midnight in UTC.
    pub today_ends_at: String,
    /// Shared deals of yesterday, one for each rule set of the deal of the day.
    pub yesterday: Vec<SharedDealSummary>,
    /// Shared deals of the current week: seven deals, each under one rule set.
    pub week: Vec<SharedDealSummary>,
    /// End of this week in RFC 3339: midnight in UTC before Monday.
    pub week_ends_at: String,
    /// Number of consecutive days, up to today or yesterday, whose deal of the day the requester has finished.
    pub streak: u32,
}

/// Shared deal under one rule set, with the state of the requester's match on the deal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct SharedDealSummary {
    /// Name of the shared deal: its UTC date, or its week and its number within the week.
    #[schema(example = "2026-11-21")]
    pub name: String,
    /// Name of the shared deal's rule set.
    #[schema(example = "bga")]
    pub rules: String,
    /// English title of the shared deal's rule set.
    pub rules_title: String,
    /// Progress of the requester on the shared deal, such as a running match.
    pub state: SharedDealState,
    /// Id of the requester's match on the shared deal; null before that match begins.
    #[serde(rename = "match")]
    #[schema(required)]
    pub match_id: Option<String>,
    /// Points that the requester lost against best play in both games on the shared deal; 0 for perfect play. Null until the match is
    /// finished.
    #[schema(required)]
    pub lost: Option<u32>,
    /// Deal number of the shared deal under the rule set. Null until the requester's match ends, or the deal's day or week ends.
    #[schema(required)]
    pub deal: Option<String>,
}

/// Progress of the requester on a shared deal, such as a running match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SharedDealState {
    /// The requester may begin a match on the shared deal.
    Open,
    /// The requester has a running match on the shared deal.
    Running,
    /// The requester has finished their match on the shared deal.
    Finished,
    /// The requester has resigned their match on the shared deal. A resigned match has no result.
    Resigned,
    /// The day or week of the shared deal has ended, and the requester has begun no match on the deal.
    Missed,
}

/// Results of all players on a shared deal, with the requester's decisions.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SharedDealResult {
    /// Summary of the shared deal, with the requester's progress and result.
    pub deal: SharedDealSummary,
    /// Exact value of the shared deal in points, for the player who leads first; null while the deal number is secret.
    #[schema(required)]
    pub value_for_first: Option<i32>,
    /// Results of all players who have finished the shared deal, from best to worst.
    pub scores: Vec<SharedDealScore>,
    /// Rank of the requester among the players who have finished the shared deal, from 1. Null until the requester has finished the
    /// deal.
    #[schema(required)]
    pub rank: Option<u32>,
    /// Decisions of the requester in both games on the shared deal, in order. Empty until the requester has finished the deal.
    pub decisions: Vec<SharedDealDecision>,
}

/// Group of players who lost the same number of points on a shared deal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct SharedDealScore {
    /// Points lost against best play by each player in a group of players with equal results, in both games on a shared deal together.
    pub lost: u32,
    /// Number of players in the group, who all lost exactly `lost` points.
    pub players: u32,
}

/// Decision of the requester between at least two legal actions on a shared deal, compared with best play.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct SharedDealDecision {
    /// Index of the game with the decision: 0 for the game in which the requester led first, 1 for the game with exchanged hands.
    pub game: usize,
    /// Number of actions in the game before the requester's decision.
    pub index: usize,
    /// Action that the requester chose, in text notation, such as `Kc`.
    pub action: String,
    /// Points that the chosen action lost against best play.
    pub lost: u32,
    /// Best actions at the decision, in text notation. The list is empty if the chosen action is a best action.
    pub best: Vec<String>,
}

/// Request to play a shared deal.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaySharedDeal {
    /// Display name of the requester, of at most 40 user-perceived characters; null or absent for no name.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub name: Option<String>,
}
