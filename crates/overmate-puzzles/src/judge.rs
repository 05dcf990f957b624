//! Defines a source of exact values and of the most tempting actions in the positions of one deal.

use overmate_bots::{Level, LevelPolicies};
use overmate_rules::{Action, Position};

/// Level, 5 of 9, whose action probabilities decide between equally good replies.
const TEMPTED_LEVEL: u8 = 5;

/// Source of the exact values and of the most tempting replies in the positions of a puzzle.
pub trait Judge {
    /// Returns the value of each legal action for the seat to act, in the order of [`Position::legal_actions`].
    fn values(&mut self, position: &Position) -> Vec<(Action, i32)>;

    /// Returns the most probable action of a player among the given legal actions, of which there is at least one.
    fn most_tempting(&mut self, position: &Position, among: &[Action]) -> Action;
}

impl Judge for LevelPolicies {
    /// Returns the values from the exact table of the deal, or no values for a position of another deal.
    fn values(&mut self, position: &Position) -> Vec<(Action, i32)> {
        let Some(seat) = position.to_act() else { return Vec::new() };
        let values = LevelPolicies::values(self, position).unwrap_or_default().into_iter();
        values.map(|(action, value)| (action, value.for_seat(seat))).collect()
    }

    /// Returns the action with the largest probability under level 5; ties go to the first action.
    fn most_tempting(&mut self, position: &Position, among: &[Action]) -> Action {
        let level = Level::new(TEMPTED_LEVEL).unwrap_or(Level::HIGHEST);
        let likely = self.probabilities(level, position).unwrap_or_default();
        let probability = |action: Action| {
            likely.iter().find(|(other, _)| *other == action).map_or(0.0, |(_, share)| *share)
        };
        let mut best = among[0];
        for &action in &among[1..] {
            if probability(action) > probability(best) {
                best = action;
            }
        }
        best
    }
}
