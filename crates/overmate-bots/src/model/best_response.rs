//! Computes a best response to an opponent with known action probabilities, by backward induction over the positions of a deal.

use overmate_rules::{Action, Phase, Position, Seat};
use overmate_solver::Budget;
use overmate_solver::for_bots::Meter;
use overmate_solver::graph::{AnswerChoice, Continuation, LeadChoice, LeadNode};

use crate::model::horizon_tables::HorizonTables;
use crate::model::node_values::NodeValues;
use crate::model::objective::Objective;
use crate::model::player::PlayerModel;

/// Best response of a seat to an opponent with known action probabilities, with memoised position values.
pub(crate) struct BestResponse<'a> {
    tables: &'a HorizonTables,
    seat: Seat,
    model: PlayerModel,
    objective: Objective,
    /// Value of each visited position under the best response.
    values: NodeValues,
    meter: Meter,
    /// Whether the meter ended the computation. Values that are computed after the end are meaningless.
    is_stopped: bool,
}

impl<'a> BestResponse<'a> {
    /// Creates the best response of a seat to an opponent with known action probabilities.
    ///
    /// Unless the objective lets the player concede points, only actions that are optimal against best play are considered.
    pub(crate) fn new(
        tables: &'a HorizonTables,
        seat: Seat,
        model: PlayerModel,
        objective: Objective,
    ) -> Self {
        let meter = Budget::unlimited().start();
        Self {
            tables,
            seat,
            model,
            objective,
            values: NodeValues::default(),
            meter,
            is_stopped: false,
        }
    }

    /// Ends the computation when `meter` is exhausted or cancelled. Each position that is not memoised counts as a node.
    pub(crate) fn within(self, meter: Meter) -> Self {
        Self { meter, ..self }
    }

    /// Returns whether the meter ended the computation, so that the computed values are meaningless, except for the memoised values.
    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// Replaces the memoised position values by the values from an earlier computation of the same best response. The deal, the seat, the
    /// opponent model and the objective must be the same.
    pub(crate) fn with_values(self, values: NodeValues) -> Self {
        Self { values, ..self }
    }

    /// Returns the memoised position values for reuse by a later best response.
    pub(crate) fn into_values(self) -> NodeValues {
        self.values
    }

    /// Returns the actions among which the best response chooses, each with its value for the acting seat.
    ///
    /// The order is that of [`Position::legal_actions`].
    pub(crate) fn actions(&mut self, position: &Position) -> Vec<(Action, f64)> {
        let after: Vec<(Action, Position)> = position.successors().collect();
        let values: Vec<i32> = after.iter().map(|(_, next)| self.exact(next)).collect();
        let best = values.iter().copied().max().unwrap_or_default();
        let mut actions = Vec::new();
        for ((action, next), value) in after.into_iter().zip(values) {
            if self.objective.may_concede_points() || value == best {
                let value = match self.tables.lead_of(position, action) {
                    Some((node, lead)) => self.value_of_lead(node, lead),
                    None => self.value_of_position(&next),
                };
                actions.push((action, value));
            }
        }
        actions
    }

    /// Returns the exact value of a position (the final points under perfect play by both players) for the seat that
    /// plays the best response.
    fn exact(&self, position: &Position) -> i32 {
        let points = self.tables.exact_points_for_first(position);
        points.unwrap_or_default() * self.seat.sign_for_first()
    }

    /// Returns the value, for the seat that plays the best response, of a position in any phase of the game.
    pub(crate) fn value_of_position(&mut self, position: &Position) -> f64 {
        if let Some(node) = self.tables.graph().node(position) {
            return self.value_of_node(node);
        }
        if let Some(outcome) = position.outcome() {
            return self.objective.value(outcome.points_for_first() * self.seat.sign_for_first());
        }
        match position.phase() {
            Phase::Foreplacing(seat) if seat != self.seat => {
                let actions = self.model.foreplacing_distribution(self.tables, position, seat);
                let mut sum = 0.0;
                for (action, share) in actions {
                    if let Ok(next) = position.clone().play(action) {
                        sum += share * self.value_of_position(&next);
                    }
                }
                sum
            }
            phase if phase.to_act() == Some(self.seat) => {
                let actions = self.actions(position);
                actions.into_iter().map(|(_, worth)| worth).fold(f64::NEG_INFINITY, f64::max)
            }
            // In the move with a repeated card, each player has one legal action. No caller asks for the value of a position in which the
            // opponent answers a lead outside of the graph.
            Phase::Foreplacing(_) | Phase::Lead(_) | Phase::Follow(_) | Phase::Over => {
                let next = position.successors().next();
                next.map_or(0.0, |(_, next)| self.value_of_position(&next))
            }
        }
    }

