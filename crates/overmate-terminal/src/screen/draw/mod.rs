//! The table as a screen: drawn from the state alone, and telling what can be clicked where.

mod hands;
mod middle;
mod plan;
mod popup;
mod sides;

use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use super::app::{App, Cursor, Stand};
use super::faces::{CHOSEN, FAINT, TITLE, full_name};
use super::input::{Hits, Intent, Step};
use super::intents::usual;
use crate::play::opponent::strength;
use crate::text::words;

/// Draws everything.
pub(super) fn draw(app: &App, frame: &mut Frame<'_>) -> Hits {
    let mut hits = Hits::default();
    let area = frame.area();
    let rules = app.course.rules();
    let least = plan::least(rules, &app.faces);
    if area.width < least.width || area.height < least.height {
        hits.is_too_small = true;
        let text = format!(
            "The table needs {} × {}; here are {} × {}. Make the terminal larger, or press q to leave: \
             the match goes on with --resume, and in any size with --lines.",
            least.width, least.height, area.width, area.height
        );
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
        return hits;
    }
    let stand = app.stand();
    let rows = sides::score_rows(app);
    let plan = plan::plan(area, rules, &app.faces, rows);
    let mut pen = Pen { app, stand: &stand, frame, hits: &mut hits };
    pen.header(plan.header);
    pen.hand(plan.other_hand, false);
    pen.pile(plan.other_pile, false);
    pen.middle(plan.middle);
    pen.pile(plan.own_pile, true);
    pen.hand(plan.own_hand, true);
    pen.grid(plan.grid);
    if let Some(area) = plan.score {
        pen.score(area);
    }
    if app.hint.is_some() || app.counselling.is_some() {
        pen.hint(plan.moves);
    } else {
        pen.moves(plan.moves);
    }
    pen.message(plan.message);
    pen.keys(plan.keys);
    if let Some(overlay) = &app.overlay {
        pen.popup(area, overlay);
    }
    hits
}

/// What everything is drawn with.
struct Pen<'a, 'b> {
    app: &'a App,
    stand: &'a Stand,
    frame: &'a mut Frame<'b>,
    hits: &'a mut Hits,
}

impl Pen<'_, '_> {
    /// Writes a line into a row of an area; what does not fit is left out.
    fn line(&mut self, area: Rect, row: u16, line: Line<'_>) {
        if row < area.height {
            let area = Rect { y: area.y + row, height: 1, ..area };
            self.frame.render_widget(line, area);
        }
    }

    fn hit(&mut self, area: Rect, intent: Intent) {
        self.hits.areas.push((area, intent));
    }

    fn header(&mut self, area: Rect) {
        let contest = self.app.course.contest();
        let session = self.app.course.session();
        let totals = contest.totals();
        let (own, other) = (totals[session.human()], totals[!session.human()]);
        let score = format!("You {own} · Overmate {other}");
        let game = self.stand.place.game;
        let mut parts = vec![
            format!(" Game {} of {}", game + 1, contest.length()),
            contest.rules().name().to_owned(),
            format!("deal {}", self.stand.game.dealt().number()),
        ];
        let room = usize::from(area.width).saturating_sub(score.chars().count() + 2);
        // The names of rule sets can be long; which game it is and how it stands are more urgent.
        while parts.len() > 1 && parts.join(" · ").chars().count() > room {
            parts.pop();
        }
        let style = TITLE.patch(CHOSEN);
        let line = Line::styled(parts.join(" · "), style);
        self.frame.render_widget(Paragraph::new(line).style(style), area);
        let right = Paragraph::new(format!("{score} ")).style(style).alignment(Alignment::Right);
        let width = u16::try_from(score.chars().count() + 1).unwrap_or(area.width);
        let x = area.right().saturating_sub(width.min(area.width));
        self.frame.render_widget(right, Rect { x, width: area.right() - x, ..area });
    }

    /// What was said last, as far as there is room, or else what the card at the cursor is.
    fn message(&mut self, area: Rect) {
        let area = inset(area);
        let notices = &self.app.notices;
        if notices.is_empty() {
            let text = paragraph(self.pointed_at());
            return self.frame.render_widget(text, area);
        }
        // The last words count most: earlier ones give way.
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
            self.frame.render_widget(text, area);
        }
    }

    /// What the cursor is at, and what choosing it does.
    fn pointed_at(&self) -> Vec<Span<'static>> {
        let (app, stand) = (self.app, self.stand);
        if !stand.is_past && app.course.to_act().is_none() {
            return vec![Span::raw(
                "The match is over. Enter shows the result, r reviews, q leaves.",
            )];
        }
        if stand.is_past {
            return vec![Span::raw(
                "You are looking back: [ and ] step, Esc returns to the present.",
            )];
        }
        let card = match app.cursor {
            Cursor::Decline if stand.legal().is_empty() => return Vec::new(),
            Cursor::Decline => return vec![Span::raw("Enter: you foreplace nothing.")],
            Cursor::Card(card) => card,
        };
        let rules = app.course.rules();
        let mut spans = vec![
            app.faces.span(card),
            Span::raw(format!(", {}, ", full_name(rules.deck(), card))),
            Span::raw(words::points(rules.deck().value(card).into())),
            Span::raw(". "),
        ];
        if stand.view.to_act() != Some(stand.own) {
            return spans;
        }
        let ways: Vec<_> =
            stand.legal().into_iter().filter(|way| way.card() == Some(card)).collect();
        match (ways.as_slice(), stand.game.check(usual(stand, card))) {
            ([], Err(illegal)) => {
                spans.push(Span::styled(format!("Not legal: {illegal}."), app.faces.notable()));
            }
            (ways, _) => spans.push(Span::raw(middle::consequence(stand, ways, card))),
        }
        spans
    }

    /// The keys of use now, the most urgent first; each can be clicked.
    fn keys(&mut self, area: Rect) {
        let app = self.app;
        let can_act = app.course.is_humans_turn() && !self.stand.is_past;
        let mut keys: Vec<(&str, &str, Intent)> = vec![("?", "help", Intent::Help)];
        if self.stand.is_past {
            keys.push(("Esc", "present", Intent::Look(Step::Present)));
            keys.push(("[", "back", Intent::Look(Step::Before)));
            keys.push(("]", "on", Intent::Look(Step::After)));
        }
        if can_act {
            keys.push(("Enter", "play", Intent::Confirm));
            keys.push(("i", "hint", Intent::Hint));
        }
        keys.push(("u", "undo", Intent::Undo));
        if !self.stand.is_past {
            keys.push(("[", "back", Intent::Look(Step::Before)));
        }
        keys.push(("q", "leave", Intent::Leave));
        keys.push(("w", "why", Intent::Why));
        keys.push(("s", "score", Intent::Score));
        keys.push((":", "type", Intent::Type));
        keys.push(("r", "review", Intent::Review));
        keys.push(("R", "give up", Intent::AskResign));
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

    /// What the opponent is called, and how strong it is.
    fn name(&self, is_own: bool) -> String {
        if is_own {
            words::YOU.to_owned()
        } else {
            format!("Overmate, {}", strength(self.app.course.opponent()))
        }
    }
}

/// Spans one after the other, wrapped between words.
fn paragraph(spans: Vec<Span<'static>>) -> Paragraph<'static> {
    Paragraph::new(Line::from(spans)).wrap(Wrap { trim: true })
}

/// An area with a column left free at both sides.
fn inset(area: Rect) -> Rect {
    Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area }
}
