//! Defines the drawing context, which the code for all parts of the full-screen display shares.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::super::app::{App, ShownMoment};
use super::super::input::ClickAreas;
use super::super::intent::Intent;
use crate::text::words;

/// Drawing context: the state of the display, the frame to draw into, and the clickable areas that are known so far.
pub(super) struct Painter<'a, 'b> {
    pub(super) app: &'a App,
    pub(super) snapshot: &'a ShownMoment,
    pub(super) frame: &'a mut Frame<'b>,
    pub(super) hits: &'a mut ClickAreas,
}

impl Painter<'_, '_> {
    /// Draws a line of text into the row `row` of a screen area, counted from 0. Text outside of the area is cut off.
    pub(super) fn line(&mut self, area: Rect, row: u16, line: Line<'_>) {
        if row < area.height {
            let area = Rect { y: area.y + row, height: 1, ..area };
            self.frame.render_widget(line, area);
        }
    }

    pub(super) fn hit(&mut self, area: Rect, intent: Intent) {
        self.hits.areas.push((area, intent));
    }

    /// Returns `You` for the human (if `is_own` is set), otherwise the opponent's name with the opponent's strength.
    pub(super) fn name(&self, is_own: bool) -> String {
        if is_own {
            words::YOU.to_owned()
        } else {
            let controller = &self.app.controller;
            format!("{}, {}", controller.session().opponent(), controller.strength())
        }
    }
}
