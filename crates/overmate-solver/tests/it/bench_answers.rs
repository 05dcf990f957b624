//! Tests the hard-coded results of the benchmarks against results computed by other methods.

use overmate_rules::{Game, Phase, Position};
use overmate_solver::{Budget, DealTable, Solver};
use test_sample::cases;

use crate::both::Both;
use crate::naive;
use crate::sets::{self, Set};

fn assert_sum_of_tables(set: &Set) {
    let value = |game: &Game| {
        let table = DealTable::with_all_cards_open(game.dealt()).unwrap();
        table.value_for_first(game.position()).unwrap().points()
    };
    assert_eq!(set.games.iter().map(value).sum::<i32>(), set.sum);
}

#[test]
fn single_values_have_the_same_sum_as_tables() {
    assert_sum_of_tables(&sets::plain_deals());
    assert_sum_of_tables(&sets::plain_deals_with_free_move());
    assert_sum_of_tables(&sets::deals_with_many_scores());
}

/// Returns the points for seat *first* under best play from a position. The rules crate enumerates the foreplacing actions.
fn expanded(position: &Position, solver: &mut Solver) -> i32 {
    let actions = position.legal_actions();
    match position.phase() {
        Phase::Foreplacing(seat) => {
            let values = actions.map(|a| expanded(&position.clone().play(a).unwrap(), solver));
            let values = values.map(|points| points * seat.sign_for_first());
            values.max().unwrap() * seat.sign_for_first()
        }
        _ => solver.value(position, &Budget::unlimited()).exact().unwrap().points(),
    }
}

#[test]
fn tables_have_the_same_sum_as_the_first_leads() {
    for set in [sets::deals_with_foreplacing(), sets::deals_with_free_move()] {
        let mut solver = Solver::new();
        let values = set.games.iter().map(|game| expanded(game.position(), &mut solver));
        assert_eq!(values.sum::<i32>(), set.sum);
    }
}

#[test]
fn losses_of_a_review_sum_up_to_the_outcome() {
    let (game, lost) = sets::played_game();
    let table = DealTable::with_all_cards_open(game.dealt()).unwrap();
    let value = |done| table.value_for_first(game.after(done).position()).unwrap();
    let mut sum = 0;
    for done in 0..game.actions().len() {
        let seat = game.after(done).to_act().unwrap();
        sum += value(done).for_seat(seat) - value(done + 1).for_seat(seat);
    }
    assert_eq!(u32::try_from(sum), Ok(lost));
    assert!(game.outcome().is_some());
}

#[test]
fn searches_have_the_same_sum_as_the_naive_reference() {
    let both = Both::named("bga+pinochle");
    for (cards, sum) in sets::PINOCHLE_SUMS {
        let set = sets::pinochle_ends(cards);
        assert_eq!(set.sum, sum);
        // Games with twelve cards a hand are compared only in a thorough test run, because the naive reference takes long to solve them.
        if cards > cases(10, 12) {
            continue;
        }
        let mut naive = naive::Solver::new(&both.naive);
        let values = set.games.iter().map(|game| both.play_all(game).value(&mut naive).points());
        assert_eq!(values.sum::<i32>(), sum, "{cards} cards");
    }
}
