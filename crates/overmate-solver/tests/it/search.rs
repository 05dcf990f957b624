//! Tests that searches in large decks find exact values without a budget, and correct bounds within a budget.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use overmate_rules::{Game, Seat};
use overmate_solver::{Analysis, Budget, Solver, Value, ValueForFirst};

use crate::both::{Both, Playing};
use crate::chance::{Chance, most_held, rules};
use crate::naive;

const PINOCHLE: [&str; 12] = [
    "sackson+pinochle",
    "sackson+pinochle+free-move",
    "pagat+pinochle",
    "pagat+pinochle+free-move+figure-privilege",
    "denexa+pinochle",
    "denexa+pinochle+kings-privilege",
    "bga+pinochle",
    "bga+pinochle+free-move+kings-privilege",
    "rael+pinochle",
    "rael+pinochle+kings-privilege",
    "rael+pinochle+free-move+figure-privilege",
    "rael+pinochle+no-foreplacing",
];

fn contains(value: Value, exact: ValueForFirst) -> bool {
    value.at_least() <= exact && exact <= value.at_most()
}

/// Asserts that the bounds in an analysis enclose the values computed by the naive reference implementation.
fn assert_sound(analysis: &Analysis, playing: &Playing<'_>, naive: &mut naive::Solver<'_>) {
    let position = playing.game.position();
    let value = playing.value(naive);
    assert!(contains(analysis.value, value), "{position:?}: {:?}, {value}", analysis.value);
    let expected = playing.action_values(naive);
    assert_eq!(analysis.actions.len(), expected.len());
    for (found, (action, value)) in analysis.actions.iter().zip(expected) {
        assert_eq!(found.action, action);
        assert!(contains(found.value, value), "{position:?}, {action:?}: {found:?}, {value}");
    }
    // The principal variation ends where best play is no longer proved.
    let mut game = playing.game.clone();
    for &action in &analysis.principal_variation {
        game = game.play(action).unwrap();
    }
    if let Some(outcome) = game.outcome() {
        assert_eq!(Some(outcome.into()), analysis.value.exact());
    }
}

fn play_to_an_end(both: &Both, chance: &mut Chance, few: u32) -> Option<Game> {
    let game = chance.game(&both.rules);
    let game = chance.play_down(game, few, 100);
    game.outcome().is_none().then_some(game)
}

#[test]
fn searches_of_late_pinochle_positions_are_exact() {
    let (mut chance, mut solver) = (Chance(30), Solver::new());
    let (mut compared, mut foreplaced_by_one, mut bounded) = (0, 0, 0);
    for name in PINOCHLE {
        let both = Both::named(name);
        let mut naive = naive::Solver::new(&both.naive);
        for few in [2, 3, 4, 5, 6, 7, 8] {
            for _ in 0..12 {
                let Some(game) = play_to_an_end(&both, &mut chance, few) else { continue };
                let playing = both.play_all(&game);
                playing.compare();
                let analysis = solver.analyse(&game, &Budget::unlimited());
                playing.compare_analysis(&analysis, &mut naive);
                let end = game.clone().play_all(&analysis.principal_variation).unwrap();
                let outcome =
                    end.outcome().expect("the principal variation reaches the end of the game");
                assert_eq!(Some(outcome.into()), analysis.value.exact());
                compared += 1;
                foreplaced_by_one += u32::from(game.position().sole_foreplacer().is_some());

                for nodes in [0, 1, 30, 400] {
                    let budget = Budget::unlimited().with_nodes(nodes);
                    let analysis = solver.analyse(&game, &budget);
                    assert_sound(&analysis, &playing, &mut naive);
                    assert_eq!(
                        solver.analyse(&game, &budget),
                        analysis,
                        "a repeated analysis gives the same result"
                    );
                    bounded += u32::from(analysis.value.exact().is_none());
                }
            }
        }
    }
    assert!(compared > 800, "{compared}");
    assert!(foreplaced_by_one > 200, "{foreplaced_by_one}");
    assert!(bounded > 400, "{bounded}");
}

