//! Translates key presses and mouse events into commands of the player.

use overmate_rules::Action;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::{Position, Rect};

use super::intent::{Direction, Intent, LookTarget};

/// Clickable areas of the screen as last drawn, each with the command that a click in the area gives.
#[derive(Default)]
pub(super) struct ClickAreas {
    pub(super) areas: Vec<(Rect, Intent)>,
    /// Whether the screen is too small to draw the match. A small screen permits only a few commands, such as leaving the
    /// program.
    pub(super) is_too_small: bool,
    /// Maximum scroll offset of the open popup, in lines.
    pub(super) scroll_end: u16,
}

/// Keyboard focus: the part of the screen that receives the player's key presses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Focus {
    Table,
    Popup,
    /// A popup in which the player types an action.
    Typing,
}

/// Returns the command that the player gives by a key or mouse event, or `None` if the event has no effect.
pub(super) fn read(event: &Event, focus: Focus, hits: &ClickAreas) -> Option<Intent> {
    let intent = match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => of_key(*key, focus),
        Event::Mouse(mouse) => of_mouse(*mouse, focus, hits),
        _ => None,
    }?;
    let leaves =
        matches!(intent, Intent::Leave | Intent::Interrupt | Intent::Redraw | Intent::Suspend);
    (leaves || !hits.is_too_small).then_some(intent)
}

fn of_key(key: KeyEvent, focus: Focus) -> Option<Intent> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c') => Some(Intent::Interrupt),
            KeyCode::Char('l') => Some(Intent::Redraw),
            KeyCode::Char('z') => Some(Intent::Suspend),
            _ => None,
        };
    }
    if key.modifiers.contains(KeyModifiers::ALT) {
        return None;
    }
    match focus {
        Focus::Typing => of_typing(key.code),
        Focus::Popup => of_popup(key.code),
        Focus::Table => of_table(key.code),
    }
}

fn direction(code: KeyCode) -> Option<Direction> {
    Some(match code {
        KeyCode::Left | KeyCode::Char('h') => Direction::Left,
        KeyCode::Right | KeyCode::Char('l') => Direction::Right,
        KeyCode::Up | KeyCode::Char('k') => Direction::Up,
        KeyCode::Down | KeyCode::Char('j') => Direction::Down,
        _ => return None,
    })
}

fn of_typing(code: KeyCode) -> Option<Intent> {
    match code {
        KeyCode::Char(letter) => Some(Intent::Letter(letter)),
        KeyCode::Backspace => Some(Intent::Erase),
        KeyCode::Enter => Some(Intent::Confirm),
        KeyCode::Esc => Some(Intent::Back),
        _ => None,
    }
}

fn of_popup(code: KeyCode) -> Option<Intent> {
    match code {
        KeyCode::Enter | KeyCode::Char(' ') => Some(Intent::Confirm),
        KeyCode::Esc | KeyCode::Char('q' | '?') => Some(Intent::Back),
        KeyCode::Tab => Some(Intent::Go(Direction::Right)),
        KeyCode::BackTab => Some(Intent::Go(Direction::Left)),
        KeyCode::PageUp => Some(Intent::Scroll(-10)),
        KeyCode::PageDown => Some(Intent::Scroll(10)),
        KeyCode::Home => Some(Intent::Scroll(i16::MIN)),
        KeyCode::End => Some(Intent::Scroll(i16::MAX)),
        code => direction(code).map(Intent::Go),
    }
}

fn of_table(code: KeyCode) -> Option<Intent> {
    Some(match code {
        KeyCode::Enter | KeyCode::Char(' ') => Intent::Confirm,
        KeyCode::Esc => Intent::Back,
        KeyCode::Char('-') => Intent::Act(Action::Decline),
        KeyCode::Char('!') => Intent::Demand,
        KeyCode::Char('*') => Intent::Free,
        KeyCode::Char('u') => Intent::Undo,
        KeyCode::Char('i') => Intent::Hint,
        KeyCode::Char('w') => Intent::Why,
        KeyCode::Char('m') => Intent::Seals,
        KeyCode::Char('?') | KeyCode::F(1) => Intent::Help,
        KeyCode::Char('s') => Intent::Score,
        KeyCode::Char('o') => Intent::Record,
        KeyCode::Char('r') => Intent::Review,
        KeyCode::Char('R') => Intent::AskResign,
        KeyCode::Char(':' | '/') => Intent::Type,
        KeyCode::Char('q') => Intent::Leave,
        KeyCode::PageUp | KeyCode::Char('[' | ',') => Intent::Look(LookTarget::Before),
        KeyCode::PageDown | KeyCode::Char(']' | '.') => Intent::Look(LookTarget::After),
        KeyCode::Home => Intent::Look(LookTarget::Beginning),
        KeyCode::End => Intent::Look(LookTarget::Present),
        code => Intent::Go(direction(code)?),
    })
}

fn of_mouse(mouse: MouseEvent, focus: Focus, hits: &ClickAreas) -> Option<Intent> {
    let at = Position { x: mouse.column, y: mouse.row };
    match (mouse.kind, focus) {
        (MouseEventKind::Down(MouseButton::Left), _) => {
            let hit = hits.areas.iter().rev().find(|(area, _)| area.contains(at));
            hit.map(|(_, intent)| *intent)
        }
        (MouseEventKind::ScrollUp, Focus::Table) => Some(Intent::Look(LookTarget::Before)),
        (MouseEventKind::ScrollDown, Focus::Table) => Some(Intent::Look(LookTarget::After)),
        (MouseEventKind::ScrollUp, Focus::Popup) => Some(Intent::Scroll(-3)),
        (MouseEventKind::ScrollDown, Focus::Popup) => Some(Intent::Scroll(3)),
        _ => None,
    }
}
