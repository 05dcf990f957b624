//! Measures a player's play in a finished game, by the exact values of the deal and by the models of the strength levels.

use overmate_bots::{LevelLikelihood, LevelPolicies};
use overmate_json::MistakeKind;
use overmate_rules::{Action, Game, Phase, Position, Seat};
use overmate_solver::{Mistake, ValueForFirst};

/// Measurement of a player's play in a finished game, compared with best play and with the models of the strength levels.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct GameReport {
    /// Number of real choices: decisions with at least two different exact values among the legal actions.
    pub(crate) choices: u32,
    /// Sum of the accuracies of the player's real choices, which are decisions between actions of different value. The accuracy of a choice
    /// is 1 for a best action, and 0 for a worst action.
    pub(crate) accuracies: f64,
    /// Choices that lost points, in the order of play.
    pub(crate) mistakes: Vec<LossyChoice>,
    /// Likelihood of the player's decisions under the model of each strength level. Decisions without a real choice
    /// count, too.
    pub(crate) likelihood: LevelLikelihood,
}

/// Choice that lost points against best play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LossyChoice {
    /// Number of points that the player lost by this choice, at least 1.
    pub(crate) lost: u32,
    /// Kind of mistake in play, or `None` if the mistake is of no known kind.
    pub(crate) kind: Option<MistakeKind>,
}

impl GameReport {
    /// Measures how well the player of a seat has played a finished game, compared with best play and with the strength levels. A decision
    /// is left out if `is_helped` returns true for the number of actions before the decision.
    ///
    /// The exact values hold for play with all cards open, and do not measure the quality of a decision while a card lies face
    /// down. Therefore a decision counts only if no card lies face down or can come to lie face down.
    pub(crate) fn new(
        game: &Game,
        seat: Seat,
        policies: &LevelPolicies,
        is_helped: impl Fn(usize) -> bool,
    ) -> Self {
        let mut report = Self::default();
        let mut position = Position::start(game.dealt());
        let hides = overmate_json::hides_cards(game.rules());
        let is_foreplacement = |action: &Action| matches!(action, Action::Foreplace(_));
        for (before, &action) in game.actions().iter().enumerate() {
            let may_be_hidden = hides
                && (matches!(position.phase(), Phase::Foreplacing(_))
                    || game.actions()[..before].iter().any(is_foreplacement));
            if position.to_act() == Some(seat) && !is_helped(before) && !may_be_hidden {
                report.count(&position, seat, action, policies);
            }
            let Ok(next) = position.play(action) else { break };
            position = next;
        }
        report
    }

    /// Returns the total number of points that the player's choices lost.
    pub(crate) fn points_lost(&self) -> u32 {
        self.mistakes.iter().map(|mistake| mistake.lost).sum()
    }

    fn count(&mut self, position: &Position, seat: Seat, action: Action, policies: &LevelPolicies) {
        self.likelihood.observe(policies, position, action);
        let Some(values) = policies.values(position) else { return };
        let own = |value: ValueForFirst| value.for_seat(seat);
        let best = values.iter().map(|(_, value)| own(*value)).max();
        let worst = values.iter().map(|(_, value)| own(*value)).min();
        let played = values.iter().find(|(other, _)| *other == action);
        let (Some(best), Some(worst), Some((_, played))) = (best, worst, played) else { return };
        if best == worst {
            return;
        }
        let lost = best.abs_diff(own(*played));
        self.choices += 1;
        self.accuracies += 1.0 - f64::from(lost) / f64::from(best.abs_diff(worst));
        if lost > 0 {
            let right = values.iter().filter(|(_, value)| own(*value) == best);
            let right: Vec<Action> = right.map(|(action, _)| *action).collect();
            let reason = Mistake::of(position, action, &right);
            let kind =
                reason.map(|reason| overmate_json::MistakeWire::new(position.rules(), reason).kind);
            self.mistakes.push(LossyChoice { lost, kind });
        }
    }
}

#[cfg(test)]
mod tests {
    use overmate_rules::{Deal, RuleSet};

    use super::*;

    /// Returns the number of real choices (decisions between actions of different value) of a seat in a test game. The game begins with the
    /// actions `foreplacing`, and continues with the first legal action at each turn.
    fn choices(rules: &str, seat: Seat, foreplacing: &[&str]) -> u32 {
        let rules = RuleSet::named(rules).expect("a rule set").shared();
        let mut game = Game::new(Deal::numbered(&rules, 20_010).expect("a deal"));
        for text in foreplacing {
            game = game.play(rules.read_action(text).expect("an action")).expect("a legal action");
        }
        while let Some(action) = game.legal_actions().next() {
            game = game.play(action).expect("a legal action");
        }
        let policies = LevelPolicies::new(game.dealt()).expect("20 cards");
        let report = GameReport::new(&game, seat, &policies, |_| false);
        assert!(report.accuracies <= f64::from(report.choices));
        report.choices
    }

    #[test]
    fn choices_with_a_card_face_down_do_not_count() {
        for seat in [Seat::First, Seat::Second] {
            assert!(choices("sackson", seat, &["(Tc)", "-"]) > 1);
            assert_eq!(choices("denexa", seat, &["(Tc)", "-"]), 0);
            assert!(choices("denexa", seat, &["-", "-"]) > 0);
        }
    }
}
