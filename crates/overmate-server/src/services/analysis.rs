//! Computes exact values: analyses of given positions, and reviews of finished games.

use std::sync::Arc;

use overmate_rules::{
    Action, BySeat, CardSet, Deal, Game, Match, Position, PositionSetup, Record, RuleSet, Seat,
};
use overmate_solver::{Budget, Solver, Value};

use super::parse::{numbered_deal, rule_set};
use super::repository::MatchRepository;
use super::running_deals::RunningDeals;
use crate::client::Client;
use crate::compute::Class;
use crate::error::ApiError;
use crate::game_report::hides_cards;
use crate::match_state::MatchState;
use crate::show;
use crate::show::game::Perspective;
use crate::solver_pool::SolverPool;
use crate::store::Holder;
use crate::wire;

/// Service that analyses positions and reviews finished games with the exact solver.
pub(crate) struct AnalysisService {
    repository: Arc<MatchRepository>,
    solvers: Arc<SolverPool>,
}

/// Game or position to analyse.
pub(crate) enum AnalysisSubject {
    Game(Box<Game>),
    Position(Box<Position>),
}

/// Result of an analysis: the value of the position, the value of each legal action, and the principal variation.
struct FoundValues {
    value: Value,
    actions: Vec<(Action, Value)>,
    line: Vec<Action>,
}

impl AnalysisService {
    pub(crate) fn new(repository: Arc<MatchRepository>, solvers: Arc<SolverPool>) -> Self {
        Self { repository, solvers }
    }

    /// Analyses a deal, a game record or a position. Refuses hands of the browser's running matches
    /// without help.
    pub(crate) async fn analyse(
        &self,
        request: wire::AnalysisRequest,
        client: Client,
    ) -> Result<wire::AnalysisWire, ApiError> {
        let subject = read_subject(&request)?;
        let (rules, hands) = subject.cards();
        self.refuse_running_deal(rules, hands, client.browser()).await?;
        let (rules, position, shown, played, found) = match subject {
            AnalysisSubject::Game(game) => {
                let rules = Arc::clone(game.rules());
                let position = game.position().to_string();
                let shown = show::game::view(&game, 0, wire::PlayerWire::A, Perspective::Open);
                let played = overmate_json::actions(&rules, game.actions());
                let dealt = game.dealt().clone();
                let found = self
                    .solvers
                    .with_deal(client, dealt, move |solver, budget| of_game(solver, &game, budget))
                    .await?;
                (rules, position, shown, played, found)
            }
            AnalysisSubject::Position(position) => {
                let rules = Arc::clone(position.rules());
                let text = position.to_string();
                let shown = show::game::of_position(&position);
                let class = Class::of_hands(position.hands());
                let search = move |budget: &Budget| of_position(&position, budget);
                let found = self.solvers.run(client, class, search).await?;
                (rules, text, shown, Vec::new(), found)
            }
        };
        let actions = found.actions.iter().map(|(action, value)| wire::AnalysedAction {
            action: overmate_json::action(&rules, *action),
            value_for_first: (*value).into(),
            best: value.exact().is_some() && *value == found.value,
        });
        Ok(wire::AnalysisWire {
            rules: rules.name().to_owned(),
            position,
            game: shown,
            played,
            value_for_first: found.value.into(),
            actions: actions.collect(),
            line: overmate_json::actions(&rules, &found.line),
        })
    }

    /// Refuses hands that also occur in a running match in which the browser may get no help, such
    /// as a match against another person. Exchanged hands, other rules and later positions of the
    /// deal are refused, too.
    pub(super) async fn refuse_running_deal(
        &self,
        rules: &RuleSet,
        hands: BySeat<CardSet>,
        holder: Option<Holder>,
    ) -> Result<(), ApiError> {
        if self.running_deals(holder).await?.contain(rules, hands) {
            return Err(ApiError::MatchRunning(
                "you are playing this deal without help, and its values are shown when the round is over",
            ));
        }
        Ok(())
    }

    /// Returns the deals of the running matches in which the browser may get no help (undos, hints
    /// and analyses).
    pub(super) async fn running_deals(
        &self,
        holder: Option<Holder>,
    ) -> Result<RunningDeals, ApiError> {
        RunningDeals::of(&self.repository, holder).await
    }

