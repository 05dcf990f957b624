//! Implements the perfect player: a bot that loses no points against best play and exploits weaker opponents.

use std::sync::Arc;

use overmate_rules::{Dealt, Game, Position, Seat, View, Viewer};
use overmate_solver::Solver;
use overmate_solver::for_bots::Meter;

use crate::bot::{ACTION_NODES, Bot, Choice, Forfeit, PointBounds, Standing, Thought, Turn};
use crate::hidden::{HiddenSolver, MatchUtility, Strength};
use crate::model::best_response::BestResponse;
use crate::model::horizon_tables::HorizonTables;
use crate::model::objective::Objective;
use crate::model::parameters::Level;
use crate::model::player::PlayerModel;
use crate::model::score_distribution::ScoreDistribution;
use crate::model::scores::{scores_between_equals, scores_of_best_response};
use crate::model::searched_advice::searched_advice;
use crate::model::shared_tables::SharedTables;
use crate::model::state_map::NodeValues;
use crate::perfect::level_belief::LevelBelief;
use crate::perfect::reason::ReasonContext;
use crate::public_game::history::has_hidden_card;

/// Maximum difference at which two expected values count as equal.
const EPSILON: f64 = 1e-9;

/// Perfect player: a bot that chooses, among the best actions, the best response to the opponent's most probable strength level.
pub(crate) struct Perfect {
    /// Solver of decisions in games with face-down cards.
    hidden: HiddenSolver,
    solver: Solver,
    shared: Arc<SharedTables>,
    /// Current deal, with its tables of position values for all search horizons.
    deal: Option<(Dealt, Arc<HorizonTables>)>,
    /// Belief about the opponent's strength level (1 to 9) from earlier games of the match.
    opponent: LevelBelief,
    /// Strength level of the opponent as given to the perfect player, or `None` for an unknown level.
    given: Option<Level>,
    /// Position values from the most recent computation of a best response, with its cache key: seat, level and objective.
    /// Later decisions with the same key reuse the values.
    last_response: Option<(ResponseKey, NodeValues)>,
    /// Score distribution of the round's second game in points for the perfect player, with this player's seat and the opponent's level.
    /// The perfect player is assumed to play for points.
    second_game: Option<(Seat, Level, ScoreDistribution)>,
}

/// Cache key of a best response within one deal: the perfect player's seat, the opponent's level, and the perfect player's
/// objective.
#[derive(Clone, PartialEq, Debug)]
struct ResponseKey {
    seat: Seat,
    level: Level,
    objective: Objective,
}

impl Perfect {
    /// Name of the perfect player that does not know the strength level of its opponent.
    pub(crate) const NAME: &str = "perfect";

    /// Returns the name, such as `perfect:vs=3`, of the perfect player that knows its opponent's strength level.
    pub(crate) fn name_against(level: Level) -> String {
        format!("{}:vs={}", Self::NAME, level.get())
    }

    /// Creates a perfect player that uses its random seed only in games with a face-down card.
    pub(crate) fn new(seed: u64, shared: &Arc<SharedTables>) -> Self {
        Self {
            hidden: HiddenSolver::new(Strength::FULL, seed),
            solver: Solver::new(),
            shared: Arc::clone(shared),
            deal: None,
            opponent: LevelBelief::new(),
            given: None,
            last_response: None,
            second_game: None,
        }
    }

    /// Creates a perfect player that assumes throughout the match that its opponent plays at the given strength level.
    pub(crate) fn against(level: Level, seed: u64, shared: &Arc<SharedTables>) -> Self {
        Self {
            opponent: LevelBelief::certain(level),
            given: Some(level),
            ..Self::new(seed, shared)
        }
    }

    /// Returns the tables of position values of a game's deal, or `None` if the deck is too large for such tables.
    fn prepare(&mut self, game: &Game) -> Option<&Arc<HorizonTables>> {
        let position = game.position();
        let fits = |(dealt, tables): &(Dealt, Arc<HorizonTables>)| {
            dealt == game.dealt() && tables.graph().value_for_first(position, &mut |_| 0).is_some()
        };
        if !self.deal.as_ref().is_some_and(fits) {
            (self.deal, self.last_response, self.second_game) = (None, None, None);
            self.deal = self.shared.of(game).map(|tables| (game.dealt().clone(), tables));
        }
        self.deal.as_ref().map(|(_, tables)| tables)
    }

