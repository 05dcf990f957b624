//! Defines the trait `Judge`, which provides the exact values of actions and predicts a player's choice of an action.

use overmate_bots::{Level, LevelPolicies};
use overmate_rules::{Action, Position};

/// Strength level (1 to 9) of the bot that models how the opponent in a puzzle chooses among equally good replies.
const TEMPTED_LEVEL: u8 = 5;

/// Trait for types that compute the exact values of actions and predict a player's choice among several actions.
pub trait Judge {
    /// Returns all legal actions with their values in points for the seat to act, in the order of
    /// [`Position::legal_actions`].
    fn values(&mut self, position: &Position) -> Vec<(Action, i32)>;

    /// Returns the action in the list `among` that a player is most likely to choose. The list holds at least one legal action.
    fn most_tempting(&mut self, position: &Position, among: &[Action]) -> Action;
}

impl Judge for LevelPolicies {
    /// Returns all legal actions of a position with their values from the deal table. The list is
    /// empty for a position of another deal.
    fn values(&mut self, position: &Position) -> Vec<(Action, i32)> {
        let Some(seat) = position.to_act() else { return Vec::new() };
        let values = LevelPolicies::values(self, position).unwrap_or_default().into_iter();
        values.map(|(action, value)| (action, value.for_seat(seat))).collect()
    }

    /// Returns the action in the list `among` that the bot of strength level 5 takes most often. A tie goes to
    /// the action that comes first in the list.
    fn most_tempting(&mut self, position: &Position, among: &[Action]) -> Action {
        let level = Level::new(TEMPTED_LEVEL).unwrap_or(Level::HIGHEST);
        let likely = self.probabilities(level, position);
        let probability =
            |action| likely.as_ref().map_or(0.0, |likely| likely.probability_of(&action));
        let mut best = among[0];
        for &action in &among[1..] {
            if probability(action) > probability(best) {
                best = action;
            }
        }
        best
    }
}
