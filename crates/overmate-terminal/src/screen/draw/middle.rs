//! Draws the current move and the next decision in the middle of the screen.

use overmate_rules::{Action, BySeat, Card, Face, Foreplaced, Move, Outcome, Phase};
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::super::app::{App, Snapshot};
use super::super::faces::{FAINT, TITLE};
use super::painter::Painter;
use crate::text::words;

/// Smallest height, in rows, of the middle of the screen at which the led card is drawn as a picture.
const WITH_CARDS: u16 = 8;

impl Painter<'_, '_> {
    pub(super) fn middle(&mut self, area: Rect) {
        let (app, snapshot) = (self.app, self.snapshot);
        let mut lines: Vec<Line<'static>> = Vec::new();
        if snapshot.is_past {
            let of = app.controller.session().game(snapshot.moment.game).actions().len();
            let text = format!("Looking back: {} of {of} actions", snapshot.moment.after);
            lines.push(Line::styled(text, app.faces.notable()));
        }
        let moves = snapshot.game.moves();
        if let Some(last) = moves.iter().rev().find(|played| played.answer.is_some()) {
            lines.push(finished(app, snapshot, last));
        }
        if area.height >= WITH_CARDS
            && let Some(lead) = snapshot.view.lead()
        {
            lines.extend(picture(app, lead.card));
        }
        lines.push(self.prompt());
        lines.extend(counts(snapshot).map(|text| Line::styled(text, FAINT)));
        let height = u16::try_from(lines.len()).unwrap_or(u16::MAX);
        let from = area.height.saturating_sub(height) / 2;
        let indented = Rect { x: area.x + 1, width: area.width.saturating_sub(1), ..area };
        for (row, line) in (from..).zip(lines) {
            self.line(indented, row, line);
        }
    }

    /// Returns a line that tells whose turn it is and, on the human's turn, which decision they have to make.
    fn prompt(&self) -> Line<'static> {
        let (app, snapshot) = (self.app, self.snapshot);
        let is_own = snapshot.view.to_act() == Some(snapshot.own);
        let number = snapshot.view.moves() + 1;
        let bold = |text: String| Span::styled(text, TITLE);
        match snapshot.view.phase() {
            Phase::Over => Line::from(bold(over(snapshot))),
            Phase::Foreplacing(_) => {
                let face = snapshot.game.rules().foreplacing().map(|foreplacing| foreplacing.face);
                let down = if face == Some(Face::Down) { " face down" } else { "" };
                let text = if is_own {
                    format!("Foreplace a card{down}, or nothing")
                } else {
                    "Overmate may foreplace a card".to_owned()
                };
                Line::from(bold(snapshot.game.rules().in_own_words(&text)))
            }
            Phase::Lead(_) => Line::from(bold(if is_own {
                format!("Move {number}: you lead")
            } else {
                format!("Move {number}: Overmate leads")
            })),
            Phase::Follow(_) => {
                let leader = if is_own { "Overmate leads " } else { "you lead " };
                let mut spans = vec![bold(format!("Move {number}: {leader}"))];
                if let Some(lead) = snapshot.view.lead() {
                    spans.push(app.faces.span(lead.card));
                    if lead.demanded {
                        spans.push(bold("!".to_owned()));
                    }
                }
                Line::from(spans)
            }
        }
    }
}

/// Returns the result of a finished game in a short form, because a popup has shown the full form before.
fn over(snapshot: &Snapshot) -> String {
    match snapshot.game.outcome() {
        Some(Outcome::Mate(mate)) => {
            let kind = if mate.overmate { "Overmate" } else { "Mate" };
            let who = if mate.by == snapshot.own { "you" } else { "Overmate" };
            format!("{kind} for {who}: {}", words::sum(&mate))
        }
        Some(Outcome::Draw) => "A draw".to_owned(),
        Some(Outcome::Resigned { by }) if by == snapshot.own => "You gave up".to_owned(),
        Some(Outcome::Resigned { .. }) => "Overmate gave up".to_owned(),
        None => String::new(),
    }
}

/// Returns a completed move of the shown game as one line of text.
fn finished(app: &App, snapshot: &Snapshot, played: &Move) -> Line<'static> {
    let name = |is_own: bool| if is_own { "you " } else { "Overmate " };
    let leads = played.leader == snapshot.own;
    let mut spans = vec![
        Span::styled(format!("{}. {}", played.number, name(leads)), FAINT),
        app.faces.span(played.lead),
    ];
    if played.demanded {
        spans.push(Span::raw("!"));
    }
    spans.push(Span::styled(format!(", {}", name(!leads)), FAINT));
    spans.extend(played.answer.map(|answer| app.faces.span(answer)));
    if played.free {
        spans.push(Span::raw("*"));
    }
    let won = if played.winner == Some(snapshot.own) { ": you won" } else { ": it won" };
    spans.push(Span::styled(won, FAINT));
    Line::from(spans)
}

/// Returns a picture of a card, three lines high.
fn picture(app: &App, card: Card) -> [Line<'static>; 3] {
    let frame = |text: &'static str| Span::styled(text, Style::new());
    [
        Line::from(frame("  ╭────╮")),
        Line::from(vec![frame("  │ "), app.faces.span(card), frame(" │")]),
        Line::from(frame("  ╰────╯")),
    ]
}

/// Returns a sentence on the factor by which the points of a mate in the current move are multiplied, or `None` before the first move.
fn counts(snapshot: &Snapshot) -> Option<String> {
    let rules = snapshot.game.rules();
    if !matches!(snapshot.view.phase(), Phase::Lead(_) | Phase::Follow(_)) {
        return None;
    }
    let foreplaced = foreplaced(snapshot);
    // The factor is the same for all cards.
    let card = *rules.deck().cards().first()?;
    let factor = |seat| rules.mate(seat, card, snapshot.view.moves() + 1, foreplaced).factor();
    let (own, other) = (factor(snapshot.own), factor(!snapshot.own));
    Some(if own == other {
        format!("A mate counts × {own} now")
    } else {
        format!("A mate counts × {own}, Overmate's × {other}")
    })
}

/// Returns a sentence that tells the effect of pressing Enter at a card, where `ways` are the legal actions with the card.
pub(super) fn consequence(snapshot: &Snapshot, ways: &[Action], card: Card) -> String {
    let phase = snapshot.view.phase();
    match ways {
        [Action::Foreplace(_)] => {
            snapshot.game.rules().in_own_words("Enter foreplaces it: it is out of play.")
        }
        [Action::Free(_)] => "It can be played by the free move only: Enter asks.".to_owned(),
        [_, _, ..] => "Enter asks how to lead it.".to_owned(),
        [] | [Action::Decline | Action::Play(_) | Action::Demand(_)]
            if matches!(phase, Phase::Lead(_)) =>
        {
            let number = snapshot.view.moves() + 1;
            let mate = snapshot.game.rules().mate(snapshot.own, card, number, foreplaced(snapshot));
            format!("Enter leads it. Should it mate: {}.", words::sum(&mate))
        }
        [] | [Action::Decline | Action::Play(_) | Action::Demand(_)] => {
            "Enter answers with it.".to_owned()
        }
    }
}

/// Returns, for each seat, whether its player has foreplaced a card.
fn foreplaced(snapshot: &Snapshot) -> BySeat<bool> {
    BySeat::new_with(|seat| snapshot.view.foreplaced(seat)).map(Foreplaced::is_card)
}
