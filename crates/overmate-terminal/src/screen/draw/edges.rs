//! Draws the upper and lower edges of the screen: the header, messages to the player, and the available keys.

use ratatui::layout::{Alignment, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use super::super::app::CursorTarget;
use super::super::faces::{CHOSEN, FAINT, TITLE, full_name};
use super::super::intent::{Direction, Intent, LookTarget};
use super::super::popup::Popup;
use super::painter::Painter;
use super::prompt;
use crate::play::messages;
use crate::text::columns::width_of;
use crate::text::words;

/// Methods that draw the header, messages to the player, and the available keys.
impl Painter<'_, '_> {
    pub(super) fn header(&mut self, area: Rect) {
        let contest = self.app.controller.played_match();
        let session = self.app.controller.session();
        let totals = contest.totals();
        let (own, other) = (totals[session.human()], totals[!session.human()]);
        let score = format!("You {own} · {} {other}", session.opponent());
        let game = self.snapshot.moment.game;
        let mut parts = vec![
            format!(" {}", words::game_number(contest, game)),
            contest.rules().name().to_owned(),
            format!("deal {}", self.snapshot.game.dealt().number()),
        ];
        let room = usize::from(area.width).saturating_sub(width_of(&score) + 2);
        // In a narrow header, the deal number is left out first, and then the name of the rule set. The number of the game and the score
        // stay, because they are more important.
        while parts.len() > 1 && width_of(&parts.join(" · ")) > room {
            parts.pop();
        }
        let style = TITLE.patch(CHOSEN);
        let line = Line::styled(parts.join(" · "), style);
        self.frame.render_widget(Paragraph::new(line).style(style), area);
        let right = Paragraph::new(format!("{score} ")).style(style).alignment(Alignment::Right);
        let width = u16::try_from(width_of(&score) + 1).unwrap_or(area.width);
        let x = area.right().saturating_sub(width.min(area.width));
        self.frame.render_widget(right, Rect { x, width: area.right() - x, ..area });
    }

    /// Draws as many of the latest messages as fit, or, without messages, a description of the card under the cursor. If even the latest
    /// message does not fit, an ellipsis marks the missing end.
    pub(super) fn message(&mut self, area: Rect) {
        let area = inset(area);
        let notices = &self.app.notices;
        if notices.is_empty() && self.app.advising.is_some() {
            return self.line(area, 0, Line::styled("Working out the hint…", FAINT));
        }
        if notices.is_empty() {
            let text = paragraph(self.pointed_at());
            return self.frame.render_widget(text, area);
        }
        // Only the latest messages are drawn if not all messages fit.
        let texts = (0..notices.len()).map(|from| {
            let spans = notices[from..].iter().flat_map(|notice| {
                let style = if notice.is_warning { self.app.faces.warning() } else { Style::new() };
                [Span::styled(notice.text.clone(), style), Span::raw(" ")]
            });
            paragraph(spans.collect())
        });
        let fits = |text: &Paragraph<'_>| text.line_count(area.width) <= area.height.into();
        let mut texts = texts.skip_while(|text| !fits(text));
        let last = notices.last().map(|notice| paragraph(vec![Span::raw(notice.text.clone())]));
        if let Some(text) = texts.next().or(last) {
            let is_cut = !fits(&text);
            self.frame.render_widget(text, area);
            if is_cut && !area.is_empty() {
                let end = Rect { x: area.right() - 1, y: area.bottom() - 1, width: 1, height: 1 };
                self.frame.render_widget("…", end);
            }
        }
    }

    /// Returns a text that describes the card or choice under the cursor, and the effect of pressing Enter.
    fn pointed_at(&self) -> Vec<Span<'static>> {
        let (app, snapshot) = (self.app, self.snapshot);
        if !snapshot.is_past && app.controller.to_act().is_none() {
            return vec![Span::raw(
                "The match is over. Enter shows the result, r reviews, q leaves.",
            )];
        }
        if snapshot.is_past {
            return vec![Span::raw(
                "You are looking back: [ and ] step, Esc returns to the present.",
            )];
        }
        let card = match app.cursor {
            CursorTarget::Decline if snapshot.legal().is_empty() => return Vec::new(),
            CursorTarget::Decline => {
                let text = "Enter: you foreplace nothing.";
                return vec![Span::raw(app.controller.rules().in_own_words(text))];
            }
            CursorTarget::Card(card) => card,
        };
        let rules = app.controller.rules();
        let mut spans = vec![
            Span::styled(app.faces.card(card), TITLE),
            Span::raw(format!(", {}, ", full_name(rules.deck(), card))),
            Span::raw(words::points(rules.deck().value(card).into())),
            Span::raw(". "),
        ];
        if snapshot.view.to_act() != Some(snapshot.own) {
            return spans;
        }
        let ways: Vec<_> =
            snapshot.legal().into_iter().filter(|way| way.card() == Some(card)).collect();
        match (ways.as_slice(), snapshot.game.check(snapshot.ordinary_action(card))) {
            ([], Err(illegal)) => {
                spans.push(Span::styled(
                    messages::not_legal(rules, &illegal, app.faces.notation),
                    app.faces.notable(),
                ));
            }
            (ways, _) => {
                let opponent = app.controller.session().opponent();
                spans.push(Span::raw(prompt::consequence(snapshot, opponent, ways, card)));
            }
        }
        spans
    }

    /// Draws the names of the keys that have an effect at present, the most useful keys first. Each name can be clicked.
    pub(super) fn keys(&mut self, area: Rect) {
        let app = self.app;
        if let Some(popup) = &app.popup {
            return self.key_names(area, keys_of_popup(popup));
        }
        let can_act = app.controller.is_humans_turn() && !self.snapshot.is_past;
        let is_over = app.controller.to_act().is_none();
        let mut keys: Vec<(&str, &str, Intent)> = vec![("?", "help", Intent::Help)];
        if self.snapshot.is_past {
            keys.push(("Esc", "present", Intent::Look(LookTarget::Present)));
            for (key, what, step) in
                [("[", "back", LookTarget::Before), ("]", "on", LookTarget::After)]
            {
                if app.can_look(step) {
                    keys.push((key, what, Intent::Look(step)));
                }
            }
        }
        if can_act {
            keys.push(("Enter", "play", Intent::Confirm));
            keys.push(("i", "hint", Intent::Hint));
        } else if is_over && !self.snapshot.is_past {
            keys.push(("Enter", "result", Intent::Confirm));
        }
        if app.controller.session().can_undo() {
            keys.push(("u", "undo", Intent::Undo));
        }
        if !self.snapshot.is_past && app.can_look(LookTarget::Before) {
            keys.push(("[", "back", Intent::Look(LookTarget::Before)));
        }
        keys.push(("q", "leave", Intent::Leave));
        keys.push(("w", "why", Intent::Why));
        keys.push(("s", "score", Intent::Score));
        if can_act {
            keys.push((":", "type", Intent::Type));
        }
        if app.controller.played_match().games().iter().any(|game| game.outcome().is_some()) {
            keys.push(("r", "review", Intent::Review));
        }
        if !is_over {
            keys.push(("R", "give up", Intent::AskResign));
        }
        self.key_names(area, keys);
    }

    /// Draws the names of keys from left to right, as many as fit.
    fn key_names(&mut self, area: Rect, keys: Vec<(&str, &str, Intent)>) {
        let mut x = area.x + 1;
        for (key, what, intent) in keys {
            let line = Line::from(vec![
                Span::styled(key.to_owned(), TITLE),
                Span::styled(format!(" {what}"), FAINT),
            ]);
            let width = u16::try_from(line.width()).unwrap_or(u16::MAX);
            if x.saturating_add(width) >= area.right() {
                break;
            }
            let at = Rect { x, width, ..area };
            self.frame.render_widget(line, at);
            self.hit(at, intent);
            x += width + 2;
        }
    }
}

/// Returns the keys that have an effect while a popup is open.
fn keys_of_popup(popup: &Popup) -> Vec<(&'static str, &'static str, Intent)> {
    if popup.is_typing() {
        return vec![("Enter", "play", Intent::Confirm), ("Esc", "close", Intent::Back)];
    }
    let mut keys = vec![("Enter", "choose", Intent::Confirm), ("Esc", "close", Intent::Back)];
    keys.push(("arrows", "move", Intent::Go(Direction::Down)));
    keys
}

/// Returns styled texts as one paragraph, which is wrapped between words.
fn paragraph(spans: Vec<Span<'static>>) -> Paragraph<'static> {
    Paragraph::new(Line::from(spans)).wrap(Wrap { trim: true })
}

/// Returns a screen area without its leftmost and rightmost columns.
fn inset(area: Rect) -> Rect {
    Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area }
}
