//! Draws the texts below the board: the decision of the player whose turn it is, and the last completed move. Also describes the effect of
//! playing a card.

use overmate_rules::{Action, Card, Face, Move, Outcome, Phase};
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::super::app::{App, CursorTarget, ShownMoment};
use super::super::board::{self, Arm};
use super::super::faces::{FAINT, TITLE};
use super::painter::Painter;
use crate::text::words;

impl Painter<'_, '_> {
    /// Draws a line with the decision of the player whose turn it is and, if there is room, a line with the last completed
    /// move.
    pub(super) fn prompt(&mut self, area: Rect) {
        let (app, snapshot) = (self.app, self.snapshot);
        let mut lines = vec![self.decision()];
        if snapshot.is_past {
            let of = app.controller.session().game(snapshot.moment.game).actions().len();
            let text = format!("Looking back: {} of {of} actions", snapshot.moment.after);
            lines.insert(0, Line::styled(text, app.faces.notable()));
        }
        let moves = snapshot.game.moves();
        if let Some(last) = moves.iter().rev().find(|played| played.answer.is_some()) {
            lines.push(finished(app, snapshot, last));
        }
        for (row, line) in (0..).zip(lines) {
            self.line(area, row, line);
        }
    }

    /// Returns a line that names the player whose turn it is and, for the human, the decision to make.
    fn decision(&self) -> Line<'static> {
        let (app, snapshot) = (self.app, self.snapshot);
        let is_own = snapshot.view.to_act() == Some(snapshot.own);
        let number = snapshot.view.moves() + 1;
        let opponent = app.controller.session().opponent();
        let bold = |text: String| Span::styled(text, TITLE);
        match snapshot.view.phase() {
            Phase::Over => Line::from(bold(over(snapshot, opponent))),
            Phase::Foreplacing(_) => {
                let face = snapshot.game.rules().foreplacing().map(|foreplacing| foreplacing.face);
                let down = if face == Some(Face::Down) { " face down" } else { "" };
                let text = if is_own {
                    format!("Foreplace a card{down}, or nothing")
                } else {
                    format!("{opponent} may foreplace a card")
                };
                Line::from(bold(snapshot.game.rules().in_own_words(&text)))
            }
            Phase::Lead(_) => Line::from(bold(if is_own {
                format!("Move {number}: you lead")
            } else {
                format!("Move {number}: {opponent} leads")
            })),
            Phase::Follow(_) => {
                let leader =
                    if is_own { format!("{opponent} leads") } else { "you lead".to_owned() };
                let mut spans = vec![bold(format!("Move {number}: {leader} "))];
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
fn over(snapshot: &ShownMoment, opponent: &str) -> String {
    match snapshot.game.outcome() {
        Some(Outcome::Mate(mate)) => {
            let kind = if mate.overmate { "Overmate" } else { "Mate" };
            let who = if mate.by == snapshot.own { "you" } else { opponent };
            format!("{kind} for {who}: {}", words::sum(&mate))
        }
        Some(Outcome::Draw) => "A draw".to_owned(),
        Some(Outcome::Resigned { by }) if by == snapshot.own => "You gave up".to_owned(),
        Some(Outcome::Resigned { .. }) => format!("{opponent} gave up"),
        None => String::new(),
    }
}

/// Returns a completed move of the shown game (a lead and its answer) as one line of text.
fn finished(app: &App, snapshot: &ShownMoment, played: &Move) -> Line<'static> {
    let name = |is_own: bool| if is_own { "you" } else { app.controller.session().opponent() };
    let leads = played.leader == snapshot.own;
    let mut spans = vec![
        Span::styled(format!("{}. {} ", played.number, name(leads)), FAINT),
        app.faces.span(played.lead),
    ];
    if played.demanded {
        spans.push(Span::raw("!"));
    }
    spans.push(Span::styled(format!(", {} ", name(!leads)), FAINT));
    spans.extend(played.answer.map(|answer| app.faces.span(answer)));
    if played.free {
        spans.push(Span::raw("*"));
    }
    let won = if played.winner == Some(snapshot.own) { ": you won" } else { ": it won" };
    spans.push(Span::styled(won, FAINT));
    Line::from(spans)
}

/// Returns a sentence on the effect of pressing Enter at a card. `ways` are the legal actions with the card.
pub(super) fn consequence(
    snapshot: &ShownMoment,
    opponent: &str,
    ways: &[Action],
    card: Card,
) -> String {
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
            let mate = board::mate_by_leader(snapshot, card);
            let cross = board::cross(snapshot, CursorTarget::Card(card));
            if cross.is_some_and(|cross| cross.row == Arm::Empty) {
                let deck = snapshot.game.rules().deck();
                let (suit, rank) = (deck.suit_name(card.suit), deck.rank_name(card.rank));
                let sum = words::sum(&mate);
                return format!("Enter mates, {sum}: {opponent} has no {suit} and no {rank}.");
            }
            format!("Enter leads it. Should it mate: {}.", words::sum(&mate))
        }
        [] | [Action::Decline | Action::Play(_) | Action::Demand(_)] => {
            "Enter answers with it.".to_owned()
        }
    }
}