    /// Reviews a finished game: computes the points that each action lost against best play.
    pub(crate) async fn review(
        &self,
        state: &MatchState,
        index: usize,
        client: Client,
    ) -> Result<wire::ReviewWire, ApiError> {
        let games = state.play().games();
        let game = games.get(index).ok_or(ApiError::NotFound("game"))?.clone();
        if game.outcome().is_none() {
            return Err(ApiError::MatchRunning(
                "a game can be reviewed only after its end: finish the game first",
            ));
        }
        if !state.may_review(index) {
            return Err(ApiError::MatchRunning(
                "a game without help can be reviewed only after both games of its deal: finish the round first",
            ));
        }
        let rules = Arc::clone(game.rules());
        self.refuse_running_deal(&rules, game.dealt().hands(), client.browser()).await?;
        let reviewed = game.clone();
        let (review, deal) = self
            .solvers
            .with_deal(client, game.dealt().clone(), move |solver, budget| {
                let review = solver.review(&reviewed, budget);
                (review, of_game(solver, &reviewed.after(0), budget))
            })
            .await?;
        let mut lost = wire::Lost::default();
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
            actions.push(wire::ReviewedActionWire {
                index: at,
                seat: action.seat.into(),
                action: overmate_json::action(&rules, action.action),
                before_for_first: action.before.into(),
                after_for_first: action.after.into(),
                lost: action.lost,
                best: overmate_json::actions(&rules, &action.best),
                mistake: action.mistake.map(|reason| wire::MistakeWire::new(&rules, reason)),
            });
        }
        let start = wire::ProvedValue::from(deal.value);
        let after = actions.iter().map(|action| action.after_for_first);
        let values_for_first = std::iter::once(start).chain(after).collect();
        let points = |game: &Game| game.outcome().map(|outcome| outcome.points_for_first());
        Ok(wire::ReviewWire {
            game: index,
            had_hidden_card: hides_cards(&rules)
                && game.actions().iter().any(|action| matches!(action, Action::Foreplace(_))),
            actions,
            values_for_first,
            lost,
            turning_point: turning.map(|(_, at)| at),
            points_for_first: points(&game).unwrap_or_default(),
            value_for_first: start,
            other_seating_points_for_first: games.get(index ^ 1).and_then(points),
            line: overmate_json::actions(&rules, &deal.line),
        })
    }
}

impl AnalysisSubject {
    /// Returns the rule set and both hands of the subject: the dealt hands of a game, or the hands
    /// of a position.
    fn cards(&self) -> (&RuleSet, BySeat<CardSet>) {
        match self {
            Self::Game(game) => (game.rules(), game.dealt().hands()),
            Self::Position(position) => (position.rules(), position.hands()),
        }
    }
}

fn of_game(solver: &mut Solver, game: &Game, budget: &Budget) -> FoundValues {
    let analysis = solver.analyse(game, budget);
    let actions = analysis.actions.iter().map(|action| (action.action, action.value));
    FoundValues {
        value: analysis.value,
        actions: actions.collect(),
        line: analysis.principal_variation,
    }
}

/// Analyses a position without its deal. The position after each legal action is solved separately.
fn of_position(position: &Position, budget: &Budget) -> FoundValues {
    let mut solver = Solver::new();
    let mut line = Vec::new();
    let mut first = None;
    let mut at = position.clone();
    loop {
        let actions = values(&mut solver, &at, budget);
        let value = best_value(&mut solver, &at, &actions, budget);
        let best =
            actions.iter().find(|(_, reached)| reached.exact().is_some() && *reached == value);
        let best = best.map(|(action, _)| *action);
        first.get_or_insert((value, actions));
        let Some(next) = best.and_then(|action| Some((action, at.play(action).ok()?))) else {
            break;
        };
        line.push(next.0);
        at = next.1;
    }
    let (value, actions) = first.unwrap_or_default();
    FoundValues { value, actions, line }
}

fn values(solver: &mut Solver, position: &Position, budget: &Budget) -> Vec<(Action, Value)> {
    let after = |action| Some((action, position.clone().play(action).ok()?));
    let after = position.legal_actions().filter_map(after);
    after.map(|(action, position)| (action, solver.value(&position, budget))).collect()
}

