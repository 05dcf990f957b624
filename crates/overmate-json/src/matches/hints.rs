//! Defines the JSON types of hints, and computes hints.

use crate::ProvedValue;
use overmate_rules::{Action, Seat, View, Viewer};
use overmate_solver::{Advice, Budget, Solver, Value};
use serde::{Deserialize, Serialize};

/// Hint for the player whose turn it is: the value of every legal action.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Hint {
    /// Sequence number of the match (number of its log entries) after the hint.
    pub sequence: u64,
    /// Whether the opponent has a face-down card. If so, the values are bounds over all possible
    /// worlds.
    pub hidden_card: bool,
    /// Search horizon of the estimated points of the actions, in complete moves; null without estimates.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub horizon: Option<u8>,
    /// Legal actions with their values, in the order of their cards in the deck (answers by the free move come last); empty if the request
    /// asks for no values.
    pub actions: Vec<HintedAction>,
}

/// Legal action in a hint, with its value.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HintedAction {
    /// Legal action in notation.
    pub action: String,
    /// Value of the position after the action, under best play, in points for the seat *first*.
    pub value_for_first: ProvedValue,
    /// Proved lower bound on your final points in the game if you take this action.
    pub points_for_you: i32,
    /// Estimate of your final points if you take this action, within the proved bounds; null without an estimate.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub estimate: Option<i32>,
    /// Whether the action is the solver's choice or an equally good action; in a hint with estimates, whether the action has the best
    /// estimate.
    pub best: bool,
}

impl Hint {
    /// Computes the solver's advice for the viewer of a game, and converts the advice to a hint in JSON form. Returns
    /// `None` if it is not the viewer's turn. `sequence` is the sequence number of the match after the hint.
    #[must_use]
    pub fn advised(
        view: &View,
        sequence: u64,
        solver: &mut Solver,
        budget: &Budget,
    ) -> Option<Self> {
        Self::new(view, sequence, &solver.advise(view, budget)?)
    }

    /// Returns a hint without values, for a web page that computes the values itself. Returns `None` if the viewer does
    /// not play.
    #[must_use]
    pub fn without_values(view: &View, sequence: u64) -> Option<Self> {
        let Viewer::Seat(seat) = view.viewer() else { return None };
        let hidden_card = view.hides_card(!seat);
        Some(Self { sequence, hidden_card, horizon: None, actions: Vec::new() })
    }

    /// Converts the solver's advice for a seat to a hint in JSON form. Returns `None` if the viewer does not play. `sequence`
    /// is the sequence number of the match after the hint.
    #[must_use]
    pub fn new(view: &View, sequence: u64, advice: &Advice) -> Option<Self> {
        let Viewer::Seat(seat) = view.viewer() else { return None };
        let key = |worst: Value, best: Value| {
            (worst.lower_bound_for(seat), worst.upper_bound_for(seat), best.lower_bound_for(seat))
        };
        let chosen = advice.actions.iter().find(|action| action.action == advice.choice);
        let chosen = chosen.map(|action| key(action.worst, action.best));
        let actions = advice.actions.iter().map(|action| {
            let bounds = [action.worst, action.best];
            let low = bounds.map(|value| value.at_least().points());
            let high = bounds.map(|value| value.at_most().points());
            HintedAction {
                action: crate::action(view.rules(), action.action),
                value_for_first: ProvedValue::between(low[0].min(low[1]), high[0].max(high[1])),
                points_for_you: action.worst.lower_bound_for(seat),
                estimate: None,
                best: action.action == advice.choice
                    || Some(key(action.worst, action.best)) == chosen,
            }
        });
        let actions = actions.collect();
        Some(Self { actions, ..Self::without_values(view, sequence)? })
    }

    /// Adds estimates of the final points to the legal actions of the hint. The estimates come from a search with the
    /// given horizon in complete moves. The best actions are then those with the best estimate.
    #[must_use]
    pub fn with_estimates(mut self, view: &View, points: &[(Action, f64)], horizon: u8) -> Self {
        let Viewer::Seat(seat) = view.viewer() else { return self };
        for hinted in &mut self.actions {
            let found = points
                .iter()
                .find(|(action, _)| crate::action(view.rules(), *action) == hinted.action);
            let (value, sign) = (hinted.value_for_first, if seat == Seat::First { 1 } else { -1 });
            hinted.estimate = found.map(|(_, points)| sign * value.clamp(f64::from(sign) * points));
        }
        let best = self.actions.iter().filter_map(|hinted| hinted.estimate).max();
        for hinted in &mut self.actions {
            hinted.best = hinted.estimate == best;
        }
        self.horizon = Some(horizon);
        self
    }
}