/// Tests searches of 22-card decks, which are too large for a deal table, against the naive
/// reference implementation.
#[test]
fn searches_of_deals_with_eleven_cards_a_hand_are_exact() {
    const RANKS: [(char, i32); 6] = [('A', 11), ('T', 10), ('K', 4), ('Q', 3), ('7', 7), ('2', 2)];
    const CARDS: [&str; 22] = [
        "Ac", "Tc", "Kc", "Qc", "7c", "2c", "As", "Ts", "Ks", "Qs", "7s", "Ah", "Th", "Kh", "7h",
        "7h", "Ad", "Td", "Td", "Kd", "Qd", "7d",
    ];
    let (mut chance, mut solver) = (Chance(31), Solver::new());
    let mut compared = 0;
    for (name, most) in [("bga", 11), ("bga+kings-privilege", 11), ("sackson", 10), ("rael", 9)] {
        let both = Both::custom(name, "cshd", &RANKS, &CARDS);
        for _ in 0..2 {
            let game = chance.game(&both.rules);
            let game = chance.play_down(game, most, 100);
            let playing = both.play_all(&game);
            let mut naive = naive::Solver::new(&both.naive);
            let expected = playing.value(&mut naive);
            let mut before = None;
            for nodes in [0, 10, 1_000, 30_000] {
                let budget = Budget::unlimited().with_nodes(nodes);
                let value = solver.value(game.position(), &budget);
                assert!(contains(value, expected), "{:?}: {value:?}", game.position());
                // A search with a larger budget never proves wider bounds than a search with a smaller budget.
                if let Some(before) = before.replace(value) {
                    assert!(before.at_least() <= value.at_least(), "{before:?} {value:?}");
                    assert!(before.at_most() >= value.at_most(), "{before:?} {value:?}");
                }
            }
            let value = solver.value(game.position(), &Budget::unlimited());
            assert_eq!(value, Value::Exact(expected), "{:?}", game.position());
            compared += 1;
        }
    }
    assert_eq!(compared, 8);
}

/// Tests searches of late positions in 60-card decks against the naive reference implementation.
/// Positions of such decks have the largest keys in the transposition table.
#[test]
fn searches_of_late_positions_of_the_largest_deck_are_exact() {
    const RANKS: [(char, i32); 6] = [('A', 11), ('T', 10), ('K', 4), ('Q', 3), ('J', 2), ('9', 9)];
    let mut cards = Vec::new();
    for suit in "abcde".chars() {
        for (rank, _) in RANKS {
            cards.extend([format!("{rank}{suit}"), format!("{rank}{suit}")]);
        }
    }
    let cards: Vec<&str> = cards.iter().map(String::as_str).collect();
    let (mut chance, mut solver) = (Chance(32), Solver::new());
    let mut compared = 0;
    for name in ["sackson", "pagat+free-move", "rael+figure-privilege", "bga"] {
        let both = Both::custom(name, "abcde", &RANKS, &cards);
        let mut naive = naive::Solver::new(&both.naive);
        for _ in 0..15 {
            let Some(game) = play_to_an_end(&both, &mut chance, 5) else { continue };
            let playing = both.play_all(&game);
            let analysis = solver.analyse(&game, &Budget::unlimited());
            playing.compare_analysis(&analysis, &mut naive);
            compared += 1;
        }
        let start = chance.game(&both.rules);
        let analysis = solver.analyse(&start, &Budget::unlimited().with_nodes(3_000));
        assert_eq!(analysis.actions.len(), start.legal_actions().len());
        assert_eq!(analysis.value.exact(), None);
    }
    assert!(compared > 50, "{compared}");
}

/// Tests that the value of a position with many cards equals the value after its best action, and lies within the bounds of limited
/// searches.
#[test]
fn values_of_larger_positions_equal_the_best_successor() {
    let (mut chance, mut solver) = (Chance(36), Solver::new());
    let (mut compared, mut unequal, mut open) = (0, 0, 0);
    for name in ["bga+pinochle", "sackson+pinochle", "rael+pinochle+free-move"] {
        let rules = rules(name);
        // Positions of eleven cards a hand are searched, larger positions are solved by retrograde analysis.
        for most in [11, 11, 11, 11, 12, 13] {
            let game = chance.game(&rules);
            let game = chance.play_down(game, most, 200);
            let position = game.position();
            let Some(seat) = position.to_act() else { continue };
            let value = solver.value(position, &Budget::unlimited()).exact().unwrap();
            let after = position.legal_actions().map(|action| {
                let next = position.clone().play(action).unwrap();
                solver.value(&next, &Budget::unlimited()).exact().unwrap().for_seat(seat)
            });
            assert_eq!(after.max(), Some(value.for_seat(seat)), "{position:?}");
            let analysis = solver.analyse(&game, &Budget::unlimited());
            assert_eq!(analysis.value.exact(), Some(value));
            let end = game.clone().play_all(&analysis.principal_variation).unwrap();
            assert_eq!(
                end.outcome().map(Into::into),
                Some(value),
                "the principal variation reaches the end of the game"
            );
            let mut before = Value::between(ValueForFirst::new(-1000), ValueForFirst::new(1000));
            for nodes in [1, 100, 3_000, 20_000] {
                let bounds = solver.value(position, &Budget::unlimited().with_nodes(nodes));
                assert!(contains(bounds, value), "{position:?}: {bounds:?}, {value}");
                assert!(before.at_least() <= bounds.at_least());
                assert!(bounds.at_most() <= before.at_most());
                open += u32::from(bounds.exact().is_none());
                before = bounds;
            }
            compared += 1;
            unequal += u32::from(position.sole_foreplacer().is_some());
        }
    }
    assert!(compared > 6 && unequal > 1 && open > 6, "{compared} {unequal} {open}");
}