fn best_value(
    solver: &mut Solver,
    position: &Position,
    actions: &[(Action, Value)],
    budget: &Budget,
) -> Value {
    let Some(seat) = position.to_act() else { return solver.value(position, budget) };
    let values = || actions.iter().map(|(_, value)| *value);
    let (low, high): (Vec<_>, Vec<_>) =
        values().map(|value| (value.at_least(), value.at_most())).unzip();
    let pick = |values: Vec<overmate_solver::ValueForFirst>| match seat {
        Seat::First => values.into_iter().max(),
        Seat::Second => values.into_iter().min(),
    };
    Value::between(pick(low).unwrap_or_default(), pick(high).unwrap_or_default())
}

/// Parses the game or position of an analysis request.
pub(crate) fn read_subject(request: &wire::AnalysisRequest) -> Result<AnalysisSubject, ApiError> {
    let wire::AnalysisRequest { rules, deal, hands, record, game, position, actions } = request;
    let given = [deal.is_some(), hands.is_some(), record.is_some(), position.is_some()];
    if given.into_iter().filter(|given| *given).count() != 1 {
        return Err(ApiError::bad_request("give exactly one of deal, hands, record and position"));
    }
    if let Some(record) = record {
        return of_record(record, *game, actions.as_deref());
    }
    let rules = rules.as_deref().ok_or_else(|| {
        ApiError::bad_request("rules: the name of a rule set is missing: add the field rules")
    })?;
    let rules = rule_set(rules)?;
    let actions = actions.as_deref().unwrap_or_default();
    if let Some(text) = position {
        let setup: PositionSetup = rules.read_position(text).map_err(ApiError::bad_request)?;
        let position = setup.validate(&rules).map_err(ApiError::bad_request)?;
        let mut position = position;
        for text in actions {
            let action = read_action(&rules, text)?;
            position = position.play(action).map_err(|error| refused(text, &error.illegal))?;
        }
        return Ok(AnalysisSubject::Position(Box::new(position)));
    }
    let dealt = match (deal, hands) {
        (Some(number), _) => numbered_deal(&rules, number)?,
        (None, hands) => {
            let hands = hands.as_ref();
            let cards = |hand: Option<&Vec<String>>| -> Result<_, ApiError> {
                let texts = hand.into_iter().flatten();
                let cards: Result<Vec<_>, _> =
                    texts.take(64).map(|text| rules.deck().read_card(text)).collect();
                cards.map_err(ApiError::bad_request)
            };
            let first = cards(hands.map(|hands| &hands.first))?;
            let second = cards(hands.map(|hands| &hands.second))?;
            Deal { first, second }.validate(&rules).map_err(ApiError::bad_request)?
        }
    };
    played(Game::new(dealt), actions)
}

fn of_record(
    text: &str,
    index: Option<usize>,
    actions: Option<&[String]>,
) -> Result<AnalysisSubject, ApiError> {
    let record = Record::read(text).map_err(ApiError::bad_request)?;
    let play: &Match = record.played_match();
    let index = index.unwrap_or_else(|| play.current_index());
    let game = play.games().get(index);
    let game = game.ok_or_else(|| {
        ApiError::bad_request(format!(
            "game: the record has no game {index}: give the index of a game in the record, from 0"
        ))
    })?;
    match actions {
        Some(actions) => played(game.after(0), actions),
        // A resigned game is analysed at the last position before the resignation.
        None => Ok(AnalysisSubject::Game(Box::new(game.after(game.actions().len())))),
    }
}

fn played(game: Game, actions: &[String]) -> Result<AnalysisSubject, ApiError> {
    let rules = Arc::clone(game.rules());
    let mut game = game;
    for text in actions {
        let action = read_action(&rules, text)?;
        game = game.play(action).map_err(|error| refused(text, &error.illegal))?;
    }
    Ok(AnalysisSubject::Game(Box::new(game)))
}

/// Parses an action of an analysis request.
fn read_action(rules: &RuleSet, text: &str) -> Result<Action, ApiError> {
    rules.read_action(text.trim()).map_err(ApiError::bad_request)
}

/// Returns the error for an illegal action in an analysis request.
fn refused(text: &str, illegal: &overmate_rules::Illegal) -> ApiError {
    ApiError::IllegalAction(format!("{text}: {illegal}"))
}
