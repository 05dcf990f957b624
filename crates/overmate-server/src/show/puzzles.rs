//! Converts puzzles to their JSON type, with all positions on the solution paths.

use overmate_puzzles::{Decision, Puzzle};
use overmate_rules::{Action, Position, Seat};

use crate::wire;

/// Converts a puzzle to its JSON type.
pub(crate) fn puzzle(puzzle: &Puzzle, rating: f64, tried: bool) -> wire::PuzzleWire {
    let rules = puzzle.position().rules();
    let mut states = Vec::new();
    add(&puzzle.solution, Vec::new(), &mut states);
    let lines = puzzle.solution.lines();
    wire::PuzzleWire {
        id: puzzle.id(),
        rules: rules.name().to_owned(),
        position: puzzle.position().to_string(),
        solver: puzzle.solver().into(),
        rating,
        themes: puzzle.themes.iter().map(wire::PuzzleTheme).collect(),
        tried,
        states,
        solution: overmate_json::actions(rules, lines.first().map_or(&[], Vec::as_slice)),
        ending: overmate_json::actions(rules, &puzzle.ending),
    }
}

/// Adds the game state at a decision of a puzzle, and all later game states, to the states of the puzzle. Returns the index of the state at
/// the decision.
fn add(
    decision: &Decision,
    played: Vec<wire::PlayedAction>,
    states: &mut Vec<wire::PuzzleState>,
) -> usize {
    let index = states.len();
    let game = wire::GameState::of_position(&decision.position);
    states.push(wire::PuzzleState { game, played, choices: Vec::new() });
    let rules = decision.position.rules();
    let mut choices = Vec::new();
    for (action, value) in &decision.values {
        let branch = decision.branches.iter().find(|branch| branch.action == *action);
        let next = branch.map(|branch| {
            let mut played = Vec::new();
            let mut at = decision.position.clone();
            for action in std::iter::once(&branch.action).chain(&branch.follow_up) {
                at = advance(at, *action, &mut played);
            }
            if let Some(next) = &branch.next {
                return add(next, played, states);
            }
            let mut game = wire::GameState::of_position(&at);
            game.legal.clear();
            game.not_legal.clear();
            states.push(wire::PuzzleState { game, played, choices: Vec::new() });
            states.len() - 1
        });
        let action = overmate_json::action(rules, *action);
        choices.push(wire::PuzzleChoice { action, value: *value, next });
    }
    states[index].choices = choices;
    index
}

/// Plays an action of a puzzle, and appends the action to the list of played actions. Returns the position after the action.
fn advance(at: Position, action: Action, played: &mut Vec<wire::PlayedAction>) -> Position {
    let seat = at.to_act().unwrap_or(Seat::First);
    played.push(wire::PlayedAction {
        seat: seat.into(),
        action: overmate_json::action(at.rules(), action),
    });
    // The fallback `at` is never used, because the solutions of puzzles hold only legal actions.
    at.clone().play(action).unwrap_or(at)
}
