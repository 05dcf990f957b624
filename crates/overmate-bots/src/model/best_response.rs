//! Computes a best response to an opponent with known action probabilities, by backward induction over the positions of a deal.

use overmate_rules::{Action, Phase, Position, Seat};
use overmate_solver::Budget;
use overmate_solver::for_bots::Meter;
use overmate_solver::graph::{Continuation, LeadNode};

use crate::model::horizon_tables::HorizonTables;
use crate::model::moves::{AnswerMove, Depths, LeadMoves, Moves};
use crate::model::objective::Objective;
use crate::model::player::{ActionChooser, PlayerModel};
use crate::model::state_map::NodeValues;

/// Best response of a seat to an opponent with known action probabilities, with memoised position values.
pub(crate) struct BestResponse<'a> {
    tables: &'a HorizonTables,
    seat: Seat,
    opponent: ActionChooser,
    objective: Objective,
    /// Value of each visited position under the best response.
    values: NodeValues,
    meter: Meter,
    /// Whether the meter ended the computation. Values that are computed after the end are meaningless.
    is_stopped: bool,
    /// Memory for the lists of a position, which is used again for other positions.
    free_scratch: Vec<Scratch<'a>>,
}

/// Lists of a position.
#[derive(Default)]
struct Scratch<'a> {
    moves: Moves<'a>,
    /// Probabilities with which the opponent chooses each lead.
    leads: Vec<f64>,
    /// Probabilities with which the opponent chooses each answer to a lead.
    answers: Vec<f64>,
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
            opponent: ActionChooser::new(model),
            objective,
            values: NodeValues::default(),
            meter,
            is_stopped: false,
            free_scratch: Vec::new(),
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
        let node = self.tables.graph().node(position);
        let mut scratch = self.free_scratch.pop().unwrap_or_default();
        if let Some(node) = node {
            scratch.moves.fill(self.tables, node, self.depths());
        }
        let mut actions = Vec::new();
        for ((action, next), value) in after.into_iter().zip(values) {
            if self.objective.may_concede_points() || value == best {
                let graph = self.tables.graph();
                let Scratch { moves, answers, .. } = &mut scratch;
                let lead = node.and_then(|node| {
                    let is_it =
                        |lead: &&LeadMoves<'_>| graph.lead_action(node, lead.lead) == action;
                    moves.leads.iter().find(is_it)
                });
                let value = match lead {
                    Some(lead) => self.value_of_lead(self.seat, moves, lead, answers),
                    None => self.value_of_position(&next),
                };
                actions.push((action, value));
            }
        }
        self.free_scratch.push(scratch);
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
                let actions = self.opponent.foreplacing_distribution(self.tables, position, seat);
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
        let mut scratch = self.free_scratch.pop().unwrap_or_default();
        let Scratch { moves, leads, answers } = &mut scratch;
        moves.fill(self.tables, node, self.depths());
        let value = if node.leader == self.seat {
            self.best_lead(moves, answers).map_or(f64::NEG_INFINITY, |(_, value)| value)
        } else {
            self.opponent.share_leads(moves, leads);
            let mut sum = 0.0;
            for (lead, share) in moves.leads.iter().zip(leads).filter(|(_, share)| **share > 0.0) {
                sum += *share * self.value_of_lead(node.leader, moves, lead, answers);
            }
            sum
        };
        self.free_scratch.push(scratch);
        // A value of 0, such as the value of a draw, is stored as the smallest positive normal floating-point number. Among
        // equally good actions, the player then prefers an action that leads to an already computed draw.
        if !self.is_stopped {
            self.values.insert(index, if value == 0.0 { f64::MIN_POSITIVE } else { value });
        }
        value
    }

    /// Returns the search depths whose points the opponent and the best response compare.
    pub(crate) fn depths(&self) -> Depths {
        self.opponent.depths().with(Depths::exact())
    }

    /// Returns the index of the first of the best leads, and the value of this lead. The list `shares` is overwritten.
    pub(crate) fn best_lead(
        &mut self,
        moves: &Moves<'_>,
        shares: &mut Vec<f64>,
    ) -> Option<(usize, f64)> {
        let least = self.least_considered(moves.leads.iter().map(LeadMoves::exact_points));
        let leads = moves.leads.iter().enumerate();
        let considered = leads.filter(|(_, lead)| lead.exact_points() >= least);
        let value = |(index, lead)| (index, self.value_of_lead(self.seat, moves, lead, shares));
        considered.map(value).reduce(better)
    }

    /// Returns the index of the first of the best answers, and the value of this answer.
    pub(crate) fn best_answer(&mut self, answers: &[AnswerMove]) -> Option<(usize, f64)> {
        let least = self.least_considered(answers.iter().map(AnswerMove::exact_points));
        let answers = answers.iter().enumerate();
        let considered = answers.filter(|(_, answer)| answer.exact_points() >= least);
        considered.map(|(index, answer)| (index, self.value_of_next(answer.next))).reduce(better)
    }

    /// Returns the least number of exact points of an option that the best response considers: the points of the best option, or any number
    /// if the objective lets the player concede points.
    fn least_considered(&self, exact_points: impl Iterator<Item = i16>) -> i16 {
        if self.objective.may_concede_points() {
            return i16::MIN;
        }
        exact_points.max().unwrap_or_default()
    }

    /// Returns the value, for the seat that plays the best response, of a lead by either player. The list `shares` is overwritten.
    fn value_of_lead(
        &mut self,
        leader: Seat,
        moves: &Moves<'_>,
        lead: &LeadMoves<'_>,
        shares: &mut Vec<f64>,
    ) -> f64 {
        if let Some(points) = lead.mate {
            return self.objective.value(if leader == self.seat { points } else { -points });
        }
        let answers = moves.answers_to(lead);
        if leader != self.seat {
            return self.best_answer(answers).map_or(f64::NEG_INFINITY, |(_, value)| value);
        }
        self.opponent.share_answers(answers, shares);
        let mut sum = 0.0;
        for (answer, share) in answers.iter().zip(shares).filter(|(_, share)| **share > 0.0) {
            sum += *share * self.value_of_next(answer.next);
        }
        sum
    }

    /// Returns the value, for the seat that plays the best response, of the position after an answer.
    fn value_of_next(&mut self, next: Continuation) -> f64 {
        match next {
            Continuation::Over(points) => self.objective.value(points * self.seat.sign_for_first()),
            Continuation::Lead(node) => self.value_of_node(node),
        }
    }
}

/// Returns the better of two options with their values, or the first of two equally good options.
pub(crate) fn better<T>(a: (T, f64), b: (T, f64)) -> (T, f64) {
    if b.1 > a.1 { b } else { a }
}
