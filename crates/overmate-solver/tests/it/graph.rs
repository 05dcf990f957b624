//! Compares the graph of the positions before each lead with the rules crate. Also compares tables of estimated
//! position values with a naive search of limited depth.

use overmate_rules::{Action, Phase, Position, Seat};
use overmate_solver::graph::{Continuation, LeadGraph, LeadNode, LeadTable};

use crate::both::catalogue;
use crate::chance::{Chance, rules};

/// Checks that the position graph and the rules crate have equal leads, answers and successors in a position. Returns
/// the number of compared answers.
fn compare(graph: &LeadGraph, position: &Position, node: LeadNode) -> usize {
    let mut compared = 0;
    let leads: Vec<_> = graph.leads(node).collect();
    let actions: Vec<Action> = leads.iter().map(|l| graph.lead_action(node, *l)).collect();
    assert_eq!(actions, position.legal_actions().collect::<Vec<_>>(), "{position:?}");
    for (lead, action) in leads.into_iter().zip(actions) {
        let led = position.clone().play(action).unwrap();
        let mate = graph.mate_for_first(node, lead);
        assert_eq!(mate, led.mate().map(|mate| mate.points_for_first()), "{position:?} {action:?}");
        let answers: Vec<_> = graph.answers(node, lead).collect();
        assert_eq!(graph.answer_count(node, lead) as usize, answers.len());
        let actions: Vec<Action> = answers.iter().map(|a| graph.answer_action(node, *a)).collect();
        assert_eq!(actions, led.legal_actions().collect::<Vec<_>>(), "{led:?}");
        for (answer, action) in answers.into_iter().zip(actions) {
            compared += 1;
            let after = led.clone().play(action).unwrap();
            match graph.next(node, lead, answer) {
                Continuation::Lead(next) => assert_eq!(Some(next), graph.node(&after), "{after:?}"),
                Continuation::Over(points) => {
                    assert_eq!(graph.node(&after), None);
                    assert_eq!(points, only_end(&after), "{after:?}");
                }
            }
        }
    }
    compared
}

/// Returns the final points for seat *first* in a position in which no choice can change the points.
fn only_end(position: &Position) -> i32 {
    if let Some(outcome) = position.outcome() {
        return outcome.points_for_first();
    }
    let ends: Vec<i32> =
        position.legal_actions().map(|a| only_end(&position.clone().play(a).unwrap())).collect();
    assert!(ends.iter().all(|end| *end == ends[0]), "{position:?}");
    ends[0]
}

#[test]
fn the_graph_agrees_with_the_rules() {
    let mut chance = Chance(60);
    let (mut positions, mut answers) = (0, 0);
    for rules in catalogue() {
        for _ in 0..6 {
            let mut game = chance.game(&rules);
            let graph = LeadGraph::of_deal(game.dealt());
            while game.outcome().is_none() {
                if let Some(node) = graph.node(game.position()) {
                    answers += compare(&graph, game.position(), node);
                    positions += 1;
                }
                let action = chance.action(game.position(), 20);
                game = game.play(action).unwrap();
            }
        }
    }
    assert!(positions > 2_000 && answers > 20_000, "{positions} {answers}");
}

/// Returns an arbitrary but reproducible estimate of the points for seat *first* at a node of the position graph.
fn thought(node: LeadNode) -> i32 {
    let mixed = (node.held.first << 12 ^ node.held.second << 1 ^ node.leader as u64)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15);
    i32::try_from(mixed >> 57).unwrap() - 64
}

/// Returns the points for seat *first* by a naive depth-limited search of `ahead` moves with the rules crate.
fn seen(graph: &LeadGraph, position: &Position, ahead: u8) -> i32 {
    if let Some(outcome) = position.outcome() {
        return outcome.points_for_first();
    }
    let leads = matches!(position.phase(), Phase::Lead(_));
    // The search never estimates a position in which one hand has two cards and the other hand has one card.
    let sizes = position.hands().map(overmate_rules::CardSet::len);
    let late = sizes.first != sizes.second && sizes.first + sizes.second <= 3;
    let ahead = match (graph.node(position), leads && !late) {
        (Some(node), true) if ahead == 0 => return thought(node),
        (Some(_), true) => ahead - 1,
        _ => ahead,
    };
    let next = position.legal_actions().map(|a| position.clone().play(a).unwrap());
    let points = next.map(|position| seen(graph, &position, ahead));
    match position.to_act() {
        Some(Seat::First) => points.max(),
        _ => points.min(),
    }
    .unwrap()
}

#[test]
fn an_estimated_table_has_the_points_of_a_search_to_its_first_row() {
    let mut chance = Chance(61);
    let mut compared = 0;
    for name in ["bga", "sackson", "rael+kings-privilege", "pagat+free-move", "denexa"] {
        let rules = rules(name);
        let game = chance.game(&rules);
        let graph = LeadGraph::of_deal(game.dealt());
        let exact = LeadTable::exact(&graph);
        for fewest in 1..=9 {
            let table = LeadTable::estimated(&graph, fewest, |first, leader, row| {
                for (second, points) in (0..).zip(row) {
                    let held = overmate_rules::BySeat { first, second };
                    *points =
                        i16::try_from(thought(LeadNode { held, leader, free: false })).unwrap();
                }
            });
            for ahead in 0..=3 {
                let most = u32::try_from(fewest).unwrap() + u32::from(ahead);
                let game = chance.play_down(game.clone(), most, 20);
                let Some(node) = graph.node(game.position()) else { continue };
                if node.held.first.count_ones() == most {
                    assert_eq!(table.get(node), seen(&graph, game.position(), ahead), "{game}");
                    compared += 1;
                    // A search of as many moves as the hand size reaches the end of the game, so that its result is
                    // exact.
                    if most <= 4 {
                        let whole = seen(&graph, game.position(), rules.hand_size());
                        assert_eq!(exact.get(node), whole, "{game}");
                    }
                }
            }
        }
    }
    assert!(compared > 100, "{compared}");
}
