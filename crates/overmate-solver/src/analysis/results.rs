//! Defines the results of the solver: analyses of positions and reviews of games.

use overmate_rules::{Action, Position, Seat};

use crate::analysis::mistake::Mistake;
use crate::value::{Value, ValueForFirst};

/// Analysis of a position: its value, the value of each action, and the principal variation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Analysis {
    /// Value of the analysed position under best play.
    pub value: Value,
    /// All distinct legal actions with their values, in the order of [`Position::legal_actions`].
    pub actions: Vec<ActionValue>,
    /// Principal variation: the actions of best play from the position on, as far as the actions are proved to be best.
    ///
    /// Of several equally good actions, the principal variation takes the first in the order of
    /// [`Position::legal_actions`].
    pub principal_variation: Vec<Action>,
}

/// Legal action with the value of the position after the action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ActionValue {
    /// Legal action of the player whose turn it is.
    pub action: Action,
    /// Value of the position after the action.
    pub value: Value,
}

/// Review of a played game: the values before and after each action, and the points that the action
/// lost.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Review {
    /// Reviewed actions of the game, in the order of play.
    pub actions: Vec<ReviewedAction>,
}

/// Played action, with the values before and after the action and the points that the action lost against best play.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ReviewedAction {
    /// Seat that took the reviewed action.
    pub seat: Seat,
    /// Reviewed action.
    pub action: Action,
    /// Value of the position before the reviewed action.
    pub before: Value,
    /// Value of the position after the reviewed action.
    pub after: Value,
    /// Points that the reviewed action lost against best play, at least 0, or `None` if the loss is unproved.
    pub lost: Option<u32>,
    /// All legal actions that provably lose no points, in the order of [`Position::legal_actions`].
    pub best: Vec<Action>,
    /// Reason for the lost points, or `None` if no points were lost or no reason is known.
    pub mistake: Option<Mistake>,
}

impl Analysis {
    /// Creates the analysis of a finished game, with the given value and without legal actions.
    pub(crate) fn over(value: ValueForFirst) -> Self {
        Self { value: Value::Exact(value), actions: Vec::new(), principal_variation: Vec::new() }
    }
}

/// Analyses a position of an unfinished game, given a function that computes the values of the
/// actions in a position.
pub(crate) fn analyse_by_values(
    position: &Position,
    mut values: impl FnMut(&Position) -> Vec<(Action, ValueForFirst)>,
) -> Analysis {
    let actions = values(position);
    let value = best(position, &actions).map_or_else(Default::default, |(_, value)| value);
    let mut line = Vec::new();
    let mut at = position.clone();
    let mut next = best(position, &actions);
    while let Some((action, _)) = next
        && let Ok(after) = at.play(action)
    {
        line.push(action);
        next = best(&after, &values(&after));
        at = after;
    }
    let exact = |(action, value)| ActionValue { action, value: Value::Exact(value) };
    Analysis {
        value: Value::Exact(value),
        actions: actions.into_iter().map(exact).collect(),
        principal_variation: line,
    }
}

/// Returns the action with the best value for the seat whose turn it is. Of several best actions,
/// the first is returned.
fn best(
    position: &Position,
    actions: &[(Action, ValueForFirst)],
) -> Option<(Action, ValueForFirst)> {
    let seat = position.to_act()?;
    let best = actions.iter().map(|(_, value)| value.for_seat(seat)).max()?;
    actions.iter().find(|(_, value)| value.for_seat(seat) == best).copied()
}
