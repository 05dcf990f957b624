//! Computes exact best responses to a strategy, which show the maximum loss of the strategy.

use overmate_rules::{BySeat, Seat};

use crate::hidden::tree::{NodeKind, Tree};
use crate::public_game::types::{TypeChances, TypePoints, TypeProbabilities, ZERO};

/// Model of a seat's play: a known strategy that the seat follows with a fixed probability at each of its decisions.
///
/// At all other decisions the seat is assumed to play optimally. An equilibrium under this
/// assumption is a *restricted Nash response* (Johanson, Zinkevich & Bowling 2007): the opponent of
/// the seat exploits the errors of the known strategy, at a bounded loss against other strategies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpponentModel<'a> {
    /// Seat whose play the model describes.
    pub(crate) seat: Seat,
    /// Action probabilities of the strategy that the modelled seat is known to follow. Only the probabilities of actions of `seat` are
    /// read.
    pub(crate) strategy: &'a [f32],
    /// Probability, 0 to 1, that the modelled seat follows the strategy in the field `strategy` at a given decision.
    pub(crate) share: f64,
}

impl OpponentModel<'_> {
    /// Returns the probability of an action under an opponent model. The result is the weighted mean of the known strategy's probability
    /// and the probability `free`.
    pub(crate) fn mixed(model: Option<&Self>, seat: Seat, slot: usize, free: f64) -> f64 {
        match model {
            Some(model) if model.seat == seat => {
                free + model.share * (f64::from(model.strategy[slot]) - free)
            }
            _ => free,
        }
    }
}

/// Returns, for each seat, the points for *first* if that seat plays its best response to `strategy`.
///
/// The value of the game lies between the two payoffs. The exploitability of *second*'s part of the strategy is the
/// first payoff minus the value. The exploitability of *first*'s part is the value minus the second payoff.
pub(crate) fn best_responses(tree: &Tree, strategy: &[f32], chances: &TypeChances) -> BySeat<f64> {
    BySeat::new_with(|seat| {
        let values = best_response(tree, strategy, None, seat, &chances[!seat]);
        values.expected(&chances[seat]) * f64::from(seat.sign_for_first())
    })
}

/// Returns the points of a seat's best response to `strategy`, for each card that the seat may have face down.
///
/// If `model` describes the seat itself, the seat follows the known strategy with the probability `model.share` at each decision, and
/// plays its best response otherwise.
pub(crate) fn best_response(
    tree: &Tree,
    strategy: &[f32],
    model: Option<&OpponentModel<'_>>,
    seat: Seat,
    other: &TypeProbabilities,
) -> TypePoints {
    let model = model.filter(|model| model.seat == seat);
    Walk { tree, strategy, model, seat, responds: true }.values(tree.root(), other)
}

/// Returns a seat's counterfactual value at a node for each card that the seat may have face down,
/// if both seats follow `strategy`. The points are weighted by the opponent's reach probabilities
/// `other`.
pub(crate) fn counterfactual_values(
    tree: &Tree,
    strategy: &[f32],
    node: u32,
    seat: Seat,
    other: &TypeProbabilities,
) -> TypePoints {
    Walk { tree, strategy, model: None, seat, responds: false }.values(node, other)
}

/// State of the recursive computation of one seat's values at the nodes of a game tree, given a strategy.
struct Walk<'a> {
    tree: &'a Tree,
    strategy: &'a [f32],
    /// Known strategy that `seat` follows with a fixed probability at each decision, or `None` if
    /// `seat` is not modelled.
    model: Option<&'a OpponentModel<'a>>,
    /// Seat whose values in the game tree are computed.
    seat: Seat,
    /// Whether the seat plays its best response instead of the given strategy.
    responds: bool,
}

impl Walk<'_> {
    /// Returns the counterfactual values of a node, one for each card that `seat` may have face down. `other` holds the
    /// opponent's reach probabilities.
    fn values(&self, at: u32, other: &TypeProbabilities) -> TypePoints {
        let node = self.tree.node(at);
        let NodeKind::Choice { seat, edges, mated_for_first } = node.kind else {
            return self.tree.end_values(node, self.seat, other);
        };
        let acts = seat == self.seat;
        let start = if acts && self.responds { f64::NEG_INFINITY } else { 0.0 };
        let mut values = TypePoints::all(start);
        let mut modelled = TypePoints::ZERO;
        let mut has_edge = [false; ZERO.len()];
        for edge in self.tree.edges(edges) {
            let mut reach = ZERO;
            for (k, (slot, i)) in self.tree.slots_of(*edge).enumerate() {
                has_edge[i] = true;
                reach[k] = other[i] * f64::from(self.strategy[slot]);
            }
            if acts {
                let after = self.values(edge.to, other);
                for (k, (slot, i)) in self.tree.slots_of(*edge).enumerate() {
                    if let Some(model) = self.model {
                        modelled[i] += f64::from(model.strategy[slot]) * after[k];
                    }
                    values[i] = if self.responds {
                        values[i].max(after[k])
                    } else {
                        values[i] + f64::from(self.strategy[slot]) * after[k]
                    };
                }
            } else if reach.iter().any(|reach| *reach != 0.0) {
                values.add(&self.values(edge.to, &reach));
            }
        }
        let mated_points = f64::from(mated_for_first) * f64::from(self.seat.sign_for_first());
        let is_mated = |i: usize| i < usize::from(node.types[seat]) && !has_edge[i];
        if acts {
            let total: f64 = other.iter().sum();
            for (i, value) in values.iter_mut().enumerate() {
                if let Some(model) = self.model {
                    *value += model.share * (modelled[i] - *value);
                }
                if !has_edge[i] {
                    *value = if is_mated(i) { mated_points * total } else { 0.0 };
                }
            }
        } else {
            let total: f64 = (0..other.len()).filter(|i| is_mated(*i)).map(|i| other[i]).sum();
            for value in values.iter_mut() {
                *value += mated_points * total;
            }
        }
        values
    }
}
