//! Tests that the strategy computed for a strength level has the action probabilities with which the level's bot plays.

use std::sync::Arc;

use overmate_rules::{Game, Phase, Position, Seat, Viewer};
use overmate_solver::Budget;

use crate::Level;
use crate::hidden::level_strategy::LevelStrategies;
use crate::hidden::tests::{draw, games, small, whole_tree};
use crate::hidden::tree::NodeKind;
use crate::level::bot::LevelBot;
use crate::public_game::cards::{HandCards, bits};
use crate::public_game::history::History;

#[test]
fn measured_strategy_of_a_level_is_the_strategy_of_its_bot() {
    let mut state = 5;
    let (mut compared, mut mixed) = (0, 0);
    for game in games(&small(4, 2), 15, 2) {
        let cards = HandCards::new(game.rules(), game.dealt().hands()).expect("the deck is small");
        let cards = Arc::new(cards);
        let whole = whole_tree(&cards, false);
        let levels: Vec<Level> = [2, 5, 8].into_iter().filter_map(Level::new).collect();
        let start = Position::start(game.dealt());
        let tables = LevelStrategies::new(&cards, start).expect("the deck is small");
        for level in levels {
            let strategy = tables.strategy(level, &whole);
            for _ in 0..40 {
                let mut bots = Seat::BOTH.map(|_| LevelBot::new(level, 1, &Arc::default()));
                let mut game = game.clone();
                let mut at = whole.tree.root();
                while let Some(seat) = game.to_act() {
                    let legal: Vec<_> = game.legal_actions().collect();
                    let action = legal[draw(&mut state, legal.len())];
                    let view = game.view(Viewer::Seat(seat));
                    let odds = bots[seat as usize].assess_turn(&view, seat, &Budget::unlimited());
                    let odds = odds.decision.distribution.probability_of(&action);
                    // The tree omits a last move with a repeated card, in which no player has a choice.
                    let NodeKind::Choice { edges, .. } = whole.tree.node(at).kind else { break };
                    let edges = whole.tree.edges(edges);
                    let (edge, slot) = if let Phase::Foreplacing(_) = game.phase() {
                        let kind = action.card().and_then(|card| cards.kind(seat, card));
                        // A card's index in the hand is also its index among the possible face-down cards, because the decks of this test
                        // have no identical cards.
                        (edges[usize::from(kind.is_some())], kind.unwrap_or_default())
                    } else {
                        let history = History::of(&view).expect("the deck is small");
                        let actions = history.now.actions(&cards);
                        let is_it = |a: &_| history.now.rules_action(&cards, *a) == action;
                        let i = actions.iter().position(|a| is_it(&a.action)).expect("legal");
                        let types = history.now.types_or_none(seat);
                        let own = bits(types).position(|t| t == history.own).expect("possible");
                        let before = whole.tree.before(edges[i]);
                        let k = before.iter().position(|b| usize::from(*b) == own);
                        (edges[i], u32::try_from(k.expect("this type can act")).expect("few"))
                    };
                    let share = strategy[(edge.slots + slot) as usize];
                    assert!((f64::from(share) - odds).abs() < 1e-6, "{view}: {share} {odds}");
                    mixed += usize::from((0.01..0.99).contains(&odds));
                    compared += 1;
                    at = edge.to;
                    game = Game::play(game, action).expect("legal");
                }
            }
        }
    }
    assert!(compared > 800 && mixed > 200, "{mixed} of {compared}");
}
