//! Tests the themes of embedded puzzles by conditions that use only the solver and the rules.

use overmate_puzzles::{Puzzle, PuzzleSet, Theme};
use overmate_rules::{Action, Outcome, Phase, Position, RuleSet};
use overmate_solver::Solver;

use crate::proof::Decided;
use crate::{is_thorough, proof};

fn after(position: &Position, action: Action) -> Position {
    position.clone().play(action).expect("the action is legal")
}

fn best(values: &[(Action, i32)]) -> i32 {
    values.iter().map(|(_, value)| *value).max().expect("some action is legal")
}

/// Returns the position at the end of a puzzle's main line.
fn end(puzzle: &Puzzle) -> Position {
    puzzle.lines[0].iter().fold(puzzle.position.clone(), |at, action| after(&at, *action))
}

/// Returns the number of leads from the position of a puzzle to the mate, with the lead in
/// progress.
fn leads_to_mate(puzzle: &Puzzle) -> Option<usize> {
    let mut at = puzzle.position.clone();
    let mut leads = usize::from(at.lead().is_some());
    for action in &puzzle.lines[0] {
        leads += usize::from(matches!(at.phase(), Phase::Lead(_)));
        at = after(&at, *action);
    }
    match at.outcome() {
        Some(Outcome::Mate(mate)) if mate.by == puzzle.solver() => Some(leads),
        _ => None,
    }
}

/// Returns whether a puzzle has a theme, decided independently of the crate, or `None` for themes that other tests cover.
fn expected(theme: Theme, puzzle: &Puzzle, decided: &[Decided]) -> Option<bool> {
    let (_, values, _) = &decided[0];
    let value = best(values);
    let wrong = values.iter().map(|(_, v)| *v).filter(|v| *v < value).max();
    let right = |values: &[(Action, i32)]| -> Vec<Action> {
        let most = best(values);
        values.iter().filter(|(_, value)| *value == most).map(|(action, _)| *action).collect()
    };
    let text = |action: &Action| puzzle.position.rules().action_text(*action).to_string();
    Some(match theme {
        Theme::OnlyAction => decided.iter().all(|(_, v, _)| right(v).len() == 1 && v.len() > 2),
        Theme::MateInOne => leads_to_mate(puzzle) == Some(1),
        Theme::MateInTwo => leads_to_mate(puzzle) == Some(2),
        Theme::MateInThree => leads_to_mate(puzzle) == Some(3),
        Theme::LongMate => leads_to_mate(puzzle).is_some_and(|leads| leads >= 4),
        Theme::Overmate => matches!(
            end(puzzle).outcome(),
            Some(Outcome::Mate(mate)) if mate.overmate && mate.by == puzzle.solver()
        ),
        Theme::Wait => decided.iter().any(|(at, values, _)| {
            values.iter().any(|(a, v)| *v < best(values) && after(at, *a).mate().is_some())
        }),
        Theme::Foreplace => decided
            .iter()
            .any(|(_, _, action)| ["-", "("].iter().any(|p| text(action).starts_with(p))),
        Theme::FreeMove => {
            decided.iter().any(|(_, v, _)| right(v).iter().all(|a| text(a).ends_with('*')))
        }
        Theme::Demand => decided.iter().any(|(_, v, _)| {
            let right: Vec<String> = right(v).iter().map(text).collect();
            right.iter().all(|a| a.ends_with('!') && !right.contains(&a.replace('!', "")))
        }),
        Theme::SaveDraw => value == 0,
        Theme::TurnLoss => value > 0 && wrong.is_some_and(|wrong| wrong < 0),
        Theme::GiveUpLead | Theme::KeepAnswer => return None,
    })
}

#[test]
fn themes_hold_exactly_where_their_conditions_hold() {
    let mut solver = Solver::new();
    let mut seen = [0_usize; Theme::ALL.len()];
    for (name, _) in PuzzleSet::names() {
        let set = PuzzleSet::embedded(&RuleSet::named(name).unwrap().shared()).unwrap();
        let step = if is_thorough() { 1 } else { set.entries().len() / 60 };
        for entry in set.entries().iter().step_by(step) {
            let puzzle = set.read(entry).unwrap();
            let decided = proof::decisions(&mut solver, &puzzle);
            for theme in Theme::ALL {
                let has = puzzle.themes.contains(theme);
                if let Some(expected) = expected(theme, &puzzle, &decided) {
                    assert_eq!(has, expected, "{theme}: {puzzle}");
                }
                seen[theme as usize] += usize::from(has);
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
}

#[test]
fn kept_answers_prevent_a_mate_and_given_leads_are_lost() {
    let mut solver = Solver::new();
    let rules = RuleSet::named("bga").unwrap().shared();
    let set = PuzzleSet::embedded(&rules).unwrap();
    let mut seen = [0; 2];
    let step = if is_thorough() { 1 } else { 10 };
    for entry in set.entries().iter().step_by(step) {
        let puzzle = set.read(entry).unwrap();
        let me = puzzle.solver();
        let decided = proof::decisions(&mut solver, &puzzle);
        if puzzle.themes.contains(Theme::KeepAnswer) {
            let keeps = |(at, values, _): &Decided| {
                let mated = |action: Action| {
                    let next = after(at, action);
                    next.leader() != me
                        && next.legal_actions().any(|lead| after(&next, lead).mate().is_some())
                };
                at.lead().is_some() && values.iter().all(|(a, v)| mated(*a) == (*v < best(values)))
            };
            assert!(decided.iter().any(keeps), "{puzzle}");
            seen[0] += 1;
        }
        if puzzle.themes.contains(Theme::GiveUpLead) {
            // The opponent wins at least one move of the main line in which the player decides.
            let mut at = puzzle.position.clone();
            let mut lost = false;
            for action in &puzzle.lines[0] {
                let moves = at.moves();
                at = after(&at, *action);
                lost |= at.moves() > moves && at.leader() != me;
            }
            assert!(lost, "{puzzle}");
            seen[1] += 1;
        }
    }
    assert!(seen.iter().all(|count| *count > 5), "{seen:?}");
}
