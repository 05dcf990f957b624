//! The opponent: what the solver counsels from one seat's view of a game.

use std::time::Duration;

use overmate_rules::{Action, RuleSet, View, Viewer};
use overmate_solver::{Budget, Counsel, Solver};

use crate::solve::budget;

/// How long it thinks about a deck that is too large to be solved at once.
const THINKING: Duration = Duration::from_secs(1);

/// Knows nothing of a game but the views that it is shown.
pub(super) struct Opponent(Solver);

impl Opponent {
    pub(super) fn new() -> Self {
        Self(Solver::new())
    }

    /// What it would do in place of the viewer, if it is the viewer's turn.
    pub(super) fn counsel(&mut self, view: &View) -> Option<Counsel> {
        self.0.counsel(view, &thinking(view.rules()))
    }

    /// What it does in its own place, and whether that is proved to be best.
    pub(super) fn act(&mut self, view: &View) -> (Action, bool) {
        match self.counsel(view) {
            Some(counsel) => (counsel.choice, is_proved(view, &counsel)),
            // Only asked when it is the viewer's turn, so there is something to do.
            None => (view.legal_actions().first().copied().unwrap_or(Action::Decline), false),
        }
    }
}

fn thinking(rules: &RuleSet) -> Budget {
    budget(rules, None, THINKING, None)
}

/// Whether no other action can be better, as far as values are bounded.
fn is_proved(view: &View, counsel: &Counsel) -> bool {
    let Viewer::Seat(seat) = view.viewer() else { return false };
    let all_exact = counsel
        .actions
        .iter()
        .all(|other| other.worst.exact().is_some() && other.best.exact().is_some());
    let chosen = counsel.actions.iter().find(|other| other.action == counsel.choice);
    let is_sure = chosen.is_some_and(|chosen| {
        let sure = chosen.worst.sure_for(seat);
        counsel
            .actions
            .iter()
            .all(|other| other.action == counsel.choice || other.best.hope_for(seat) <= sure)
    });
    all_exact || is_sure
}
