//! Implements CFR+ (Tammelin 2014; Bowling, Burch, Johanson & Tammelin 2015), a form of
//! counterfactual regret minimisation.
//!
//! The two seats are updated in turn, and later strategies weigh more in the average. The average
//! strategy converges to an equilibrium. The exploitability of the strategy is measured by exact
//! best responses rather than derived from the number of iterations.

use overmate_rules::{BySeat, Seat};
use overmate_solver::for_bots::Meter;

use crate::hidden::tree::{NodeKind, Strategy, Tree, as_slot};
use crate::hidden::tree_response::{OpponentModel, best_response};
use crate::public_game::types::{TypeChances, TypePoints, TypeProbabilities, ZERO};

/// Approximate equilibrium of a game tree.
#[derive(Clone, Debug)]
pub(crate) struct Solution {
    /// Strategy of both seats, averaged over the iterations of CFR+.
    pub(crate) strategy: Strategy,
    /// Probability of each possible face-down card of each seat at the root of the tree, averaged
    /// over the iterations of CFR+. The probability mixes the given belief with an adversarial choice
    /// of the card.
    pub(crate) chances: TypeChances,
    /// Sum of both seats' exploitabilities under the averaged strategy, in points; 0 in an exact equilibrium.
    pub(crate) gap: f64,
    /// Value of the game in points for seat *first*, estimated from both seats' best responses to
    /// the averaged strategy.
    pub(crate) points_for_first: f64,
}

/// Stopping criterion of the CFR+ iteration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StopRule {
    /// Maximum sum of both seats' exploitabilities, in points, at which the iteration stops.
    pub(crate) gap: f64,
    /// Maximum number of CFR+ iterations, each of which updates the strategies of both seats once.
    pub(crate) rounds: u32,
}

/// Number of CFR+ iterations between two measurements of the strategy's exploitability.
const ROUNDS_PER_MEASUREMENT: u32 = 16;

/// Solves a game tree by CFR+ until the stop rule or the budget ends the iteration.
///
/// At the root, each seat's type (face-down card) is drawn from `chances` or, with the probability `adversarial_share` (0 to 1), chosen
/// by the seat. The seats' choices make the solution lose less if the beliefs are wrong (ε-contamination of the prior, Berger 1985). With
/// a share of 1, the root of the tree is that of maximin re-solving (Burch, Johanson & Bowling 2014) with an unrestricted choice of type.
pub(crate) fn solve(
    tree: &Tree,
    chances: &TypeChances,
    adversarial_share: f64,
    model: Option<OpponentModel<'_>>,
    stop: StopRule,
    meter: &mut Meter,
) -> Solution {
    let (regrets, sums) = (vec![0.0; tree.slots()], vec![0.0; tree.slots()]);
    let mut cfr = Cfr { tree, model, regrets, sums, weight: 1.0 };
    let mut beliefs =
        BySeat::new_with(|seat| RootBelief::new(tree, seat, chances[seat], adversarial_share));
    let mut round = 0;
    loop {
        round += 1;
        for seat in Seat::BOTH {
            let (own, other) = (beliefs[seat].current(), beliefs[!seat].current());
            let values = cfr.update(tree.root(), seat, &own, &other);
            beliefs[seat].learn(&values, cfr.weight);
        }
        cfr.weight += 1.0;
        // An iteration traverses the tree twice, once for each seat.
        let is_spent = meter.spend_each(2 * tree.work() as u64).is_err();
        let is_last = is_spent || round >= stop.rounds;
        if is_last || round % ROUNDS_PER_MEASUREMENT == 0 {
            let solution = cfr.solution(&beliefs);
            if is_last || solution.gap <= stop.gap {
                return solution;
            }
        }
    }
}

/// Probabilities of a seat's possible face-down cards at the root of the game tree. The probabilities mix a given
/// belief and an adversarial choice by regret matching.
struct RootBelief {
    believed: TypeProbabilities,
    adversarial_share: f64,
    /// Number of different cards that the seat may have face down.
    count: usize,
    regrets: TypePoints,
    sums: TypeProbabilities,
}

impl RootBelief {
    fn new(tree: &Tree, seat: Seat, believed: TypeProbabilities, adversarial_share: f64) -> Self {
        let count = usize::from(tree.node(tree.root()).types[seat]);
        Self { believed, adversarial_share, count, regrets: TypePoints::ZERO, sums: ZERO }
    }

    /// Returns the probability with which a seat chooses each of its possible face-down cards by regret matching.
    fn chosen(&self) -> TypeProbabilities {
        let total: f64 = self.regrets.iter().sum();
        if total <= 0.0 {
            return self.believed;
        }
        let mut chosen = ZERO;
        for (chance, regret) in chosen.iter_mut().zip(self.regrets.iter()) {
            *chance = regret / total;
        }
        chosen
    }

    /// Returns the current probability of each possible face-down card: a mixture of the given belief and the result of
    /// regret matching.
    fn current(&self) -> TypeProbabilities {
        let mut mixed = self.believed;
        for (chance, chosen) in mixed.iter_mut().zip(self.chosen()) {
            *chance += self.adversarial_share * (chosen - *chance);
        }
        mixed
    }

    /// Updates the regret and the average probability of each possible face-down card, given the
    /// value of each card in a CFR+ iteration.
    fn learn(&mut self, values: &TypePoints, weight: f64) {
        let current = self.current();
        for (sum, chance) in self.sums.iter_mut().zip(current) {
            *sum += weight * chance;
        }
        let average = values.expected(&self.chosen());
        for (regret, value) in self.regrets.iter_mut().zip(values.iter()).take(self.count) {
            *regret = (*regret + value - average).max(0.0);
        }
    }

