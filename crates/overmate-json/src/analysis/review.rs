//! Reviews games: computes the points that each action lost against best play.

use overmate_rules::{Action, Face, Game, RuleSet, Seat};
use overmate_solver::{Budget, Solver};

use super::forms::{Lost, ReviewWire, ReviewedActionWire};
use super::subject::of_game;
use crate::{MistakeWire, ProvedValue};

/// Error text for a request to review an unfinished game.
pub const UNFINISHED_REVIEW: &str =
    "a game can be reviewed only after its end: finish the game first";

impl ReviewWire {
    /// Computes the review of a finished game, with the points that each action lost against best play. `index` is the index of
    /// the game in its match, from 0, and `other` is the other game of the same deal, with exchanged seats, if any.
    #[must_use]
    pub fn of_game(
        index: usize,
        game: &Game,
        other: Option<&Game>,
        solver: &mut Solver,
        budget: &Budget,
    ) -> Self {
        let rules: &RuleSet = game.rules();
        let review = solver.review(game, budget);
        let deal = of_game(solver, &game.after(0), budget);
        let mut lost = Lost::default();
        let mut turning: Option<(u32, usize)> = None;
        let mut actions = Vec::new();
        for (at, action) in review.actions.iter().enumerate() {
            let points = action.lost.unwrap_or_default();
            match action.seat {
                Seat::First => lost.first += points,
                Seat::Second => lost.second += points,
            }
            if points > turning.map_or(0, |(most, _)| most) {
                turning = Some((points, at));
            }
            actions.push(ReviewedActionWire {
                index: at,
                seat: action.seat.into(),
                action: crate::action(rules, action.action),
                before_for_first: action.before.into(),
                after_for_first: action.after.into(),
                lost: action.lost,
                best: crate::actions(rules, &action.best),
                mistake: action.mistake.map(|reason| MistakeWire::new(rules, reason)),
            });
        }
        let start = ProvedValue::from(deal.value);
        let after = actions.iter().map(|action| action.after_for_first);
        let values_for_first = std::iter::once(start).chain(after).collect();
        let points = |game: &Game| game.outcome().map(|outcome| outcome.points_for_first());
        Self {
            game: index,
            had_hidden_card: hides_cards(rules)
                && game.actions().iter().any(|action| matches!(action, Action::Foreplace(_))),
            actions,
            values_for_first,
            lost,
            turning_point: turning.map(|(_, at)| at),
            points_for_first: points(game).unwrap_or_default(),
            value_for_first: start,
            other_seating_points_for_first: other.and_then(points),
            line: crate::actions(rules, &deal.line),
        }
    }
}

/// Returns whether games under a rule set can have a face-down card.
#[must_use]
pub fn hides_cards(rules: &RuleSet) -> bool {
    rules.foreplacing().is_some_and(|foreplacing| foreplacing.face == Face::Down)
}
