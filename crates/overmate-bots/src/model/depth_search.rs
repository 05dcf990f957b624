//! Looking ahead without a table, for decks that are too large for one: alpha-beta to a depth, within a budget.

use overmate_rules::{Action, Phase, Position, Seat};
use overmate_solver::{Budget, BudgetExhausted, Continuation, LeadGraph, LeadNode, Meter};

use crate::model::evaluator::Judge;

/// More than any score.
const FAR: i32 = 1_000_000;
/// A search of one deal.
pub(crate) struct Look<'a> {
    graph: &'a LeadGraph,
    judge: Judge<'a>,
    /// Losses of more than this are not told from one another.
    margin: i32,
}

impl<'a> Look<'a> {
    /// Losses of more points than the margin are not told from one another.
    pub(crate) fn new(graph: &'a LeadGraph, margin: i32) -> Self {
        Self { graph, judge: Judge::new(graph), margin }
    }

    /// What each action seems worth to the seat whose turn it is, in the order of [`Position::legal_actions`], looking
    /// as far as the horizon says or the meter allows, and how far that was.
    pub(crate) fn action_points(
        &self,
        horizon: u8,
        position: &Position,
        seat: Seat,
        meter: &mut Meter,
    ) -> (Vec<(Action, i32)>, u8) {
        let after: Vec<(Action, Position)> = (position.legal_actions().into_iter())
            .filter_map(|action| Some((action, position.play(action).ok()?)))
            .collect();
        let own_move = !matches!(position.phase(), Phase::Foreplacing(_));
        // What is judged at first sight always stands.
        let mut free = Budget::unlimited().start();
        let none: Vec<i32> = vec![0; after.len()];
        let mut points = self.all(&after, &none, 0, seat, &mut free).unwrap_or(none);
        let mut seen = u8::from(own_move);
        while seen < horizon {
            let ahead = seen + u8::from(!own_move);
            match self.all(&after, &points, ahead, seat, meter) {
                Ok(deeper) => points = deeper,
                Err(BudgetExhausted) => break,
            }
            seen += 1;
        }
        (after.into_iter().map(|(action, _)| action).zip(points).collect(), seen)
    }

    /// What the positions after all actions seem worth; those that seemed best before are looked at first.
    fn all(
        &self,
        after: &[(Action, Position)],
        before: &[i32],
        ahead: u8,
        seat: Seat,
        meter: &mut Meter,
    ) -> Result<Vec<i32>, BudgetExhausted> {
        let mut order: Vec<usize> = (0..after.len()).collect();
        order.sort_by_key(|&i| -before[i]);
        let mut points = vec![-FAR; after.len()];
        let mut best = -FAR;
        for i in order {
            let low = (best - self.margin).max(-FAR);
            let mut spent = None;
            let found = self.graph.value_for_first(&after[i].1, &mut |node| {
                let (low, high) = match (seat, node.leader) {
                    // A choice before the lead may be the other's, so only the bound that holds for both is used.
                    (a, b) if a == b => (low, FAR),
                    _ => (-FAR, -low),
                };
                let found = self.search(node, ahead, low, high, meter);
                let found = found.unwrap_or_else(|error| {
                    spent = Some(error);
                    0
                });
                found * node.leader.sign_for_first()
            });
            if let Some(spent) = spent {
                return Err(spent);
            }
            points[i] = found.unwrap_or_default() * seat.sign_for_first();
            best = best.max(points[i]);
        }
        Ok(points)
    }

    /// What a lead seems worth to its leader: exact between `low` and `high`, at most itself if it is not above `low`, at
    /// least itself if it is not below `high`.
    fn search(
        &self,
        node: LeadNode,
        ahead: u8,
        low: i32,
        high: i32,
        meter: &mut Meter,
    ) -> Result<i32, BudgetExhausted> {
        meter.spend()?;
        let sign = node.leader.sign_for_first();
        if ahead == 0 {
            return Ok(self.judge.points_for_first(node) * sign);
        }
        let graph = self.graph;
        let mut best = -FAR;
        let mut leads = Vec::new();
        for lead in graph.leads(node) {
            match graph.mate_for_first(node, lead) {
                Some(points) => best = best.max(points * sign),
                None => leads.push((graph.answers(node, lead).count(), lead)),
            }
        }
        // Leads with few answers force the most.
        leads.sort_by_key(|(answers, _)| *answers);
        for (_, lead) in leads {
            if best >= high {
                break;
            }
            let low = low.max(best);
            let mut worst = FAR;
            for answer in graph.answers(node, lead) {
                let high = high.min(worst);
                let points = match graph.next(node, lead, answer) {
                    Continuation::Over(points) => points * sign,
                    Continuation::Lead(next) if next.leader == node.leader => {
                        self.search(next, ahead - 1, low, high, meter)?
                    }
                    Continuation::Lead(next) => {
                        -self.search(next, ahead - 1, -high, -low, meter)?
                    }
                };
                worst = worst.min(points);
                if worst <= low {
                    break;
                }
            }
            best = best.max(worst);
        }
        Ok(best)
    }
}
