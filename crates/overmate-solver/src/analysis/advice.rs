//! What to do, from what one seat may know of a game.

use overmate_rules::{Action, BySeat, Card, Game, Seat, View, Viewer};

use crate::analysis::solver::Solver;
use crate::budget::Budget;
use crate::value::Value;

/// Advice to the player whose turn it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Advice {
    /// The action advised: one with the best worst case, among those one with the best sum of all cases, among
    /// those the first in the order of [`View::legal_actions`].
    pub choice: Action,
    /// Every legal action once, in the order of [`View::legal_actions`].
    pub actions: Vec<AdvisedAction>,
}

/// An action, and what it leads to in the worst and the best case for the player. The cases are the cards
/// that may lie face down before the other; the two are equal if none does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AdvisedAction {
    /// The action.
    pub action: Action,
    /// The value in the worst case for the player.
    pub worst: Value,
    /// The value in the best case for the player.
    pub best: Value,
}

impl Solver {
    /// What the viewer should do; `None` if it is not his turn.
    ///
    /// Where no card is hidden from him this is perfect play, if the budget suffices to prove it: with at most 20
    /// cards it always does. A card that lies face down before the other is not known here either: each card that it may
    /// be is tried as if it were open to both from now on. That is sound advice, but not perfect play of the
    /// game with a hidden card: it does not bluff and does not count on secrets.
    pub fn advise(&mut self, view: &View, budget: &Budget) -> Option<Advice> {
        let Viewer::Seat(seat) = view.viewer() else { return None };
        let legal = view.legal_actions();
        legal.first()?;
        let worlds = possible_worlds(view, seat);
        let budget = budget.part(worlds.len());
        let analyses: Vec<_> = worlds.iter().map(|(_, game)| self.analyse(game, &budget)).collect();
        let mut actions = Vec::new();
        let mut scores = Vec::new();
        for action in legal {
            let values: Vec<Value> = analyses
                .iter()
                .filter_map(|analysis| analysis.actions.iter().find(|a| a.action == action))
                .map(|found| found.value)
                .collect();
            let key = |value: &Value| (value.lower_bound_for(seat), value.upper_bound_for(seat));
            let worst = *values.iter().min_by_key(|value| key(value))?;
            let best = *values.iter().max_by_key(|value| key(value))?;
            let sum: i32 =
                values.iter().map(|v| v.lower_bound_for(seat) + v.upper_bound_for(seat)).sum();
            scores.push((key(&worst), sum));
            actions.push(AdvisedAction { action, worst, best });
        }
        let most = scores.iter().max()?;
        let choice = actions[scores.iter().position(|score| score == most)?].action;
        Some(Advice { choice, actions })
    }
}

/// Returns the games that a seat may be in, each with the card that may lie face down before the other player.
///
/// Without a hidden card there is one possible world, with `None` for the card.
///
/// ```
/// use overmate_rules::{Deal, Game, RuleSet, Seat, Viewer};
/// use overmate_solver::possible_worlds;
///
/// let rules = RuleSet::named("denexa")?.shared();
/// let game = Game::new(Deal::numbered(&rules, 20_010)?);
/// let foreplace = game.legal_actions()[1];
/// let game = game.play(foreplace)?;
/// assert_eq!(possible_worlds(&game.view(Viewer::Seat(Seat::Second)), Seat::Second).len(), 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn possible_worlds(view: &View, seat: Seat) -> Vec<(Option<Card>, Game)> {
    let hidden: Vec<Option<Card>> = match view.candidates(!seat) {
        candidates if candidates.is_empty() => vec![None],
        candidates => candidates.into_iter().map(Some).collect(),
    };
    let game =
        |card| view.imagine(BySeat::new_with(|owner| if owner == seat { None } else { card }));
    hidden.into_iter().filter_map(|card| Some((card, game(card)?))).collect()
}
