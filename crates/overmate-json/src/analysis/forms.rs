//! Defines the JSON types for exact values of positions: analyses, reviews and hints.

use overmate_rules::{Action, RuleSet};
use serde::{Deserialize, Serialize};

use crate::{GameState, MistakeWire, ProvedValue, SeatWire};

/// Request for an analysis, with exactly one of the fields `deal`, `hands`, `record` and `position`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct AnalysisRequest {
    /// Name of the rule set of the deal, hands or position to analyse. A record names its own rule set.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(max_length = 200, example = "sackson"))]
    pub rules: Option<String>,
    /// Number of the deal to analyse.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(max_length = 20, example = "20010"))]
    pub deal: Option<String>,
    /// Both hands of the deal to analyse.
    #[serde(default, deserialize_with = "crate::objects::optional_object")]
    pub hands: Option<GivenHands>,
    /// Match record, as text, that contains the game to analyse.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(max_length = 20_000))]
    pub record: Option<String>,
    /// Index, from 0, of the game to analyse in the match record. The default is the last game.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 200))]
    pub game: Option<usize>,
    /// Position to analyse, in one-line notation.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(max_length = 400))]
    pub position: Option<String>,
    /// Actions, in notation, to be played from the given deal or position to reach the position to analyse. With a record, they replace the
    /// actions of its game.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(max_items = 60, example = json!(["-", "-", "Tc"])))]
    pub actions: Option<Vec<String>>,
}

/// Hands of both seats in a request for an analysis, with the cards in any order.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct GivenHands {
    /// Cards in the hand of the seat *first*, in notation.
    pub first: Vec<String>,
    /// Cards in the hand of the seat *second*, in notation.
    pub second: Vec<String>,
}

/// Analysis of a position: its value, the value of each legal action, and best play.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = Analysis))]
pub struct AnalysisWire {
    /// Name of the rule set of the analysed position.
    pub rules: String,
    /// Analysed position in one-line notation.
    pub position: String,
    /// Game up to the analysed position, shown with all cards face up. `legal` lists the actions of the seat whose turn it is.
    pub game: GameState,
    /// Actions from the start of the game to the analysed position, in notation.
    pub played: Vec<String>,
    /// Value of the analysed position under best play, in points for the seat *first*.
    pub value_for_first: ProvedValue,
    /// Search horizon of the estimated points of the actions, in complete moves; null without estimates.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub horizon: Option<u8>,
    /// All legal actions in the analysed position with their values, in the order of their cards in the deck. Declining to foreplace comes
    /// first, and answers by the free move come last.
    pub actions: Vec<AnalysedAction>,
    /// Principal variation from the analysed position. The actions are proved best play if the value of the position is exact; else
    /// they are an estimate of best play up to the search horizon, or empty.
    pub line: Vec<String>,
}

/// Legal action in the analysed position, with its value.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AnalysedAction {
    /// Legal action in notation.
    pub action: String,
    /// Value of the position after the action, under best play, in points for the seat *first*.
    pub value_for_first: ProvedValue,
    /// Estimated final points of the seat *first* after the action, within the proved bounds; null without an estimate.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub estimate_for_first: Option<i32>,
    /// Whether the action provably loses no points against best play or, in an analysis with estimates, has the best estimate.
    pub best: bool,
}

impl AnalysisWire {
    /// Adds estimates of the final points to the legal actions of the analysis. The estimates come from a search with
    /// the given horizon in complete moves. The best actions are then those with the best estimate. The analysis stays
    /// unchanged if no seat is to act.
    #[must_use]
    pub fn with_estimates(
        mut self,
        rules: &RuleSet,
        points: &[(Action, f64)],
        horizon: u8,
    ) -> Self {
        let Some(seat) = self.game.to_act else { return self };
        let sign = if seat == SeatWire::First { 1 } else { -1 };
        let estimates: Vec<_> = points
            .iter()
            .map(|(action, points)| (crate::action(rules, *action), *points))
            .collect();
        for analysed in &mut self.actions {
            let found = estimates.iter().find(|(action, _)| *action == analysed.action);
            let value = analysed.value_for_first;
            analysed.estimate_for_first =
                found.map(|(_, points)| value.clamp(f64::from(sign) * points));
        }
        let points_of =
            |analysed: &AnalysedAction| analysed.estimate_for_first.map(|points| sign * points);
        let best = self.actions.iter().filter_map(points_of).max();
        for analysed in &mut self.actions {
            analysed.best = best.is_some() && points_of(analysed) == best;
        }
        self.horizon = Some(horizon);
        self
    }

    /// Adds to the analysis the principal variation that a search has estimated. The analysis stays unchanged if the value of the position
    /// is proved exactly.
    #[must_use]
    pub fn with_estimated_line(mut self, rules: &RuleSet, line: &[Action]) -> Self {
        if self.value_for_first.exact.is_none() {
            self.line = crate::actions(rules, line);
        }
        self
    }
}

/// Review of a finished game: the value before and after each action, and the points lost against best play.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = Review))]
pub struct ReviewWire {
    /// Index, from 0, of the reviewed game in the match.
    pub game: usize,
    /// Whether a card lay face down in the game. The values assume that both players knew all cards.
    pub had_hidden_card: bool,
    /// Actions of the reviewed game in the order of play, with their values.
    pub actions: Vec<ReviewedActionWire>,
    /// Values of the position before the first action and of the position after each action, under best play, in points
    /// for the seat *first*.
    pub values_for_first: Vec<ProvedValue>,
    /// Points that each seat provably lost against best play.
    pub lost: Lost,
    /// Index of the action that lost the most points against best play; null if no action lost points.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub turning_point: Option<usize>,
    /// Final points of the seat *first* in the reviewed game; negative if the seat *second* scored.
    pub points_for_first: i32,
    /// Value of the deal under best play, in points for the seat *first*.
    pub value_for_first: ProvedValue,
    /// Final points of the seat *first* in the other game of the round, with the reviewed game's deal and exchanged seats; null until the
    /// other game has ended.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub other_seating_points_for_first: Option<i32>,
    /// Principal variation from the start of the deal: actions that are proved to be best play.
    pub line: Vec<String>,
}

/// Points that each seat lost against best play in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Lost {
    /// Points that the seat *first* lost against best play.
    pub first: u32,
    /// Points that the seat *second* lost against best play.
    pub second: u32,
}

/// Action of a reviewed game, with the values of the positions before and after the action.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = ReviewedAction))]
pub struct ReviewedActionWire {
    /// Index of the action among all actions of the game, from 0.
    pub index: usize,
    /// Seat that took the action.
    pub seat: SeatWire,
    /// Action of the reviewed game in notation.
    pub action: String,
    /// Value of the position before the action, under best play, in points for the seat *first*.
    pub before_for_first: ProvedValue,
    /// Value of the position after the action, under best play, in points for the seat *first*.
    pub after_for_first: ProvedValue,
    /// Points that the action lost against best play; null if the loss is not proved.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub lost: Option<u32>,
    /// Best actions in notation: the actions that lose no points against best play.
    pub best: Vec<String>,
    /// Kind of mistake that made the action lose points; null without a loss, or if no known kind applies.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub mistake: Option<MistakeWire>,
}
