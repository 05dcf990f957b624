//! Creates the game record of a match for a viewer. Cards and deals that the viewer may not know
//! are left out.

use overmate_rules::{ByPlayer, Match, Note, NoteText, Player, Record, View};

use crate::clock::rfc3339;
use crate::match_state::{MatchState, Role};
use crate::store::Occupant;

/// Returns the game record of a match for a browser in a role. The record of a running match holds
/// no later deals, and no game with a card that is hidden from the viewer.
pub(crate) fn record(state: &MatchState, role: Role) -> Record {
    let play = state.play();
    let current = play.current_index();
    let is_over = state.result().is_some();
    let hides = !is_over && hides_card(&state.view(current, role));
    let shown = if is_over { play.clone() } else { so_far(play, hides) };
    let begun = shown.games().len();
    let lengths: Vec<usize> = shown.games().iter().map(|game| game.actions().len()).collect();
    let mut record = Record::new(shown);
    let names = ByPlayer::new_with(|player| name(state, player));
    let date = rfc3339(state.info().created_at).chars().take(10).collect::<String>();
    for (key, value) in [("A", &names.a), ("B", &names.b), ("Date", &date)] {
        // The record omits a header that the format does not allow.
        if let Err(error) = record.set_header(key, value) {
            tracing::warn!(%error, key, "a record omits a header that the format does not allow");
        }
    }
    let mut note = |game: usize, after: usize, text: String| {
        // An undo may have removed the marked actions. The mark then stands at the position to which the match returned.
        let (game, after) = if game < begun { (game, after) } else { (begun - 1, usize::MAX) };
        let after = after.min(lengths[game]);
        let note = Note { game, after, text: NoteText::Comment(text) };
        if let Err(error) = record.add_note(note) {
            tracing::warn!(%error, game, after, "a record omits an undo or hint without a place in the record");
        }
    };
    for mark in state.marks() {
        let player = mark.player;
        let what = if mark.is_undo { "took back an action" } else { "had a hint" };
        note(mark.game, mark.after, format!("{player} {what}"));
    }
    if let Some(player) = state.out_of_time() {
        note(current, usize::MAX, format!("{player} lost on time"));
    }
    if hides {
        let text =
            "A card lies face down: the actions of this game are shown when the game is over";
        note(current, 0, text.to_owned());
    }
    record
}

fn hides_card(view: &View) -> bool {
    overmate_rules::Seat::BOTH.into_iter().any(|seat| view.hides_card(seat))
}

/// Returns a copy of a match without the deals of games that have not begun. If a card is hidden,
/// the last game has no actions.
fn so_far(play: &Match, hides: bool) -> Match {
    let begun = play.games().len();
    let length = u8::try_from(begun).unwrap_or(play.length()).min(play.length());
    let deals = play.deals().iter().take(begun.div_ceil(2)).cloned().collect();
    let mut shown = Match::with_deals(length, deals)
        .expect("the first deals of a match are valid deals of a shorter match");
    for (index, game) in play.games().iter().enumerate() {
        if hides && index + 1 == begun {
            break;
        }
        for action in game.actions() {
            // The actions are legal, because they come from a valid match.
            match shown.clone().play(*action) {
                Ok(next) => shown = next,
                Err(_) => return shown,
            }
        }
    }
    shown
}

fn name(state: &MatchState, player: Player) -> String {
    let seat = &state.seats()[player];
    match (&seat.name, seat.occupant) {
        (Some(name), _) => name.clone(),
        (None, Occupant::Bot(bot, _)) => format!("Overmate {bot}"),
        (None, _) => player.to_string(),
    }
}
