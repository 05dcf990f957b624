//! Scores a match of an arena or Swiss event in comparison with the exact value of the match's deal.

use overmate_rules::{Game, Match, Outcome, Player, Seat};

use crate::matches::match_state::MatchState;

/// Minimum number of points that a player loses by resigning a match of an arena or Swiss event, or by running out of time. The opponent
/// gets the points.
const FORFEIT: i32 = 20;

/// Returns the game that was broken off when a match ended early, for example by resignation; `None` without such a game.
pub(crate) fn broken_game(state: &MatchState) -> Option<&Game> {
    let game = state.play().current();
    let is_broken = !is_played(game) && !game.actions().is_empty();
    (state.result().is_some() && is_broken).then_some(game)
}

/// Returns whether a game was played to its end. A game in which a player resigned was broken off.
fn is_played(game: &Game) -> bool {
    matches!(game.outcome(), Some(Outcome::Draw | Outcome::Mate(_)))
}

/// Returns the player who lost an ended match by resigning or by running out of time, or `None` for any other end.
pub(crate) fn forfeited(state: &MatchState) -> Option<Player> {
    state.result().and_then(|result| result.resigned)
}

/// Returns player A's points in an ended match, relative to the exact value of the deal.
///
/// Each game counts as its points for A minus the exact value of the deal for the seat of A. A game that was broken off counts as
/// if both had played on without a mistake: `broken` is the exact value of its last position. A game that was not begun counts 0. A
/// player who gave the match up gets at most `-FORFEIT`. The points of player B are the negative of this number.
pub(crate) fn points_of(state: &MatchState, value_for_first: i32, broken: Option<i32>) -> i32 {
    let mut points = 0;
    for (index, game) in state.play().games().iter().enumerate() {
        let sign = if Match::seat(index, Player::A) == Seat::First { 1 } else { -1 };
        let reached = match game.outcome().filter(|_| is_played(game)) {
            Some(outcome) => Some(outcome.points_for_first()),
            None if game.actions().is_empty() => None,
            None => broken,
        };
        points += reached.map_or(0, |reached| sign * (reached - value_for_first));
    }
    match forfeited(state) {
        Some(Player::A) => points.min(-FORFEIT),
        Some(Player::B) => points.max(FORFEIT),
        None => points,
    }
}
