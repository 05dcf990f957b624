//! Computes hints for the human player, and reviews of the human's finished games.

use std::sync::Arc;
use std::time::Duration;

use overmate_bots::Estimates;
use overmate_bots::hidden::{HiddenSolver, MixedAdvice, Strength};
use overmate_rules::{Game, View};
use overmate_solver::{Review, Solver};

use super::hint::ShownHint;
use crate::limits::{StopFlag, budget, is_large};

/// Time limit for computing a hint under rules for which best play takes long to compute.
const HINT_TIME: Duration = Duration::from_secs(1);
/// Time limit for computing the review of a game with a large deck.
const REVIEW_TIME: Duration = Duration::from_secs(20);

/// Solvers that compute hints and reviews for the human, with exact values of the actions if the time limit permits.
pub(crate) struct Adviser {
    solver: Solver,
    /// Solver for positions with hidden information, in which a card lies or may lie face down.
    hidden_solver: HiddenSolver,
}

impl Adviser {
    pub(crate) fn new() -> Self {
        // The seed is arbitrary, because advice uses no random numbers.
        Self { solver: Solver::new(), hidden_solver: HiddenSolver::new(Strength::FULL, 0) }
    }

    /// Returns a hint for the player with the given view of the game, or `None` if it is not that player's turn.
    pub(crate) fn hint(&mut self, view: &View, stop: &StopFlag) -> Option<ShownHint> {
        self.hint_within(HINT_TIME, view, stop)
    }

    fn hint_within(&mut self, limit: Duration, view: &View, stop: &StopFlag) -> Option<ShownHint> {
        let budget_of = |time| budget(view.rules(), time, limit, None).with_stop(Arc::clone(stop));
        // The solver for hidden cards is asked first, because the solver for open cards assumes that the player sees all cards. With large
        // decks the solver for hidden cards is not used, and the hint has bounds and estimates with open cards.
        let has_hidden_solver = !is_large(view.rules());
        let advice = has_hidden_solver
            .then(|| self.hidden_solver.advise(view, &budget_of(Some(limit))))
            .flatten();
        let says_something = |advice: &MixedAdvice| {
            advice.is_proved || advice.actions.iter().any(|action| action.expected.is_some())
        };
        if let Some(advice) = advice.filter(says_something) {
            return Some(ShownHint::Hidden(advice));
        }
        let (bounds, estimates) =
            Estimates::beside_advice(view, &mut self.solver, &budget_of(None))?;
        Some(match estimates {
            Some(estimates) => ShownHint::Estimated { bounds, estimates },
            None => ShownHint::Values(bounds),
        })
    }

    /// Returns, for each action of a finished game, the number of points that the action lost
    /// compared with best play.
    pub(crate) fn review(&mut self, game: &Game, stop: &StopFlag) -> Review {
        let budget = budget(game.rules(), None, REVIEW_TIME, None);
        self.solver.review(game, &budget.with_stop(Arc::clone(stop)))
    }
}

#[cfg(test)]
mod tests {
    use overmate_rules::{Deal, RuleSet, Seat, Viewer};
    use overmate_solver::Budget;

    use super::*;
    use crate::text::notation::Notation;

    /// Tests that the solver for hidden cards gives the hint while a card lies face down, because
    /// other hints would reveal the card.
    #[test]
    fn a_hint_for_a_hidden_card_comes_from_the_hidden_card_solver() {
        let rules = RuleSet::named("denexa").unwrap().shared();
        let stop = StopFlag::default();
        let (mut asked, mut mixed) = (0, 0);
        for number in [7_u64, 99, 20_010] {
            let mut game = Game::new(Deal::numbered(&rules, number).unwrap());
            let mut turn = 0;
            while let Some(seat) = game.to_act()
                && (asked < 2 || mixed == 0)
            {
                let view = game.view(Viewer::Seat(seat));
                // Only positions with few cards are tested, because they are solved at once.
                if view.hides_card(!seat) && view.hand(seat).len() <= 3 {
                    let advice =
                        HiddenSolver::new(Strength::FULL, 1).advise(&view, &Budget::unlimited());
                    let minute = Duration::from_mins(1);
                    let hint = Adviser::new().hint_within(minute, &view, &stop).unwrap();
                    assert_eq!(Some(&hint), advice.map(ShownHint::Hidden).as_ref());
                    assert_eq!(hint.rows(seat).len(), view.legal_actions().len());
                    assert!(
                        hint.caveat().is_some_and(|text| text.starts_with("Overmate's reason: "))
                    );
                    mixed += usize::from(hint.rows(seat).iter().any(|row| !row.more.is_empty()));
                    asked += 1;
                }
                let legal: Vec<_> = view.legal_actions().collect();
                turn += 5;
                game = game.play(legal[turn % legal.len()]).unwrap();
            }
        }
        assert!(asked >= 2 && mixed > 0, "{asked} {mixed}");
    }

    /// Tests that the hint for a Pinochle deal estimates the value of every action within the proved bounds of this value.
    #[test]
    fn a_hint_for_pinochle_estimates_every_action_within_its_proved_bounds() {
        let rules = RuleSet::named("bga+pinochle").unwrap().shared();
        let game = Game::new(Deal::numbered(&rules, 12_345_678).unwrap());
        let view = game.view(Viewer::Seat(Seat::First));
        let hint = Adviser::new().hint(&view, &StopFlag::default()).unwrap();
        let ShownHint::Estimated { bounds, .. } = &hint else { panic!("{hint:?}") };
        let rows = hint.rows(Seat::First);
        assert_eq!(rows.len(), view.legal_actions().len());
        let mut last = i32::MAX;
        for row in &rows {
            let points: i32 = row.worth.trim_start_matches('~').parse().unwrap();
            let advised = bounds.actions.iter().find(|advised| advised.action == row.action);
            let advised = advised.unwrap();
            assert!(advised.worst.lower_bound_for(Seat::First) <= points, "{row:?}");
            assert!(advised.best.upper_bound_for(Seat::First) >= points, "{row:?}");
            assert!(points <= last, "the best action comes first: {rows:?}");
            last = points;
        }
        let sentence = hint.choice(&rules, Seat::First, Notation::Letters);
        let best = rules.action_text(rows[0].action).to_string();
        assert!(sentence.starts_with(&format!("Overmate would play {best}: ")), "{sentence}");
        assert_eq!(rows.iter().filter(|row| row.is_choice).count(), 1);
    }
}
