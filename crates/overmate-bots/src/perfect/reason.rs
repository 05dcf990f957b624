//! Expresses the perfect player's reason for an action as an English sentence.

use overmate_rules::{Action, Mate, Outcome, Position, Seat};

use crate::model::horizon_tables::HorizonTables;
use crate::model::objective::Objective;
use crate::model::parameters::Level;
use crate::words::{card_words, mate_words, points_words};

/// Input for the English sentence with the perfect player's reason for an action: position, seat, exact values,
/// objective, and assumed level of the opponent.
pub(crate) struct ReasonContext<'a> {
    pub(crate) tables: &'a HorizonTables,
    pub(crate) position: &'a Position,
    pub(crate) seat: Seat,
    /// Strength level that the perfect player assumes for its opponent.
    pub(crate) level: Level,
    pub(crate) objective: &'a Objective,
}

impl ReasonContext<'_> {
    /// Returns the perfect player's final points after an action, under best play by both players,
    /// or `None` if the value tables lack the position.
    pub(crate) fn exact_value_after(&self, action: Action) -> Option<i32> {
        self.exact_value(&self.position.clone().play(action).ok()?)
    }

    /// Returns the perfect player's final points from a position onward, under best play by both players, or `None` if
    /// the value tables lack the position.
    pub(crate) fn exact_value(&self, position: &Position) -> Option<i32> {
        Some(self.tables.exact_points_for_first(position)? * self.seat.sign_for_first())
    }

    /// Returns an English sentence with the reason for an action.
    ///
    /// The parameter `compared` has the number of considered actions, and the action's value under the objective. It is `None` if the time
    /// did not suffice to compare the best actions.
    pub(crate) fn sentence(&self, action: Action, compared: Option<(usize, f64)>) -> String {
        let Ok(next) = self.position.clone().play(action) else { return String::new() };
        if let Some(words) = mate_words(&next) {
            return words;
        }
        let exact = self.exact_value(&next).unwrap_or_default();
        let end = self.end(next).map(|mate| {
            let card = card_words(self.position.rules(), mate.card);
            format!("{card} mates in move {}", mate.move_number)
        });
        let points = points_words(exact.abs());
        let sure = match (exact.signum(), end) {
            (1, Some(end)) => format!("it is sure of {points}: against the best defence {end}"),
            (-1, Some(end)) => format!("it loses no more than {points}: in the best attack {end}"),
            _ => "it is sure of a draw".to_owned(),
        };
        if self.position.legal_actions().len() == 1 {
            return format!("it has no choice, and {sure}");
        }
        let Some((among, value)) = compared else {
            return format!("{sure}; it had no time to compare actions that are as good");
        };
        let level = self.level.get();
        match self.objective {
            Objective::Points if among > 1 => format!(
                "{sure}; of {among} actions that are as good it expects most of this one against level {level}: \
                 {value:.1} points"
            ),
            Objective::Points => format!("{sure}, and every other action gives something up"),
            Objective::Match { is_lost: false, .. } => format!(
                "{sure}; for the match it expects {:.0} in 100 of this against level {level}",
                100.0 * value
            ),
            Objective::Match { is_lost: true, .. } => format!(
                "best play would lose the match, so it sets the trap in which level {level} is most likely to be caught: \
                 {:.0} in 100",
                100.0 * value
            ),
        }
    }

    /// Returns the mate that ends the game if both players always take the first of their best actions. Returns `None` if the game then
    /// ends without a mate.
    fn end(&self, mut position: Position) -> Option<Mate> {
        loop {
            match position.outcome() {
                Some(Outcome::Mate(mate)) => return Some(mate),
                Some(_) => return None,
                None => {}
            }
            let sign = if position.to_act()? == self.seat { 1 } else { -1 };
            let mut best: Option<(i32, Position)> = None;
            for (_, next) in position.successors() {
                let value = self.exact_value(&next)? * sign;
                if best.as_ref().is_none_or(|(most, _)| value > *most) {
                    best = Some((value, next));
                }
            }
            position = best?.1;
        }
    }
}
