//! Tests that the solver's advice is best play if no card is hidden, and that the advice never
//! depends on hidden cards.

use overmate_rules::{BySeat, Game, Seat, Viewer};
use overmate_solver::{Budget, Solver, Value};

use crate::both::catalogue;
use crate::chance::{Chance, rules};

fn hides_a_card(game: &Game, seat: Seat) -> bool {
    game.view(Viewer::Seat(seat)).hides_card(!seat)
}

#[test]
fn advice_without_hidden_cards_equals_the_analysis() {
    let (mut chance, mut solver) = (Chance(50), Solver::new());
    let mut advised = 0;
    for rules in catalogue() {
        for most in [10, 8, 4] {
            let game = chance.game(&rules);
            let game = chance.play_down(game, most, 60);
            let Some(seat) = game.to_act() else { continue };
            if hides_a_card(&game, seat) {
                continue;
            }
            let view = game.view(Viewer::Seat(seat));
            let advice = solver.advise(&view, &Budget::unlimited()).unwrap();
            let analysis = solver.analyse(&game, &Budget::unlimited());
            assert_eq!(advice.actions.len(), analysis.actions.len());
            for (advised, analysed) in advice.actions.iter().zip(&analysis.actions) {
                assert_eq!(advised.action, analysed.action);
                assert_eq!((advised.worst, advised.best), (analysed.value, analysed.value));
            }
            assert_eq!(Some(&advice.choice), analysis.principal_variation.first());
            advised += 1;
        }
    }
    assert!(advised > 200, "{advised}");
}

#[test]
fn following_the_advice_scores_the_value_of_the_deal() {
    let (mut chance, mut solver) = (Chance(51), Solver::new());
    let mut games = 0;
    for rules in catalogue() {
        if rules.name().starts_with("denexa") && rules.foreplacing().is_some() {
            continue;
        }
        for seat in Seat::BOTH {
            let mut game = chance.game(&rules);
            let start = solver.analyse(&game, &Budget::unlimited()).value.exact().unwrap();
            while let Some(to_act) = game.to_act() {
                let action = if to_act == seat {
                    let view = game.view(Viewer::Seat(seat));
                    solver.advise(&view, &Budget::unlimited()).unwrap().choice
                } else {
                    chance.action(game.position(), 20)
                };
                game = game.play(action).unwrap();
            }
            let points = game.outcome().unwrap().points_for_first() * seat.sign_for_first();
            assert!(points >= start.for_seat(seat), "{game:?}: {start}");
            games += 1;
        }
    }
    assert!(games > catalogue().len(), "{games}");
}

#[test]
fn advice_does_not_depend_on_the_hidden_card() {
    let (mut chance, mut solver) = (Chance(52), Solver::new());
    let (mut advised, mut cases) = (0, 0);
    let names = [
        "denexa",
        "denexa+double",
        "denexa+free-move",
        "denexa+figure-privilege",
        "denexa+double+free-move+kings-privilege",
    ];
    for name in names {
        let rules = rules(name);
        for most in [10, 9, 8, 6, 4, 3, 2].into_iter().cycle().take(28) {
            let game = chance.game(&rules);
            let game = chance.play_down(game, most, 60);
            let Some(seat) = game.to_act().filter(|seat| hides_a_card(&game, *seat)) else {
                continue;
            };
            let view = game.view(Viewer::Seat(seat));
            let advice = solver.advise(&view, &Budget::unlimited()).unwrap();
            let mut analyses = Vec::new();
            for card in view.candidates(!seat) {
                let hidden =
                    BySeat::new_with(|owner| if owner == seat { None } else { Some(card) });
                let other = view.imagine(hidden).unwrap();
                let seen = other.view(Viewer::Seat(seat));
                assert_eq!(seen, view, "the player has the same view in each possible world");
                assert_eq!(solver.advise(&seen, &Budget::unlimited()).as_ref(), Some(&advice));
                analyses.push(solver.analyse(&other, &Budget::unlimited()));
                cases += 1;
            }
            let mut best = None;
            for (i, advised) in advice.actions.iter().enumerate() {
                let points: Vec<i32> =
                    analyses.iter().map(|a| a.actions[i].value.lower_bound_for(seat)).collect();
                let (worst, most) = (points.iter().min().unwrap(), points.iter().max().unwrap());
                assert_eq!(advised.worst.lower_bound_for(seat), *worst);
                assert_eq!(advised.best.upper_bound_for(seat), *most);
                let score = (*worst, points.iter().sum::<i32>());
                if best.is_none_or(|(best, _)| score > best) {
                    best = Some((score, advised.action));
                }
            }
            assert_eq!(best.map(|(_, action)| action), Some(advice.choice), "{view:?}");
            advised += 1;
        }
    }
    assert!(advised > 20 && cases > 80, "{advised} {cases}");
}

#[test]
fn only_the_player_to_act_gets_advice() {
    let (mut chance, mut solver) = (Chance(53), Solver::new());
    let mut advice = |game: &Game, viewer| solver.advise(&game.view(viewer), &Budget::unlimited());
    let game = chance.game(&rules("denexa"));
    assert!(advice(&game, Viewer::Seat(Seat::First)).is_some());
    assert_eq!(advice(&game, Viewer::Seat(Seat::Second)), None);
    assert_eq!(advice(&game, Viewer::Spectator), None);
    let given_up = game.clone().resign(Seat::First).unwrap();
    assert_eq!(advice(&given_up, Viewer::Seat(Seat::First)), None);
    let over = chance.play_down(game, 0, 0);
    for seat in Seat::BOTH {
        assert_eq!(advice(&over, Viewer::Seat(seat)), None);
    }
}

#[test]
fn advice_for_a_large_deck_gives_proved_bounds() {
    let mut solver = Solver::new();
    for name in ["sackson+pinochle", "denexa+pinochle"] {
        let mut game = Chance(54).game(&rules(name));
        let first = game.legal_actions().nth(3).unwrap();
        game = game.play(first).unwrap();
        let view = game.view(Viewer::Seat(Seat::Second));
        let budget = Budget::unlimited().with_nodes(3_000);
        let advice = solver.advise(&view, &budget).unwrap();
        assert_eq!(advice.actions.len(), view.legal_actions().len());
        assert!(advice.actions.iter().any(|a| matches!(a.worst, Value::Between { .. })));
        assert_eq!(solver.advise(&view, &budget), Some(advice));
    }
}
