//! Compares the solver's best responses with a naive implementation over all possible worlds.

use std::collections::{BTreeMap, HashMap};

use overmate_rules::{Action, Game, Seat, Viewer};

use crate::hidden::planner::CHANCES_BEFORE_FOREPLACING;
use crate::hidden::tests::{games, small, solved};
use crate::hidden::tree::NodeKind;
use crate::hidden::tree_builder::GameTree;
use crate::hidden::tree_response::best_responses;
use crate::public_game::cards::HandCards;

/// Strategy of both players: the probability of each action, keyed by the acting seat and the text
/// form of the seat's view.
type Policy = HashMap<(Seat, String), BTreeMap<Action, f64>>;

/// Converter from a game tree's strategy to a [`Policy`], which has the action probabilities for each view of the
/// acting player.
struct Reader<'a> {
    cards: &'a HandCards,
    whole: &'a GameTree,
    strategy: &'a [f32],
    policy: Policy,
}

impl Reader<'_> {
    /// Adds the action probabilities at a node and all its descendants to `policy`, for one pair of face-down cards. For each seat, `types`
    /// holds the index of the face-down card among the seat's possible cards at the node.
    fn read(&mut self, node: u32, game: &Game, types: [usize; 2]) {
        let NodeKind::Choice { seat, edges, .. } = self.whole.tree.node(node).kind else { return };
        let own = types[seat as usize];
        let state = self.whole.states[node as usize];
        let mut actions = BTreeMap::new();
        for (i, edge) in self.whole.tree.edges(edges).iter().enumerate() {
            let before = self.whole.tree.before(*edge);
            for (k, _) in
                before.iter().enumerate().filter(|(_, before)| usize::from(**before) == own)
            {
                let action = match state {
                    Some(state) => {
                        state.rules_action(self.cards, self.whole.actions(node)[i].action)
                    }
                    None if i == 0 => Action::Decline,
                    // When a seat may foreplace, its first legal action is to decline. The other actions foreplace the cards of
                    // the hand in the order of the deck. The indices `k` have the same order.
                    None => game.legal_actions().nth(1 + k).unwrap(),
                };
                actions.insert(action, f64::from(self.strategy[edge.slots as usize + k]));
                let after = game.clone().play(action).expect("the action is legal in the game");
                let mut types = types;
                types[seat as usize] = k;
                self.read(edge.to, &after, types);
            }
        }
        let legal: Vec<_> = game.legal_actions().collect();
        assert!(
            legal.iter().all(|action| actions.contains_key(action)) && legal.len() == actions.len(),
            "{game}"
        );
        let view = game.view(Viewer::Seat(seat)).to_string();
        self.policy.insert((seat, view), actions);
    }
}

/// Returns the mean points of a seat's best response to a strategy, over weighted games that the seat cannot
/// distinguish.
fn best(seat: Seat, policy: &Policy, games: Vec<(Game, f64)>) -> f64 {
    let mut total = 0.0;
    let mut own_turn = Vec::new();
    let mut later: BTreeMap<String, Vec<(Game, f64)>> = BTreeMap::new();
    let mut add = |game: Game, weight: f64| {
        later.entry(game.view(Viewer::Seat(seat)).to_string()).or_default().push((game, weight));
    };
    for (game, weight) in games {
        if let Some(outcome) = game.outcome() {
            total +=
                weight * f64::from(outcome.points_for_first()) * f64::from(seat.sign_for_first());
        } else if game.to_act() == Some(seat) {
            own_turn.push((game, weight));
        } else {
            let view = game.view(Viewer::Seat(!seat)).to_string();
            // A strategy lists no probabilities for a last move with a repeated card, because no player has a choice in such a move.
            let forced = || game.legal_actions().map(|action| (action, 1.0)).collect();
            let policy = policy.get(&(!seat, view)).cloned().unwrap_or_else(forced);
            assert!((policy.values().sum::<f64>() - 1.0).abs() < 1e-5, "{game}");
            for (action, chance) in policy.iter().filter(|(_, chance)| **chance > 0.0) {
                add(game.clone().play(*action).expect("legal"), weight * chance);
            }
        }
    }
    if let Some((game, _)) = own_turn.first() {
        let tried = game.legal_actions().map(|action| {
            // An action may end the game in some possible worlds only.
            let mut after: BTreeMap<String, Vec<(Game, f64)>> = BTreeMap::new();
            for (game, weight) in &own_turn {
                let next =
                    game.clone().play(action).expect("the action is legal in each possible world");
                after
                    .entry(next.view(Viewer::Seat(seat)).to_string())
                    .or_default()
                    .push((next, *weight));
            }
            after.into_values().map(|games| best(seat, policy, games)).sum::<f64>()
        });
        total += tried.fold(f64::NEG_INFINITY, f64::max);
    }
    total + later.into_values().map(|games| best(seat, policy, games)).sum::<f64>()
}

#[test]
fn best_responses_equal_naive_best_responses_and_the_solution_is_an_equilibrium() {
    let rules = small(4, 2);
    let mut tried = 0;
    for game in games(&rules, 5, 6) {
        let (cards, whole, solution) = solved(&game, false, 0.05);
        let mut reader = Reader {
            cards: &cards,
            whole: &whole,
            strategy: &solution.strategy,
            policy: Policy::new(),
        };
        reader.read(whole.tree.root(), &game, [0, 0]);
        let naive = Seat::BOTH.map(|seat| best(seat, &reader.policy, vec![(game.clone(), 1.0)]));
        let fast = best_responses(&whole.tree, &solution.strategy, &CHANCES_BEFORE_FOREPLACING);
        assert!(
            (naive[0] - fast.first).abs() < 1e-3 && (-naive[1] - fast.second).abs() < 1e-3,
            "{naive:?} {fast:?}"
        );
        // An exploitability near 0 proves an equilibrium.
        assert!(naive[0] + naive[1] <= 0.06, "{naive:?}");
        tried += reader.policy.len();
    }
    assert!(tried > 1000, "{tried}");
}
