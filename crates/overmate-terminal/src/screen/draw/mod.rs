//! Draws the full-screen display from its state, and computes the clickable areas.

mod board;
mod card;
mod edges;
mod layout;
mod multiplier;
mod painter;
mod popup;
mod prompt;
mod sides;

use ratatui::Frame;
use ratatui::widgets::{Paragraph, Wrap};

use self::painter::Painter;
use super::app::App;
use super::input::ClickAreas;
use crate::charset::{Charset, to_ascii};

/// Draws the full-screen display in the terminal's character set, and returns the clickable areas.
pub(super) fn draw(app: &App, frame: &mut Frame<'_>) -> ClickAreas {
    let hits = draw_signs(app, frame);
    if app.charset == Charset::Ascii {
        for cell in &mut frame.buffer_mut().content {
            let text: String = cell.symbol().chars().map(to_ascii).collect();
            cell.set_symbol(&text);
        }
    }
    hits
}

/// Draws the full-screen display with Unicode symbols, and returns the clickable areas.
fn draw_signs(app: &App, frame: &mut Frame<'_>) -> ClickAreas {
    let mut hits = ClickAreas::default();
    let area = frame.area();
    let rules = app.controller.rules();
    let least = layout::least(rules, &app.faces);
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
    let snapshot = app.snapshot();
    let rows = sides::score_rows(app);
    let areas = layout::plan(area, rules, &app.faces, rows);
    let mut painter = Painter { app, snapshot: &snapshot, frame, hits: &mut hits };
    painter.header(areas.header);
    painter.player(areas.other_name, false);
    painter.board(areas.board, areas.cell);
    painter.player(areas.own_name, true);
    painter.prompt(areas.prompt);
    painter.multiplier(areas.multiplier);
    if let Some(area) = areas.score {
        painter.score(area);
    }
    painter.moves(areas.moves);
    painter.message(areas.message);
    painter.keys(areas.keys);
    if let Some(popup) = &app.popup {
        painter.popup(area, popup);
    }
    hits
}
