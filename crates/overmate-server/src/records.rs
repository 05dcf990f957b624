//! The record of a match, as one viewer may have it.

use overmate_rules::{ByPlayer, Match, Note, NoteText, Player, Record, View};

use crate::contest::{Contest, Role};
use crate::show::matches::time_text;
use crate::store::Sitter;

/// The record. Of a running match it holds no deal that was not dealt, and no game that hides a card from the viewer.
pub(crate) fn record(contest: &Contest, role: Role) -> Record {
    let play = contest.play();
    let current = play.current_index();
    let is_over = contest.result().is_some();
    let hides = !is_over && hides_card(&contest.view(current, role));
    let shown = if is_over { play.clone() } else { so_far(play, hides) };
    let begun = shown.games().len();
    let lengths: Vec<usize> = shown.games().iter().map(|game| game.actions().len()).collect();
    let mut record = Record::new(shown);
    let names = ByPlayer::new_with(|player| name(contest, player));
    let date = time_text(contest.head().created_at).chars().take(10).collect::<String>();
    for (key, value) in [("A", &names.a), ("B", &names.b), ("Date", &date)] {
        // A day of this calendar and any name can stand in a header; if not, it is left out.
        if let Err(error) = record.set_header(key, value) {
            tracing::warn!(%error, key, "a header is left out of a record");
        }
    }
    let mut note = |game: usize, after: usize, text: String| {
        // What was marked may have been taken back since: then the mark stands where the match goes on from.
        let (game, after) = if game < begun { (game, after) } else { (begun - 1, usize::MAX) };
        let after = after.min(lengths[game]);
        let note = Note { game, after, text: NoteText::Comment(text) };
        if let Err(error) = record.add_note(note) {
            tracing::warn!(%error, game, after, "a mark has no place in the record");
        }
    };
    for mark in contest.marks() {
        let player = mark.player;
        let what = if mark.is_undo { "took back an action" } else { "had a hint" };
        note(mark.game, mark.after, format!("{player} {what}"));
    }
    if hides {
        let text = "A card lies face down: what was played since is told when the game is over";
        note(current, 0, text.to_owned());
    }
    record
}

fn hides_card(view: &View) -> bool {
    overmate_rules::Seat::BOTH.into_iter().any(|seat| view.hides_card(seat))
}

/// The games that have begun, with their deals and no later ones; the last without its actions if they hide a card.
fn so_far(play: &Match, hides: bool) -> Match {
    let begun = play.games().len();
    let length = u8::try_from(begun).unwrap_or(play.length()).min(play.length());
    let deals = play.deals().iter().take(begun.div_ceil(2)).cloned().collect();
    let mut shown =
        Match::with_deals(length, deals).expect("the deals of a match make a shorter match");
    for (index, game) in play.games().iter().enumerate() {
        if hides && index + 1 == begun {
            break;
        }
        for action in game.actions() {
            // They were legal in the match that this one repeats.
            match shown.clone().play(*action) {
                Ok(next) => shown = next,
                Err(_) => return shown,
            }
        }
    }
    shown
}

fn name(contest: &Contest, player: Player) -> String {
    let seat = &contest.seats()[player];
    match (&seat.name, seat.sitter) {
        (Some(name), _) => name.clone(),
        (None, Sitter::Bot(bot, _)) => format!("Overmate {bot}"),
        (None, _) => player.to_string(),
    }
}
