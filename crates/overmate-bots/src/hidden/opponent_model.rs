//! Computes the action probabilities of a softmax player (who prefers better actions) at every node of a game tree.

use overmate_rules::{BySeat, Seat};
use overmate_solver::for_bots::{BudgetExhausted, Meter};

use crate::hidden::tree::{NodeKind, Strategy, as_slot};
use crate::hidden::tree_builder::GameTree;
use crate::public_game::belief::{SoftmaxPlayer, update};
use crate::public_game::cards::{HandCards, bits};
use crate::public_game::state::PublicState;
use crate::public_game::types::TypeChances;

/// Returns the action probabilities at all nodes of a game tree if both seats choose actions by softmax.
///
/// `chances` are the beliefs at the root. For a tree that begins with foreplacing, the function ignores `chances` and derives the beliefs
/// from the model.
pub(crate) fn softmax_strategy(
    model: SoftmaxPlayer,
    cards: &HandCards,
    game: &GameTree,
    chances: &TypeChances,
    meter: &mut Meter,
) -> Result<Strategy, BudgetExhausted> {
    let strategy = vec![0.0; game.tree.slots()];
    let mut writer = OpponentStrategyWriter { model, cards, game, strategy };
    match game.foreplacing {
        Some(_) => writer.foreplacing(meter)?,
        None => writer.play(game.tree.root(), chances, meter)?,
    }
    Ok(writer.strategy)
}

/// Writer of the action probabilities of a softmax player at all nodes of a game tree.
struct OpponentStrategyWriter<'a> {
    model: SoftmaxPlayer,
    cards: &'a HandCards,
    game: &'a GameTree,
    strategy: Strategy,
}

impl OpponentStrategyWriter<'_> {
    fn foreplacing(&mut self, meter: &mut Meter) -> Result<(), BudgetExhausted> {
        let Some(nodes) = self.game.foreplacing else { return Ok(()) };
        let (cards, game) = (self.cards, self.game);
        let start = |first, second| PublicState::start(cards, BySeat { first, second });
        let open = |state: &PublicState, first, second| {
            state.open_points_for_first(cards, BySeat { first, second })
        };
        // The modelled player in seat *first* rates each card that they may foreplace as if *second* saw this card.
        let mut of_first = Vec::new();
        for first_hides in [false, true] {
            for first in bits(start(first_hides, false).types_or_none(Seat::First)) {
                let replies = [false, true].into_iter().flat_map(|second_hides| {
                    let state = start(first_hides, second_hides);
                    bits(state.types_or_none(Seat::Second)).map(move |second| (state, second))
                });
                let least = replies.map(|(state, second)| open(&state, first, second)).min();
                of_first.push(f64::from(least.unwrap_or_default()));
            }
        }
        self.write_foreplacing(nodes.first, &of_first);
        for (node, first_hides) in
            [(nodes.second_after_none, false), (nodes.second_after_card, true)]
        {
            let believed = self.model.prior(cards, &start(first_hides, false)).first;
            let mut values = Vec::new();
            for state in [false, true].map(|second_hides| start(first_hides, second_hides)) {
                for second in bits(state.types_or_none(Seat::Second)) {
                    let first = bits(state.types_or_none(Seat::First)).zip(believed);
                    let each =
                        first.map(|(t, chance)| -chance * f64::from(open(&state, t, second)));
                    values.push(each.sum::<f64>());
                }
            }
            self.write_foreplacing(node, &values);
            let NodeKind::Choice { edges, .. } = game.tree.node(node).kind else { continue };
            for (edge, second_hides) in game.tree.edges(edges).iter().zip([false, true]) {
                let chances = self.model.prior(cards, &start(first_hides, second_hides));
                self.play(edge.to, &chances, meter)?;
            }
        }
        Ok(())
    }

    /// Writes the softmax probabilities of the foreplacing choices at a node, given the value of
    /// each choice.
    fn write_foreplacing(&mut self, node: u32, values: &[f64]) {
        let NodeKind::Choice { edges, .. } = self.game.tree.node(node).kind else { return };
        let edges = self.game.tree.edges(edges);
        let slots = [edges[0].slots].into_iter().chain(edges[1].slots..);
        for (slot, share) in slots.zip(self.model.softmax(values)) {
            self.strategy[slot as usize] = as_slot(share);
        }
    }

    /// Writes the softmax probabilities of the actions at a node before a lead or an answer, and at the node's descendants.
    fn play(
        &mut self,
        node: u32,
        chances: &TypeChances,
        meter: &mut Meter,
    ) -> Result<(), BudgetExhausted> {
        let game = self.game;
        let Some(state) = game.states[node as usize] else { return Ok(()) };
        let NodeKind::Choice { edges, .. } = game.tree.node(node).kind else {
            return Ok(());
        };
        meter.spend()?;
        let actions = game.actions(node);
        let likelihoods = self.model.likelihoods(self.cards, &state, chances);
        for ((edge, action), likelihoods) in
            game.tree.edges(edges).iter().zip(actions).zip(&likelihoods)
        {
            for (slot, i) in game.tree.slots_of(*edge) {
                self.strategy[slot] = as_slot(likelihoods[i]);
            }
            let mut after = *chances;
            update(&state, *action, likelihoods, &mut after);
            self.play(edge.to, &after, meter)?;
        }
        Ok(())
    }
}
