//! What opens over the table: choices, questions, help, the score sheet, reviews. Each is a title, a text and choices.

use overmate_rules::{Action, RuleSet};
use ratatui::text::{Line, Span};

use super::app::{App, Place};
use super::faces::{FAINT, TITLE};
use super::input::{Intent, Step};
use super::{help, review};
use crate::play::messages;
use crate::text::{score_sheet, words};

/// What is open, and how the player has moved in it.
pub(super) struct Overlay {
    pub(super) kind: Kind,
    /// The first line of the text that is shown.
    pub(super) scroll: u16,
    /// The choice that Enter takes.
    pub(super) selected: usize,
    /// What is open again when this is closed.
    pub(super) behind: Option<Kind>,
}

/// What can be open.
pub(super) enum Kind {
    Help,
    Score,
    Record,
    Review {
        game: usize,
    },
    /// What the opponent saw.
    Why {
        text: String,
    },
    /// Several actions with one card, or one that is not to be taken by accident.
    Choice {
        ways: Vec<Action>,
    },
    Resign,
    Typing {
        text: String,
        error: Option<String>,
    },
    GameOver {
        game: usize,
    },
    MatchOver {
        game: usize,
    },
}

impl Kind {
    /// Whether it shows the end of a game, before the next one goes on.
    pub(super) fn ends_game(&self) -> bool {
        matches!(self, Self::GameOver { .. } | Self::MatchOver { .. })
    }
}

impl Overlay {
    pub(super) fn new(kind: Kind) -> Self {
        // Giving up is never a slip of a key.
        let selected = usize::from(matches!(kind, Kind::Resign));
        Self { kind, scroll: 0, selected, behind: None }
    }

    /// Whether the end of a game is shown, here or behind.
    pub(super) fn ends_game(&self) -> bool {
        self.kind.ends_game() || self.behind.as_ref().is_some_and(Kind::ends_game)
    }

    pub(super) fn is_typing(&self) -> bool {
        matches!(self.kind, Kind::Typing { .. })
    }

    /// What has been typed.
    pub(super) fn typed(&self) -> &str {
        match &self.kind {
            Kind::Typing { text, .. } => text,
            _ => "",
        }
    }

    pub(super) fn title(&self, app: &App) -> String {
        let of = app.course.contest().length();
        match &self.kind {
            Kind::Help => "Help".to_owned(),
            Kind::Score => "Score sheet".to_owned(),
            Kind::Record => "Record of the match".to_owned(),
            Kind::Review { game } => format!("Review of game {} of {of}", game + 1),
            Kind::Why { .. } => "Why Overmate did that".to_owned(),
            Kind::Choice { .. } => "Your choice".to_owned(),
            Kind::Resign => "Give up?".to_owned(),
            Kind::Typing { .. } => "Type an action".to_owned(),
            Kind::GameOver { game } => format!("Game {} of {of} is over", game + 1),
            Kind::MatchOver { .. } => "The match is over".to_owned(),
        }
    }

    /// The text; its lines may have to be wrapped.
    pub(super) fn text(&self, app: &App) -> Vec<Line<'static>> {
        match &self.kind {
            Kind::Help => help::text(app),
            Kind::Score => score_sheet(app),
            Kind::Record => plain(&app.course.session().record_for_human()),
            Kind::Review { game } => review::text(app, *game),
            Kind::Why { text } => plain(text),
            Kind::Choice { ways } => {
                let free = ways.iter().any(|action| matches!(action, Action::Free(_)));
                plain(if free {
                    "The free move answers in rank though you hold the suit, or the other way round. It is there once in a \
                     game, for whoever uses it first."
                } else {
                    "This card can be led in two ways."
                })
            }
            Kind::Resign => plain("Overmate wins the match then, whatever the score is."),
            Kind::Typing { text, error } => {
                let mut lines = vec![Line::from(format!("> {text}"))];
                lines.push(Line::default());
                match error {
                    Some(error) => {
                        lines.push(Line::styled(error.clone(), app.faces.warning()));
                    }
                    None => lines.push(Line::styled(typing_help(app.course.rules()), FAINT)),
                }
                lines
            }
            Kind::GameOver { game } => game_over(app, *game),
            Kind::MatchOver { game } => match_over(app, *game),
        }
    }

    /// What can be chosen, and what each choice does.
    pub(super) fn choices(&self, app: &App) -> Vec<(String, Intent)> {
        let close = ("Close".to_owned(), Intent::Back);
        let with_back = |mut choices: Vec<(String, Intent)>| {
            choices.push(("Back".to_owned(), Intent::Back));
            choices
        };
        match &self.kind {
            Kind::Help | Kind::Score | Kind::Record | Kind::Review { .. } | Kind::Why { .. } => {
                vec![close]
            }
            Kind::Typing { .. } => Vec::new(),
            Kind::Choice { ways } => {
                let way = |action: &Action| (way(app, *action), Intent::Act(*action));
                with_back(ways.iter().map(way).collect())
            }
            Kind::Resign => with_back(vec![("Give up the match".to_owned(), Intent::Resign)]),
            Kind::GameOver { game } => vec![
                ("Next game".to_owned(), Intent::NextGame),
                ("Review this game".to_owned(), Intent::Review),
                ("Look at its moves".to_owned(), look_at_start(*game)),
            ],
            Kind::MatchOver { game } => vec![
                ("Leave".to_owned(), Intent::Leave),
                ("Review the last game".to_owned(), Intent::Review),
                ("Look at its moves".to_owned(), look_at_start(*game)),
            ],
        }
    }
}

