//! Tests the search for puzzles: equal results for equal seeds, and errors for rule sets without exact values.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::num::NonZero;

use overmate_bots::LevelPolicies;
use overmate_puzzles::{
    Decision, FindError, LEVEL_RATINGS, NoPuzzle, Puzzle, Theme, Wanted, find, find_with_progress,
    rating,
};
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
    let reports = RefCell::new(Vec::new());
    let report = |found, all| reports.borrow_mut().push((found, all));
    let fewer = find_with_progress(&wanted("bga", 7, None, 2), &report).unwrap();
    assert_eq!(fewer.puzzles, one.puzzles[..7]);
    let reports = reports.into_inner();
    assert!(reports.is_sorted() && reports.iter().all(|&(found, all)| found <= 7 && all == 7));
    let found: BTreeSet<_> = reports.iter().map(|(found, _)| *found).collect();
    assert!((0..7).all(|number| found.contains(&number)), "{found:?}");
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
        let refused = |reason: NoPuzzle| survey.refused[reason as usize];
        let all_refused: u64 = NoPuzzle::ALL.map(refused).iter().sum();
        assert_eq!(survey.positions, all_refused + survey.found.puzzles);
        assert!(refused(NoPuzzle::Lost) > 0 && refused(NoPuzzle::Guessable) > 0, "{survey:?}");
        assert_eq!(survey.kept.puzzles, 6);
    }
}

#[test]
fn positions_that_are_lost_or_that_guessing_solves_are_refused() {
    let rules = RuleSet::named("bga").unwrap().shared();
    let mut solver = Solver::new();
    // Each test case has a position, the values of its legal actions in points, and the expected result. The expected result is the
    // probability that random actions solve the puzzle, or the reason why the position is refused.
    for (position, values, expected) in [
        // All actions lose, the best by 27 points.
        ("7sQd/Kc7cKh first -/- Ac -", vec![-27, -63], Err(NoPuzzle::Lost)),
        ("TcQhKd/AhKhAdQd first -/- Ac -", vec![-80, -90], Err(NoPuzzle::Lost)),
        // In the next two test cases, the position has two legal actions, of which only one is best.
        ("KsQs7d/7cTsAdTd first -/- Th -", vec![99, 70], Err(NoPuzzle::Guessable)),
        ("TcKh/Th7h first -/- - -", vec![0, -70], Err(NoPuzzle::Guessable)),
        // Two of four actions are right.
        ("QcAsTd7d/AcTcKc7c second -/- - -", vec![40, 40, 0, -56], Err(NoPuzzle::Guessable)),
        // One of five actions saves a draw.
        ("AhThKhQh7d/AcTcQsTdKd first -/- - -", vec![-100, -100, 0, -100, -100], Ok(1.0 / 5.0)),
        // One of two actions is right at the first decision, and one of two at the second.
        ("KcKsAd/TsAh second -/- Kh -", vec![0, 36], Ok(1.0 / 4.0)),
    ] {
        let text = position;
        let position = rules.read_position(text).unwrap().validate(&rules).unwrap();
        let proved = proof::values(&mut solver, &position).into_iter().map(|(_, value)| value);
        assert_eq!(proved.collect::<Vec<_>>(), values, "{text}");
        let policies = LevelPolicies::new(&position.possible_deal().unwrap()).unwrap();
        let solution = Decision::of_puzzle(&position, &policies);
        assert_eq!(solution.map(|solution| solution.chance_of_guessing()), expected, "{text}");
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
        // The rating of a puzzle depends on the probabilities with which the bots of all strength levels solve the puzzle. For the lowest
        // and the highest level, the rating is therefore more extreme than `middle`.
        assert!((rating - middle).abs() < 100.0, "{level}: {rating}");
    }
    assert_eq!(rating(&[1.0; 9]), 300);
    assert_eq!(rating(&[0.0; 9]), 2700);
}
