//! Estimates the points of all legal actions in games too large to solve.

use overmate_rules::{Action, Game, Phase, View, Viewer};
use overmate_solver::for_bots::{Meter, possible_worlds};
use overmate_solver::graph::LeadGraph;
use overmate_solver::{Advice, Budget, MAX_TABLE_HAND, Solver};

use crate::model::decision::{assess_by_search, assess_worlds, points_over_worlds};
use crate::model::depth_search::DepthSearch;
use crate::model::parameters::MARGIN_OVER_WORLDS;

/// Estimated points of all legal actions, from a search of limited depth.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Estimates {
    /// Legal actions in the order of [`View::legal_actions`], each with the estimated final points of the player who
    /// takes the action.
    ///
    /// An estimate that is more than 100 points below the best estimate is only an upper bound from the search.
    pub actions: Vec<(Action, f64)>,
    /// Search horizon in complete moves. The evaluation function estimates the rest of the game.
    pub horizon: u8,
}

impl Estimates {
    /// Estimates the points of each legal action of the player whose view is given, or returns `None` if it is not this
    /// player's turn.
    ///
    /// The search deepens until the budget of the meter is exhausted or the game ends. Each card that may lie face down has the same
    /// probability.
    ///
    /// ```
    /// use overmate_bots::Estimates;
    /// use overmate_rules::{Deal, Game, RuleSet, Seat, Viewer};
    /// use overmate_solver::Budget;
    /// let rules = RuleSet::named("bga+pinochle")?.shared();
    /// let game = Game::new(Deal::numbered(&rules, 12_345_678)?);
    /// let view = game.view(Viewer::Seat(Seat::First));
    /// let estimates = Estimates::of(&view, &mut Budget::unlimited().with_nodes(1_000).start())
    ///     .expect("it is the turn of first");
    /// assert_eq!(estimates.actions.len(), view.legal_actions().len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(view: &View, meter: &mut Meter) -> Option<Self> {
        let Viewer::Seat(seat) = view.viewer() else { return None };
        let legal: Vec<Action> = view.legal_actions().collect();
        let worlds = possible_worlds(view, seat);
        if legal.is_empty() || worlds.is_empty() {
            return None;
        }
        let deepest = view.rules().hand_size();
        let assessments = assess_worlds(&worlds, meter, |game, part| {
            assess_by_search(game, seat, deepest, MARGIN_OVER_WORLDS, part)
        });
        let horizon = assessments.iter().map(|world| world.horizon).min().unwrap_or_default();
        let points = points_over_worlds(&legal, &assessments, &vec![1.0; worlds.len()]);
        Some(Self { actions: points.iter().copied().collect(), horizon })
    }

    /// Returns an estimated principal variation: the given action, followed by the actions of both players that a
    /// search finds best. The search looks to the end of the next `horizon` moves.
    ///
    /// The search knows all cards. The line ends earlier if the game ends, or if the budget of the meter allows less depth. The line is
    /// empty if the action is illegal.
    ///
    /// ```
    /// use overmate_bots::Estimates;
    /// use overmate_rules::{Deal, Game, RuleSet};
    /// use overmate_solver::Budget;
    /// let rules = RuleSet::named("bga+pinochle")?.shared();
    /// let game = Game::new(Deal::numbered(&rules, 12_345_678)?);
    /// let lead = game.position().legal_actions().next().expect("a lead");
    /// let line = Estimates::line(&game, lead, 2, &mut Budget::unlimited().start());
    /// assert_eq!(line.len(), 4);
    /// assert_eq!(line[0], lead);
    /// assert!(game.play_all(&line).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn line(game: &Game, action: Action, horizon: u8, meter: &mut Meter) -> Vec<Action> {
        let start = game.position();
        let Ok(next) = start.clone().play(action) else { return Vec::new() };
        let left = horizon.saturating_sub(u8::from(matches!(start.phase(), Phase::Follow(_))));
        let graph = LeadGraph::of_deal(game.dealt());
        let mut line = vec![action];
        line.extend(DepthSearch::new(&graph).line(&next, left, meter));
        line
    }

    /// Returns advice to the player whose view is given, together with estimates if the deck is too large for exact
    /// advice. Returns `None` if it is not this player's turn.
    ///
    /// With a large deck the advice has half of the budget, and the estimates have the rest.
    #[must_use]
    pub fn beside_advice(
        view: &View,
        solver: &mut Solver,
        budget: &Budget,
    ) -> Option<(Advice, Option<Self>)> {
        if view.rules().hand_size() <= MAX_TABLE_HAND {
            return Some((solver.advise(view, budget)?, None));
        }
        let mut meter = budget.start();
        let advice = meter.with_part(2, |half| solver.advise_with(view, half))?;
        let is_exact = advice.actions.iter().all(|action| action.worst.exact().is_some());
        let estimates = if is_exact { None } else { Self::of(view, &mut meter) };
        Some((advice, estimates))
    }
}