    /// Returns the perfect player's choice in a game without face-down cards, or `None` if the deck is too large for value tables.
    ///
    /// If `meter` ends the computation of the best response, the choice is the first of the best actions under perfect play.
    fn choose_in_open_game(
        &mut self,
        game: &Game,
        seat: Seat,
        standing: Standing,
        mut meter: Meter,
    ) -> Option<Choice> {
        self.prepare(game)?;
        let (_, tables) = self.deal.as_ref()?;
        let position = game.position();
        let level = self.opponent.with(game, !seat, tables).level();
        let model = PlayerModel::Level(level.parameters(game.rules()));
        let start = Position::start(game.dealt());
        let cached = self.second_game.take().filter(|known| (known.0, known.1) == (!seat, level));
        let mut second_game = cached.map(|(_, _, scores)| scores);
        let objective = Objective::of(standing, tables, position, &start, seat, || {
            if second_game.is_none() {
                second_game = meter.with_part(2, |part| {
                    scores_of_best_response(tables, &start, !seat, model, part)
                });
            }
            second_game.clone()
        });
        self.second_game = second_game.map(|scores| (!seat, level, scores));
        let key = ResponseKey { seat, level, objective };
        let response = BestResponse::new(tables, seat, model, key.objective.clone());
        let mut response = response.within(meter);
        if let Some((_, values)) = self.last_response.take().filter(|(last, _)| *last == key) {
            response = response.with_values(values);
        }
        let actions = response.actions(position);
        let is_stopped = response.is_stopped();
        self.last_response = Some((key.clone(), response.into_values()));
        let objective = &key.objective;
        let reason = ReasonContext { tables, position, seat, level, objective };
        let most = actions.iter().map(|(_, value)| *value).fold(f64::NEG_INFINITY, f64::max);
        let (action, told) = if is_stopped {
            let best = reason.exact_value(position);
            let mut legal = position.legal_actions();
            (legal.find(|action| reason.exact_value_after(*action) == best)?, None)
        } else {
            let (action, value) = actions.iter().find(|(_, value)| *value >= most - EPSILON)?;
            (*action, Some((actions.len(), *value)))
        };
        let points = reason.exact_value_after(action)?;
        let thought = Thought {
            horizon: None,
            expected: Some(points.into()),
            guaranteed: reason.exact_value(position).map(PointBounds::exactly),
            is_proved: is_stopped || !objective.may_concede_points(),
            reason: reason.sentence(action, told),
        };
        Some(Choice { action, thought })
    }

    /// Returns an estimate of the score distribution of the round's second game, in points for seat *first*. The second
    /// game has the deal of the current game. Returns `None` if the deck is too large for value tables, or if the budget ends first.
    ///
    /// The estimate is the score distribution of a game without face-down cards between two bots of the opponent's assumed level.
    fn scores_of_another_game(
        &mut self,
        view: &View,
        meter: &mut Meter,
    ) -> Option<ScoreDistribution> {
        let game = Game::new(view.dealt().clone());
        let level = self.opponent.level();
        let tables = self.prepare(&game)?;
        scores_between_equals(tables, &Position::start(game.dealt()), level, meter).cloned()
    }

    /// Returns the perfect player's choice in a game whose deck is too large for value tables.
    fn choose_by_search(&mut self, turn: &Turn<'_>) -> Option<Choice> {
        let budget = if turn.budget.is_limited() {
            turn.budget.clone()
        } else {
            turn.budget.clone().with_nodes(ACTION_NODES)
        };
        let has_hidden_card = has_hidden_card(turn.view);
        let advice =
            searched_advice(&mut self.solver, turn.view, has_hidden_card, &mut budget.start())?;
        let found = advice.actions.iter().find(|(action, _)| *action == advice.choice);
        let thought = Thought {
            horizon: advice.horizon,
            expected: found.and_then(|(_, expected)| *expected),
            guaranteed: None,
            is_proved: advice.is_proved,
            reason: advice.reason,
        };
        Some(Choice { action: advice.choice, thought })
    }
}

impl Bot for Perfect {
    fn name(&self) -> String {
        self.given.map_or_else(|| Self::NAME.to_owned(), Self::name_against)
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Forfeit> {
        let seat = turn.view.to_act().filter(|seat| turn.view.viewer() == Viewer::Seat(*seat));
        let Some(seat) = seat else { return Err(Forfeit::outside_of_turn(self.name())) };
        self.hidden.expect(self.opponent.level().exact_temperature());
        // Work on the value tables counts against the time, but not as nodes of a search.
        let mut meter = turn.budget.untallied().with_nodes(u64::MAX).start();
        if has_hidden_card(turn.view) {
            // While a card lies face down, an action that would be best with all cards shown need not be best. This is true even for a
            // player who knows all cards, because their opponent does not know them.
            let aim = MatchUtility::of(turn.standing, seat, || {
                meter.with_part(2, |part| self.scores_of_another_game(turn.view, part))
            });
            self.hidden.play_for(aim);
            let budget = match meter.time_left() {
                Some(left) => turn.budget.clone().with_time(left),
                None => turn.budget.clone(),
            };
            if let Some(choice) = self.hidden.choose(turn.view, &budget) {
                return Ok(choice);
            }
        }
        let open = LevelBelief::known_game(turn.view)
            .and_then(|game| self.choose_in_open_game(&game, seat, turn.standing, meter));
        open.or_else(|| self.choose_by_search(turn)).ok_or_else(|| Forfeit {
            who: self.name(),
            why: "the bot found no action, although it was its turn".to_owned(),
        })
    }

    fn game_over(&mut self, view: &View) {
        let Viewer::Seat(seat) = view.viewer() else { return };
        if let Some(game) = LevelBelief::known_game(view) {
            let opponent = self.opponent.clone();
            if let Some(tables) = self.prepare(&game) {
                self.opponent = opponent.with(&game, !seat, tables);
            }
        }
    }
}
