//! The exact best response to a strategy, and so how far a strategy can be exploited.

use overmate_rules::{BySeat, Seat};

use crate::hidden::cfr::OpponentModel;
use crate::hidden::tree::{NodeKind, Tree};
use crate::public_game::types::{TypeChances, TypeVector, ZERO};

/// How likely each slot is, given the type before it; by slot. It says what both seats do.
pub(crate) type Strategy = Vec<f32>;

/// What each seat gets that knows the other's strategy and answers it best, in points for *first*.
///
/// The value of the game lies between the two. What a strategy of *second* loses to the best response is the first minus
/// the value, what one of *first* loses is the value minus the second.
pub(crate) fn best_responses(tree: &Tree, strategy: &[f32], chances: &TypeChances) -> BySeat<f64> {
    BySeat::new_with(|seat| {
        let values = best_response(tree, strategy, None, seat, &chances[!seat]);
        expected(&values, &chances[seat]) * f64::from(seat.sign_for_first())
    })
}

/// What each type of a seat gets by the best response to the other's strategy, or the best that goes with a habit of its own: points
/// of the seat.
pub(crate) fn best_response(
    tree: &Tree,
    strategy: &[f32],
    habit: Option<&OpponentModel<'_>>,
    seat: Seat,
    other: &TypeVector,
) -> TypeVector {
    let habit = habit.filter(|habit| habit.seat == seat);
    Walk { tree, strategy, habit, seat, responds: true }.values(tree.root(), other)
}

/// What each type of a seat gets below a node if both follow a strategy, times how likely the other's types are that
/// come there: points of the seat.
pub(crate) fn outcomes(
    tree: &Tree,
    strategy: &[f32],
    node: u32,
    seat: Seat,
    other: &TypeVector,
) -> TypeVector {
    Walk { tree, strategy, habit: None, seat, responds: false }.values(node, other)
}

fn expected(values: &TypeVector, chances: &TypeVector) -> f64 {
    values.iter().zip(chances).map(|(value, chance)| value * chance).sum()
}

struct Walk<'a> {
    tree: &'a Tree,
    strategy: &'a [f32],
    /// What the one whose values these are does anyway.
    habit: Option<&'a OpponentModel<'a>>,
    /// Whose values.
    seat: Seat,
    /// Whether he does what is best for him, instead of what the strategy says.
    responds: bool,
}

impl Walk<'_> {
    /// By type of the seat: what it gets, times how likely the other's types are that come here.
    fn values(&self, at: u32, other: &TypeVector) -> TypeVector {
        let node = self.tree.node(at);
        let NodeKind::Choice { seat, edges, without_for_first } = node.what else {
            return self.tree.end_values(node, self.seat, other);
        };
        let acts = seat == self.seat;
        let mut values = if acts && self.responds { [f64::NEG_INFINITY; _] } else { ZERO };
        let mut habitual = ZERO;
        let mut goes_on = [false; ZERO.len()];
        for edge in self.tree.edges(edges) {
            let before = self.tree.before(*edge, seat);
            for i in before {
                goes_on[usize::from(*i)] = true;
            }
            let chosen = &self.strategy[edge.slots as usize..];
            if acts {
                let after = self.values(edge.to, other);
                for (k, &i) in before.iter().enumerate() {
                    let value = &mut values[usize::from(i)];
                    if let Some(habit) = self.habit {
                        let slot = edge.slots as usize + k;
                        habitual[usize::from(i)] += f64::from(habit.strategy[slot]) * after[k];
                    }
                    *value = if self.responds {
                        value.max(after[k])
                    } else {
                        *value + f64::from(chosen[k]) * after[k]
                    };
                }
                continue;
            }
            let mut reach = ZERO;
            for (k, &i) in before.iter().enumerate() {
                reach[k] = other[usize::from(i)] * f64::from(chosen[k]);
            }
            if reach.iter().all(|reach| *reach == 0.0) {
                continue;
            }
            let after = self.values(edge.to, &reach);
            for (value, after) in values.iter_mut().zip(after) {
                *value += after;
            }
        }
        let ends = f64::from(without_for_first) * f64::from(self.seat.sign_for_first());
        let mated = |i: usize| i < usize::from(node.types[seat]) && !goes_on[i];
        if acts {
            let total: f64 = other.iter().sum();
            for (i, value) in values.iter_mut().enumerate() {
                if let Some(habit) = self.habit {
                    *value += habit.share * (habitual[i] - *value);
                }
                if !goes_on[i] {
                    *value = if mated(i) { ends * total } else { 0.0 };
                }
            }
        } else {
            let total: f64 = (0..other.len()).filter(|i| mated(*i)).map(|i| other[i]).sum();
            for value in &mut values {
                *value += ends * total;
            }
        }
        values
    }
}
