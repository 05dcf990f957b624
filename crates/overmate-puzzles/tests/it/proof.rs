//! Proves puzzles with the exact solver, independently of the search for puzzles.

use std::collections::BTreeSet;

use overmate_puzzles::{MARGIN, MAX_DECISIONS, MAX_LINES, Puzzle};
use overmate_rules::{Action, Position};
use overmate_solver::{Budget, Solver};

/// Returns each legal action with its exact value in points for the seat to act.
pub(crate) fn values(solver: &mut Solver, position: &Position) -> Vec<(Action, i32)> {
    let seat = position.to_act().expect("a player acts");
    let analysis = solver.analyse_position(position, &Budget::unlimited());
    let value = |action: &overmate_solver::ActionValue| {
        (action.action, action.value.exact().expect("few cards").for_seat(seat))
    };
    analysis.actions.iter().map(value).collect()
}

/// Decision on the main line of a puzzle: position, values of the legal actions, and chosen action.
pub(crate) type Decided = (Position, Vec<(Action, i32)>, Action);

/// Returns the decisions of the player on the main line of a puzzle.
pub(crate) fn decisions(solver: &mut Solver, puzzle: &Puzzle) -> Vec<Decided> {
    let mut at = puzzle.position().clone();
    let mut found = Vec::new();
    for &action in &puzzle.solution.lines()[0] {
        if at.to_act() == Some(puzzle.solver()) && at.legal_actions().len() > 1 {
            found.push((at.clone(), values(solver, &at), action));
        }
        at = at.play(action).expect("lines are legal");
    }
    found
}

/// Asserts that the lines of play in a puzzle's solution contain every right action and no wrong action. Returns the number of checked
/// actions.
pub(crate) fn check(solver: &mut Solver, puzzle: &Puzzle) -> usize {
    let me = puzzle.solver();
    let lines = puzzle.solution.lines();
    assert!((1..=MAX_LINES).contains(&lines.len()), "{puzzle}");
    let mut checked = 0;
    let mut margin = i32::MAX;
    for line in &lines {
        let mut at = puzzle.position().clone();
        let mut decisions = 0;
        for (done, &action) in line.iter().enumerate() {
            let values = values(solver, &at);
            let best = values.iter().map(|(_, value)| *value).max().unwrap();
            let value = values.iter().find(|(other, _)| *other == action).unwrap().1;
            assert_eq!(value, best, "{puzzle}: action {done}");
            if at.to_act() == Some(me) && values.len() > 1 {
                decisions += 1;
                let right: BTreeSet<String> = values
                    .iter()
                    .filter(|(_, value)| *value == best)
                    .map(|(action, _)| format!("{action:?}"))
                    .collect();
                let in_lines: BTreeSet<String> = lines
                    .iter()
                    .filter(|other| other.len() > done && other[..done] == line[..done])
                    .map(|other| format!("{:?}", other[done]))
                    .collect();
                assert_eq!(right, in_lines, "{puzzle}: decision {decisions}");
                let wrong = values.iter().map(|(_, value)| *value).filter(|value| *value < best);
                let wrong = wrong.max().expect("some action is wrong");
                assert!(best - wrong >= MARGIN || best.signum() != wrong.signum(), "{puzzle}");
                margin = margin.min(best - wrong);
                let cards: BTreeSet<_> = values.iter().map(|(action, _)| action.card()).collect();
                assert!(cards.len() > 1, "{puzzle}");
            }
            at = at.play(action).expect("lines are legal");
            checked += 1;
        }
        assert!((1..=MAX_DECISIONS).contains(&decisions), "{puzzle}");
        assert_ne!(at.outcome(), Some(overmate_rules::Outcome::Draw), "{puzzle} has no dull end");
    }
    assert_eq!(margin, puzzle.solution.margin(), "{puzzle}");
    checked
}
