//! Tests the themes of embedded puzzles against independent conditions on exact values and rules.

use overmate_puzzles::{Puzzle, PuzzleSet, Theme};
use overmate_rules::{Action, Outcome, Phase, Position, RuleSet, Seat};
use overmate_solver::Solver;
use test_sample::cases;

use crate::proof;
use crate::proof::Decided;

fn after(position: &Position, action: Action) -> Position {
    position.clone().play(action).expect("the action is legal")
}

fn best(values: &[(Action, i32)]) -> i32 {
    values.iter().map(|(_, value)| *value).max().expect("some action is legal")
}

/// Returns the actions of a puzzle's main line.
fn main_line(puzzle: &Puzzle) -> Vec<Action> {
    puzzle.solution.lines().swap_remove(0)
}

/// Returns the actions of a puzzle's main line, and of the best play that follows the main line up to the mate (the puzzle's ending).
fn whole_line(puzzle: &Puzzle) -> Vec<Action> {
    [main_line(puzzle), puzzle.ending.clone()].concat()
}

/// Returns the position that is reached after all actions of a puzzle's main line and ending.
fn end(puzzle: &Puzzle) -> Position {
    whole_line(puzzle).iter().fold(puzzle.position().clone(), |at, action| after(&at, *action))
}

/// Counts the leads of both seats from the start of a puzzle to the player's mate. The number includes the mating lead, and a lead that
/// awaits an answer when the puzzle starts. Returns `None` if the player does not give mate.
fn leads_to_mate(puzzle: &Puzzle) -> Option<usize> {
    let mut at = puzzle.position().clone();
    let mut leads = usize::from(at.lead().is_some());
    for action in &whole_line(puzzle) {
        leads += usize::from(matches!(at.phase(), Phase::Lead(_)));
        at = after(&at, *action);
    }
    match at.outcome() {
        Some(Outcome::Mate(mate)) if mate.by == puzzle.solver() => Some(leads),
        _ => None,
    }
}

/// Returns whether the given actions complete the current move, and the opponent of the player `me` wins this move.
fn loses_the_move(at: &Position, actions: &[Action], me: Seat) -> bool {
    let moves = at.moves();
    let ends = actions.iter().scan(at.clone(), |at, action| {
        *at = after(at, *action);
        Some(at.clone())
    });
    let mut complete = ends.filter(|end| end.moves() > moves);
    complete.next().is_some_and(|end| end.leader() != me)
}

/// Returns whether an action certainly wins the current move for the player `me` without giving mate.
fn wins_the_move(at: &Position, action: Action, me: Seat) -> bool {
    let next = after(at, action);
    match at.phase() {
        Phase::Follow(_) => next.leader() == me,
        Phase::Lead(_) => {
            next.mate().is_none() && next.legal_actions().all(|a| after(&next, a).leader() == me)
        }
        Phase::Foreplacing(_) | Phase::Over => false,
    }
}

/// Returns whether a puzzle has a theme, by a definition independent of the library.
fn expected(theme: Theme, puzzle: &Puzzle, decided: &[Decided]) -> bool {
    let me = puzzle.solver();
    let (_, values, _) = &decided[0];
    let value = best(values);
    let wrong = values.iter().map(|(_, v)| *v).filter(|v| *v < value).max();
    let right = |values: &[(Action, i32)]| -> Vec<Action> {
        let most = best(values);
        values.iter().filter(|(_, value)| *value == most).map(|(action, _)| *action).collect()
    };
    let text = |action: &Action| puzzle.position().rules().action_text(*action).to_string();
    match theme {
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
            let mates = values.iter().filter(|(a, _)| after(at, *a).mate().is_some());
            let mates: Vec<i32> = mates.map(|(_, value)| *value).collect();
            !mates.is_empty() && mates.iter().all(|value| *value < best(values))
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
        Theme::GiveUpLead => decided.iter().zip(puzzle.solution.main_line()).any(|(now, tree)| {
            let (at, values, _) = now;
            let lines = tree.branches.iter().map(|b| [&[b.action], &b.follow_up[..]].concat());
            lines.into_iter().all(|line| loses_the_move(at, &line, me))
                && values.iter().any(|(a, v)| *v < best(values) && wins_the_move(at, *a, me))
        }),
        Theme::KeepAnswer => decided.iter().any(|(at, values, _)| {
            let mated = |action: Action| {
                let next = after(at, action);
                next.leader() != me
                    && next.legal_actions().any(|lead| after(&next, lead).mate().is_some())
            };
            at.lead().is_some() && values.iter().all(|(a, v)| mated(*a) == (*v < best(values)))
        }),
    }
}

/// Asserts that every action of a puzzle's ending is best, and that the ending gives mate if and only if the player
/// wins.
fn check_ending(solver: &mut Solver, puzzle: &Puzzle, value: i32) {
    let line = main_line(puzzle).into_iter();
    let mut at = line.fold(puzzle.position().clone(), |at, action| after(&at, action));
    for &action in &puzzle.ending {
        let values = proof::values(solver, &at);
        assert!(values.contains(&(action, best(&values))), "{puzzle}");
        at = after(&at, action);
    }
    match at.outcome() {
        Some(Outcome::Mate(mate)) => {
            let points = mate.points();
            let expected = if mate.by == puzzle.solver() { points } else { -points };
            assert_eq!(value, expected, "{puzzle}");
        }
        _ => assert!(value <= 0 && puzzle.ending.is_empty(), "{puzzle}"),
    }
}

#[test]
fn themes_hold_exactly_where_their_conditions_hold() {
    let mut solver = Solver::new();
    let mut seen = [0_usize; Theme::ALL.len()];
    let mut endings = 0;
    for (name, _) in PuzzleSet::names() {
        let set = PuzzleSet::embedded(&RuleSet::named(name).unwrap().shared()).unwrap();
        let step = cases(set.entries().len() / 60, 1);
        for (index, entry) in set.entries().iter().enumerate() {
            // All puzzles with one of the rarest themes are tested, because a sample may contain none of these puzzles.
            let is_rare =
                [Theme::Demand, Theme::FreeMove].iter().any(|t| entry.themes.contains(*t));
            if index % step != 0 && !is_rare {
                continue;
            }
            let puzzle = set.read(entry).unwrap();
            let decided = proof::decisions(&mut solver, &puzzle);
            check_ending(&mut solver, &puzzle, best(&decided[0].1));
            endings += usize::from(!puzzle.ending.is_empty());
            for theme in Theme::ALL {
                let has = puzzle.themes.contains(theme);
                assert_eq!(has, expected(theme, &puzzle, &decided), "{theme}: {puzzle}");
                seen[theme as usize] += usize::from(has);
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 0) && endings > 20, "{seen:?} {endings}");
    println!("puzzles by theme: {seen:?}");
}
