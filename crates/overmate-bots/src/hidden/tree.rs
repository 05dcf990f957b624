//! Defines the tree of a game in which both players see all actions, but each player may have a face-down card.
//!
//! This tree is the whole interface between the card game and the solution methods. A *slot* is an edge together with a type (possible
//! face-down card) of the acting seat after the edge's action. A strategy is one probability for each slot of the tree.

use overmate_rules::{BySeat, Seat};

use crate::public_game::types::{TypePoints, TypeProbabilities, ZERO};

/// Strategy of both seats: the probability of each action, for each card that the acting seat may have face down.
pub(crate) type Strategy = Vec<f32>;

/// Tree of a game with face-down cards. The root is the node with the highest index.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    nodes: Vec<TreeNode>,
    edges: Vec<Edge>,
    /// Indices of possible face-down cards in the list of the cards that were possible before an action. Each edge of the tree has a part
    /// of this list: one index for each card that the acting seat may have face down after the edge's action. The parts of all edges follow
    /// each other. At an edge for foreplacing, all indices are 0, because the seat had no face-down card before.
    before: Vec<u8>,
    /// Points for seat *first* at each leaf, for each pair of face-down cards of *first* and *second*.
    points: Vec<f32>,
}

/// Node of the game tree: one state of the game without the identity of face-down cards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreeNode {
    /// Number of different cards that each seat may have face down at the node.
    pub(crate) types: BySeat<u8>,
    /// Kind of the node: a choice between actions, or a leaf.
    pub(crate) kind: NodeKind,
}

/// Kind of a node of the game tree: a choice between actions, or a leaf.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NodeKind {
    /// Choice that a seat makes: a lead, an answer, or foreplacing (setting a card aside). If the seat's
    /// face-down card leaves no legal action, the game ends with `mated_for_first` points for
    /// *first*.
    Choice {
        /// Seat that acts at the node.
        seat: Seat,
        /// Edges of the node, one for each action.
        edges: EdgeRange,
        /// Points for seat *first* if the acting seat is mated because its face-down card leaves no legal action.
        mated_for_first: f32,
    },
    /// Leaf of the tree, with points for seat *first* that depend on the face-down cards. The field is the index of the leaf's first number
    /// in the tree's list of points.
    Leaf(u32),
    /// End of the game, with points for seat *first* that do not depend on the face-down cards.
    Over(f32),
}

/// Range of indices of the edges that leave one node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeRange {
    start: u32,
    end: u32,
}

/// Edge of the tree, which stands for an action at a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    /// Index of the tree node after the action.
    pub(crate) to: u32,
    /// Index of an action's first probability in the list of probabilities that forms a strategy. The action has one probability for each
    /// face-down card with which the acting seat can take the action. The edge has one slot for each type of the acting seat at `to`.
    pub(crate) slots: u32,
    /// Number of slots: the number of cards that the acting seat may have face down after the action.
    count: u8,
}

impl Tree {
    /// Returns the index of the game tree's root node.
    pub(crate) fn root(&self) -> u32 {
        u32::try_from(self.nodes.len() - 1).unwrap_or_default()
    }

    /// Returns a copy of the tree in which each payoff is converted by the function `utility`.
    pub(crate) fn with_points(&self, utility: impl Fn(f32) -> f32) -> Self {
        let mut tree = self.clone();
        for points in &mut tree.points {
            *points = utility(*points);
        }
        for node in &mut tree.nodes {
            match &mut node.kind {
                NodeKind::Choice { mated_for_first: points, .. } | NodeKind::Over(points) => {
                    *points = utility(*points);
                }
                NodeKind::Leaf(_) => {}
            }
        }
        tree
    }

    /// Returns the approximate cost of one traversal of the tree, measured in nodes.
    pub(crate) fn work(&self) -> usize {
        self.nodes.len() + self.points.len() / 8
    }

    /// Returns the number of probabilities in a strategy for the tree: one for each action and face-down card.
    pub(crate) fn slots(&self) -> usize {
        self.before.len()
    }

    /// Returns the node of the game tree with the given index.
    pub(crate) fn node(&self, node: u32) -> &TreeNode {
        &self.nodes[node as usize]
    }

    /// Returns the edges of the game tree with indices in the given range.
    pub(crate) fn edges(&self, range: EdgeRange) -> &[Edge] {
        &self.edges[range.start as usize..range.end as usize]
    }

    /// Iterates over the cards that the acting seat may have face down after taking the action of an edge of the game tree. Each item holds
    /// the index of the action's probability in a strategy, and the index of the card among the possible cards before the action.
    pub(crate) fn slots_of(&self, edge: Edge) -> impl Iterator<Item = (usize, usize)> {
        (edge.slots as usize..).zip(self.before(edge).iter().map(|i| usize::from(*i)))
    }

    /// Returns the cards that the acting seat may have face down after taking the action of an edge of the game tree. Each card is given as
    /// its index in the list of the cards that were possible before the action.
    pub(crate) fn before(&self, edge: Edge) -> &[u8] {
        let start = edge.slots as usize;
        &self.before[start..start + usize::from(edge.count)]
    }

