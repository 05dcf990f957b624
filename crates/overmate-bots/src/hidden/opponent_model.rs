//! What a player of some strength is expected to do at every node of a tree.

use overmate_rules::{BySeat, Seat};
use overmate_solver::{BudgetExhausted, Meter};

use crate::hidden::best_response::Strategy;
use crate::hidden::tree::{Edge, NodeKind, as_slot};
use crate::hidden::tree_builder::GameTree;
use crate::public_game::belief::{SoftmaxPlayer, update};
use crate::public_game::cards::{HandCards, bits};
use crate::public_game::state::PublicState;
use crate::public_game::types::{TypeChances, ZERO};

impl SoftmaxPlayer {
    /// How likely a player takes each slot of a tree, both seats taken for such players; the chances are those of the types at
    /// its root, if foreplacing is not in it.
    pub(crate) fn strategy(
        self,
        cards: &HandCards,
        grown: &GameTree,
        chances: &TypeChances,
        meter: &mut Meter,
    ) -> Result<Strategy, BudgetExhausted> {
        let strategy = vec![0.0; grown.tree.slots()];
        let mut filler = Filler { model: self, cards, grown, strategy };
        match grown.foreplacing {
            Some(_) => filler.foreplacing(meter)?,
            None => filler.play(grown.tree.root(), chances, meter)?,
        }
        Ok(filler.strategy)
    }
}

struct Filler<'a> {
    model: SoftmaxPlayer,
    cards: &'a HandCards,
    grown: &'a GameTree,
    strategy: Strategy,
}

impl Filler<'_> {
    fn foreplacing(&mut self, meter: &mut Meter) -> Result<(), BudgetExhausted> {
        let Some(nodes) = self.grown.foreplacing else { return Ok(()) };
        let (cards, grown) = (self.cards, self.grown);
        let start = |first, second| PublicState::start(cards, BySeat { first, second });
        let open = |spot: &PublicState, first, second| spot.open(cards, BySeat { first, second });
        let choices = |seat: Seat, other_hides: bool| {
            [false, true].map(|own_hides| match seat {
                Seat::First => start(own_hides, other_hides),
                Seat::Second => start(other_hides, own_hides),
            })
        };
        // *Second* is taken to answer as if he saw the card.
        let mut of_first = Vec::new();
        for (spot, end) in choices(Seat::First, false).into_iter().zip([0, 1]) {
            for first in bits(spot.types_or_none(Seat::First)) {
                let replies = choices(Seat::Second, end == 1).into_iter().flat_map(|spot| {
                    bits(spot.types_or_none(Seat::Second)).map(move |second| (spot, second))
                });
                let least = replies.map(|(spot, second)| open(&spot, first, second)).min();
                of_first.push(f64::from(least.unwrap_or_default()));
            }
        }
        self.fill_foreplacing(nodes.first, &of_first);
        for (node, first_hides) in
            [(nodes.second_after_none, false), (nodes.second_after_card, true)]
        {
            let believed = self.model.prior(cards, &start(first_hides, false)).first;
            let mut values = Vec::new();
            for spot in choices(Seat::Second, first_hides) {
                for second in bits(spot.types_or_none(Seat::Second)) {
                    let first = bits(spot.types_or_none(Seat::First)).zip(believed);
                    let each = first.map(|(t, chance)| -chance * f64::from(open(&spot, t, second)));
                    values.push(each.sum::<f64>());
                }
            }
            self.fill_foreplacing(node, &values);
            let NodeKind::Choice { edges, .. } = grown.tree.node(node).what else { continue };
            for (edge, second_hides) in grown.tree.edges(edges).iter().zip([false, true]) {
                let chances = self.model.prior(cards, &start(first_hides, second_hides));
                self.play(edge.to, &chances, meter)?;
            }
        }
        Ok(())
    }

    /// Fills in a choice of what to foreplace: the value of nothing first, then of each card.
    fn fill_foreplacing(&mut self, node: u32, values: &[f64]) {
        let NodeKind::Choice { edges, .. } = self.grown.tree.node(node).what else { return };
        let edges = self.grown.tree.edges(edges);
        let slots = [edges[0].slots].into_iter().chain(edges[1].slots..);
        for (slot, share) in slots.zip(self.model.softmax_of(values)) {
            self.strategy[slot as usize] = as_slot(share);
        }
    }

    fn play(
        &mut self,
        node: u32,
        chances: &TypeChances,
        meter: &mut Meter,
    ) -> Result<(), BudgetExhausted> {
        let grown = self.grown;
        let Some(spot) = grown.spots[node as usize] else { return Ok(()) };
        let NodeKind::Choice { seat, edges, .. } = grown.tree.node(node).what else {
            return Ok(());
        };
        meter.spend()?;
        let branches = &grown.branches[node as usize];
        let likelihoods = self.model.likelihoods(self.cards, &spot, chances);
        let edges: &[Edge] = grown.tree.edges(edges);
        for ((edge, branch), likelihoods) in edges.iter().zip(branches).zip(&likelihoods) {
            for (k, &i) in grown.tree.before(*edge, seat).iter().enumerate() {
                self.strategy[edge.slots as usize + k] = as_slot(likelihoods[usize::from(i)]);
            }
            let mut after = *chances;
            update(&spot, *branch, likelihoods, &mut after);
            debug_assert!(after[seat] != ZERO);
            self.play(edge.to, &after, meter)?;
        }
        Ok(())
    }
}
