//! What a level does at everything that it can know of a small game: its mixed strategy, as the bot that plays has it.

use std::sync::Arc;

use overmate_rules::{Action, BySeat, Position, Seat};
use overmate_solver::LeadGraph;

use crate::hidden::best_response::Strategy;
use crate::hidden::tree::{NodeKind, as_slot};
use crate::hidden::tree_builder::GameTree;
use crate::model::decision::{Assessment, decide};
use crate::model::horizon_tables::HorizonTables;
use crate::model::parameters::Level;
use crate::model::softmax::Distribution;
use crate::public_game::belief::{SoftmaxPlayer, update};
use crate::public_game::cards::{HandCards, bits};
use crate::public_game::state::{PublicState, Successor};
use crate::public_game::types::TypeChances;

/// What levels see of a deal.
pub(crate) struct LevelStrategies {
    cards: Arc<HandCards>,
    start: Position,
    tables: HorizonTables,
}

impl LevelStrategies {
    /// For these levels in a game from its start; `None` if the deal is too large for a table.
    pub(crate) fn new(cards: &Arc<HandCards>, start: Position, levels: &[Level]) -> Option<Self> {
        let graph = LeadGraph::of_hands(cards.rules(), start.hands());
        let horizons: Vec<u8> = levels.iter().map(|level| level.horizon()).collect();
        graph.fits_table().then(|| Self {
            cards: Arc::clone(cards),
            start,
            tables: HorizonTables::new(graph, &horizons),
        })
    }

    /// What a level does at every node of a tree that begins with foreplacing and is cut off nowhere.
    pub(crate) fn strategy(&self, level: Level, grown: &GameTree) -> Strategy {
        let strategy = vec![0.0; grown.tree.slots()];
        let model = SoftmaxPlayer { temperature: level.exact_temperature() };
        let mut filler = Filler { grades: self, level, model, grown, strategy };
        filler.foreplacing();
        filler.strategy
    }

    /// How likely a level takes each action where it may be in any of these positions, each as likely as believed.
    fn odds(
        &self,
        level: Level,
        cases: &[&Position],
        believed: &[f64],
        seat: Seat,
    ) -> Distribution<Action> {
        let (manner, horizon) = (level.parameters(), level.horizon());
        let see = |position: &&Position| {
            let points = self.tables.action_points(horizon, position, seat).unwrap_or_default();
            Assessment { points, horizon, from_table: true }
        };
        let seen: Vec<Assessment> = cases.iter().map(see).collect();
        let legal = cases.first().map(|position| position.legal_actions()).unwrap_or_default();
        decide(manner, &legal, cases, &seen, believed, Some(&self.tables)).distribution
    }
}

/// The positions that are possible, by the types of *first* and of *second*.
type Positions = Vec<((u32, u32), Position)>;

struct Filler<'a> {
    grades: &'a LevelStrategies,
    level: Level,
    model: SoftmaxPlayer,
    grown: &'a GameTree,
    strategy: Strategy,
}

