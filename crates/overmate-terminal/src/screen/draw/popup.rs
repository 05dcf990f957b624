//! Draws popups, which have a frame with a title, a scrollable text, and choices.

use ratatui::layout::{Position, Rect, Size};
use ratatui::style::Style;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, BorderType, Clear, Paragraph, Wrap};

use super::super::faces::{CHOSEN, FAINT, TITLE};
use super::super::intent::Intent;
use super::super::popup::Popup;
use super::super::popup_content::{choices, text, title};
use super::layout::{bottom, centred};
use super::painter::Painter;

/// Maximum width of a popup's text, in characters.
const WIDEST: u16 = 84;

impl Painter<'_, '_> {
    pub(super) fn popup(&mut self, area: Rect, popup: &Popup) {
        // An open popup disables all clickable areas of the screen behind the popup.
        self.hits.areas.clear();
        let text = text(popup, self.app);
        let choices = choices(popup, self.app);
        let title = format!(" {} ", title(popup, self.app));
        let longest = |lines: &mut dyn Iterator<Item = usize>| {
            u16::try_from(lines.max().unwrap_or(0)).unwrap_or(u16::MAX)
        };
        let wanted = longest(&mut text.iter().map(Line::width))
            .max(longest(&mut choices.iter().map(|(label, _)| label.chars().count() + 2)))
            .max(longest(&mut [title.chars().count()].into_iter()))
            .max(if popup.is_typing() { 40 } else { 24 });
        let inner_width = wanted.min(WIDEST).min(area.width.saturating_sub(6));
        let paragraph = Paragraph::new(Text::from(text)).wrap(Wrap { trim: false });
        let lines = u16::try_from(paragraph.line_count(inner_width)).unwrap_or(u16::MAX);
        let below = u16::try_from(choices.len()).unwrap_or(0);
        let gap = u16::from(below > 0);
        let height = lines.saturating_add(below + gap + 2).min(area.height.saturating_sub(2));
        let frame = centred(area, Size { width: inner_width + 4, height });
        self.frame.render_widget(Clear, frame);
        let block =
            Block::bordered().border_type(BorderType::Rounded).title(Span::styled(title, TITLE));
        self.frame.render_widget(block, frame);

        let inner = Rect {
            x: frame.x + 2,
            y: frame.y + 1,
            width: frame.width.saturating_sub(4),
            height: frame.height.saturating_sub(2),
        };
        let (body, buttons) = bottom(inner, below);
        let body = Rect { height: body.height.saturating_sub(gap), ..body };
        let end = lines.saturating_sub(body.height);
        self.hits.scroll_end = end;
        let scroll = popup.scroll.min(end);
        self.frame.render_widget(paragraph.scroll((scroll, 0)), body);
        if end > 0 {
            let (up, down) =
                (if scroll > 0 { "↑" } else { " " }, if scroll < end { "↓" } else { " " });
            let more = format!(" {up}{down} ");
            let at = Rect {
                x: frame.right().saturating_sub(6),
                y: frame.bottom() - 1,
                width: 4,
                height: 1,
            };
            self.frame.render_widget(Span::styled(more, FAINT), at);
        }
        for (row, (number, (label, _))) in (0u16..).zip(choices.into_iter().enumerate()) {
            let is_chosen = number == popup.selected;
            let (mark, style) = if is_chosen { ("▸ ", CHOSEN) } else { ("  ", Style::new()) };
            let at = Rect { y: buttons.y + row, height: 1, ..buttons };
            self.frame.render_widget(Line::styled(format!("{mark}{label}"), style), at);
            if is_chosen {
                self.frame.set_cursor_position(Position { x: at.x, y: at.y });
            }
            self.hit(at, Intent::Choose(number));
        }
        if popup.is_typing() {
            let typed = u16::try_from(popup.typed().chars().count()).unwrap_or(0);
            let x = (body.x + 2 + typed).min(body.right().saturating_sub(1));
            self.frame.set_cursor_position(Position { x, y: body.y });
        }
    }
}
