//! Tests that every bot stays within its search budget, and returns a legal action even when its search is stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use overmate_bots::{BuiltIn, Standing, Turn};
use overmate_rules::{Action, DealSource as _, Game, Phase, RuleSet, SeededDeals, View, Viewer};
use overmate_solver::Budget;

use crate::support::{Dice, bot, small};

/// Plays a random game, and returns the acting player's view after each number of actions in the list `after`.
fn positions(rules: &Arc<RuleSet>, seed: u64, after: &[usize]) -> Vec<View> {
    let mut dice = Dice(seed);
    let mut game = Game::new(SeededDeals::new(seed).next_deal(rules));
    let mut found = Vec::new();
    while let Some(seat) = game.to_act() {
        if after.contains(&game.actions().len()) {
            found.push(game.view(Viewer::Seat(seat)));
        }
        let is_foreplacing = matches!(game.phase(), Phase::Foreplacing(_));
        let mut legal: Vec<_> = game.legal_actions().collect();
        legal.retain(|action| {
            !(is_foreplacing && *action == Action::Decline)
                && game.position().clone().play(*action).unwrap().mate().is_none()
        });
        if legal.is_empty() {
            break;
        }
        game = game.play(legal[dice.below(legal.len())]).unwrap();
    }
    found
}

fn names() -> Vec<String> {
    let names: Vec<String> = BuiltIn::all().map(|bot| bot.to_string()).collect();
    assert!(names.contains(&"level:9".to_owned()) && names.contains(&"perfect".to_owned()));
    names
}

/// Lets a bot choose an action for a player's view of a game, checks that the action is legal, and returns the number of visited nodes.
fn work(name: &str, view: &View, budget: Budget) -> u64 {
    let tally = Arc::new(AtomicU64::new(0));
    let budget = budget.with_tally(Arc::clone(&tally));
    let turn = Turn::new(view, Standing::of_one_game(), &budget);
    let choice = bot(name, 1).choose(&turn).unwrap();
    assert!(
        view.legal_actions().any(|legal| legal == choice.action),
        "{name}: {view:?}: {choice:?}"
    );
    tally.load(Ordering::Relaxed)
}

/// Returns rule sets under which all bots search without complete value tables: rule sets with a large deck or face-down cards.
fn searched() -> Vec<Arc<RuleSet>> {
    let named = |name| RuleSet::named(name).unwrap();
    let mut rules: Vec<Arc<RuleSet>> =
        ["bga+pinochle", "denexa+pinochle", "bga+free-move+pinochle"]
            .map(|name| named(name).shared())
            .into();
    rules.push(small(&named("denexa"), 4, 3));
    rules
}

#[test]
fn no_bot_exceeds_its_node_limit() {
    let (mut decisions, mut spent) = (0, 0);
    for (seed, rules) in (1..).zip(searched()) {
        let is_large = rules.hand_size() > 10;
        let after: &[usize] = if is_large { &[0, 2, 20] } else { &[0, 1, 2, 3, 4, 5, 6] };
        for view in positions(&rules, seed, after) {
            for name in names() {
                for nodes in [1, 50, 500, 2_500] {
                    let used = work(&name, &view, Budget::unlimited().with_nodes(nodes));
                    assert!(used <= nodes, "{name} spent {used} of {nodes}: {view:?}");
                    decisions += 1;
                    spent += usize::from(used > nodes / 2);
                }
            }
        }
    }
    assert!(decisions > 400 && spent > 100, "{decisions} {spent}");
}

/// Tests that the bot of a strength level stays within its node budget, and uses value tables if the budget is large enough.
#[test]
fn a_level_decides_by_tables_only_within_its_budget() {
    let (mut by_search, mut by_table) = (0, 0);
    for (name, seed) in [("bga", 11), ("sackson", 12), ("pagat+free-move", 13)] {
        let rules = RuleSet::named(name).unwrap().shared();
        for view in positions(&rules, seed, &[0, 1, 2, 5, 8]) {
            for level in ["level:1", "level:5", "level:9"] {
                for nodes in [0, 1, 1_000, 19_999, 20_000, 50_000] {
                    let used = work(level, &view, Budget::unlimited().with_nodes(nodes));
                    assert!(used <= nodes, "{level} spent {used} of {nodes}: {view:?}");
                    let tables = nodes >= 20_000;
                    assert!(!tables || used == 20_000, "{level} spent {used} of {nodes}: {view:?}");
                    *(if tables { &mut by_table } else { &mut by_search }) += 1;
                }
            }
        }
    }
    assert!(by_search > 80 && by_table > 40, "{by_search} {by_table}");
}

#[test]
fn a_bot_stopped_before_its_search_returns_a_legal_action() {
    let mut decisions = 0;
    let stop = Arc::new(AtomicBool::new(true));
    for (seed, rules) in (1..).zip(searched()) {
        for view in positions(&rules, seed, &[0, 1, 2, 3, 6, 9, 20]) {
            for name in names() {
                let used = work(&name, &view, Budget::unlimited().with_stop(Arc::clone(&stop)));
                // With the stop flag set, each search that a bot starts still visits one node. A bot may start a search for each
                // possible world.
                assert!(used <= 1_000, "{name} spent {used}: {view:?}");
                decisions += 1;
            }
        }
    }
    assert!(decisions > 150, "{decisions}");
}