impl Filler<'_> {
    fn foreplacing(&mut self) {
        let Some(nodes) = self.grown.foreplacing else { return };
        let cards = Arc::clone(&self.grades.cards);
        let none = |position: &Position| vec![(0, after(position, Action::Decline))];
        let each = |position: &Position, seat: Seat| {
            let types = bits(PublicState::start(&cards, BySeat::new_with(|_| true)).types[seat]);
            let placed = |t| (t, after(position, Action::Foreplace(cards.card(seat, t))));
            types.map(placed).collect::<Vec<_>>()
        };
        let start = &self.grades.start;
        self.foreplace(nodes.first, Seat::First, &[(0, start.clone())], &[1.0]);
        let of_first = [
            (nodes.second_after_none, none(start), false),
            (nodes.second_after_card, each(start, Seat::First), true),
        ];
        for (node, cases, first_hides) in of_first {
            let spot = PublicState::start(&cards, BySeat { first: first_hides, second: false });
            let believed = self.model.prior(&cards, &spot).first;
            self.foreplace(node, Seat::Second, &cases, &believed[..cases.len()]);
            let NodeKind::Choice { edges, .. } = self.grown.tree.node(node).what else { continue };
            let edges = self.grown.tree.edges(edges).to_vec();
            for (edge, second_hides) in edges.into_iter().zip([false, true]) {
                let hides = BySeat { first: first_hides, second: second_hides };
                let chances = self.model.prior(&cards, &PublicState::start(&cards, hides));
                let positions = cases.iter().flat_map(|(first, position)| {
                    let second =
                        if second_hides { each(position, Seat::Second) } else { none(position) };
                    second.into_iter().map(|(second, position)| ((*first, second), position))
                });
                self.play(edge.to, &positions.collect::<Vec<_>>(), &chances);
            }
        }
    }

    /// Fills in what a seat foreplaces if it may be in any of these positions.
    fn foreplace(&mut self, node: u32, seat: Seat, cases: &[(u32, Position)], believed: &[f64]) {
        let NodeKind::Choice { edges, .. } = self.grown.tree.node(node).what else { return };
        let positions: Vec<&Position> = cases.iter().map(|(_, position)| position).collect();
        let odds = self.grades.odds(self.level, &positions, believed, seat);
        let edges = self.grown.tree.edges(edges);
        let types = PublicState::start(&self.grades.cards, BySeat::new_with(|_| true)).types[seat];
        for (action, share) in odds {
            let card = action.card().and_then(|card| self.grades.cards.kind(seat, card));
            let place = card.and_then(|card| bits(types).position(|t| t == card));
            let slot = match place {
                Some(place) => edges[1].slots as usize + place,
                None => edges[0].slots as usize,
            };
            self.strategy[slot] = as_slot(share);
        }
    }

    /// Fills in what the level does at a node and all that come after it.
    fn play(&mut self, node: u32, positions: &Positions, chances: &TypeChances) {
        let (grades, grown) = (self.grades, self.grown);
        let Some(spot) = grown.spots[node as usize] else { return };
        let NodeKind::Choice { seat, edges, .. } = grown.tree.node(node).what else { return };
        let edges = grown.tree.edges(edges);
        let branches = &grown.branches[node as usize];
        let own_of = |types: (u32, u32)| if seat == Seat::First { types.0 } else { types.1 };
        for (i, own) in (0u8..).zip(bits(spot.types_or_none(seat))) {
            let has = branches.iter().any(|branch| branch.by >> own & 1 == 1);
            if !has {
                continue;
            }
            // In the order of the other's types, as what is believed of them.
            let cases: Vec<&Position> = positions
                .iter()
                .filter(|(types, _)| own_of(*types) == own)
                .map(|(_, position)| position)
                .collect();
            let believed = &chances[!seat][..cases.len()];
            let odds = grades.odds(self.level, &cases, believed, seat);
            for (edge, branch) in edges.iter().zip(branches) {
                let action = spot.action(&grades.cards, branch.act);
                let share = odds.iter().find(|(other, _)| *other == action);
                let k = grown.tree.before(*edge, seat).iter().position(|before| *before == i);
                if let (Some((_, share)), Some(k)) = (share, k) {
                    self.strategy[edge.slots as usize + k] = as_slot(*share);
                }
            }
        }
        let likelihoods = self.model.likelihoods(&grades.cards, &spot, chances);
        for ((edge, branch), likelihoods) in edges.iter().zip(branches).zip(&likelihoods) {
            if !matches!(spot.after(&grades.cards, *branch), Successor::PublicState(_)) {
                continue;
            }
            let action = spot.action(&grades.cards, branch.act);
            let next = positions.iter().filter(|(types, _)| branch.by >> own_of(*types) & 1 == 1);
            let next: Positions =
                next.map(|(types, position)| (*types, after(position, action))).collect();
            let mut after = *chances;
            update(&spot, *branch, likelihoods, &mut after);
            self.play(edge.to, &next, &after);
        }
    }
}

fn after(position: &Position, action: Action) -> Position {
    position.play(action).expect("what can be done at a spot is legal in each position of it")
}
