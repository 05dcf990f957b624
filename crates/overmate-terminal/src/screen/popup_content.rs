//! Builds the titles, texts and choices of the popups on the full-screen display.

use overmate_rules::{Action, RuleSet};
use ratatui::text::{Line, Span};

use super::app::App;
use super::faces::{FAINT, TITLE};
use super::intent::{Intent, LookTarget};
use super::lines::{plain, written};
use super::popup::{Popup, PopupKind};
use super::{help, review};
use crate::play::messages;
use crate::play::moment::Moment;
use crate::text::{score_sheet, words};

pub(super) fn title(popup: &Popup, app: &App) -> String {
    let of = app.controller.played_match().length();
    match &popup.kind {
        PopupKind::Help => "Help".to_owned(),
        PopupKind::Score => "Score sheet".to_owned(),
        PopupKind::Record => "Record of the match".to_owned(),
        PopupKind::Review { game } => format!("Review of game {} of {of}", game + 1),
        PopupKind::Why { .. } => format!("Why {} did that", app.controller.session().opponent()),
        PopupKind::Choice { .. } => "Your choice".to_owned(),
        PopupKind::Resign => "Give up?".to_owned(),
        PopupKind::Typing { .. } => "Type an action".to_owned(),
        PopupKind::GameOver { game } => format!("Game {} of {of} is over", game + 1),
        PopupKind::MatchOver { .. } => "The match is over".to_owned(),
    }
}

/// Returns the text of a popup as lines that are not yet wrapped.
pub(super) fn text(popup: &Popup, app: &App) -> Vec<Line<'static>> {
    match &popup.kind {
        PopupKind::Help => help::text(app),
        PopupKind::Score => score_sheet(app),
        PopupKind::Record => plain(&app.controller.session().record_for_human()),
        PopupKind::Review { game } => review::text(app, *game),
        PopupKind::Why { text } => plain(text),
        PopupKind::Choice { ways } => {
            let free = ways.iter().any(|action| matches!(action, Action::Free(_)));
            plain(&app.controller.rules().in_own_words(if free {
                "The free move answers in rank though you hold the suit, or in suit though the rank is demanded. It can be \
                 used once in a game, by the player who uses it first."
            } else {
                "This card can be led in two ways."
            }))
        }
        PopupKind::Resign => {
            let opponent = app.controller.session().opponent();
            plain(&format!("{opponent} wins the match then, whatever the score is."))
        }
        PopupKind::Typing { text, error } => {
            let mut lines = vec![Line::from(format!("> {text}"))];
            lines.push(Line::default());
            match error {
                Some(error) => {
                    lines.push(Line::styled(error.clone(), app.faces.warning()));
                }
                None => lines.push(Line::styled(typing_help(app.controller.rules()), FAINT)),
            }
            lines
        }
        PopupKind::GameOver { game } => game_over(app, *game),
        PopupKind::MatchOver { game } => match_over(app, *game),
    }
}

/// Returns the choices of a popup: the label of each choice, and the command that the choice carries out.
pub(super) fn choices(popup: &Popup, app: &App) -> Vec<(String, Intent)> {
    let close = ("Close".to_owned(), Intent::Back);
    let with_back = |mut choices: Vec<(String, Intent)>| {
        choices.push(("Back".to_owned(), Intent::Back));
        choices
    };
    match &popup.kind {
        PopupKind::Help
        | PopupKind::Score
        | PopupKind::Record
        | PopupKind::Review { .. }
        | PopupKind::Why { .. } => {
            vec![close]
        }
        PopupKind::Typing { .. } => Vec::new(),
        PopupKind::Choice { ways } => {
            let way = |action: &Action| (way(app, *action), Intent::Act(*action));
            with_back(ways.iter().map(way).collect())
        }
        PopupKind::Resign => with_back(vec![("Give up the match".to_owned(), Intent::Resign)]),
        PopupKind::GameOver { game } => vec![
            ("Next game".to_owned(), Intent::NextGame),
            ("Review this game".to_owned(), Intent::Review),
            ("Look at its moves".to_owned(), look_at_start(*game)),
        ],
        PopupKind::MatchOver { game } => vec![
            ("Leave".to_owned(), Intent::Leave),
            ("Review the last game".to_owned(), Intent::Review),
            ("Look at its moves".to_owned(), look_at_start(*game)),
        ],
    }
}

fn look_at_start(game: usize) -> Intent {
    Intent::Look(LookTarget::To(Moment { game, after: 0 }))
}

/// Returns the label of an action in a popup in which the player chooses among several actions.
fn way(app: &App, action: Action) -> String {
    let name = |card| app.faces.card(card);
    match action {
        Action::Decline => app.controller.rules().in_own_words("Foreplace nothing"),
        Action::Foreplace(card) => {
            format!("{} {}", app.controller.rules().in_own_words("Foreplace"), name(card))
        }
        Action::Play(card) => format!("Play {} as usual", name(card)),
        Action::Demand(card) => {
            let rank = app.controller.rules().deck().rank_name(card.rank);
            format!("Lead {} and demand a {rank}", name(card))
        }
        Action::Free(card) => format!("Answer {} by the free move", name(card)),
    }
}

/// Returns a help text on the notation in which the player can type actions.
fn typing_help(rules: &RuleSet) -> String {
    let deck = rules.deck();
    let Some(card) = deck.cards().first().map(|card| deck.card_text(*card).to_string()) else {
        return String::new();
    };
    let mut forms = vec![format!("{card} plays it")];
    if rules.foreplacing().is_some() {
        let foreplaces = rules.in_own_words("foreplaces");
        forms.push(format!("({card}) {foreplaces} it"));
        forms.push(format!("- {foreplaces} nothing"));
    }
    if rules.free_move() {
        forms.push(format!("{card}* by the free move"));
    }
    if let Some(card) = deck.cards().iter().find(|card| rules.may_demand(**card)) {
        forms.push(format!("{}! leads and demands", deck.card_text(*card)));
    }
    forms.join(", ")
}

fn score_sheet(app: &App) -> Vec<Line<'static>> {
    let session = app.controller.session();
    let mut lines =
        written(|out| score_sheet::write(session.played_match(), &session.names(), out));
    lines.push(Line::default());
    lines.push(Line::from(format!(
        "{}.",
        score_sheet::result(session.played_match(), &session.names())
    )));
    lines
}

fn game_over(app: &App, game: usize) -> Vec<Line<'static>> {
    let session = app.controller.session();
    let mut lines = plain(messages::end_of_game(session, game, app.faces.notation).trim());
    lines.extend(review::sum(app, game));
    lines.push(Line::default());
    let totals = session.played_match().totals();
    let (own, other) = (totals[session.human()], totals[!session.human()]);
    lines.push(Line::from(vec![
        Span::raw("The score: you "),
        Span::styled(own.to_string(), TITLE),
        Span::raw(format!(", {} ", session.opponent())),
        Span::styled(other.to_string(), TITLE),
    ]));
    if game.is_multiple_of(2) {
        lines.push(Line::from("Next: the same deal with the hands exchanged."));
    }
    lines
}

fn match_over(app: &App, game: usize) -> Vec<Line<'static>> {
    let session = app.controller.session();
    let mut lines = plain(messages::end_of_game(session, game, app.faces.notation).trim());
    lines.extend(review::sum(app, game));
    lines.push(Line::default());
    lines.extend(written(|out| score_sheet::write(session.played_match(), &session.names(), out)));
    lines.push(Line::default());
    let result = score_sheet::result(session.played_match(), &session.names());
    lines.push(Line::styled(format!("{}.", words::capital(&result)), TITLE));
    lines
}
