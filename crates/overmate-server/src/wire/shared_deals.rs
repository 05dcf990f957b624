//! Defines the JSON types of the shared deals: deals of the day and of the week.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Deals of today, yesterday and this week, with the results of the requester.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SharedDeals {
    /// Deals of today, one for each rule set.
    pub today: Vec<SharedDealSummary>,
    /// End of today in RFC 3339: midnight in UTC.
    pub today_ends_at: String,
    /// Deals of yesterday, one for each rule set.
    pub yesterday: Vec<SharedDealSummary>,
    /// Seven deals of the current week.
    pub week: Vec<SharedDealSummary>,
    /// End of this week in RFC 3339: midnight in UTC before Monday.
    pub week_ends_at: String,
    /// Number of consecutive days, up to today or yesterday, on which the requester finished a deal of the day.
    pub streak: u32,
}

/// Shared deal under one rule set, with the requester's match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct SharedDealSummary {
    /// Name of the shared deal: its UTC date, or its week and number in the week.
    #[schema(example = "2026-11-21")]
    pub name: String,
    /// Name of the rule set.
    #[schema(example = "bga")]
    pub rules: String,
    /// English title of the rule set.
    pub rules_title: String,
    /// State of the shared deal for the requester.
    pub state: SharedDealState,
    /// Id of the requester's match on the deal; null before that match begins.
    #[serde(rename = "match")]
    #[schema(required)]
    pub match_id: Option<String>,
    /// Points that the requester lost to best play in the round, 0 for perfect play; null until the match is finished.
    #[schema(required)]
    pub lost: Option<u32>,
    /// Deal number under the rule set; null until the requester's match ends, or the deal's day or week ends.
    #[schema(required)]
    pub deal: Option<String>,
}

/// State of a shared deal for one browser.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SharedDealState {
    /// The browser may begin a match on the deal.
    Open,
    /// The match of the browser is running.
    Running,
    /// The browser has finished its match.
    Finished,
    /// The browser has resigned its match. A resigned match has no result.
    Resigned,
    /// The day or week of the deal has ended without a match of the browser.
    Missed,
}

/// Results of all players on a shared deal, and the decisions of the requester.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SharedDealResult {
    /// Shared deal, with the requester's state and result.
    pub deal: SharedDealSummary,
    /// Exact value of the deal in points, for the player who leads first; null while `deal.deal` is null.
    #[schema(required)]
    pub value_for_first: Option<i32>,
    /// Results of all players who have finished the deal, from best to worst.
    pub scores: Vec<SharedDealScore>,
    /// Rank of the requester among the players who have finished the deal, from 1; null until the requester has finished the deal.
    #[schema(required)]
    pub rank: Option<u32>,
    /// Decisions of the requester in both games, in order. Empty until the requester has finished the deal.
    pub decisions: Vec<SharedDealDecision>,
}

/// Group of players who lost the same number of points on a shared deal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct SharedDealScore {
    /// Points lost to best play in the round.
    pub lost: u32,
    /// Number of players who lost exactly `lost` points.
    pub players: u32,
}

/// Decision of the requester between at least two legal actions, compared with best play.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct SharedDealDecision {
    /// Index of the game: 0 for the game in which the requester led first, 1 for the game with exchanged hands.
    pub game: usize,
    /// Number of actions in the game before the decision.
    pub index: usize,
    /// Chosen action in text notation, such as `Kc`.
    pub action: String,
    /// Points that the action lost against best play.
    pub lost: u32,
    /// Best actions in text notation. The list is empty if the chosen action is a best action.
    pub best: Vec<String>,
}

/// Request to play a shared deal.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaySharedDeal {
    /// Name of the requester, of at most 40 user-perceived characters.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub name: Option<String>,
}
