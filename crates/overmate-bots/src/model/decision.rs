//! Computes the points of actions over several possible worlds, and the softmax probabilities of a
//! bot's choice among the actions.

use std::sync::Arc;

use overmate_rules::{Action, Card, Game, Position, Seat};
use overmate_solver::for_bots::Meter;
use overmate_solver::graph::LeadGraph;

use crate::model::depth_search::DepthSearch;
use crate::model::horizon_tables::HorizonTables;
use crate::model::mate_in_one::{mate_points, mate_points_in_all, prefer_mate};
use crate::model::parameters::LevelParameters;
use crate::model::softmax::{Distribution, OptionPoints};

/// Weight, 0 to 1, of the worst case in a bot's rating of an action. The worst case is the action's lowest points over
/// all possible face-down cards. The mean over these cards has the remaining weight.
const WORST_CASE_WEIGHT: f64 = 0.3;

/// Points of each legal action for one assumed face-down card of the opponent.
pub(crate) struct Assessment {
    /// Points of each legal action for the seat whose turn it is.
    pub(crate) points: Vec<(Action, i32)>,
    /// Search horizon, in moves, with which the points were computed.
    pub(crate) horizon: u8,
    /// Value tables from which the points of the actions come, or `None` if they come from a search ([`DepthSearch`]).
    pub(crate) tables: Option<Arc<HorizonTables>>,
}

/// Computes the points of each action of a game by a depth-limited search ([`DepthSearch::action_points`]). Actions
/// that lose at most `margin` points, compared with the best action, get exact points.
pub(crate) fn assess_by_search(
    game: &Game,
    seat: Seat,
    horizon: u8,
    margin: i32,
    meter: &mut Meter,
) -> Assessment {
    let graph = LeadGraph::of_deal(game.dealt());
    let search = DepthSearch::new(&graph);
    let (points, horizon) = search.action_points(horizon, game.position(), seat, margin, meter);
    Assessment { points, horizon, tables: None }
}

/// Computes the points of each action in every possible world, by the function `assess`. Each world gets an equal part of the meter's
/// budget.
pub(crate) fn assess_worlds(
    worlds: &[(Option<Card>, Game)],
    meter: &mut Meter,
    mut assess: impl FnMut(&Game, &mut Meter) -> Assessment,
) -> Vec<Assessment> {
    let of_world = |(index, (_, game)): (usize, &(Option<Card>, Game))| {
        meter.with_part(worlds.len() - index, |part| assess(game, part))
    };
    worlds.iter().enumerate().map(of_world).collect()
}

/// Decision of the bot of a strength level: the probability and the expected points of each action of a turn.
pub(crate) struct ModelDecision {
    /// Points of the actions among which the bot chooses.
    pub(crate) points: OptionPoints<Action>,
    /// Probability of each action among which the bot chooses.
    pub(crate) distribution: Distribution<Action>,
}

/// Returns the decision of the bot of a strength level, given the points of each action for every
/// possible face-down card.
///
/// `positions`, `assessments` and `belief` (probabilities) have one entry for each possible world.
pub(crate) fn decide(
    parameters: LevelParameters,
    legal: &[Action],
    positions: &[&Position],
    assessments: &[Assessment],
    belief: &[f64],
) -> ModelDecision {
    let mut points = points_over_worlds(legal, assessments, belief);
    prefer_mate(
        |action| mate_points_in_all(positions.iter().copied(), action),
        &mut points,
        |action, mate| {
            // An action certainly brings more points than a given mate if it brings more points than this mate in every
            // possible world.
            positions.iter().zip(assessments).all(|(position, assessment)| {
                if let Some(points) = mate_points(position, action) {
                    return points > mate;
                }
                assessment.tables.as_ref().is_some_and(|tables| {
                    tables.beats_mate(assessment.horizon, position, action, mate)
                })
            })
        },
    );
    let temperature = parameters.temperature_over(positions.len());
    let distribution = points.clone().softmax(temperature);
    ModelDecision { points, distribution }
}

/// Returns the points of each action over the possible worlds: a weighted mean of the action's average and worst points.
///
/// This mean is the only effect of the uncertainty about the opponent's face-down card on the points that the bot compares.
pub(crate) fn points_over_worlds(
    legal: &[Action],
    assessments: &[Assessment],
    belief: &[f64],
) -> OptionPoints<Action> {
    let points = |action: &Action| {
        let in_world = |(world, probability): (&Assessment, &f64)| {
            let found = world.points.iter().find(|(other, _)| other == action);
            found.map(|(_, points)| (f64::from(*points), *probability))
        };
        let worlds: Vec<(f64, f64)> = assessments.iter().zip(belief).filter_map(in_world).collect();
        let total: f64 = worlds.iter().map(|(_, probability)| probability).sum();
        let mean = worlds.iter().map(|(points, share)| points * share).sum::<f64>() / total;
        let worst = worlds.iter().map(|(points, _)| *points).fold(f64::INFINITY, f64::min);
        (*action, if worlds.len() == 1 { mean } else { mean + WORST_CASE_WEIGHT * (worst - mean) })
    };
    legal.iter().map(points).collect()
}