    /// Returns the value, for the seat that plays the best response, of a position before a lead.
    fn value_of_node(&mut self, node: LeadNode) -> f64 {
        let index = self.tables.index(node);
        if let Some(value) = self.values.get(&index) {
            return *value;
        }
        if self.is_stopped || self.meter.spend().is_err() {
            self.is_stopped = true;
            return 0.0;
        }
        let value = if node.leader == self.seat {
            let leads = self.own_leads(node);
            let worths = leads.into_iter().map(|lead| self.value_of_lead(node, lead));
            worths.fold(f64::NEG_INFINITY, f64::max)
        } else {
            let leads = self.model.lead_distribution(self.tables, node);
            leads.into_iter().map(|(lead, share)| share * self.value_of_lead(node, lead)).sum()
        };
        // A value of 0, such as the value of a draw, is stored as the smallest positive normal floating-point number. Among
        // equally good actions, the player then prefers an action that leads to an already computed draw.
        if !self.is_stopped {
            self.values.insert(index, if value == 0.0 { f64::MIN_POSITIVE } else { value });
        }
        value
    }

    /// Returns the leads that the best response considers: the best leads under perfect play, or all leads if the
    /// objective lets the player concede points.
    pub(crate) fn own_leads(&self, node: LeadNode) -> Vec<LeadChoice<'a>> {
        let leads = self.tables.graph().leads(node);
        if self.objective.may_concede_points() {
            return leads.collect();
        }
        let value = self.tables.exact().get(node) * self.seat.sign_for_first();
        leads.filter(|lead| self.tables.is_exactly_best(node, *lead, value)).collect()
    }

    /// Returns the value, for the seat that plays the best response, of a lead by either player.
    pub(crate) fn value_of_lead(&mut self, node: LeadNode, lead: LeadChoice<'_>) -> f64 {
        let graph = self.tables.graph();
        let sign = self.seat.sign_for_first();
        if let Some(points) = graph.mate_for_first(node, lead) {
            return self.objective.value(points * sign);
        }
        if node.leader == self.seat {
            let answers = self.model.answer_distribution(self.tables, node, lead).into_iter();
            answers
                .map(|(answer, share)| share * self.value_of_next(graph.next(node, lead, answer)))
                .sum()
        } else {
            let answers = self.own_answers(node, lead).into_iter();
            let worths = answers.map(|answer| self.value_of_next(graph.next(node, lead, answer)));
            worths.fold(f64::NEG_INFINITY, f64::max)
        }
    }

    /// Returns the answers among which the best response chooses. These are all answers if the seat may give up points to win the match,
    /// and otherwise only the best answers under perfect play.
    pub(crate) fn own_answers(&self, node: LeadNode, lead: LeadChoice<'_>) -> Vec<AnswerChoice> {
        let graph = self.tables.graph();
        let mut answers: Vec<AnswerChoice> = graph.answers(node, lead).collect();
        if !self.objective.may_concede_points() {
            let sign = self.seat.sign_for_first();
            let value =
                |a: &AnswerChoice| self.tables.exact_next(graph.next(node, lead, *a)) * sign;
            let best = answers.iter().map(value).max();
            answers.retain(|answer| Some(value(answer)) == best);
        }
        answers
    }

    /// Returns the value, for the seat that plays the best response, of the position after an answer.
    pub(crate) fn value_of_next(&mut self, next: Continuation) -> f64 {
        match next {
            Continuation::Over(points) => self.objective.value(points * self.seat.sign_for_first()),
            Continuation::Lead(node) => self.value_of_node(node),
        }
    }
}
