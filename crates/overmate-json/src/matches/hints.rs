//! Defines the JSON types of hints, and computes hints.

use crate::ProvedValue;
use overmate_rules::{View, Viewer};
use overmate_solver::{Budget, Solver, Value};
use serde::{Deserialize, Serialize};

/// Hint for the player to act: the value of every legal action.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Hint {
    /// Sequence number of the match after the log entry of the hint.
    pub sequence: u64,
    /// Whether the opponent has a face-down card. If so, the values are bounds over all possible
    /// worlds.
    pub hidden_card: bool,
    /// Legal actions with their values, in the order of the deck.
    pub actions: Vec<HintedAction>,
}

/// Legal action in a hint, with its value.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HintedAction {
    /// Legal action in notation.
    pub action: String,
    /// Value of the position after the action, in points for *first* under best play.
    pub value_for_first: ProvedValue,
    /// Lower bound of your final points in the game if you take this action.
    pub points_for_you: i32,
    /// Whether the action is as good as the advised action.
    pub best: bool,
}

impl Hint {
    /// Converts the advice for the seat of a view. Returns `None` if the seat is not to act. `sequence` numbers
    /// the hint in its match.
    #[must_use]
    pub fn new(view: &View, sequence: u64, solver: &mut Solver, budget: &Budget) -> Option<Self> {
        let Viewer::Seat(seat) = view.viewer() else { return None };
        let advice = solver.advise(view, budget)?;
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
                best: action.action == advice.choice
                    || Some(key(action.worst, action.best)) == chosen,
            }
        });
        let hidden_card = view.hides_card(!seat);
        Some(Self { sequence, hidden_card, actions: actions.collect() })
    }
}
