//! Computes the exact values of actions, and predicts a player's choice of an action.

use overmate_bots::{Level, LevelPolicies};
use overmate_rules::{Action, Position};

/// Strength level (1 to 9) of the bot that models how the opponent in a puzzle chooses among equally good replies.
const TEMPTED_LEVEL: u8 = 5;

/// Returns all legal actions with their values in points for the seat to act, in the order of [`Position::legal_actions`]. The list is
/// empty for a position of another deal.
pub(crate) fn action_values(policies: &LevelPolicies, position: &Position) -> Vec<(Action, i32)> {
    let Some(seat) = position.to_act() else { return Vec::new() };
    let values = policies.values(position).unwrap_or_default().into_iter();
    values.map(|(action, value)| (action, value.for_seat(seat))).collect()
}

/// Returns the action in the list `among` that the bot of strength level 5 takes most often. A tie goes to the action that comes first in
/// the list. The list holds at least one legal action.
pub(crate) fn most_tempting(
    policies: &LevelPolicies,
    position: &Position,
    among: &[Action],
) -> Action {
    let level = Level::new(TEMPTED_LEVEL).unwrap_or(Level::HIGHEST);
    let likely = policies.probabilities(level, position);
    let probability = |action| likely.as_ref().map_or(0.0, |likely| likely.probability_of(&action));
    let mut best = among[0];
    for &action in &among[1..] {
        if probability(action) > probability(best) {
            best = action;
        }
    }
    best
}
