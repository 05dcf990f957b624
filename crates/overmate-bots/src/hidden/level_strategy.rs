//! Computes the action probabilities of the bot of a strength level at every information set of a small game.

use std::sync::Arc;

use overmate_rules::{Action, BySeat, Position, Seat};
use overmate_solver::graph::LeadGraph;

use crate::hidden::tree::{NodeKind, Strategy, as_slot};
use crate::hidden::tree_builder::GameTree;
use crate::model::decision::{Assessment, decide};
use crate::model::horizon_tables::HorizonTables;
use crate::model::parameters::Level;
use crate::model::softmax::Distribution;
use crate::public_game::belief::{SoftmaxPlayer, update};
use crate::public_game::cards::{HandCards, bits};
use crate::public_game::state::{PublicState, Successor};
use crate::public_game::types::TypeChances;

/// Value tables of a deal at several search horizons, from which the strategies of several strength levels are computed.
pub(crate) struct LevelStrategies {
    cards: Arc<HandCards>,
    start: Position,
    horizon_tables: Arc<HorizonTables>,
}

impl LevelStrategies {
    /// Creates the tables of position values of a deal, or returns `None` if the deal is too large.
    pub(crate) fn new(cards: &Arc<HandCards>, start: Position) -> Option<Self> {
        let graph = LeadGraph::of_hands(cards.rules(), start.hands());
        graph.fits_table().then(|| Self {
            cards: Arc::clone(cards),
            start,
            horizon_tables: Arc::new(HorizonTables::new(graph)),
        })
    }

    /// Returns the action probabilities of the bot of a strength level at all nodes of a complete
    /// game tree, as if the bot played both seats.
    pub(crate) fn strategy(&self, level: Level, game: &GameTree) -> Strategy {
        let strategy = vec![0.0; game.tree.slots()];
        let model = SoftmaxPlayer { temperature: level.exact_temperature() };
        let mut writer = LevelStrategyWriter { tables: self, level, model, game, strategy };
        writer.foreplacing();
        writer.strategy
    }

    /// Returns the probability that the bot of a strength level takes each action, given the bot's belief about the
    /// opponent's face-down card.
    fn distribution(
        &self,
        level: Level,
        worlds: &[&Position],
        believed: &[f64],
        seat: Seat,
    ) -> Distribution<Action> {
        let (tables, horizon) = (&self.horizon_tables, level.horizon());
        let assess = |position: &&Position| {
            let points = tables.action_points(horizon, position, seat).unwrap_or_default();
            Assessment { points, horizon, tables: Some(Arc::clone(tables)) }
        };
        let assessed: Vec<Assessment> = worlds.iter().map(assess).collect();
        let legal: Vec<Action> =
            worlds.first().map(|position| position.legal_actions().collect()).unwrap_or_default();
        let parameters = level.parameters(self.cards.rules());
        decide(parameters, &legal, worlds, &assessed, believed).distribution
    }
}

/// Possible worlds: positions that agree with the shown cards, each with both seats' face-down
/// cards.
type Worlds = Vec<((u32, u32), Position)>;

/// Writer of the action probabilities of the bot of a strength level at all nodes of a game tree.
struct LevelStrategyWriter<'a> {
    tables: &'a LevelStrategies,
    level: Level,
    model: SoftmaxPlayer,
    game: &'a GameTree,
    strategy: Strategy,
}

