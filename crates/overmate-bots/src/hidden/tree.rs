//! A game of two players, each with a private type, in which everything that is done is seen by both.
//!
//! That is all that solving such a game and measuring strategies for it need to know. A strategy is one number for each
//! *slot* of the tree: a slot is an edge, and a type that the one who acts has after it.

use overmate_rules::{BySeat, Seat};

use crate::public_game::types::{TypeVector, ZERO};

/// A game tree. The root is the node with the highest number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// For each slot, the type before it.
    before: Vec<u8>,
    /// The points of leaves for *first*: by the type of *first*, then of *second*.
    points: Vec<f32>,
}

/// A point of the game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// How many types each has here.
    pub(crate) types: BySeat<u8>,
    pub(crate) what: NodeKind,
}

/// What happens at a node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NodeKind {
    /// A seat acts. For its types without an edge the game is over, with these points for *first*.
    Choice { seat: Seat, edges: EdgeRange, without_for_first: f32 },
    /// The game is over; here the points begin, for each pair of types.
    Leaf(u32),
    /// The game is over with these points for *first*.
    Over(f32),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeRange {
    start: u32,
    end: u32,
}

/// Something that can be done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) to: u32,
    /// The first of its slots; there is one for each type that the one who acts has at `to`.
    pub(crate) slots: u32,
}

impl Tree {
    pub(crate) fn root(&self) -> u32 {
        u32::try_from(self.nodes.len() - 1).unwrap_or_default()
    }

    /// The same tree with other points at its ends.
    pub(crate) fn with_points(&self, worth: impl Fn(f32) -> f32) -> Self {
        let mut tree = self.clone();
        for points in &mut tree.points {
            *points = worth(*points);
        }
        for node in &mut tree.nodes {
            match &mut node.what {
                NodeKind::Choice { without_for_first: points, .. } | NodeKind::Over(points) => {
                    *points = worth(*points);
                }
                NodeKind::Leaf(_) => {}
            }
        }
        tree
    }

    /// About how much it takes to walk through the tree, in nodes.
    pub(crate) fn work(&self) -> usize {
        self.nodes.len() + self.points.len() / 8
    }

    /// How many slots all edges have.
    pub(crate) fn slots(&self) -> usize {
        self.before.len()
    }

    pub(crate) fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    pub(crate) fn edges(&self, range: EdgeRange) -> &[Edge] {
        &self.edges[range.start as usize..range.end as usize]
    }

    /// For each slot of an edge of this seat, the type before it.
    pub(crate) fn before(&self, edge: Edge, seat: Seat) -> &[u8] {
        let start = edge.slots as usize;
        &self.before[start..start + usize::from(self.node(edge.to).types[seat])]
    }

    /// The points of a leaf for *first*.
    pub(crate) fn leaf_points(&self, at: u32, types: BySeat<u8>) -> &[f32] {
        &self.points[at as usize..][..usize::from(types.first) * usize::from(types.second)]
    }

    /// What each type of a seat gets at an end of the game, times how likely the other's types are that come there.
    pub(crate) fn end_values(&self, node: &Node, seat: Seat, other: &TypeVector) -> TypeVector {
        let mut values = ZERO;
        let (own, others) = (usize::from(node.types[seat]), usize::from(node.types[!seat]));
        let sign = f64::from(seat.sign_for_first());
        match node.what {
            NodeKind::Over(points) => {
                let total: f64 = other[..others].iter().sum();
                values[..own].fill(sign * f64::from(points) * total);
            }
            NodeKind::Leaf(at) => {
                let points = self.leaf_points(at, node.types);
                for (i, value) in values[..own].iter_mut().enumerate() {
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

    /// Scales the numbers of the slots so that those of each type at each node add up to 1; equal ones where all
    /// are 0.
    pub(crate) fn normalise(&self, slots: &mut [f32]) {
        for node in &self.nodes {
            let NodeKind::Choice { seat, edges, .. } = node.what else { continue };
            let mut total = ZERO;
            let mut count = ZERO;
            for edge in self.edges(edges) {
                for (k, &i) in self.before(*edge, seat).iter().enumerate() {
                    total[usize::from(i)] += f64::from(slots[edge.slots as usize + k]);
                    count[usize::from(i)] += 1.0;
                }
            }
            for edge in self.edges(edges) {
                for (k, &i) in self.before(*edge, seat).iter().enumerate() {
                    let slot = &mut slots[edge.slots as usize + k];
                    let i = usize::from(i);
                    let share =
                        if total[i] > 0.0 { f64::from(*slot) / total[i] } else { 1.0 / count[i] };
                    *slot = as_slot(share);
                }
            }
        }
    }

    /// Adds the end of the game, with points for *first* by the type of *first*, then of *second*.
    pub(crate) fn add_leaf(
        &mut self,
        types: BySeat<u8>,
        points: impl IntoIterator<Item = f32>,
    ) -> u32 {
        let at = u32::try_from(self.points.len()).expect("a tree of fewer than 2^32 points");
        self.points.extend(points);
        self.add(Node { types, what: NodeKind::Leaf(at) })
    }

    pub(crate) fn add_over(&mut self, types: BySeat<u8>, points_for_first: f32) -> u32 {
        self.add(Node { types, what: NodeKind::Over(points_for_first) })
    }

    /// Adds a choice among nodes that are there: each with, for the types of `seat` that it has, the type before.
    pub(crate) fn add_choice(
        &mut self,
        seat: Seat,
        types: BySeat<u8>,
        choices: &[(u32, Vec<u8>)],
        without_for_first: f32,
    ) -> u32 {
        let place = |len: usize| u32::try_from(len).expect("a tree of fewer than 2^32 slots");
        let start = place(self.edges.len());
        for (to, before) in choices {
            debug_assert_eq!(before.len(), usize::from(self.node(*to).types[seat]));
            debug_assert_eq!(types[!seat], self.node(*to).types[!seat]);
            self.edges.push(Edge { to: *to, slots: place(self.before.len()) });
            self.before.extend_from_slice(before);
        }
        let edges = EdgeRange { start, end: place(self.edges.len()) };
        self.add(Node { types, what: NodeKind::Choice { seat, edges, without_for_first } })
    }

    fn add(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        u32::try_from(self.nodes.len() - 1).expect("a tree of fewer than 2^32 nodes")
    }
}

/// A chance or a regret as it is kept: seven digits are plenty.
#[allow(clippy::cast_possible_truncation, reason = "rounding is meant")]
pub(crate) fn as_slot(number: f64) -> f32 {
    number as f32
}
