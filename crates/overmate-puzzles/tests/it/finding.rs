//! Tests of the search: the same puzzles for the same seed, and errors for rule sets without exact values.

use std::num::NonZero;

use overmate_puzzles::{FindError, LEVEL_RATINGS, Puzzle, Theme, Wanted, find, rating};
use overmate_rules::RuleSet;
use overmate_solver::Solver;

use crate::proof;

fn wanted(rules: &str, count: usize, theme: Option<Theme>, threads: usize) -> Wanted {
    let rules = RuleSet::named(rules).unwrap().shared();
    let threads = NonZero::new(threads).unwrap();
    Wanted::new(rules).with_count(count).with_seed(5).with_theme(theme).with_threads(threads)
}

#[test]
fn the_number_of_threads_makes_no_difference() {
    let one = find(&wanted("bga", 20, None, 1)).unwrap();
    let three = find(&wanted("bga", 20, None, 3)).unwrap();
    assert_eq!(one.puzzles.len(), 20);
    assert_eq!(one.puzzles, three.puzzles);
    assert_eq!(one.survey, three.survey);
    let fewer = find(&wanted("bga", 7, None, 2)).unwrap();
    assert_eq!(fewer.puzzles, one.puzzles[..7]);
}

#[test]
fn found_puzzles_are_proved_and_counted() {
    let mut solver = Solver::new();
    for rules in ["sackson", "rael+double+free-move"] {
        let found = find(&wanted(rules, 6, None, 2)).unwrap();
        let checked: usize =
            found.puzzles.iter().map(|puzzle| proof::check(&mut solver, puzzle)).sum();
        assert!(checked >= 6, "{checked}");
        let survey = found.survey;
        let refused = survey.unclear + survey.too_long + survey.too_many_lines + survey.too_easy;
        assert_eq!(survey.positions, refused + survey.puzzles);
        assert_eq!(survey.kept, 6);
    }
}

#[test]
fn a_wanted_theme_is_found() {
    let has = |theme| move |puzzle: &Puzzle| puzzle.themes.contains(theme);
    let waits = find(&wanted("bga", 3, Some(Theme::Wait), 2)).unwrap();
    assert!(waits.puzzles.len() == 3 && waits.puzzles.iter().all(has(Theme::Wait)));
}

#[test]
fn rule_sets_without_exact_values_are_refused() {
    assert!(matches!(find(&wanted("denexa", 1, None, 1)), Err(FindError::FaceDown(_))));
    assert!(matches!(find(&wanted("bga+pinochle", 1, None, 1)), Err(FindError::TooManyCards(_))));
}

#[test]
fn a_puzzle_that_one_level_and_all_above_solve_is_rated_below_that_level() {
    for level in 1..9 {
        let success = std::array::from_fn(|index| if index >= level { 1.0 } else { 0.0 });
        let rating = f64::from(rating(&success));
        let middle = f64::midpoint(LEVEL_RATINGS[level - 1], LEVEL_RATINGS[level]);
        // The tolerance is large, because the logistic tails of the other levels move the rating of an extreme level outwards.
        assert!((rating - middle).abs() < 400.0, "{level}: {rating}");
    }
    assert_eq!(rating(&[1.0; 9]), 300);
    assert_eq!(rating(&[0.0; 9]), 2700);
}
