//! Composes the texts about the review of a finished game for the human player.

use overmate_rules::{Face, Seat};
use overmate_solver::{Review, ReviewedAction};

use super::session::Session;
use crate::text::notation::Notation;
use crate::text::review::{OPEN_CARDS, played, reasons};
use crate::text::words;

/// Returns a sentence that states how many points each player lost in a reviewed game.
pub(crate) fn sum(session: &Session, game: usize, review: &Review) -> String {
    let own = session.seat(game);
    let actions = played(session.record(), game, &review.actions);
    let doubt = match actions.iter().filter(|(_, action)| action.lost.is_none()).count() {
        0 => String::new(),
        open => format!(" What {} lost is not proved.", words::counted(open as u64, "action")),
    };
    format!(
        "In this game you lost {} to best play, {} {}.{doubt}",
        words::points(lost(&actions, own)),
        session.opponent(),
        lost(&actions, !own)
    )
}

fn lost(actions: &[(usize, &ReviewedAction)], seat: Seat) -> u32 {
    let own = actions.iter().filter(|(_, action)| action.seat == seat);
    own.filter_map(|(_, action)| action.lost).sum()
}

/// Returns sentences that explain why the actions of a reviewed game lost points. The human's actions come before the
/// opponent's, and large losses before small losses.
pub(crate) fn sentences(
    session: &Session,
    game: usize,
    review: &Review,
    notation: Notation,
) -> Vec<String> {
    let own = session.seat(game);
    let actions = played(session.record(), game, &review.actions);
    let mut reasons = reasons(session.game(game), &actions, &session.seat_names(game), notation);
    reasons.sort_by_key(|reason| reason.seat != own);
    reasons.into_iter().map(|reason| reason.sentence).collect()
}

/// Returns the notes, possibly none, that are shown to the human with the review of a game. One note says that the values
/// assume that both players know all cards, and the other note says that the deal is still in play.
pub(crate) fn notes(session: &Session, game: usize) -> Vec<&'static str> {
    let foreplacing = session.played_match().rules().foreplacing();
    let hides = foreplacing.is_some_and(|foreplacing| foreplacing.face == Face::Down);
    let in_play = "This deal is still in play, so the record marks this review as a hint.";
    [(hides, OPEN_CARDS), (session.has_deal_in_play(game), in_play)]
        .into_iter()
        .filter_map(|(applies, note)| applies.then_some(note))
        .collect()
}
