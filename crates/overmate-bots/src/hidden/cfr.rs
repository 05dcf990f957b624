//! The solution of a game tree by CFR+: counterfactual regret minimisation with regrets that never fall below 0,
//! the seats in turn, and an average in which later strategies count more.
//!
//! The average strategy comes as near to an equilibrium as one likes. How near it is does not rest on the method: the best
//! responses to it are worked out exactly, and tell.

use overmate_rules::{BySeat, Seat};
use overmate_solver::Meter;

use crate::hidden::best_response::{Strategy, best_response};
use crate::hidden::tree::{NodeKind, Tree, as_slot};
use crate::public_game::types::{TypeChances, TypeVector, ZERO};

/// A strategy for a tree, and how good it is.
#[derive(Clone, Debug)]
pub(crate) struct Solution {
    pub(crate) strategy: Strategy,
    /// How likely the types at the root are: as believed, or as far as that is doubted, as suits them.
    pub(crate) chances: TypeChances,
    /// What the best responses to it get together more than they would to an equilibrium: 0 and up, in points.
    pub(crate) gap: f64,
    /// The value for *first*, within the gap: what lies between the two best responses, in their middle.
    pub(crate) points_for_first: f64,
}

/// When the solution is good enough.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StopRule {
    /// The gap, in points, at which to stop.
    pub(crate) gap: f64,
    /// The most rounds: each improves the strategies of both seats once.
    pub(crate) rounds: u32,
}

/// What is reckoned with of a seat: that it plays at least so much like this, wherever it acts.
///
/// The other part of its play is free, and meant to be the best that such a player can do. So who relies on the model a little gains
/// where the model errs, and is never far from what is safe.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpponentModel<'a> {
    pub(crate) seat: Seat,
    /// How likely each slot of the seat is, given the type before it.
    pub(crate) strategy: &'a [f32],
    /// The share of the seat's play, 0 to 1.
    pub(crate) share: f64,
}

impl OpponentModel<'_> {
    /// How likely a slot of a seat is of which the free part of its play takes it with this chance.
    fn mixed(habit: Option<&Self>, seat: Seat, slot: usize, free: f64) -> f64 {
        match habit {
            Some(habit) if habit.seat == seat => {
                free + habit.share * (f64::from(habit.strategy[slot]) - free)
            }
            _ => free,
        }
    }
}

/// After so many rounds the gap is looked at.
const LOOK: u32 = 16;

/// Solves a tree, as well as the effort and the budget allow.
///
/// `suspicion` is how far the chances of the types at the root are doubted: with that chance, 0 to 1, a seat has the type
/// that suits him best. What is believed of a secret may be wrong, and who relies on it can be exploited.
pub(crate) fn solve(
    tree: &Tree,
    chances: &TypeChances,
    suspicion: f64,
    habit: Option<OpponentModel<'_>>,
    effort: StopRule,
    meter: &mut Meter,
) -> Solution {
    let mut cfr = Cfr {
        tree,
        habit,
        regrets: vec![0.0; tree.slots()],
        sums: vec![0.0; tree.slots()],
        weight: 1.0,
        tremble: 0.0,
    };
    let mut types = BySeat::new_with(|seat| RootBelief::new(tree, seat, chances[seat], suspicion));
    let mut round = 0;
    loop {
        round += 1;
        cfr.tremble = if round % LOOK == 1 { TREMBLE / f64::from(round) } else { 0.0 };
        for seat in Seat::BOTH {
            let (own, other) = (types[seat].now(), types[!seat].now());
            let values = cfr.update(tree.root(), seat, &own, &other);
            types[seat].learn(&values, cfr.weight);
        }
        cfr.weight += 1.0;
        // A round looks at every node twice; what the meter counts are nodes.
        let is_spent = (0..2 * tree.work()).any(|_| meter.spend().is_err());
        let is_last = is_spent || round >= effort.rounds;
        if is_last || round % LOOK == 0 {
            let solution = cfr.solution(&types);
            if is_last || solution.gap <= effort.gap {
                return solution;
            }
        }
    }
}

/// Now and then the one who is answered does something else with this chance, less as rounds go by: so what to do about a
/// slip is learnt too, though an equilibrium needs no more than that it does not pay.
const TREMBLE: f64 = 0.2;

/// How likely the types of a seat are at the root.
struct RootBelief {
    believed: TypeVector,
    suspicion: f64,
    count: usize,
    regrets: TypeVector,
    sums: TypeVector,
}

impl RootBelief {
    fn new(tree: &Tree, seat: Seat, believed: TypeVector, suspicion: f64) -> Self {
        let count = usize::from(tree.node(tree.root()).types[seat]);
        Self { believed, suspicion, count, regrets: ZERO, sums: ZERO }
    }

    /// What suits the seat best, so far.
    fn chosen(&self) -> TypeVector {
        let total: f64 = self.regrets.iter().sum();
        if total > 0.0 { self.regrets.map(|regret| regret / total) } else { self.believed }
    }

    fn now(&self) -> TypeVector {
        self.mixed(&self.chosen())
    }

    fn mixed(&self, chosen: &TypeVector) -> TypeVector {
        let mut mixed = self.believed;
        for (chance, chosen) in mixed.iter_mut().zip(chosen) {
            *chance += self.suspicion * (chosen - *chance);
        }
        mixed
    }

