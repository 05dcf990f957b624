//! Tests that principal variations are legal, and that the lost points in a review add up to the
//! outcome of the game.

use overmate_rules::{Deal, Game, Outcome, Seat};
use overmate_solver::{Analysis, Budget, Solver, Value, ValueForFirst};

use crate::both::catalogue;
use crate::chance::{Chance, rules};

#[test]
fn a_principal_variation_ends_in_the_value() {
    let (mut chance, mut solver) = (Chance(40), Solver::new());
    let mut lines = 0;
    for rules in catalogue() {
        for most in [10, 9, 6, 2] {
            let game = chance.game(&rules);
            let game = chance.play_down(game, most, 60);
            let analysis = solver.analyse(&game, &Budget::unlimited());
            let mut at = game.clone();
            for &action in &analysis.principal_variation {
                let seat = at.to_act().unwrap();
                let here = solver.analyse(&at, &Budget::unlimited());
                assert_eq!(here.value, analysis.value, "best play keeps the value");
                let best =
                    here.actions.iter().map(|a| a.value.lower_bound_for(seat)).max().unwrap();
                let first_best =
                    here.actions.iter().find(|a| a.value.lower_bound_for(seat) == best);
                assert_eq!(first_best.map(|a| a.action), Some(action), "{:?}", at.position());
                at = at.play(action).unwrap();
            }
            let outcome =
                at.outcome().expect("the principal variation reaches the end of the game");
            assert_eq!(Value::Exact(outcome.into()), analysis.value, "{:?}", game.position());
            lines += 1;
        }
    }
    assert_eq!(lines, 4 * catalogue().len());
}

/// Checks that the lost points in a review add up to the difference between the deal's value and
/// the game's outcome.
fn check_review(solver: &mut Solver, game: &Game) {
    let review = solver.review(game, &Budget::unlimited());
    assert_eq!(review.actions.len(), game.actions().len());
    let Some(first) = review.actions.first() else { return };
    let mut points = first.before.exact().unwrap().points();
    let mut before = first.before;
    for (done, reviewed) in review.actions.iter().enumerate() {
        assert_eq!(reviewed.action, game.actions()[done]);
        assert_eq!(Some(reviewed.seat), game.after(done).to_act());
        assert_eq!(reviewed.before, before);
        let lost = reviewed.lost.unwrap();
        points -= i32::try_from(lost).unwrap() * reviewed.seat.sign_for_first();
        assert_eq!(reviewed.after, Value::Exact(ValueForFirst::new(points)));
        assert_eq!(reviewed.best.contains(&reviewed.action), lost == 0);
        assert!(!reviewed.best.is_empty());
        let legal: Vec<_> = game.after(done).legal_actions().collect();
        let mut in_order = legal.iter().filter(|action| reviewed.best.contains(action));
        assert!(
            reviewed.best.iter().eq(in_order.by_ref()),
            "the best actions have the order of the legal actions"
        );
        before = reviewed.after;
    }
    if let Some(outcome @ (Outcome::Mate(_) | Outcome::Draw)) = game.outcome() {
        assert_eq!(points, outcome.points_for_first());
    }
}

#[test]
fn losses_of_a_review_explain_the_outcome() {
    let (mut chance, mut solver) = (Chance(41), Solver::new());
    let mut games = 0;
    for rules in catalogue() {
        for patience in [0, 60] {
            let game = chance.game(&rules);
            let game = chance.play_down(game, 0, patience);
            check_review(&mut solver, &game);
            games += 1;
        }
    }
    assert_eq!(games, 2 * catalogue().len());
}

#[test]
fn a_resigned_game_has_no_principal_variation() {
    let (mut chance, mut solver) = (Chance(42), Solver::new());
    let game = chance.game(&rules("sackson"));
    let game = chance.play_down(game, 7, 60).resign(Seat::Second).unwrap();
    assert_eq!(solver.analyse(&game, &Budget::unlimited()), Analysis::default());
    check_review(&mut solver, &game);
    let unplayed = chance.game(&rules("sackson"));
    assert_eq!(solver.review(&unplayed, &Budget::unlimited()).actions, []);
}

/// Tests that the solver never uses the deal table of another deal or rule set.
#[test]
fn one_solver_keeps_rule_sets_and_deals_apart() {
    let (mut chance, mut solver) = (Chance(44), Solver::new());
    let names = ["bga", "bga+free-move", "sackson", "pagat", "sackson+no-foreplacing", "bga"];
    for _ in 0..5 {
        let number = chance.deal(&rules("bga")).number();
        for name in names {
            let game = Game::new(Deal::numbered(&rules(name), number).unwrap());
            let alone = Solver::new().analyse(&game, &Budget::unlimited());
            assert_eq!(solver.analyse(&game, &Budget::unlimited()), alone, "{game:?}");
            assert_eq!(solver.value(game.position(), &Budget::unlimited()), alone.value);
            assert!(!alone.principal_variation.is_empty());
        }
    }
}

/// Tests the review of games with the large Pinochle deck. The values near the end of such a game are exact, and the
/// earlier values are only bounds.
#[test]
fn a_review_of_a_large_deck_is_consistent() {
    let (mut chance, mut solver) = (Chance(43), Solver::new());
    let mut proved = 0;
    for name in ["sackson+pinochle", "bga+pinochle+free-move", "rael+pinochle+kings-privilege"] {
        let game = chance.game(&rules(name));
        let game = chance.play_down(game, 0, 200);
        let review = solver.review(&game, &Budget::unlimited().with_nodes(400_000));
        assert_eq!(review.actions.len(), game.actions().len());
        for reviewed in &review.actions {
            let exact = (reviewed.before.exact(), reviewed.after.exact());
            if let (Some(before), Some(after)) = exact {
                let lost = before.for_seat(reviewed.seat) - after.for_seat(reviewed.seat);
                assert_eq!(reviewed.lost, Some(u32::try_from(lost).unwrap()));
                proved += 1;
            } else {
                assert_eq!(reviewed.lost, None);
            }
        }
        let last = review.actions.last().unwrap();
        assert_eq!(last.after, Value::Exact(game.outcome().unwrap().into()));
    }
    assert!(proved > 20, "{proved}");
}