#[test]
fn a_search_of_a_pinochle_deal_ends_with_its_budget() {
    let mut solver = Solver::new();
    for name in ["sackson+pinochle", "rael+pinochle+free-move", "bga+pinochle"] {
        let rules = rules(name);
        let game = Chance(33).game(&rules);
        let budget = Budget::unlimited().with_nodes(20_000);
        let analysis = solver.analyse(&game, &budget);
        assert!(matches!(analysis.value, Value::Between { .. }), "{name}: {:?}", analysis.value);
        assert!(analysis.value.at_least() < analysis.value.at_most());
        assert_eq!(analysis.actions.len(), game.legal_actions().len());
        assert_eq!(analysis.principal_variation, [], "a variation holds proved actions only");
        assert_eq!(solver.analyse(&game, &budget), analysis);
        let value = solver.value(game.position(), &budget);
        assert!(matches!(value, Value::Between { .. }), "{name}: {value:?}");
        assert_eq!(solver.value(game.position(), &budget), value);
    }
}

/// Tests that a deal in which both hands hold equally many cards of each suit is a proved draw even without a search.
#[test]
fn an_even_pinochle_deal_is_a_draw_without_a_search() {
    let rules = rules("bga+pinochle");
    let mut chance = Chance(35);
    let suits = |game: &Game, seat| {
        let mut counts = [0; 4];
        for card in rules.deck().cards_of(game.position().hand(seat)) {
            counts[usize::from(card.suit.0)] += 1;
        }
        counts
    };
    let is_even = |game: &Game| suits(game, Seat::First) == suits(game, Seat::Second);
    let game = (0..5_000).map(|_| chance.game(&rules)).find(is_even).expect("an even deal");
    let analysis = Solver::new().analyse(&game, &Budget::unlimited().with_nodes(0));
    assert_eq!(analysis.value, Value::Exact(ValueForFirst::new(0)));
    assert!(analysis.actions.iter().all(|action| action.value == analysis.value));
}

#[test]
fn a_cancelled_search_stops() {
    let rules = rules("sackson+pinochle");
    let mut chance = Chance(34);
    let game = chance.game(&rules);
    let mut solver = Solver::new();
    let nothing = solver.analyse(&game, &Budget::unlimited().with_nodes(0));
    let stopped = Budget::unlimited().with_stop(Arc::new(AtomicBool::new(true)));
    assert_eq!(
        solver.analyse(&game, &stopped),
        nothing,
        "a cancelled search returns the bounds of no search"
    );
    let no_time = Budget::unlimited().with_time(Duration::ZERO);
    assert_eq!(solver.analyse(&game, &no_time), nothing);
    // Neither seat can force an overmate: if one seat foreplaces, the other seat can foreplace too.
    assert_eq!(
        nothing.value.at_most().points(),
        11 * 24,
        "the bound is a mate with an ace in the last move"
    );

    // Without a time limit, the search of a complete 48-card deal would take days.
    let limit = Budget::unlimited().with_time(Duration::from_millis(100));
    let analysis = solver.analyse(&game, &limit);
    assert!(matches!(analysis.value, Value::Between { .. }));

    let stop = Arc::new(AtomicBool::new(false));
    let flagged = Budget::unlimited().with_stop(Arc::clone(&stop));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        let value = Solver::new().value(game.position(), &flagged);
        assert!(matches!(value, Value::Between { .. }));
    });

    let played = chance.play_down(game, 20, 100);
    let review = solver.review(&played, &Budget::unlimited().with_nodes(5_000));
    assert_eq!(review.actions.len(), played.actions().len());
    let review = solver.review(&played, &stopped);
    assert_eq!(review.actions.len(), played.actions().len());
    for reviewed in &review.actions {
        // The lost points are known only if the values before and after the action are exact.
        let proved = reviewed.before.exact().is_some() && reviewed.after.exact().is_some();
        assert_eq!(reviewed.lost.is_some(), proved);
    }
    assert!(most_held(played.position()) <= 20);
}

/// Tests that the solver finds exact values for decks with at most 20 cards even if the budget is exhausted.
#[test]
fn small_decks_ignore_the_budget() {
    let mut chance = Chance(35);
    let stopped = Budget::unlimited().with_nodes(0).with_stop(Arc::new(AtomicBool::new(true)));
    for name in ["bga", "sackson+double", "rael+free-move+kings-privilege"] {
        let game = chance.game(&rules(name));
        let mut solver = Solver::new();
        let analysis = solver.analyse(&game, &stopped);
        assert_eq!(analysis, solver.analyse(&game, &Budget::unlimited()));
        assert_eq!(solver.value(game.position(), &stopped), analysis.value);
        assert!(analysis.value.exact().is_some());
    }
}
