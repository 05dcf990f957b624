//! Draws one card of the board, with a frame if the area is large enough.

use overmate_rules::{Action, Card};
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::super::app::CursorTarget;
use super::super::board::{Effect, Lying, Place};
use super::super::faces::{TITLE, count_text, signs_of_frame};
use super::super::intent::Intent;
use super::layout::FRAMED;
use super::painter::Painter;

impl Painter<'_, '_> {
    /// Draws the identical cards of one player that share one cell of the board.
    pub(super) fn card(&mut self, at: Rect, card: Card, lying: Lying) {
        if at.is_empty() {
            return;
        }
        let app = self.app;
        let is_chosen = lying.is_own
            && app.cursor == CursorTarget::Card(card)
            && self.snapshot.view.outcome().is_none();
        let style = app.faces.card_style(lying.is_own, lying.is_faded);
        let face = style.patch(app.faces.face_style(card.suit, lying.is_own, lying.is_faded));
        let edge = app.faces.edge_style(lying.is_own, lying.place == Place::Led || is_chosen);
        let way = if lying.is_own { way(&self.snapshot.legal(), card) } else { None };
        let (open, close) = match way {
            _ if is_chosen => ('▸', '◂'),
            _ if lying.place == Place::Led => ('‹', '›'),
            Some(signs) => signs,
            None if lying.place == Place::MayBeFaceDown => (' ', '?'),
            None => (' ', ' '),
        };
        let text = format!("{}{}", app.faces.card(card), count_text(lying.count));
        let more = u16::from(lying.count > 1);
        let frame = signs_of_frame(lying.is_own, is_chosen);
        let wins = match lying.effect {
            Some(Effect::Wins) => "▲",
            Some(Effect::Loses) => "▽",
            Some(Effect::Mate(_)) | None => "",
        };
        for row in 0..at.height {
            let blank = " ".repeat(usize::from(at.width));
            self.line(at, row, Line::styled(blank, style));
        }
        let is_framed = at.width >= FRAMED.width + more && at.height >= FRAMED.height;
        let face_row = if is_framed {
            let inner = usize::from(at.width - 2);
            let bar = frame.across.to_string().repeat(inner);
            let [left, right] = frame.upper;
            self.line(at, 0, Line::styled(format!("{left}{bar}{right}"), style.patch(edge)));
            for row in 1..at.height - 1 {
                let bar = Span::styled(frame.down.to_string(), style.patch(edge));
                let end = Rect { x: at.right() - 1, width: 1, ..at };
                self.line(at, row, Line::from(bar.clone()));
                self.line(end, row, Line::from(bar));
            }
            let note = self.note(card, lying, inner);
            let [left, right] = frame.lower;
            let below = format!("{:─^inner$}", note.as_ref().map_or("", |(text, _)| text));
            let below = below.replace('─', &frame.across.to_string());
            self.line(
                at,
                at.height - 1,
                Line::styled(format!("{left}{below}{right}"), style.patch(edge)),
            );
            if let Some((note, note_style)) = note {
                let width = u16::try_from(note.chars().count()).unwrap_or(at.width);
                let before = (at.width - 2).saturating_sub(width) / 2;
                let area = Rect { x: at.x + 1 + before, width, ..at };
                self.line(area, at.height - 1, Line::styled(note, style.patch(note_style)));
            }
            1
        } else {
            if let Some((note, note_style)) = self.note(card, lying, usize::from(at.width))
                && at.height > 1
            {
                let indent = u16::from(note.chars().count() < usize::from(at.width));
                let area = Rect { x: at.x + indent, width: at.width - indent, ..at };
                self.line(area, 1, Line::styled(note, style.patch(note_style)));
            }
            0
        };
        let mut line = vec![Span::styled(format!("{open}{text}{close}"), face)];
        if at.width > 4 + more {
            line.push(Span::styled(wins, face));
        }
        let x = at.x + u16::from(is_framed);
        let width = at.right() - x - u16::from(is_framed);
        self.line(Rect { x, width, ..at }, face_row, Line::from(line));
        if !is_framed && open == ' ' {
            let side = Span::styled(frame.down.to_string(), style.patch(edge));
            self.line(Rect { width: 1, ..at }, face_row, Line::from(side));
        }
        if lying.is_own {
            self.hit(at, Intent::Point(card));
        }
        if is_chosen && app.popup.is_none() {
            self.frame.set_cursor_position(Position { x: x + 1, y: at.y + face_row });
        }
    }

    /// Returns the note below a card: the card's value in the shown hint, or else the points of a mate with
    /// the card. The note has at most `width` characters.
    fn note(&self, card: Card, lying: Lying, width: usize) -> Option<(String, Style)> {
        let legal = self.snapshot.legal();
        let own = legal.iter().filter(|action| lying.is_own && action.card() == Some(card));
        let values: Vec<String> = own.filter_map(|action| self.hint_for(*action)).collect();
        // If a card has two legal actions, the value of the recommended action is shown.
        let value = values.iter().find(|value| value.ends_with('★')).or(values.first());
        if let Some(value) = value {
            let style = if value.ends_with('★') { self.app.faces.seal() } else { TITLE };
            return Some((value.chars().take(width).collect(), style));
        }
        let Some(Effect::Mate(points)) = lying.effect else { return None };
        let long = format!("mate {points}");
        let text = if long.chars().count() <= width { long } else { format!("#{points}") };
        Some((text, self.app.faces.seal()))
    }
}

/// Returns the opening and closing characters around a playable card, which show the kind of action with the card.
/// `(…)` foreplaces, `*…*` is a free move, `[…]` plays. Returns `None` for a card that may not be played.
fn way(legal: &[Action], card: Card) -> Option<(char, char)> {
    match legal.iter().find(|action| action.card() == Some(card))? {
        Action::Foreplace(_) => Some(('(', ')')),
        Action::Free(_) => Some(('*', '*')),
        Action::Play(_) | Action::Demand(_) => Some(('[', ']')),
        Action::Decline => None,
    }
}
