//! Defines a solved game tree, and a cursor that follows the actions of a game through the tree.

use std::sync::Arc;

use overmate_rules::Seat;

use crate::hidden::cfr::Solution;
use crate::hidden::tree::{Edge, NodeKind};
use crate::hidden::tree_builder::GameTree;
use crate::hidden::tree_response::counterfactual_values;
use crate::public_game::types::{TypeChances, TypePoints, TypeProbabilities, ZERO};

/// Game tree of the rest of a game, with an approximate equilibrium of the tree.
pub(crate) struct SolvedSubgame {
    /// Tree of the rest of the game, with payoffs in points.
    pub(crate) game: GameTree,
    /// Approximate equilibrium of the game tree.
    pub(crate) solution: Solution,
}

/// Cursor at a node of a solved game tree, with the probability of reaching the node for each face-down card of each
/// seat.
pub(crate) struct SubgameCursor {
    solved: Arc<SolvedSubgame>,
    node: u32,
    /// Each seat's contribution to the probability of reaching the cursor's node, for each card that the seat may have face
    /// down. At the root, the contribution is the probability of the card.
    pub(crate) reach: TypeChances,
}

impl SubgameCursor {
    /// Returns a cursor at the root of a solved game tree.
    pub(crate) fn at_root(solved: Arc<SolvedSubgame>) -> Self {
        Self { node: solved.game.tree.root(), reach: solved.solution.chances, solved }
    }

    /// Returns the sum of the exploitabilities of both players' strategies in the solved game tree, in points.
    pub(crate) fn gap(&self) -> f64 {
        self.solved.solution.gap
    }

    /// Returns whether the cursor is at a leaf of the game tree.
    pub(crate) fn is_leaf(&self) -> bool {
        self.solved.game.states[self.node as usize].is_none()
    }

    /// Returns the number of actions at the cursor's node.
    pub(crate) fn actions(&self) -> usize {
        self.solved.game.actions(self.node).len()
    }

    /// Returns the edge (action) with a given index at the cursor's node, or `None` at a leaf.
    fn edge(&self, index: usize) -> Option<Edge> {
        let tree = &self.solved.game.tree;
        match tree.node(self.node).kind {
            NodeKind::Choice { edges, .. } => tree.edges(edges).get(index).copied(),
            NodeKind::Leaf(_) | NodeKind::Over(_) => None,
        }
    }

    /// Returns a cursor at the node after the action of `seat` with a given index, or `None` at a leaf.
    pub(crate) fn follow(mut self, seat: Seat, index: usize) -> Option<Self> {
        let edge = self.edge(index)?;
        let mut reach = ZERO;
        for (k, (slot, i)) in self.solved.game.tree.slots_of(edge).enumerate() {
            reach[k] = self.reach[seat][i] * f64::from(self.solved.solution.strategy[slot]);
        }
        self.reach[seat] = reach;
        self.node = edge.to;
        Some(self)
    }

    /// Returns the probability of an action under the solution, for each card that the acting seat may have face down before the action.
    pub(crate) fn chances(&self, index: usize) -> TypeProbabilities {
        let mut chances = ZERO;
        if let Some(edge) = self.edge(index) {
            for (slot, i) in self.solved.game.tree.slots_of(edge) {
                chances[i] = self.solved.solution.strategy[slot].into();
            }
        }
        chances
    }

    /// Returns the probability of an action under the solution, for each card that the acting seat may have face down after the action.
    pub(crate) fn slot_chances(&self, index: usize) -> TypeProbabilities {
        let mut chances = ZERO;
        if let Some(edge) = self.edge(index) {
            let slots = self.solved.game.tree.slots_of(edge);
            for (chance, (slot, _)) in chances.iter_mut().zip(slots) {
                *chance = self.solved.solution.strategy[slot].into();
            }
        }
        chances
    }

    /// Returns the acting seat's expected points after an action, for each card that the seat may have face down after the action.
    pub(crate) fn slot_values(&self, seat: Seat, index: usize) -> TypePoints {
        let SolvedSubgame { game, solution } = &*self.solved;
        let Some(edge) = self.edge(index) else { return TypePoints::ZERO };
        let other = &self.reach[!seat];
        let mut values =
            counterfactual_values(&game.tree, &solution.strategy, edge.to, seat, other);
        let total: f64 = other.iter().sum();
        if total > 0.0 {
            for value in values.iter_mut() {
                *value /= total;
            }
        }
        values
    }

    /// Returns the acting seat's expected points after an action, for each card that the seat may have face down before the action. The
    /// points are 0 for cards with which the action is illegal.
    pub(crate) fn values(&self, seat: Seat, index: usize) -> TypePoints {
        let values = self.slot_values(seat, index);
        let mut by_type = TypePoints::ZERO;
        if let Some(edge) = self.edge(index) {
            for ((_, i), value) in self.solved.game.tree.slots_of(edge).zip(values.iter()) {
                by_type[i] = value;
            }
        }
        by_type
    }
}
