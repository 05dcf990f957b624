//! Computes exact values for analyses of given positions and for reviews of finished games.

use std::sync::Arc;

use overmate_bots::Estimates;
use overmate_json::{AnalysisSubject, UNFINISHED_REVIEW};
use overmate_rules::{BySeat, CardSet, Game, RuleSet, Viewer};
use overmate_solver::{Budget, MAX_TABLE_HAND, Solver};

use super::repository::MatchRepository;
use super::running_deals::RunningDeals;
use crate::computing::compute::Class;
use crate::computing::solver_pool::SolverPool;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::matches::match_state::MatchState;
use crate::store::Holder;
use crate::wire;

/// Error of a request for help with a deal that the requesting browser is playing without help.
const PLAYED_WITHOUT_HELP: ApiError = ApiError::MatchRunning(
    "you are playing this deal without help: finish the round, and then ask for the values of the deal",
);

/// Service that analyses positions and reviews finished games with the exact solver.
pub(crate) struct AnalysisService {
    repository: Arc<MatchRepository>,
    solvers: Arc<SolverPool>,
}

impl AnalysisService {
    pub(crate) fn new(repository: Arc<MatchRepository>, solvers: Arc<SolverPool>) -> Self {
        Self { repository, solvers }
    }

    /// Analyses a deal, a game record or a position. Refuses hands that occur in a running match in which the browser may get no
    /// help.
    pub(crate) async fn analyse(
        &self,
        request: wire::AnalysisRequest,
        client: Client,
    ) -> Result<wire::AnalysisWire, ApiError> {
        let subject = self.check(&request, client).await?;
        match &subject {
            AnalysisSubject::Game(game) => {
                let dealt = game.dealt().clone();
                let search =
                    move |solver: &mut Solver, budget: &Budget| analyse(&subject, solver, budget);
                self.solvers.with_deal(client, dealt, search).await
            }
            AnalysisSubject::Position(position) => {
                let class = Class::of_hands(position.hands());
                let search = move |budget: &Budget| analyse(&subject, &mut Solver::new(), budget);
                self.solvers.run(client, class, search).await
            }
        }
    }

    /// Parses and checks a request to analyse a deal, a game record or a position. Refuses hands that occur in a running match in which the
    /// browser may get no help.
    pub(crate) async fn check(
        &self,
        request: &wire::AnalysisRequest,
        client: Client,
    ) -> Result<AnalysisSubject, ApiError> {
        let subject = AnalysisSubject::read(request)?;
        match &subject {
            AnalysisSubject::Game(game) => self.refuse_running_game(game, client.browser()).await?,
            AnalysisSubject::Position(position) => {
                let hands = position.hands();
                self.refuse_running_deal(position.rules(), hands, client.browser()).await?;
            }
        }
        Ok(subject)
    }

    /// Refuses to analyse hands of a running match in which the requesting browser may get no help (undos, hints or analyses). An example
    /// is a match against another person. Exchanged hands, other rules and later positions of the deal are refused, too.
    pub(super) async fn refuse_running_deal(
        &self,
        rules: &RuleSet,
        hands: BySeat<CardSet>,
        holder: Option<Holder>,
    ) -> Result<(), ApiError> {
        let is_running = self.running_deals(holder).await?.contain(rules, hands);
        if is_running { Err(PLAYED_WITHOUT_HELP) } else { Ok(()) }
    }

    /// Refuses help with a game that has a position of a running match in which the requesting browser may get no help.
    pub(super) async fn refuse_running_game(
        &self,
        game: &Game,
        holder: Option<Holder>,
    ) -> Result<(), ApiError> {
        let is_running = self.running_deals(holder).await?.contain_game(game);
        if is_running { Err(PLAYED_WITHOUT_HELP) } else { Ok(()) }
    }

    /// Returns the deals of the running matches in which the requesting browser may get no help (undos, hints or analyses).
    pub(super) async fn running_deals(
        &self,
        holder: Option<Holder>,
    ) -> Result<RunningDeals, ApiError> {
        RunningDeals::of(&self.repository, holder).await
    }

    /// Reviews a finished game by computing the points that each action lost against best play.
    pub(crate) async fn review(
        &self,
        state: &MatchState,
        index: usize,
        client: Client,
    ) -> Result<wire::ReviewWire, ApiError> {
        let games = state.play().games();
        let game = games.get(index).ok_or(ApiError::NotFound("game"))?.clone();
        if game.outcome().is_none() {
            return Err(ApiError::MatchRunning(UNFINISHED_REVIEW));
        }
        if !state.may_review(index) {
            return Err(ApiError::MatchRunning(if state.clock().is_some() {
                "a match with clocks can be reviewed only after its end: finish the match first"
            } else {
                "a game without help can be reviewed only after both games of its deal: finish the round first"
            }));
        }
        self.refuse_running_game(&game, client.browser()).await?;
        let other = games.get(index ^ 1).cloned();
        self.solvers
            .with_deal(client, game.dealt().clone(), move |solver, budget| {
                wire::ReviewWire::of_game(index, &game, other.as_ref(), solver, budget)
            })
            .await
    }
}

/// Analyses a game or position. With a large deck, the exact search has half of the time in the budget. If the search does not prove the
/// values of all actions, the rest of the time is used for estimates of the actions and of the principal variation.
fn analyse(subject: &AnalysisSubject, solver: &mut Solver, budget: &Budget) -> wire::AnalysisWire {
    let rules = subject.rules();
    if rules.hand_size() <= MAX_TABLE_HAND {
        return subject.analyse(solver, budget);
    }
    let mut meter = budget.start();
    let half = match meter.time_left() {
        Some(time) => budget.clone().with_time(time / 2),
        None => budget.clone(),
    };
    let analysis = subject.analyse(solver, &half);
    if analysis.actions.iter().all(|action| action.value_for_first.exact.is_some()) {
        return analysis;
    }
    let Some(game) = subject.game() else { return analysis };
    let Some(seat) = game.to_act() else { return analysis };
    let view = game.view(Viewer::Seat(seat));
    // No estimated values of actions are computed if the opponent's face-down card is hidden from the seat to act. Estimates from the view
    // of this seat would not fit the analysis, which knows all cards.
    if view.hides_card(!seat) {
        return analysis;
    }
    // The estimates of the actions use up to three quarters of the time that remains for the analysis. The principal variation uses the
    // rest.
    let most = match meter.time_left() {
        Some(time) => budget.clone().with_time(time * 3 / 4),
        None => budget.clone(),
    };
    let Some(estimates) = Estimates::of(&view, &mut most.start()) else { return analysis };
    let analysis = analysis.with_estimates(rules, &estimates.actions, estimates.horizon);
    let best = analysis.actions.iter().find(|analysed| analysed.best);
    let best = estimates.actions.iter().map(|(action, _)| *action).find(|action| {
        best.is_some_and(|best| best.action == rules.action_text(*action).to_string())
    });
    let line = best.map(|best| Estimates::line(&game, best, estimates.horizon, &mut meter));
    analysis.with_estimated_line(rules, &line.unwrap_or_default())
}