    /// Returns the probability of each possible face-down card, averaged over all iterations.
    fn average(&self) -> TypeProbabilities {
        let total: f64 = self.sums.iter().sum();
        self.sums.map(|sum| sum / total)
    }

    /// Returns the seat's expected points, given the points for each card that the seat may have face down. With the
    /// probability `adversarial_share` the seat chooses its best card.
    fn expected(&self, values: &TypePoints) -> f64 {
        let believed = values.expected(&self.believed);
        let best = values.iter().take(self.count).fold(f64::NEG_INFINITY, f64::max);
        believed + self.adversarial_share * (best - believed)
    }
}

/// State of the CFR+ iteration on one game tree.
struct Cfr<'a> {
    tree: &'a Tree,
    model: Option<OpponentModel<'a>>,
    /// Cumulative regret, at least 0, for each pair of an action and a possible face-down card of the acting seat.
    regrets: Vec<f32>,
    /// Weighted sum of the action probabilities over all iterations, for each pair of an action and
    /// a possible face-down card of the acting seat.
    sums: Vec<f32>,
    /// Weight of the current CFR+ iteration in the average strategy.
    weight: f64,
}

impl Cfr<'_> {
    /// Updates the regrets of seat `me` in a subtree, and returns the counterfactual value of each card that `me` may have face down.
    ///
    /// `own` and `other` are the reach probabilities of the types (possible face-down cards) of `me` and of the opponent.
    fn update(
        &mut self,
        at: u32,
        me: Seat,
        own: &TypeProbabilities,
        other: &TypeProbabilities,
    ) -> TypePoints {
        let (tree, model) = (self.tree, self.model);
        let model = model.as_ref();
        let node = tree.node(at);
        let NodeKind::Choice { seat, edges, mated_for_first } = node.kind else {
            return tree.end_values(node, me, other);
        };
        let mated_points = f64::from(mated_for_first) * f64::from(me.sign_for_first());
        let edges = tree.edges(edges);
        let mut positive = ZERO;
        let mut options = ZERO;
        for edge in edges {
            for (slot, i) in tree.slots_of(*edge) {
                positive[i] += f64::from(self.regrets[slot]);
                options[i] += 1.0;
            }
        }
        // Regret matching: the probability of an action is its share of the sum of positive regrets. Without positive regrets, all actions
        // are equally likely.
        let matched = |regret: f32, i: usize| {
            if positive[i] > 0.0 { f64::from(regret) / positive[i] } else { 1.0 / options[i] }
        };
        let is_mated = |i: &usize| options[*i] == 0.0;
        let types = 0..usize::from(node.types[seat]);
        let mut values = TypePoints::ZERO;
        if seat != me {
            for edge in edges {
                let mut reach = ZERO;
                for (k, (slot, i)) in tree.slots_of(*edge).enumerate() {
                    let free = matched(self.regrets[slot], i);
                    reach[k] = other[i] * OpponentModel::mixed(model, seat, slot, free);
                }
                // A subtree is skipped only if neither seat's strategy reaches the subtree. If only the opponent's strategy does not reach
                // the subtree, the average strategy of `me` still changes there, because its weights are the reach probabilities of `me`.
                if reach.iter().chain(own).all(|reach| *reach == 0.0) {
                    continue;
                }
                values.add(&self.update(edge.to, me, own, &reach));
            }
            let mated: f64 = types.filter(is_mated).map(|i| other[i]).sum();
            for value in values.iter_mut() {
                *value += mated_points * mated;
            }
            return values;
        }
        // The regrets of the seat `me` are measured against the value of the actions that `me` chooses by regret matching.
        // Actions that follow the opponent model do not count.
        let mut free_values = TypePoints::ZERO;
        for edge in edges {
            let mut reach = ZERO;
            let mut free = ZERO;
            let mut strategy = ZERO;
            for (k, (slot, i)) in tree.slots_of(*edge).enumerate() {
                free[k] = matched(self.regrets[slot], i);
                strategy[k] = OpponentModel::mixed(model, seat, slot, free[k]);
                reach[k] = own[i] * strategy[k];
            }
            // Below an edge that neither seat's strategy reaches, the regrets do not change, so that the subtree is skipped.
            if reach.iter().chain(other).all(|reach| *reach == 0.0) {
                continue;
            }
            let after = self.update(edge.to, me, &reach, other);
            for (k, (slot, i)) in tree.slots_of(*edge).enumerate() {
                values[i] += strategy[k] * after[k];
                free_values[i] += free[k] * after[k];
                self.sums[slot] += as_slot(self.weight * reach[k]);
                self.regrets[slot] += as_slot(after[k]);
            }
        }
        let total: f64 = other.iter().sum();
        for i in types.filter(is_mated) {
            values[i] = mated_points * total;
        }
        for edge in edges {
            for (slot, i) in tree.slots_of(*edge) {
                let regret = &mut self.regrets[slot];
                *regret = (*regret - as_slot(free_values[i])).max(0.0);
            }
        }
        values
    }

    /// Returns the average strategy of all iterations, with the sum of both seats' exploitabilities
    /// under the average strategy.
    fn solution(&self, beliefs: &BySeat<RootBelief>) -> Solution {
        let mut strategy = self.sums.clone();
        self.tree.normalise(&mut strategy);
        let chances = BySeat::new_with(|seat| beliefs[seat].average());
        let best = BySeat::new_with(|seat| {
            let model = self.model.as_ref();
            let values = best_response(self.tree, &strategy, model, seat, &chances[!seat]);
            beliefs[seat].expected(&values) * f64::from(seat.sign_for_first())
        });
        let gap = (best.first - best.second).max(0.0);
        let points_for_first = f64::midpoint(best.first, best.second);
        Solution { strategy, chances, gap, points_for_first }
    }
}
