//! Computes advice for one player from only the cards and actions that this player can see.

use overmate_rules::{Action, BySeat, Card, Game, Seat, View, Viewer};

use crate::analysis::solver::Solver;
use crate::budget::{Budget, Meter};
use crate::value::Value;

/// Advice to the player whose turn it is: the advised action, and the values of all legal actions.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Advice {
    /// Advised action: the legal action with the best value against the worst possible face-down card of the opponent. Ties go to the
    /// action with the best sum over all possible worlds, then to the first action in the order of [`View::legal_actions`].
    pub choice: Action,
    /// All distinct legal actions with their values, in the order of [`View::legal_actions`].
    pub actions: Vec<AdvisedAction>,
}

/// Legal action of the advised player, with its values for the worst and for the best possible face-down card of the
/// opponent.
///
/// The possible worlds differ in the card that may lie face down in front of the opponent. Without
/// a hidden card both values are equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct AdvisedAction {
    /// Legal action of the advised player.
    pub action: Action,
    /// Value of the action in the possible world that is worst for the advised player.
    pub worst: Value,
    /// Value of the action in the possible world that is best for the advised player.
    pub best: Value,
}

impl Solver {
    /// Advises the player who sees `view`, or returns `None` if it is not that player's turn.
    ///
    /// Without a hidden card, the advice is perfect play if the budget suffices for a proof. With
    /// at most 20 cards the budget always suffices. A card that lies face down in front of the opponent stays unknown. The solver therefore
    /// solves the game for each candidate, as if both players knew the card from now on. The result is sound advice but not perfect play
    /// with a hidden card, because the advice neither bluffs nor exploits hidden information.
    ///
    /// ```
    /// use overmate_rules::{Deal, Game, RuleSet, Seat, Viewer};
    /// use overmate_solver::{Budget, Solver};
    /// let rules = RuleSet::named("sackson")?.shared();
    /// let game = Game::new(Deal::numbered(&rules, 20_010)?);
    /// let view = game.view(Viewer::Seat(Seat::First));
    /// let advice = Solver::new().advise(&view, &Budget::unlimited()).expect("it is the turn of first");
    /// assert!(game.legal_actions().any(|legal| legal == advice.choice));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn advise(&mut self, view: &View, budget: &Budget) -> Option<Advice> {
        self.advise_with(view, &mut budget.start())
    }

    /// Advises the player who sees `view`, like [`advise`](Self::advise), within the remaining node
    /// and time limits of `meter`.
    ///
    /// ```
    /// use overmate_rules::{Deal, Game, RuleSet, Seat, Viewer};
    /// use overmate_solver::{Budget, Solver};
    /// let rules = RuleSet::named("bga+pinochle")?.shared();
    /// let view = Game::new(Deal::numbered(&rules, 20_010)?).view(Viewer::Seat(Seat::First));
    /// let mut meter = Budget::unlimited().with_nodes(1_000).start();
    /// let advice = meter.with_part(2, |half| Solver::new().advise_with(&view, half));
    /// assert!(advice.is_some());
    /// assert!(meter.nodes_left() >= Some(500));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn advise_with(&mut self, view: &View, meter: &mut Meter) -> Option<Advice> {
        let Viewer::Seat(seat) = view.viewer() else { return None };
        let legal: Vec<_> = view.legal_actions().collect();
        legal.first()?;
        let worlds = possible_worlds(view, seat);
        let mut analyses = Vec::new();
        for (index, (_, game)) in worlds.iter().enumerate() {
            let analyse = |part: &mut Meter| self.analyse_with(game, part);
            analyses.push(meter.with_part(worlds.len() - index, analyse));
        }
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

/// Returns all possible worlds: the games that are consistent with a player's view, one game for each possible face-down card of the
/// opponent.
///
/// Without a hidden card, the only possible world is the game itself, with `None` for the card.
///
/// ```
/// use overmate_rules::{Deal, Game, RuleSet, Seat, Viewer};
/// use overmate_solver::for_bots::possible_worlds;
/// let rules = RuleSet::named("denexa")?.shared();
/// let game = Game::new(Deal::numbered(&rules, 20_010)?);
/// let foreplace = game.legal_actions().nth(1).unwrap();
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
