//! Stores the probabilities with which games reach the positions of a deal.

use overmate_rules::{BySeat, Seat};
use overmate_solver::graph::{LeadGraph, LeadNode};

/// Positions that games on one deal may reach, each with the probability that each of several games reaches the position.
pub(crate) struct ReachedPositions {
    games: usize,
    hands: BySeat<Hands>,
    /// Layers, indexed by [`layer`](Self::layer).
    layers: Vec<Layer>,
    /// Sizes of the hands in each layer that is not taken yet, by ascending total.
    sizes: Vec<BySeat<usize>>,
    /// Layers without positions, whose memory is used again.
    spare: Vec<Layer>,
}

/// Numbering of the possible hands of a seat, by the number of their cards.
struct Hands {
    /// Place of each hand among the hands with as many cards, indexed by the bit mask of the hand.
    places: Vec<usize>,
    /// Number of hands with each number of cards.
    counts: Vec<usize>,
}

impl Hands {
    /// Numbers the subsets of `cards` dealt cards.
    fn new(cards: usize) -> Self {
        let mut counts = vec![0; cards + 1];
        let place = |hand: usize| {
            let count = &mut counts[hand.count_ones() as usize];
            *count += 1;
            *count - 1
        };
        Self { places: (0..1 << cards).map(place).collect(), counts }
    }
}

/// Reached positions in which each seat holds a certain number of cards.
#[derive(Default)]
pub(crate) struct Layer {
    /// Index of each position in the list `nodes` plus one, or 0 for a position that no game has reached.
    indices: Vec<u32>,
    nodes: Vec<LeadNode>,
    /// Probabilities of the reached positions, in one list: the probabilities of the first position in all games, then of the next
    /// position, and so on.
    probabilities: Vec<f64>,
}

impl Layer {
    /// Iterates over the reached positions, each with the probability that each of `games` games reaches it. Neighbours in this order have
    /// nearly the same cards, so that the positions after their moves are close to each other in memory.
    pub(crate) fn positions(&self, games: usize) -> impl Iterator<Item = (LeadNode, &[f64])> {
        let reached = self.indices.iter().filter_map(|index| (*index as usize).checked_sub(1));
        reached.map(move |index| (self.nodes[index], &self.probabilities[index * games..][..games]))
    }
}

impl ReachedPositions {
    /// Creates the store of a graph's positions for a number of games. No game has reached any position yet.
    pub(crate) fn new(graph: &LeadGraph, games: usize) -> Self {
        let cards = BySeat::new_with(|seat| graph.cards(seat).len());
        let mut sizes: Vec<BySeat<usize>> = (0..=cards.first)
            .flat_map(|first| (0..=cards.second).map(move |second| BySeat { first, second }))
            .collect();
        let mut layers = Vec::new();
        layers.resize_with(sizes.len(), Layer::default);
        sizes.sort_by_key(|sizes| sizes.first + sizes.second);
        Self { games, hands: cards.map(Hands::new), layers, sizes, spare: Vec::new() }
    }

    /// Returns the index of the layer of the positions in which the seats hold the given numbers of cards.
    fn layer(&self, sizes: BySeat<usize>) -> usize {
        sizes.first * self.hands.second.counts.len() + sizes.second
    }

    /// Removes the layer with the most cards in both hands. Returns `None` after the last layer.
    pub(crate) fn take_layer(&mut self) -> Option<Layer> {
        let sizes = self.sizes.pop()?;
        let layer = self.layer(sizes);
        Some(std::mem::take(&mut self.layers[layer]))
    }

    /// Takes back the memory of a layer for later layers.
    pub(crate) fn recycle(&mut self, mut layer: Layer) {
        layer.indices.clear();
        layer.nodes.clear();
        layer.probabilities.clear();
        self.spare.push(layer);
    }

    /// Returns the probability of reaching a given position in each game. A position that is asked for the first time has the
    /// probability 0.
    pub(crate) fn probabilities(&mut self, node: LeadNode) -> &mut [f64] {
        let Self { games, hands, .. } = self;
        #[allow(clippy::cast_possible_truncation, reason = "a table has at most ten cards a hand")]
        let held = node.held.map(|hand| hand as usize);
        let sizes = held.map(|hand| hand.count_ones() as usize);
        let counts = BySeat::new_with(|seat: Seat| hands[seat].counts[sizes[seat]]);
        let places = BySeat::new_with(|seat: Seat| hands[seat].places[held[seat]]);
        let flags = usize::from(node.free) << 1 | node.leader as usize;
        let place = (places.first * counts.second + places.second) << 2 | flags;
        let games = *games;
        let layer = self.layer(sizes);
        let layer = &mut self.layers[layer];
        if layer.indices.is_empty() {
            *layer = self.spare.pop().unwrap_or_default();
        }
        let Layer { indices, nodes, probabilities } = layer;
        if indices.is_empty() {
            indices.resize((counts.first * counts.second) << 2, 0);
        }
        let index = &mut indices[place];
        if *index == 0 {
            nodes.push(node);
            probabilities.resize(nodes.len() * games, 0.0);
            *index = u32::try_from(nodes.len()).expect("a layer has at most 254,016 positions");
        }
        &mut probabilities[(*index as usize - 1) * games..][..games]
    }
}
