//! Implements the bots of the strength levels 1 to 9.

use std::sync::Arc;

use overmate_rules::{Action, Card, Game, Position, Seat, View, Viewer};
use overmate_solver::Budget;
use overmate_solver::for_bots::{Meter, possible_worlds};

use crate::bot::{Bot, Choice, Forfeit, Thought, Turn};
use crate::level::belief::HiddenCardBelief;
use crate::level::chance::decision_rng;
use crate::level::reason::reason;
use crate::model::decision::{Assessment, ModelDecision, assess_by_search, assess_worlds, decide};
use crate::model::horizon_tables::HorizonTables;
use crate::model::parameters::Level;
use crate::model::shared_tables::{SharedTables, has_tables};
use crate::public_game::belief::SoftmaxPlayer;
use crate::words::card_words;

/// Maximum number of nodes that the bot of a strength level searches for one decision without
/// tables of position values. The decision then takes a fraction of a second.
const NODES: u64 = 200_000;

/// Number of nodes charged to the budget for a decision that uses tables of position values.
/// Filling the tables of a deal takes about as long as a search of so many nodes.
const TABLE_NODES: u64 = 20_000;

/// Bot of one of the strength levels 1 to 9.
pub(crate) struct LevelBot {
    level: Level,
    seed: u64,
    shared: Arc<SharedTables>,
    /// Tables of position values for the current deal. With a large deck, the tables contain only the positions near
    /// the end of the game.
    tables: Option<Arc<HorizonTables>>,
    belief: HiddenCardBelief,
}

/// Points of all actions in each possible world (for each possible face-down card of the opponent), with the bot's resulting decision.
pub(crate) struct TurnAssessment {
    worlds: Vec<(Option<Card>, Game)>,
    assessments: Vec<Assessment>,
    /// Cards that the opponent may have face down.
    candidates: Vec<Card>,
    /// Probability of each card that the opponent may have face down, in the order of `candidates`.
    belief: Vec<f64>,
    pub(crate) decision: ModelDecision,
}

impl LevelBot {
    /// Creates the bot of a strength level (1 to 9) for one match.
    pub(crate) fn new(level: Level, seed: u64, shared: &Arc<SharedTables>) -> Self {
        let shared = Arc::clone(shared);
        Self { level, seed, shared, tables: None, belief: HiddenCardBelief::default() }
    }

    /// Looks up, in value tables, the points of each action in one possible world (for one possible face-down card). Returns `None` if the
    /// hands are too large for tables.
    fn look_up(&mut self, game: &Game, seat: Seat, horizon: u8) -> Option<Assessment> {
        let assess = |tables: &Arc<HorizonTables>| {
            let points = tables.action_points(horizon, game.position(), seat)?;
            Some(Assessment { points, horizon, tables: Some(Arc::clone(tables)) })
        };
        let known = self.tables.as_ref().filter(|t| t.graph().rules() == game.rules());
        if let Some(assessment) = known.and_then(assess) {
            return Some(assessment);
        }
        assess(self.tables.insert(self.shared.of(game)?))
    }

    /// Computes the points of each action in every possible world (for each possible face-down card of the opponent),
    /// and the bot's resulting decision.
    pub(crate) fn assess_turn(
        &mut self,
        view: &View,
        seat: Seat,
        budget: &Budget,
    ) -> TurnAssessment {
        let parameters = self.level.parameters(view.rules());
        let worlds = possible_worlds(view, seat);
        let nodes = parameters.nodes.saturating_mul(worlds.len() as u64).min(NODES);
        let margin = parameters.margin_over(worlds.len());
        let horizon = parameters.horizon;
        let mut meter = budget.start();
        // A decision that uses tables of position values costs the same budget, whether or not another bot has already computed the tables.
        // The play of a bot therefore does not depend on other bots.
        let looks_up =
            worlds.iter().any(|(_, game)| has_tables(game)) && meter.spend_all(TABLE_NODES).is_ok();
        let assess = |game: &Game, part: &mut Meter| {
            let known = if looks_up { self.look_up(game, seat, horizon) } else { None };
            known.unwrap_or_else(|| assess_by_search(game, seat, horizon, margin, part))
        };
        let assessments =
            meter.with_node_limit(nodes, |meter| assess_worlds(&worlds, meter, assess));
        let candidates: Vec<Card> = worlds.iter().filter_map(|(card, _)| *card).collect();
        let model = SoftmaxPlayer { temperature: self.level.exact_temperature() };
        let belief = self.belief.of(view, seat, &candidates, model);
        let positions: Vec<&Position> = worlds.iter().map(|(_, game)| game.position()).collect();
        let decision = decide(
            parameters,
            &view.legal_actions().collect::<Vec<_>>(),
            &positions,
            &assessments,
            &belief,
        );
        TurnAssessment { worlds, assessments, candidates, belief, decision }
    }
}

impl Bot for LevelBot {
    fn name(&self) -> String {
        self.level.to_string()
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Forfeit> {
        let legal: Vec<_> = turn.view.legal_actions().collect();
        let (Viewer::Seat(seat), false) = (turn.view.viewer(), legal.is_empty()) else {
            return Err(Forfeit::outside_of_turn(self.name()));
        };
        let assessed = self.assess_turn(turn.view, seat, turn.budget);
        let TurnAssessment { worlds, assessments, candidates, belief, decision } = assessed;
        let ModelDecision { points, distribution } = decision;
        let drawn = distribution.draw(&mut decision_rng(self.seed, turn));
        let action = drawn.unwrap_or(legal[0]);
        let reason = match (&worlds[..], &assessments[..]) {
            ([(_, game)], [world]) => {
                let tables = world.tables.as_deref();
                reason(game.position(), seat, world.horizon, tables, &points, action)
            }
            _ => reason_over_worlds(turn.view, &candidates, &belief),
        };
        let thought = Thought {
            horizon: assessments.iter().map(|world| world.horizon).min(),
            expected: points.of(&action),
            guaranteed: None,
            is_proved: legal.len() == 1,
            reason,
        };
        Ok(Choice { action, thought })
    }

    fn chances(&mut self, turn: &Turn<'_>) -> Option<Vec<(Action, f64)>> {
        let Viewer::Seat(seat) = turn.view.viewer() else { return None };
        let legal = turn.view.legal_actions().next()?;
        let chances = self.assess_turn(turn.view, seat, turn.budget).decision.distribution;
        let chances: Vec<_> = chances.into_iter().filter(|(_, chance)| *chance > 0.0).collect();
        // If no action has a positive probability, the bot takes the first legal action.
        Some(if chances.is_empty() { vec![(legal, 1.0)] } else { chances })
    }
}

/// Returns a sentence with the reason for an action that was chosen under uncertainty about the opponent's face-down card.
fn reason_over_worlds(view: &View, cards: &[Card], belief: &[f64]) -> String {
    let count = cards.len();
    let likeliest = cards.iter().zip(belief).max_by(|a, b| a.1.total_cmp(b.1));
    match likeliest {
        // If the belief is nearly uniform, the reason for the action names no card.
        Some((card, share)) if *share > 1.5 / f64::from(u8::try_from(count).unwrap_or(u8::MAX)) => {
            let card = card_words(view.rules(), *card);
            format!("it reckons with {count} cards that may lie face down, most of all {card}")
        }
        _ => format!("it reckons with {count} cards that may lie face down"),
    }
}