fn look_at_start(game: usize) -> Intent {
    Intent::Look(Step::To(Place { game, after: 0 }))
}

/// An action with a card as a choice.
fn way(app: &App, action: Action) -> String {
    let name = |card| app.faces.card(card);
    match action {
        Action::Decline => "Foreplace nothing".to_owned(),
        Action::Foreplace(card) => format!("Foreplace {}", name(card)),
        Action::Play(card) => format!("Play {} as usual", name(card)),
        Action::Demand(card) => {
            let rank = app.course.rules().deck().rank_name(card.rank);
            format!("Lead {} and demand a {rank}", name(card))
        }
        Action::Free(card) => format!("Answer {} by the free move", name(card)),
    }
}

/// What can be typed.
fn typing_help(rules: &RuleSet) -> String {
    let deck = rules.deck();
    let Some(card) = deck.cards().first().map(|card| deck.card_text(*card).to_string()) else {
        return String::new();
    };
    let mut forms = vec![format!("{card} plays it")];
    if rules.foreplacing().is_some() {
        forms.push(format!("({card}) foreplaces it"));
        forms.push("- foreplaces nothing".to_owned());
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
    let session = app.course.session();
    let mut lines = written(|out| score_sheet::write(session.contest(), &session.names(), out));
    lines.push(Line::default());
    lines
        .push(Line::from(format!("{}.", score_sheet::result(session.contest(), &session.names()))));
    lines
}

fn game_over(app: &App, game: usize) -> Vec<Line<'static>> {
    let session = app.course.session();
    let mut lines = plain(messages::end_of_game(session, game).trim());
    lines.extend(review::sum(app, game));
    lines.push(Line::default());
    let totals = session.contest().totals();
    let (own, other) = (totals[session.human()], totals[!session.human()]);
    lines.push(Line::from(vec![
        Span::raw("The score: you "),
        Span::styled(own.to_string(), TITLE),
        Span::raw(", Overmate "),
        Span::styled(other.to_string(), TITLE),
    ]));
    if game.is_multiple_of(2) {
        lines.push(Line::from("Next: the same deal with the hands exchanged."));
    }
    lines
}

fn match_over(app: &App, game: usize) -> Vec<Line<'static>> {
    let session = app.course.session();
    let mut lines = plain(messages::end_of_game(session, game).trim());
    lines.extend(review::sum(app, game));
    lines.push(Line::default());
    lines.extend(written(|out| score_sheet::write(session.contest(), &session.names(), out)));
    lines.push(Line::default());
    let result = score_sheet::result(session.contest(), &session.names());
    lines.push(Line::styled(format!("{}.", words::capital(&result)), TITLE));
    lines
}

/// A text line by line.
pub(super) fn plain(text: &str) -> Vec<Line<'static>> {
    text.lines().map(|line| Line::from(line.to_owned())).collect()
}

/// What is written elsewhere for people who read lines.
fn written(
    write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>,
) -> Vec<Line<'static>> {
    let mut bytes = Vec::new();
    // Nothing that is written to memory fails.
    let _ = write(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    plain(&anstream::adapter::strip_str(&text).to_string())
}
