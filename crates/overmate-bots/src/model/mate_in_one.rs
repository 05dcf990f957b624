//! Implements the rule that the bots of all strength levels never miss a mate in one.

use overmate_rules::{Action, Position};

use crate::model::softmax::OptionPoints;

/// Removes from the list `points` all actions except the highest-scoring mates in one and the actions that certainly score more than these
/// mates. Keeps all actions if there is no mate in one.
pub(crate) fn prefer_mate_in_one(
    position: &Position,
    points: &mut OptionPoints<Action>,
    brings_more: impl FnMut(Action, i32) -> bool,
) {
    prefer_mate(|action| mate_points(position, action), points, brings_more);
}

/// Removes from the list `points` all actions except the highest-scoring mates and the actions that certainly score more than these mates.
/// The function `mate` gives the points of a mating action.
pub(crate) fn prefer_mate(
    mate: impl Fn(Action) -> Option<i32>,
    points: &mut OptionPoints<Action>,
    mut brings_more: impl FnMut(Action, i32) -> bool,
) {
    let Some(most) = points.iter().filter_map(|(action, _)| mate(*action)).max() else { return };
    points.retain(|(action, _)| match mate(*action) {
        Some(other) => other == most,
        None => brings_more(*action, most),
    });
}

/// Returns the minimum mate score of an action over several positions, or `None` unless the action gives mate in each of
/// the positions.
pub(crate) fn mate_points_in_all<'a>(
    positions: impl IntoIterator<Item = &'a Position>,
    action: Action,
) -> Option<i32> {
    positions.into_iter().map(|position| mate_points(position, action)).min().flatten()
}

/// Returns the points of the mate that an action gives, or `None` if the action gives no mate.
pub(crate) fn mate_points(position: &Position, action: Action) -> Option<i32> {
    Some(position.mate_by(action)?.points())
}
