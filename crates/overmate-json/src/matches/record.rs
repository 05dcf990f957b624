//! Creates the record of a match, with only the facts that a given viewer may see. Cards and deals that the viewer may not know are left
//! out.

use overmate_rules::{ByPlayer, Match, Note, NoteText, Player, Record, Seat, Viewer};

use super::log::MatchLog;

/// Facts for a match record that do not follow from the games of the match, such as the names of the players.
#[derive(Clone, Debug)]
pub struct RecordFacts {
    /// Names of the players.
    pub names: ByPlayer<String>,
    /// Date of the match, such as `2026-11-20`.
    pub date: String,
    /// Viewer for whom the match record is made. The record shows only cards that this viewer may see.
    pub viewer: Viewer,
    /// Player who lost the match on time; `None` if no player lost on time.
    pub out_of_time: Option<Player>,
    /// Whether the match was played offline, without the server.
    pub offline: bool,
}

/// Returns the record of a match, with only the facts that the viewer may see. The record of a running match holds no deals of games that
/// have not begun. While the current game hides a card from the viewer, the record holds the game's deal without its actions, and a note
/// says so. `omitted` is called with the text and the error of each header and note that the format does not allow.
pub fn record(
    log: &MatchLog,
    facts: &RecordFacts,
    mut omitted: impl FnMut(&str, String),
) -> Record {
    let play = log.play();
    let current = play.current_index();
    let is_over = play.result().is_some();
    let view = play.current().view(facts.viewer);
    let hides = !is_over && Seat::BOTH.into_iter().any(|seat| view.hides_card(seat));
    let shown = if is_over { play.clone() } else { so_far(play, hides) };
    let begun = shown.games().len();
    let lengths: Vec<usize> = shown.games().iter().map(|game| game.actions().len()).collect();
    let mut record = Record::new(shown);
    for (key, value) in [("A", &facts.names.a), ("B", &facts.names.b), ("Date", &facts.date)] {
        // The match record leaves out each header whose value the record format forbids.
        if let Err(error) = record.set_header(key, value) {
            omitted(key, error.to_string());
        }
    }
    let mut note = |game: usize, after: usize, text: String| {
        // The record leaves out undone actions, and all actions of a running game with a face-down card. A note on an omitted action
        // stands after the last remaining action of the game.
        let (game, after) = if game < begun { (game, after) } else { (begun - 1, usize::MAX) };
        let after = after.min(lengths[game]);
        let note = Note { game, after, text: NoteText::Comment(text.clone()) };
        if let Err(error) = record.add_note(note) {
            omitted(&text, error.to_string());
        }
    };
    if facts.offline {
        note(0, 0, "the match was played offline".to_owned());
    }
    for mark in log.marks() {
        let player = mark.player;
        let what = if mark.is_undo { "took back an action" } else { "had a hint" };
        note(mark.game, mark.after, format!("{player} {what}"));
    }
    if let Some(player) = facts.out_of_time {
        note(current, usize::MAX, format!("{player} lost on time"));
    }
    if hides {
        let text =
            "A card lies face down: the actions of this game are shown when the game is over";
        note(current, 0, text.to_owned());
    }
    record
}

/// Returns a copy of a match without the deals of future games. If a card is hidden, the last game has no actions.
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
