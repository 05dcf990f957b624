//! Defines solved subgames and the cursor that follows the actions of a game through a solution.

use std::sync::Arc;

use overmate_rules::Seat;

use crate::hidden::best_response::counterfactual_values;
use crate::hidden::cfr::Solution;
use crate::hidden::tree::{Edge, NodeKind};
use crate::hidden::tree_builder::GameTree;
use crate::public_game::types::{TypeChances, TypePoints, TypeProbabilities, ZERO};

/// Subgame together with its approximate equilibrium.
pub(crate) struct SolvedSubgame {
    /// Tree of the subgame, with payoffs in points.
    pub(crate) game: GameTree,
    /// Approximate equilibrium of the subgame.
    pub(crate) solution: Solution,
}

/// Node of a solved subgame, with the reach probabilities of all types (possible face-down cards).
pub(crate) struct SubgameCursor {
    solved: Arc<SolvedSubgame>,
    node: u32,
    /// Probability that each type (face-down card) of each seat reaches the node under the solution.
    pub(crate) reach: TypeChances,
}

impl SubgameCursor {
    /// Returns a cursor at the root of a subgame.
    pub(crate) fn at_root(solved: Arc<SolvedSubgame>) -> Self {
        Self { node: solved.game.tree.root(), reach: solved.solution.chances, solved }
    }

    /// Returns the exploitability gap of the solution, in points.
    pub(crate) fn gap(&self) -> f64 {
        self.solved.solution.gap
    }

    /// Returns whether the cursor is at a leaf of the subgame.
    pub(crate) fn is_leaf(&self) -> bool {
        self.solved.game.states[self.node as usize].is_none()
    }

    /// Returns the number of actions at the cursor's node.
    pub(crate) fn actions(&self) -> usize {
        self.solved.game.actions[self.node as usize].len()
    }

    /// Returns the edge with the given index at the cursor's node, or `None` at a leaf.
    fn edge(&self, index: usize) -> Option<Edge> {
        let tree = &self.solved.game.tree;
        match tree.node(self.node).kind {
            NodeKind::Choice { edges, .. } => tree.edges(edges).get(index).copied(),
            _ => None,
        }
    }

    /// Returns the cursor after the action of `seat` with the given index, or `None` at a leaf.
    pub(crate) fn follow(mut self, seat: Seat, index: usize) -> Option<Self> {
        let edge = self.edge(index)?;
        let mut reach = ZERO;
        for (k, (slot, i)) in self.solved.game.tree.slots_of(edge, seat).enumerate() {
            reach[k] = self.reach[seat][i] * f64::from(self.solved.solution.strategy[slot]);
        }
        self.reach[seat] = reach;
        self.node = edge.to;
        Some(self)
    }

    /// Returns the probability of an action for each type (face-down card) of the acting seat at the node.
    pub(crate) fn chances(&self, seat: Seat, index: usize) -> TypeProbabilities {
        let mut chances = ZERO;
        if let Some(edge) = self.edge(index) {
            for (slot, i) in self.solved.game.tree.slots_of(edge, seat) {
                chances[i] = self.solved.solution.strategy[slot].into();
            }
        }
        chances
    }

    /// Returns the probability of an action for each type (face-down card) that the acting seat can have after the action.
    pub(crate) fn slot_chances(&self, seat: Seat, index: usize) -> TypeProbabilities {
        let mut chances = ZERO;
        if let Some(edge) = self.edge(index) {
            let slots = self.solved.game.tree.slots_of(edge, seat);
            for (chance, (slot, _)) in chances.iter_mut().zip(slots) {
                *chance = self.solved.solution.strategy[slot].into();
            }
        }
        chances
    }

    /// Returns the expected points of the acting seat after an action, for each type (face-down card) that it can have after
    /// the action.
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

    /// Returns the expected points of the acting seat after an action, by its type (face-down card) at the node; 0 for types
    /// without the action.
    pub(crate) fn values(&self, seat: Seat, index: usize) -> TypePoints {
        let values = self.slot_values(seat, index);
        let mut by_type = TypePoints::ZERO;
        if let Some(edge) = self.edge(index) {
            for ((_, i), value) in self.solved.game.tree.slots_of(edge, seat).zip(values.iter()) {
                by_type[i] = value;
            }
        }
        by_type
    }
}
