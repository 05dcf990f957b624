//! Defines the trait that gives exact values and tempting actions for the positions of one deal.

use overmate_bots::{Level, LevelPolicies};
use overmate_rules::{Action, Position};

/// Level whose action probabilities choose among equally good replies. Levels go from 1 to 9.
const TEMPTED_LEVEL: u8 = 5;

/// Source of the exact values and of the most tempting replies in the positions of a puzzle.
pub trait Judge {
    /// Returns each legal action with its value in points for the seat to act, in the order of [`Position::legal_actions`].
    fn values(&mut self, position: &Position) -> Vec<(Action, i32)>;

    /// Returns the action among `among` that a player is most likely to choose. The list holds at least one legal action.
    fn most_tempting(&mut self, position: &Position, among: &[Action]) -> Action;
}

impl Judge for LevelPolicies {
    /// Returns the values from the exact table of the deal. The list is empty for a position of another deal.
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
