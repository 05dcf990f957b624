//! Implements a depth-limited alpha-beta search (Knuth and Moore 1975), with iterative deepening for large decks.

use overmate_rules::{Action, Phase, Position, Seat};
use overmate_solver::Budget;
use overmate_solver::for_bots::{BudgetExhausted, Meter};
use overmate_solver::graph::{Continuation, LeadGraph, LeadNode};

use crate::model::evaluator::Evaluator;

/// Bound of an unlimited search window, in points. The bound exceeds every possible score.
const INFINITE: i32 = 1_000_000;

/// Depth-limited search of the positions of one deal.
pub(crate) struct DepthSearch<'a> {
    graph: &'a LeadGraph,
    evaluator: Evaluator<'a>,
}

impl<'a> DepthSearch<'a> {
    /// Creates a depth-limited search of the positions of a deal.
    pub(crate) fn new(graph: &'a LeadGraph) -> Self {
        Self { graph, evaluator: Evaluator::new(graph) }
    }

    /// Returns the points for seat *first* in a position before a lead, by a search that is `ahead` moves deep.
    pub(crate) fn points_for_first(&self, node: LeadNode, ahead: u8) -> i32 {
        let mut unlimited = Budget::unlimited().start();
        let points = self.search(node, ahead, -INFINITE, INFINITE, &mut unlimited);
        points.unwrap_or_default() * node.leader.sign_for_first()
    }

    /// Returns the points of each legal action for the seat whose turn it is, and the deepest
    /// completed search horizon in moves.
    ///
    /// The actions are in the order of [`Position::legal_actions`]. The search deepens until `horizon` or until the meter's budget is
    /// exhausted. Actions that lose at most `margin` points get exact points. All other actions get an upper bound.
    pub(crate) fn action_points(
        &self,
        horizon: u8,
        position: &Position,
        seat: Seat,
        margin: i32,
        meter: &mut Meter,
    ) -> (Vec<(Action, i32)>, u8) {
        let after: Vec<(Action, Position)> = (position.legal_actions())
            .filter_map(|action| Some((action, position.clone().play(action).ok()?)))
            .collect();
        let own_move = !matches!(position.phase(), Phase::Foreplacing(_));
        // The evaluation without search does not count against the budget, so that each action has points even with an exhausted budget.
        let mut free = Budget::unlimited().start();
        let none: Vec<i32> = vec![0; after.len()];
        let mut points = self.all(&after, &none, 0, seat, margin, &mut free).unwrap_or(none);
        let mut seen = u8::from(own_move);
        while seen < horizon {
            let ahead = seen + u8::from(!own_move);
            match self.all(&after, &points, ahead, seat, margin, meter) {
                Ok(deeper) => points = deeper,
                Err(BudgetExhausted) => break,
            }
            seen += 1;
        }
        (after.into_iter().map(|(action, _)| action).zip(points).collect(), seen)
    }

    /// Returns the line of play that a search finds from a position: the best actions of both players in the next
    /// `horizon` moves.
    ///
    /// The function searches anew for each action of the line, with half of the remaining budget of the meter. If a search cannot reach the
    /// horizon, the line ends at the horizon that the search has reached. The line ends earlier if the game ends.
    pub(crate) fn line(&self, start: &Position, horizon: u8, meter: &mut Meter) -> Vec<Action> {
        let mut line = Vec::new();
        let mut position = start.clone();
        let mut left = horizon;
        while let Some(seat) = position.phase().to_act().filter(|_| left > 0) {
            // With a `margin` of 1, the search finds the exact points of all best actions.
            let (points, seen) =
                meter.with_part(2, |part| self.action_points(left, &position, seat, 1, part));
            // `max_by_key` returns the last of several equal maxima. In the reversed list this is the first of the best
            // actions.
            let best = points.iter().rev().max_by_key(|(_, points)| *points);
            let Some((action, _)) = best else { break };
            left = left.min(seen) - u8::from(matches!(position.phase(), Phase::Follow(_)));
            let Ok(next) = position.play(*action) else { break };
            position = next;
            line.push(*action);
        }
        line
    }

    /// Searches all legal actions, from the best to the worst action of the previous search. Returns their points for
    /// the seat whose turn it is.
    fn all(
        &self,
        after: &[(Action, Position)],
        before: &[i32],
        ahead: u8,
        seat: Seat,
        margin: i32,
        meter: &mut Meter,
    ) -> Result<Vec<i32>, BudgetExhausted> {
        let mut order: Vec<usize> = (0..after.len()).collect();
        order.sort_by_key(|&i| -before[i]);
        let mut points = vec![-INFINITE; after.len()];
        let mut best = -INFINITE;
        for i in order {
            let low = (best - margin).max(-INFINITE);
            let mut spent = None;
            let found = self.graph.value_for_first(&after[i].1, &mut |node| {
                let (low, high) = match (seat, node.leader) {
                    // The search window has only the limit `low`, below which the exact points of an action do not matter. Either player
                    // may still have a choice before the next lead, and this limit is valid for the choices of both players.
                    (a, b) if a == b => (low, INFINITE),
                    _ => (-INFINITE, -low),
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

    /// Returns the points of a position for the player who leads the next move, by fail-soft alpha-beta search.
    ///
    /// The result is exact between `low` and `high`, an upper bound at or below `low`, and a lower bound at or above `high`.
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
        let graph = self.graph;
        if ahead == 0 {
            let exact = graph.last_moves_for_first(node);
            return Ok(exact.unwrap_or_else(|| self.evaluator.points_for_first(node)) * sign);
        }
        let mut best = -INFINITE;
        let mut leads = Vec::new();
        for lead in graph.leads(node) {
            match graph.mate_for_first(node, lead) {
                Some(points) => best = best.max(points * sign),
                None => leads.push((graph.answers(node, lead).count(), lead)),
            }
        }
        // Leads with few answers are searched first, because they cause cutoffs most often.
        leads.sort_by_key(|(answers, _)| *answers);
        for (_, lead) in leads {
            if best >= high {
                break;
            }
            let low = low.max(best);
            let mut worst = INFINITE;
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
