//! Implements a depth-limited alpha-beta search (Knuth and Moore 1975), with iterative deepening for large decks.

use multiversion::multiversion;
use overmate_rules::{Action, Phase, Position, Seat};
use overmate_solver::Budget;
use overmate_solver::for_bots::{BudgetExhausted, Meter};
use overmate_solver::graph::{Continuation, LeadChoice, LeadGraph, LeadNode};

use crate::model::evaluator::Evaluator;
use crate::model::next_move::NextMoveEvaluator;

/// Bound of an unlimited search window, in points. The bound exceeds every possible score.
const INFINITE: i32 = 1_000_000;

/// Smallest expected ratio between the growth factors of two successive deepening steps of a search.
///
/// The growth factor is the number of nodes of a step divided by the number of nodes of the step before. In matches of
/// Pinochle, fewer than 1 search in 150 leaves out a step that would have ended within the node limit. Without the rule, more than half of
/// all nodes are spent on steps that do not end.
const LEAST_GROWTH_RATIO: f64 = 0.5;

/// Depth-limited search of the positions of one deal.
pub(crate) struct DepthSearch<'a> {
    graph: &'a LeadGraph,
    evaluator: Evaluator<'a>,
}

/// Memory that all positions of a search share.
struct Scratch<'a> {
    /// Leads without a mate in all positions on the path from the root to the current position, each with the number of its answers.
    leads: Vec<(u32, LeadChoice<'a>)>,
    /// Evaluation function for the leaves of the search, with a large deck only.
    next_move: Option<NextMoveEvaluator<'a>>,
}

impl<'a> DepthSearch<'a> {
    /// Creates a depth-limited search of the positions of a deal.
    pub(crate) fn new(graph: &'a LeadGraph) -> Self {
        Self { graph, evaluator: Evaluator::new(graph) }
    }

