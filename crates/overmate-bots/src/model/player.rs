//! Models bots by their probabilities of leads and answers in each position.

use overmate_rules::{Action, Position, Seat};
use overmate_solver::graph::{AnswerChoice, LeadChoice, LeadNode};

use crate::model::horizon_tables::HorizonTables;
use crate::model::parameters::LevelParameters;
use crate::model::softmax::{Distribution, OptionPoints, is_accepted};

/// Bot whose action probabilities are known in every position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum PlayerModel {
    /// Bot that plays with the parameters of a strength level.
    Level(LevelParameters),
    /// Bot that takes each legal action with equal probability.
    Random,
}

impl PlayerModel {
    /// Returns the probability of each foreplacing choice of the modelled bot, in a position before the first lead.
    pub(crate) fn foreplacing_distribution(
        self,
        tables: &HorizonTables,
        position: &Position,
        seat: Seat,
    ) -> Distribution<Action> {
        match self {
            Self::Level(parameters) => tables
                .action_distribution(parameters, position, seat)
                .unwrap_or_else(|| Distribution::certain(None)),
            Self::Random => Distribution::uniform(position.legal_actions()),
        }
    }

    /// Returns the probability of each lead of the modelled bot in a position.
    pub(crate) fn lead_distribution(
        self,
        tables: &HorizonTables,
        node: LeadNode,
    ) -> Distribution<LeadChoice<'_>> {
        let parameters = match self {
            Self::Level(parameters) => parameters,
            Self::Random => return Distribution::uniform(tables.graph().leads(node)),
        };
        let (graph, ahead) = (tables.graph(), parameters.horizon - 1);
        let mate = |lead| Some(graph.mate_for_first(node, lead)? * node.leader.sign_for_first());
        let best_mate = graph.leads(node).filter_map(mate).max();
        let mut most = i32::MIN;
        let points: OptionPoints<LeadChoice<'_>> = (graph.leads(node))
            .filter_map(|lead| {
                let points = match (mate(lead), best_mate) {
                    (Some(points), Some(best)) => (points >= best).then_some(points)?,
                    (None, Some(best)) if !tables.lead_forces(node, lead, best, ahead) => {
                        return None;
                    }
                    // The points of a lead are not computed if the softmax gives this lead the probability 0.
                    _ => tables.lead_points(ahead, node, lead, |points| {
                        is_accepted(f64::from(most) - f64::from(points), parameters.temperature)
                    })?,
                };
                most = most.max(points);
                Some((lead, points.into()))
            })
            .collect();
        points.softmax(parameters.temperature)
    }

    /// Returns the probability of each answer of the modelled bot to a non-mating lead.
    pub(crate) fn answer_distribution(
        self,
        tables: &HorizonTables,
        node: LeadNode,
        lead: LeadChoice<'_>,
    ) -> Distribution<AnswerChoice> {
        let answers = tables.graph().answers(node, lead);
        match self {
            Self::Level(parameters) => {
                let sign = (!node.leader).sign_for_first();
                let points: OptionPoints<AnswerChoice> = answers
                    .map(|answer| {
                        let next = tables.graph().next(node, lead, answer);
                        let points = tables.next_for_first(parameters.horizon - 1, next) * sign;
                        (answer, f64::from(points))
                    })
                    .collect();
                points.softmax(parameters.temperature)
            }
            Self::Random => Distribution::uniform(answers),
        }
    }
}