    /// Returns a seat's points at a leaf of the tree, for each card that the seat may have face down. The points are weighted by the
    /// probability of the opponent's cards. Returns 0 for a node at which a seat acts.
    pub(crate) fn end_values(
        &self,
        node: &TreeNode,
        seat: Seat,
        other: &TypeProbabilities,
    ) -> TypePoints {
        let mut values = TypePoints::ZERO;
        let (own, others) = (usize::from(node.types[seat]), usize::from(node.types[!seat]));
        let sign = f64::from(seat.sign_for_first());
        match node.kind {
            NodeKind::Over(points) => {
                let total: f64 = other[..others].iter().sum();
                for value in values.iter_mut().take(own) {
                    *value = sign * f64::from(points) * total;
                }
            }
            NodeKind::Leaf(at) => {
                let points = &self.points[at as usize..][..own * others];
                for (i, value) in values.iter_mut().take(own).enumerate() {
                    for (j, chance) in other[..others].iter().enumerate() {
                        let at = match seat {
                            Seat::First => i * others + j,
                            Seat::Second => j * own + i,
                        };
                        *value += chance * f64::from(points[at]);
                    }
                    *value *= sign;
                }
            }
            NodeKind::Choice { .. } => {}
        }
        values
    }

    /// Scales the weights of actions to probabilities with the sum 1, for each node and face-down
    /// card. If all weights are 0, all actions become equally likely.
    pub(crate) fn normalise(&self, slots: &mut [f32]) {
        for node in &self.nodes {
            let NodeKind::Choice { edges, .. } = node.kind else { continue };
            let mut total = ZERO;
            let mut count = ZERO;
            for edge in self.edges(edges) {
                for (slot, i) in self.slots_of(*edge) {
                    total[i] += f64::from(slots[slot]);
                    count[i] += 1.0;
                }
            }
            for edge in self.edges(edges) {
                for (slot, i) in self.slots_of(*edge) {
                    let weight = f64::from(slots[slot]);
                    let share = if total[i] > 0.0 { weight / total[i] } else { 1.0 / count[i] };
                    slots[slot] = as_slot(share);
                }
            }
        }
    }

    /// Adds a leaf with the points for seat *first*, one number for each pair of face-down cards of
    /// *first* and *second*.
    pub(crate) fn add_leaf(
        &mut self,
        types: BySeat<u8>,
        points: impl IntoIterator<Item = f32>,
    ) -> u32 {
        let at = u32::try_from(self.points.len()).expect("a tree has fewer than 2^32 payoffs");
        self.points.extend(points);
        self.add(TreeNode { types, kind: NodeKind::Leaf(at) })
    }

    /// Returns the points for seat *first* at a leaf, to be written: one number for each pair of face-down cards of *first* and *second*.
    /// Returns an empty list for other nodes.
    pub(crate) fn leaf_points_mut(&mut self, node: u32) -> &mut [f32] {
        let TreeNode { types, kind } = *self.node(node);
        let NodeKind::Leaf(at) = kind else { return &mut [] };
        &mut self.points[at as usize..][..usize::from(types.first) * usize::from(types.second)]
    }

    /// Adds a node for the end of the game, with points for seat *first* that do not depend on the face-down cards.
    pub(crate) fn add_over(&mut self, types: BySeat<u8>, points_for_first: f32) -> u32 {
        self.add(TreeNode { types, kind: NodeKind::Over(points_for_first) })
    }

    /// Adds a node at which `seat` chooses an action. The nodes after the actions must already exist. Each action
    /// comes with the face-down cards for which the action is legal.
    pub(crate) fn add_choice(
        &mut self,
        seat: Seat,
        types: BySeat<u8>,
        choices: &[(u32, Vec<u8>)],
        mated_for_first: f32,
    ) -> u32 {
        let index = |len: usize| u32::try_from(len).expect("a tree has fewer than 2^32 slots");
        let start = index(self.edges.len());
        for (to, before) in choices {
            debug_assert_eq!(before.len(), usize::from(self.node(*to).types[seat]));
            debug_assert_eq!(types[!seat], self.node(*to).types[!seat]);
            let count = self.node(*to).types[seat];
            self.edges.push(Edge { to: *to, slots: index(self.before.len()), count });
            self.before.extend_from_slice(before);
        }
        let edges = EdgeRange { start, end: index(self.edges.len()) };
        self.add(TreeNode { types, kind: NodeKind::Choice { seat, edges, mated_for_first } })
    }

    fn add(&mut self, node: TreeNode) -> u32 {
        self.nodes.push(node);
        u32::try_from(self.nodes.len() - 1).expect("a tree has fewer than 2^32 nodes")
    }
}

/// Converts a probability or regret to the 32-bit floating-point number that a strategy stores.
#[allow(clippy::cast_possible_truncation, reason = "seven digits suffice")]
pub(crate) fn as_slot(number: f64) -> f32 {
    number as f32
}
