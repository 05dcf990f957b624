//! Describes the actions of a reviewed game: the number of the move to which an action belongs, and the reason why the action lost points.

use std::cmp::Reverse;

use overmate_rules::{BySeat, Game, Phase, Record, Seat};
use overmate_solver::ReviewedAction;

use super::notation::Notation;
use super::words;
use crate::begin::actions_before_begin;

/// Note on the values of a rule set with cards face down: the values assume that both players know all cards.
pub const OPEN_CARDS: &str =
    "These are values with open cards: a card face down is not known to its opponent.";

/// Reason why an action of a game lost points, as a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// Seat of the player whose action lost points.
    pub seat: Seat,
    /// Sentence with the player, the action, the reason, and the lost points.
    pub sentence: String,
}

/// Returns the number of the move to which an action belongs, or `None` for foreplacing.
pub fn move_number(game: &Game, done: usize) -> Option<u8> {
    let before = game.after(done);
    match before.phase() {
        Phase::Lead(_) | Phase::Follow(_) => Some(before.position().moves() + 1),
        Phase::Foreplacing(_) | Phase::Over => None,
    }
}

/// Returns the reviewed actions of a game, without actions before the position from which the human began to play. Each
/// action is returned with its index in the game.
pub fn played<'a>(
    record: &Record,
    game: usize,
    actions: &'a [ReviewedAction],
) -> Vec<(usize, &'a ReviewedAction)> {
    let begun_after = if game == 0 { actions_before_begin(record) } else { 0 };
    actions.iter().enumerate().skip(begun_after).collect()
}

/// Returns one sentence for each action of a reviewed game that lost points for a known reason. The actions are those
/// that [`played`] returns. The largest loss comes first.
///
/// The parameter `names` holds the players' names in the form for the start of a sentence.
pub fn reasons(
    game: &Game,
    actions: &[(usize, &ReviewedAction)],
    names: &BySeat<String>,
    notation: Notation,
) -> Vec<Reason> {
    let with_reason = |(done, reviewed): &(usize, &ReviewedAction)| {
        Some((reviewed.lost?, *done, reviewed.seat, reviewed.mistake?))
    };
    let mut found: Vec<_> = actions.iter().filter_map(with_reason).collect();
    found.sort_by_key(|(lost, ..)| Reverse(*lost));
    let sentence = |(lost, done, seat, mistake)| {
        let action = notation.action(game.rules(), game.actions()[done]);
        let r#move = move_number(game, done).map_or_else(String::new, |n| format!(" in move {n}"));
        let (lost, why) = (words::points(lost), words::mistake(game.rules(), mistake, notation));
        let name = &names[seat];
        Reason { seat, sentence: format!("{name}, {action}{move}: {why} (lost {lost}).") }
    };
    found.into_iter().map(sentence).collect()
}
