//! Computes exact score distributions of games between two bots with known action probabilities.

use overmate_rules::{BySeat, Position, Seat};
use overmate_solver::graph::{AnswerChoice, Continuation, LeadChoice, LeadNode};

use crate::model::best_response::BestResponse;
use crate::model::horizon_tables::HorizonTables;
use crate::model::node_values::NodeValues;
use crate::model::objective::{Objective, ScoreDistribution};
use crate::model::player::PlayerModel;
use crate::model::softmax::Distribution;

/// Action probabilities of one bot in a game whose score distribution is computed.
pub(crate) enum Policy<'r, 'a> {
    /// Action probabilities of the bot of a strength level, or of a bot that plays at random.
    Model(PlayerModel),
    /// Best response to the opponent's known action probabilities; of several equally good actions, the first is taken.
    BestResponse(&'r mut BestResponse<'a>),
}

impl Policy<'_, '_> {
    /// Returns the probability with which the bot takes each lead in a position.
    fn lead_distribution(
        &mut self,
        tables: &HorizonTables,
        node: LeadNode,
    ) -> Distribution<LeadChoice> {
        match self {
            Self::Model(model) => model.lead_distribution(tables, node),
            Self::BestResponse(response) => {
                let leads = response.own_leads(node).into_iter();
                first_best(leads.map(|lead| (lead, response.value_of_lead(node, lead))))
            }
        }
    }

    /// Returns the probability with which the bot plays each answer to a lead.
    fn answer_distribution(
        &mut self,
        tables: &HorizonTables,
        node: LeadNode,
        lead: LeadChoice,
    ) -> Distribution<AnswerChoice> {
        match self {
            Self::Model(model) => model.answer_distribution(tables, node, lead),
            Self::BestResponse(response) => {
                let answers = response.own_answers(node, lead).into_iter();
                let graph = tables.graph();
                first_best(answers.map(|a| (a, response.value_of_next(graph.next(node, lead, a)))))
            }
        }
    }
}

/// Returns a distribution with probability 1 for the first option among those of the highest value.
fn first_best<T>(values: impl Iterator<Item = (T, f64)>) -> Distribution<T> {
    let better = |a: (T, f64), b: (T, f64)| if b.1 > a.1 { b } else { a };
    Distribution::certain(values.reduce(better).map(|(option, _)| option))
}

/// Calculator of score distributions, which reuses its buffers for later games.
///
/// The computation is a forward pass over the graph of a deal, from many cards to few: the probability of a position is
/// the sum over the moves that lead to the position.
#[derive(Default)]
pub(crate) struct ScoreCalculator {
    /// Probability that a game reaches each position.
    probabilities: NodeValues,
    /// Positions that a game reaches with a positive probability, grouped by the total number of cards in both hands.
    reached: Vec<Vec<LeadNode>>,
    scores: ScoreDistribution,
}

impl ScoreCalculator {
    /// Returns the probability of each final score of a game that begins at a given position.
    pub(crate) fn scores_from(
        &mut self,
        tables: &HorizonTables,
        position: &Position,
        players: &mut BySeat<Policy<'_, '_>>,
    ) -> ScoreDistribution {
        self.scores.clear();
        let cards =
            tables.graph().cards(Seat::First).len() + tables.graph().cards(Seat::Second).len();
        self.reached.resize(cards + 1, Vec::new());
        self.before_first_lead(tables, position, 1.0, players);
        for held in (0..=cards).rev() {
            for node in std::mem::take(&mut self.reached[held]) {
                let reached = self.probabilities.remove(&tables.index(node)).unwrap_or_default();
                for (lead, share) in players[node.leader].lead_distribution(tables, node) {
                    let led = reached * share;
                    if let Some(points) = tables.graph().mate_for_first(node, lead) {
                        *self.scores.entry(points).or_default() += led;
                        continue;
                    }
                    let answers = players[!node.leader].answer_distribution(tables, node, lead);
                    for (answer, share) in answers {
                        self.reach(tables, tables.graph().next(node, lead, answer), led * share);
                    }
                }
            }
        }
        std::mem::take(&mut self.scores)
    }

    /// Adds a probability to the position after an answer or, if the game has ended, to the game's score.
    fn reach(&mut self, tables: &HorizonTables, next: Continuation, probability: f64) {
        match next {
            Continuation::Over(points) => *self.scores.entry(points).or_default() += probability,
            Continuation::Lead(node) => {
                let known = self.probabilities.entry(tables.index(node)).or_default();
                // A reached position has a probability above 0, so 0 means that the position is new.
                if *known == 0.0 {
                    let held = node.held.first.count_ones() + node.held.second.count_ones();
                    self.reached[held as usize].push(node);
                }
                *known += probability;
            }
        }
    }

    /// Distributes a probability over the positions before the first lead, according to both bots' foreplacing probabilities.
    fn before_first_lead(
        &mut self,
        tables: &HorizonTables,
        position: &Position,
        probability: f64,
        players: &mut BySeat<Policy<'_, '_>>,
    ) {
        if let Some(node) = tables.graph().node(position) {
            return self.reach(tables, Continuation::Lead(node), probability);
        }
        let Some(seat) = position.to_act() else { return };
        let choices = match &mut players[seat] {
            Policy::Model(model) => model.foreplacing_distribution(tables, position, seat),
            Policy::BestResponse(response) => first_best(response.actions(position).into_iter()),
        };
        for (action, share) in choices {
            if let Ok(next) = position.clone().play(action) {
                self.before_first_lead(tables, &next, probability * share, players);
            }
        }
    }
}

/// Returns the score distribution for seat *first* of a game without face-down cards between two bots with equal models.
///
/// The result stands in for the unknown score distribution of a game with face-down cards.
pub(crate) fn scores_between_equals(
    tables: &HorizonTables,
    start: &Position,
    model: PlayerModel,
) -> ScoreDistribution {
    let mut players = BySeat::new_with(|_| Policy::Model(model));
    ScoreCalculator::default().scores_from(tables, start, &mut players)
}

/// Returns the score distribution, for `seat`, of a game in which `seat` plays the best response to a model of the opponent.
pub(crate) fn scores_of_best_response(
    tables: &HorizonTables,
    start: &Position,
    seat: Seat,
    model: PlayerModel,
) -> ScoreDistribution {
    let mut response = BestResponse::new(tables, seat, model, Objective::Points);
    let mut players = BySeat::new_with(|_| Policy::Model(model));
    players[seat] = Policy::BestResponse(&mut response);
    let scores = ScoreCalculator::default().scores_from(tables, start, &mut players);
    scores.into_iter().map(|(points, share)| (points * seat.sign_for_first(), share)).collect()
}
