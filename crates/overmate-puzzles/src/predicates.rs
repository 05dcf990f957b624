//! Determines which themes apply to the solution of a puzzle.

use overmate_rules::{Action, Mate, Phase};

use crate::solution::{Branch, Decision};
use crate::theme::{Theme, Themes};

/// Returns the themes of a puzzle, given its solution tree and its ending. `ending` is the best play after the solution,
/// as [`Decision::ending`] returns it.
#[must_use]
pub fn themes_of(solution: &Decision, ending: &[Action]) -> Themes {
    let start = Some(solution.end());
    let end = ending.iter().fold(start, |at, action| at?.play(*action).ok());
    let mate = end.and_then(|end| end.mate()).filter(|mate| mate.by == solution.solver());
    Theme::ALL.into_iter().filter(|theme| holds(*theme, solution, mate.as_ref())).collect()
}

/// Returns whether a given theme applies to a puzzle's solution. `mate` is the player's mate at the end of best play,
/// if there is one.
fn holds(theme: Theme, solution: &Decision, mate: Option<&Mate>) -> bool {
    // The number of moves to the mate includes the move in progress.
    let moves_to_mate = mate.map(|mate| mate.move_number - solution.position.moves());
    let line = solution.main_line();
    let any = |predicate: fn(&Decision) -> bool| line.iter().any(|decision| predicate(decision));
    match theme {
        Theme::OnlyAction => line.iter().all(|d| d.branches.len() == 1 && d.values.len() >= 3),
        // Nobody can give mate by foreplacing.
        Theme::MateInOne => moves_to_mate == Some(1) && !solution.foreplaces(),
        Theme::MateInTwo => moves_to_mate == Some(2),
        Theme::MateInThree => moves_to_mate == Some(3),
        Theme::LongMate => moves_to_mate.is_some_and(|moves| moves > 3),
        Theme::Overmate => mate.is_some_and(|mate| mate.overmate),
        Theme::Wait => any(|decision| {
            let mates = |action| decision.position.mate_by(action).is_some();
            wrong(decision).any(mates) && !right(decision).any(mates)
        }),
        Theme::GiveUpLead => any(gives_up_lead),
        Theme::KeepAnswer => any(keeps_answer),
        Theme::Foreplace => any(Decision::foreplaces),
        Theme::FreeMove => any(|d| right(d).all(|action| matches!(action, Action::Free(_)))),
        Theme::Demand => any(|decision| {
            right(decision).all(|action| match action {
                Action::Demand(card) => !decision.is_right(Action::Play(card)),
                Action::Play(_) | Action::Free(_) | Action::Foreplace(_) | Action::Decline => false,
            })
        }),
        Theme::SaveDraw => solution.value() == 0,
        Theme::TurnLoss => solution.value() > 0 && solution.best_wrong_value() < 0,
    }
}

fn right(decision: &Decision) -> impl Iterator<Item = Action> {
    decision.branches.iter().map(|branch| branch.action)
}

fn wrong(decision: &Decision) -> impl Iterator<Item = Action> {
    let actions = decision.values.iter().map(|(action, _)| *action);
    actions.filter(|action| !decision.is_right(*action))
}

/// Returns whether every right action at a decision gives the lead to the opponent, while some wrong action keeps the lead.
///
/// A right lead gives up the lead if the opponent's reply in the solution wins the move. A wrong lead keeps the lead if the opponent can
/// answer, and no answer wins the move.
fn gives_up_lead(decision: &Decision) -> bool {
    let solver = decision.solver();
    let loses = |branch: &Branch| {
        let replies = branch.follow_up.iter();
        let mut position = decision.next_position(branch.action);
        for reply in replies {
            if position.as_ref().is_none_or(|position| position.moves() > decision.position.moves())
            {
                break;
            }
            position = position.and_then(|position| position.play(*reply).ok());
        }
        position.is_some_and(|position| {
            position.moves() > decision.position.moves() && position.leader() != solver
        })
    };
    let wins = |action: Action| {
        let next = decision.next_position(action);
        !decision.foreplaces()
            && next.is_some_and(|next| next.mate().is_none() && next.wins_move(solver))
    };
    decision.branches.iter().all(loses) && wrong(decision).any(wins)
}

/// Returns whether all right answers at a decision, and no wrong answers, prevent the opponent from giving mate with the next lead.
fn keeps_answer(decision: &Decision) -> bool {
    let allows_mate = |action| decision.allows_mate(action);
    matches!(decision.position.phase(), Phase::Follow(_))
        && wrong(decision).all(allows_mate)
        && !right(decision).any(allows_mate)
}