    fn learn(&mut self, values: &TypeVector, weight: f64) {
        let now = self.now();
        for (sum, chance) in self.sums.iter_mut().zip(now) {
            *sum += weight * chance;
        }
        let chosen = self.chosen();
        let average: f64 = chosen.iter().zip(values).map(|(chance, value)| chance * value).sum();
        for (regret, value) in self.regrets.iter_mut().zip(values).take(self.count) {
            *regret = (*regret + value - average).max(0.0);
        }
    }

    fn average(&self) -> TypeVector {
        let total: f64 = self.sums.iter().sum();
        self.sums.map(|sum| sum / total)
    }

    /// What the seat gets if its types are worth this.
    fn worth(&self, values: &TypeVector) -> f64 {
        let believed: f64 = self.believed.iter().zip(values).map(|(c, value)| c * value).sum();
        let best = values[..self.count].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        believed + self.suspicion * (best - believed)
    }
}

struct Cfr<'a> {
    tree: &'a Tree,
    habit: Option<OpponentModel<'a>>,
    regrets: Vec<f32>,
    sums: Vec<f32>,
    weight: f64,
    tremble: f64,
}

impl Cfr<'_> {
    /// Improves what a seat does below a node; returns what each of its types gets there, times how likely the
    /// other's types are that come here.
    fn update(&mut self, at: u32, me: Seat, own: &TypeVector, other: &TypeVector) -> TypeVector {
        let (tree, habit) = (self.tree, self.habit);
        let habit = habit.as_ref();
        let node = tree.node(at);
        let NodeKind::Choice { seat, edges, without_for_first } = node.what else {
            return tree.end_values(node, me, other);
        };
        let ends = f64::from(without_for_first) * f64::from(me.sign_for_first());
        let edges = tree.edges(edges);
        let mut positive = ZERO;
        let mut slots = ZERO;
        for edge in edges {
            let regrets = &self.regrets[edge.slots as usize..];
            for (k, &i) in tree.before(*edge, seat).iter().enumerate() {
                positive[usize::from(i)] += f64::from(regrets[k]);
                slots[usize::from(i)] += 1.0;
            }
        }
        let chosen = |regret: f32, i: u8| {
            let i = usize::from(i);
            if positive[i] > 0.0 { f64::from(regret) / positive[i] } else { 1.0 / slots[i] }
        };
        let mut values = ZERO;
        if seat != me {
            for edge in edges {
                let mut reach = ZERO;
                for (k, &i) in tree.before(*edge, seat).iter().enumerate() {
                    let slot = edge.slots as usize + k;
                    let free = chosen(self.regrets[slot], i);
                    reach[k] =
                        other[usize::from(i)] * OpponentModel::mixed(habit, seat, slot, free);
                }
                // Where only the other does not go, what this seat would do there still counts in its average.
                if reach.iter().chain(own).all(|reach| *reach == 0.0) {
                    continue;
                }
                let after = self.update(edge.to, me, own, &reach);
                for (value, after) in values.iter_mut().zip(after) {
                    *value += after;
                }
            }
            let without = (0..usize::from(node.types[seat])).filter(|i| slots[*i] == 0.0);
            let total: f64 = without.map(|i| other[i]).sum();
            for value in &mut values {
                *value += ends * total;
            }
            return values;
        }
        // What the free part of its play brings: that is what its regrets compare with.
        let mut free_values = ZERO;
        for edge in edges {
            let before = tree.before(*edge, seat);
            let mut reach = ZERO;
            let mut free = ZERO;
            let mut strategy = ZERO;
            for (k, &i) in before.iter().enumerate() {
                let slot = edge.slots as usize + k;
                free[k] = chosen(self.regrets[slot], i);
                strategy[k] = OpponentModel::mixed(habit, seat, slot, free[k]);
                reach[k] = own[usize::from(i)] * strategy[k];
            }
            // Neither its regrets nor its average change below, and nothing is gained above.
            if reach.iter().chain(other).all(|reach| *reach == 0.0) {
                continue;
            }
            let after = self.update(edge.to, me, &reach, other);
            for (k, &i) in before.iter().enumerate() {
                let slot = edge.slots as usize + k;
                values[usize::from(i)] += strategy[k] * after[k];
                free_values[usize::from(i)] += free[k] * after[k];
                self.sums[slot] += as_slot(self.weight * reach[k]);
                self.regrets[slot] += as_slot(after[k]);
            }
        }
        let total: f64 = other.iter().sum();
        for i in 0..usize::from(node.types[seat]) {
            if slots[i] == 0.0 {
                values[i] = ends * total;
            }
        }
        for edge in edges {
            for (k, &i) in tree.before(*edge, seat).iter().enumerate() {
                let regret = &mut self.regrets[edge.slots as usize + k];
                *regret = (*regret - as_slot(free_values[usize::from(i)])).max(0.0);
            }
        }
        values
    }

    fn solution(&self, types: &BySeat<RootBelief>) -> Solution {
        let strategy = self.average();
        let chances = BySeat::new_with(|seat| types[seat].average());
        let best = BySeat::new_with(|seat| {
            let habit = self.habit.as_ref();
            let values = best_response(self.tree, &strategy, habit, seat, &chances[!seat]);
            types[seat].worth(&values) * f64::from(seat.sign_for_first())
        });
        let gap = (best.first - best.second).max(0.0);
        let points_for_first = f64::midpoint(best.first, best.second);
        Solution { strategy, chances, gap, points_for_first }
    }

    fn average(&self) -> Strategy {
        let mut strategy = self.sums.clone();
        self.tree.normalise(&mut strategy);
        strategy
    }
}
