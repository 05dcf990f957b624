//! A level's strategy as it is written down is what the bot does.

use std::sync::Arc;

use overmate_rules::{Game, Phase, Position, Seat, Viewer};
use overmate_solver::Budget;

use crate::Level;
use crate::hidden::level_strategy::LevelStrategies;
use crate::hidden::regret_bound::RegretBounds;
use crate::hidden::tests::{draw, games, small};
use crate::hidden::tree::NodeKind;
use crate::hidden::tree_builder::{TreeBuilder, TreeLimit};
use crate::level::bot::LevelBot;
use crate::public_game::cards::{HandCards, bits};
use crate::public_game::history::History;

#[test]
fn what_a_level_is_measured_by_is_what_it_plays() {
    let mut state = 5;
    let (mut compared, mut mixed) = (0, 0);
    for game in games(&small(4, 2), 15, 2) {
        let cards = HandCards::new(game.rules(), game.dealt().hands()).expect("a small deck");
        let cards = Arc::new(cards);
        let mut secured = RegretBounds::default();
        let mut grower = TreeBuilder { cards: &cards, secured: &mut secured, prunes: false };
        let mut meter = Budget::unlimited().start();
        let grown =
            grower.grow_game(TreeLimit::whole(1_000_000), &mut meter).expect("a small tree");
        let levels: Vec<Level> = [2, 5, 8].into_iter().filter_map(Level::new).collect();
        let start = Position::start(&game.dealt());
        let grades = LevelStrategies::new(&cards, start, &levels).expect("small");
        for level in levels {
            let strategy = grades.strategy(level, &grown);
            for _ in 0..40 {
                let mut bots = Seat::BOTH.map(|_| LevelBot::new(level, 1));
                let mut game = game.clone();
                let mut at = grown.tree.root();
                while let Some(seat) = game.to_act() {
                    let legal = game.legal_actions();
                    let action = legal[draw(&mut state, legal.len())];
                    let view = game.view(Viewer::Seat(seat));
                    let odds = bots[seat as usize].assess_turn(&view, seat, &Budget::unlimited());
                    let odds = odds.decision.distribution.probability_of(&action);
                    // The tree leaves out what is without choice.
                    let NodeKind::Choice { edges, .. } = grown.tree.node(at).what else { break };
                    let edges = grown.tree.edges(edges);
                    let (edge, slot) = if let Phase::Foreplacing(_) = game.phase() {
                        let kind = action.card().and_then(|card| cards.kind(seat, card));
                        // No two cards of these decks are identical.
                        (edges[usize::from(kind.is_some())], kind.unwrap_or_default())
                    } else {
                        let story = History::of(&view).expect("small");
                        let branches = story.now.branches(&cards);
                        let is_it = |b: &_| story.now.action(&cards, *b) == action;
                        let i = branches.iter().position(|b| is_it(&b.act)).expect("legal");
                        let types = story.now.types_or_none(seat);
                        let own = bits(types).position(|t| t == story.own).expect("possible");
                        let before = grown.tree.before(edges[i], seat);
                        let k = before.iter().position(|b| usize::from(*b) == own);
                        (edges[i], u32::try_from(k.expect("it has it")).expect("few"))
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
