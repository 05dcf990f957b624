//! Computes the belief about the opponent's strength level, by Bayes' rule over the opponent's actions.

use std::sync::Arc;

use overmate_rules::{Action, Card, Face, Game, Position, Seat, View, Viewer};
use overmate_solver::for_bots::possible_worlds;

use crate::level::belief::HiddenCardBelief;
use crate::model::decision::{Assessment, decide};
use crate::model::horizon_tables::HorizonTables;
use crate::model::parameters::Level;
use crate::model::softmax::Distribution;
use crate::public_game::belief::SoftmaxPlayer;

/// Assumed minimum probability of every action of the opponent, because people make mistakes that no bot makes.
///
/// The minimum is higher than the slip of [`LevelLikelihood`](crate::LevelLikelihood), and does not fall with the number of legal actions.
/// A single unexpected action then changes the belief little, because the perfect player plays by this belief after few actions.
const SLIP: f64 = 0.05;

/// Belief about the opponent's strength level: the logarithm of each level's probability, up to an additive constant.
#[derive(Clone, Debug)]
pub(crate) struct LevelBelief([f64; Level::COUNT]);

impl LevelBelief {
    /// Returns the belief about the opponent's strength level before the first game: a discretised normal distribution
    /// around the middle level.
    pub(crate) fn new() -> Self {
        let mut log_probabilities = [0.0; Level::COUNT];
        for (level, log_probability) in Level::all().zip(&mut log_probabilities) {
            let distance = f64::from(level.get()) - f64::from(Level::MIDDLE.get());
            *log_probability = -distance * distance / 16.0;
        }
        Self(log_probabilities)
    }

    /// Returns the belief that the opponent certainly has the given strength level. No action changes that belief.
    pub(crate) fn certain(level: Level) -> Self {
        let mut log_probabilities = [f64::NEG_INFINITY; Level::COUNT];
        log_probabilities[usize::from(level.get()) - 1] = 0.0;
        Self(log_probabilities)
    }

    /// Returns the most probable strength level of the opponent.
    pub(crate) fn level(&self) -> Level {
        let log_probabilities = |level: &Level| self.0[usize::from(level.get()) - 1];
        let best =
            Level::all().max_by(|a, b| log_probabilities(a).total_cmp(&log_probabilities(b)));
        best.unwrap_or(Level::HIGHEST)
    }

    /// Returns the belief about the opponent's strength level, updated by the opponent's actions in a game in which all
    /// cards are known. The opponent has the given seat.
    ///
    /// If `seat` chose an action without knowing a face-down card, the likelihood of the action is that of bots that do not
    /// know the card either.
    pub(crate) fn with(&self, game: &Game, seat: Seat, tables: &Arc<HorizonTables>) -> Self {
        let mut log_probabilities = self.0;
        let hides = game.rules().foreplacing().is_some_and(|f| f.face == Face::Down);
        let mut faces_hidden_card = false;
        let mut card_belief = HiddenCardBelief::default();
        for (before, &action) in game.actions().iter().enumerate() {
            let earlier = game.after(before);
            if earlier.to_act() == Some(!seat) {
                faces_hidden_card |= hides && matches!(action, Action::Foreplace(_));
                continue;
            }
            if earlier.legal_actions().len() < 2 {
                continue;
            }
            let view = faces_hidden_card.then(|| earlier.view(Viewer::Seat(seat)));
            let worlds = view.as_ref().map(|view| possible_worlds(view, seat)).unwrap_or_default();
            for (level, log_probability) in Level::all().zip(&mut log_probabilities) {
                let distribution = match &view {
                    Some(view) => {
                        distribution_over_worlds(level, view, &worlds, &mut card_belief, tables)
                    }
                    None => tables.action_distribution(
                        level.parameters(game.rules()),
                        earlier.position(),
                        seat,
                    ),
                };
                let Some(distribution) = distribution else { continue };
                let likelihood = distribution.probability_of(&action);
                *log_probability += (SLIP + (1.0 - SLIP) * likelihood).ln();
            }
        }
        Self(log_probabilities)
    }

    /// Reconstructs a game from a player's view, or returns `None` if the player does not know all cards.
    pub(crate) fn known_game(view: &View) -> Option<Game> {
        view.imagine(overmate_rules::BySeat::default())
    }
}

/// Returns the action probabilities of the bot of a strength level in a view, given the opponent's possible face-down
/// cards.
///
/// Returns `None` if the position with one of these cards is not in the tables.
pub(super) fn distribution_over_worlds(
    level: Level,
    view: &View,
    worlds: &[(Option<Card>, Game)],
    card_belief: &mut HiddenCardBelief,
    tables: &Arc<HorizonTables>,
) -> Option<Distribution<Action>> {
    let Viewer::Seat(seat) = view.viewer() else { return None };
    let (parameters, horizon) = (level.parameters(view.rules()), level.horizon());
    let positions: Vec<&Position> = worlds.iter().map(|(_, game)| game.position()).collect();
    let assess = |position: &&Position| {
        let points = tables.action_points(horizon, position, seat)?;
        Some(Assessment { points, horizon, tables: Some(Arc::clone(tables)) })
    };
    let assessments: Vec<Assessment> = positions.iter().map(assess).collect::<Option<_>>()?;
    let candidates: Vec<Card> = worlds.iter().filter_map(|(card, _)| *card).collect();
    let model = SoftmaxPlayer { temperature: level.exact_temperature() };
    let belief = card_belief.of(view, seat, &candidates, model);
    let legal: Vec<_> = view.legal_actions().collect();
    let decision = decide(parameters, &legal, &positions, &assessments, &belief);
    Some(decision.distribution)
}