    fn scratch(&self) -> Scratch<'_> {
        let next_move = self.evaluator.is_large.then(|| NextMoveEvaluator::new(&self.evaluator));
        Scratch { leads: Vec::new(), next_move }
    }

    /// Returns the points for seat *first* in a position before a lead, by a search that is `ahead` moves deep.
    pub(crate) fn points_for_first(&self, node: LeadNode, ahead: u8) -> i32 {
        let mut unlimited = Budget::unlimited().start();
        let window = (-INFINITE, INFINITE);
        let points = self.search(node, ahead, window, &mut self.scratch(), &mut unlimited);
        points.unwrap_or_default() * node.leader.sign_for_first()
    }

    /// Returns the points of each legal action for the seat whose turn it is, and the deepest
    /// completed search horizon in moves.
    ///
    /// The actions are in the order of [`Position::legal_actions`]. The search deepens until `horizon`, until the meter's budget is
    /// exhausted, or until the next step would probably exceed the remaining nodes. Actions that lose at most `margin` points get exact
    /// points. All other actions get an upper bound.
    pub(crate) fn action_points(
        &self,
        horizon: u8,
        position: &Position,
        seat: Seat,
        margin: i32,
        meter: &mut Meter,
    ) -> (Vec<(Action, i32)>, u8) {
        let after: Vec<(Action, Position)> = position.successors().collect();
        let own_move = !matches!(position.phase(), Phase::Foreplacing(_));
        // The evaluation without search does not count against the budget, so that each action has points even with an exhausted budget.
        let mut free = Budget::unlimited().start();
        let none: Vec<i32> = vec![0; after.len()];
        let mut points = self.all(&after, &none, 0, seat, margin, &mut free).unwrap_or(none);
        let mut seen = u8::from(own_move);
        let mut steps = DeepeningSteps::default();
        while seen < horizon && steps.may_end_within(meter) {
            let ahead = seen + u8::from(!own_move);
            let before = meter.nodes_left();
            match self.all(&after, &points, ahead, seat, margin, meter) {
                Ok(deeper) => points = deeper,
                Err(BudgetExhausted) => break,
            }
            steps.add(before.unwrap_or_default() - meter.nodes_left().unwrap_or_default());
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
        let mut scratch = self.scratch();
        for i in order {
            let low = (best - margin).max(-INFINITE);
            let mut spent = None;
            let found = self.graph.value_for_first(&after[i].1, &mut |node| {
                let window = match (seat, node.leader) {
                    // The search window has only the limit `low`, below which the exact points of an action do not matter. Either player
                    // may still have a choice before the next lead, and this limit is valid for the choices of both players.
                    (a, b) if a == b => (low, INFINITE),
                    _ => (-INFINITE, -low),
                };
                scratch.leads.clear();
                let found = self.search(node, ahead, window, &mut scratch, meter);
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
    fn search<'s>(
        &'s self,
        node: LeadNode,
        ahead: u8,
        (low, high): (i32, i32),
        scratch: &mut Scratch<'s>,
        meter: &mut Meter,
    ) -> Result<i32, BudgetExhausted> {
        meter.spend()?;
        let sign = node.leader.sign_for_first();
        let graph = self.graph;
        if ahead == 0 {
            let exact = graph.last_moves_for_first(node);
            return Ok(exact.unwrap_or_else(|| self.evaluator.points_for_first(node)) * sign);
        }
        let next_move = scratch.next_move.as_mut().filter(|_| ahead == 1);
        let next_move = next_move.filter(|_| NextMoveEvaluator::can_start(node));
        let ends_after_move = next_move.map(|next_move| next_move.start(node)).is_some();
        let first = scratch.leads.len();
        let mut best = list_leads(graph, node, &mut scratch.leads);
        // Leads with few answers are searched first, because they cause cutoffs most often.
        scratch.leads[first..].sort_by_key(|(answers, _)| *answers);
        for index in first..scratch.leads.len() {
            if best >= high {
                break;
            }
            let (_, lead) = scratch.leads[index];
            let low = low.max(best);
            let worst = match &mut scratch.next_move {
                Some(next_move) if ends_after_move => {
                    self.worst_estimate(node, lead, low, next_move, meter)
                }
                _ => self.worst_answer(node, lead, ahead, (low, high), scratch, meter),
            };
            best = best.max(worst?);
        }
        scratch.leads.truncate(first);
        Ok(best)
    }

    /// Returns the leader's points after the follower's best answer to a lead, by a search of `ahead - 1` moves after the answer. The
    /// result is exact or a bound, as for [`search`](Self::search).
    fn worst_answer<'s>(
        &'s self,
        node: LeadNode,
        lead: LeadChoice<'s>,
        ahead: u8,
        (low, high): (i32, i32),
        scratch: &mut Scratch<'s>,
        meter: &mut Meter,
    ) -> Result<i32, BudgetExhausted> {
        let mut worst = INFINITE;
        for answer in self.graph.answers(node, lead) {
            let high = high.min(worst);
            let points = match self.graph.next(node, lead, answer) {
                Continuation::Over(points) => points * node.leader.sign_for_first(),
                Continuation::Lead(next) if next.leader == node.leader => {
                    self.search(next, ahead - 1, (low, high), scratch, meter)?
                }
                Continuation::Lead(next) => {
                    -self.search(next, ahead - 1, (-high, -low), scratch, meter)?
                }
            };
            worst = worst.min(points);
            if worst <= low {
                break;
            }
        }
        Ok(worst)
    }

    /// Returns the same points as [`worst_answer`](Self::worst_answer) for a search that ends after the answer. `next_move` estimates the
    /// positions after the answers. The position before the move of `next_move` must be `node`.
    fn worst_estimate(
        &self,
        node: LeadNode,
        lead: LeadChoice<'_>,
        low: i32,
        next_move: &mut NextMoveEvaluator<'_>,
        meter: &mut Meter,
    ) -> Result<i32, BudgetExhausted> {
        let mut worst = INFINITE;
        for answer in self.graph.answers(node, lead) {
            meter.spend()?;
            worst = worst.min(next_move.points_for_leader(lead.card(), answer.card));
            if worst <= low {
                break;
            }
        }
        Ok(worst)
    }
}

/// Numbers of nodes of the last two steps of an iterative deepening search, with 0 for a missing step.
#[derive(Default)]
struct DeepeningSteps {
    before_last: u64,
    last: u64,
}

impl DeepeningSteps {
    fn add(&mut self, nodes: u64) {
        (self.before_last, self.last) = (self.last, nodes);
    }

    /// Returns whether the next step can be expected to need no more than the remaining nodes of the meter. The number of nodes is
    /// assumed to grow at least by [`LEAST_GROWTH_RATIO`] times the growth factor of the last step.
    #[allow(clippy::cast_precision_loss, reason = "the comparison needs no exact numbers")]
    fn may_end_within(&self, meter: &Meter) -> bool {
        let Some(left) = meter.nodes_left().filter(|_| self.before_last > 0) else { return true };
        let last = self.last as f64;
        last * last / self.before_last as f64 * LEAST_GROWTH_RATIO <= left as f64
    }
}

/// Appends all leads without a mate in a position to the list `leads`, each with the number of its answers. Returns the leader's points for
/// the best mate, or -[`INFINITE`] without a mate.
#[multiversion(targets("x86_64+popcnt+bmi1"))]
fn list_leads<'a>(
    graph: &'a LeadGraph,
    node: LeadNode,
    leads: &mut Vec<(u32, LeadChoice<'a>)>,
) -> i32 {
    let mut best = -INFINITE;
    for lead in graph.leads(node) {
        match graph.mate_for_first(node, lead) {
            Some(points) => best = best.max(points * node.leader.sign_for_first()),
            None => leads.push((graph.answer_count(node, lead), lead)),
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use overmate_rules::{DealSource as _, RuleSet, SeededDeals};

    use super::*;

    #[test]
    fn a_step_begins_only_if_half_of_its_expected_nodes_are_left() {
        let left = |nodes| Budget::unlimited().with_nodes(nodes).start();
        let mut steps = DeepeningSteps::default();
        assert!(steps.may_end_within(&left(1)));
        steps.add(10);
        assert!(steps.may_end_within(&left(1)));
        steps.add(100);
        // At the same growth factor, the next step has 1,000 nodes.
        assert!(steps.may_end_within(&left(500)) && !steps.may_end_within(&left(499)));
        assert!(steps.may_end_within(&Budget::unlimited().start()));
    }

    #[test]
    fn a_search_leaves_out_few_steps_that_would_have_ended() {
        let rules = RuleSet::named("bga+pinochle").expect("a rule set").shared();
        let mut deals = SeededDeals::new(3);
        let (mut searches, mut shallower, mut spent, mut limits) = (0, 0, 0, 0);
        for dealt in (0..10).map(|_| deals.next_deal(&rules)) {
            let graph = LeadGraph::of_deal(&dealt);
            let search = DepthSearch::new(&graph);
            let start = Position::start(&dealt);
            let reach = |horizon, nodes| {
                let mut meter = Budget::unlimited().with_nodes(nodes).start();
                let (points, seen) =
                    search.action_points(horizon, &start, Seat::First, 0, &mut meter);
                assert_eq!(points.len(), start.legal_actions().count());
                (seen, nodes - meter.nodes_left().expect("the nodes are limited"))
            };
            for nodes in [3_000, 10_000, 30_000, 100_000] {
                let (seen, used) = reach(20, nodes);
                // A limited horizon stops the search before any step that the node limit ends.
                let (_, needed) = reach(seen + 1, 10_000_000);
                searches += 1;
                shallower += usize::from(needed <= nodes);
                (spent, limits) = (spent + used, limits + nodes);
            }
        }
        assert_eq!(searches, 40);
        assert!(shallower <= 2, "{shallower} searches stopped before a step that would have ended");
        assert!(spent < limits * 3 / 4, "{spent} of {limits} nodes were spent");
    }
}