impl LevelStrategyWriter<'_> {
    fn foreplacing(&mut self) {
        let Some(nodes) = self.game.foreplacing else { return };
        let cards = Arc::clone(&self.tables.cards);
        let none = |position: &Position| vec![(0, after(position, Action::Decline))];
        let each = |position: &Position, seat: Seat| {
            let types = bits(PublicState::start(&cards, BySeat::new_with(|_| true)).types[seat]);
            let placed = |t| (t, after(position, Action::Foreplace(cards.card(seat, t))));
            types.map(placed).collect::<Vec<_>>()
        };
        let start = &self.tables.start;
        self.foreplace(nodes.first, Seat::First, &[(0, start.clone())], &[1.0]);
        let of_first = [
            (nodes.second_after_none, none(start), false),
            (nodes.second_after_card, each(start, Seat::First), true),
        ];
        for (node, worlds, first_hides) in of_first {
            let state = PublicState::start(&cards, BySeat { first: first_hides, second: false });
            let believed = self.model.prior(&cards, &state).first;
            self.foreplace(node, Seat::Second, &worlds, &believed[..worlds.len()]);
            let NodeKind::Choice { edges, .. } = self.game.tree.node(node).kind else { continue };
            let edges = self.game.tree.edges(edges).to_vec();
            for (edge, second_hides) in edges.into_iter().zip([false, true]) {
                let hides = BySeat { first: first_hides, second: second_hides };
                let chances = self.model.prior(&cards, &PublicState::start(&cards, hides));
                let positions = worlds.iter().flat_map(|(first, position)| {
                    let second =
                        if second_hides { each(position, Seat::Second) } else { none(position) };
                    second.into_iter().map(|(second, position)| ((*first, second), position))
                });
                self.play(edge.to, &positions.collect::<Vec<_>>(), &chances);
            }
        }
    }

    /// Writes the foreplacing probabilities of the bot of a strength level: for declining, and for setting each card
    /// aside.
    fn foreplace(&mut self, node: u32, seat: Seat, worlds: &[(u32, Position)], believed: &[f64]) {
        let NodeKind::Choice { edges, .. } = self.game.tree.node(node).kind else { return };
        let positions: Vec<&Position> = worlds.iter().map(|(_, position)| position).collect();
        let distribution = self.tables.distribution(self.level, &positions, believed, seat);
        let edges = self.game.tree.edges(edges);
        let all = PublicState::start(&self.tables.cards, BySeat::new_with(|_| true));
        for (action, probability) in distribution {
            let card = action.card().and_then(|card| self.tables.cards.kind(seat, card));
            let index = card.and_then(|card| bits(all.types[seat]).position(|t| t == card));
            let slot = match index {
                Some(index) => edges[1].slots as usize + index,
                None => edges[0].slots as usize,
            };
            self.strategy[slot] = as_slot(probability);
        }
    }

    /// Writes the action probabilities of the bot of a strength level at a node before a lead or an
    /// answer, and at the node's descendants.
    fn play(&mut self, node: u32, worlds: &Worlds, chances: &TypeChances) {
        let (tables, game) = (self.tables, self.game);
        let Some(state) = game.states[node as usize] else { return };
        let NodeKind::Choice { seat, edges, .. } = game.tree.node(node).kind else { return };
        let edges = game.tree.edges(edges);
        let actions = game.actions(node);
        let own_of = |types: (u32, u32)| if seat == Seat::First { types.0 } else { types.1 };
        for (i, own) in bits(state.types_or_none(seat)).enumerate() {
            if !actions.iter().any(|action| action.by >> own & 1 == 1) {
                continue;
            }
            // The possible worlds and the beliefs are both in the order of the opponent's possible face-down cards.
            let own_worlds = worlds.iter().filter(|(types, _)| own_of(*types) == own);
            let positions: Vec<&Position> = own_worlds.map(|(_, position)| position).collect();
            let believed = &chances[!seat][..positions.len()];
            let distribution = tables.distribution(self.level, &positions, believed, seat);
            for (edge, typed) in edges.iter().zip(actions) {
                let action = state.rules_action(&tables.cards, typed.action);
                let slot = game.tree.slots_of(*edge).find(|(_, before)| *before == i);
                if let Some((slot, _)) = slot {
                    self.strategy[slot] = as_slot(distribution.probability_of(&action));
                }
            }
        }
        let likelihoods = self.model.likelihoods(&tables.cards, &state, chances);
        for ((edge, typed), likelihoods) in edges.iter().zip(actions).zip(&likelihoods) {
            if !matches!(state.after(&tables.cards, *typed), Successor::State(_)) {
                continue;
            }
            let action = state.rules_action(&tables.cards, typed.action);
            let next = worlds.iter().filter(|(types, _)| typed.by >> own_of(*types) & 1 == 1);
            let next: Worlds =
                next.map(|(types, position)| (*types, after(position, action))).collect();
            let mut after = *chances;
            update(&state, *typed, likelihoods, &mut after);
            self.play(edge.to, &next, &after);
        }
    }
}

fn after(position: &Position, action: Action) -> Position {
    position
        .clone()
        .play(action)
        .expect("an action of a public state is legal in each possible world")
}
