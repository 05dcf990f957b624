//! The table that fills the terminal: state (`app`), input, drawing and thinking apart from each other.

mod app;
mod draw;
mod faces;
mod help;
mod input;
mod intents;
mod popup;
mod review;
mod terminal;
mod workers;

#[cfg(test)]
mod tests;

use std::env;
use std::io::Write;
use std::time::Duration;

use anyhow::{Context as _, Result};
use ratatui::crossterm::event;

use self::app::{App, Leaving};
use self::input::{Hits, Intent};
use self::terminal::{Gate, Screen};
use self::workers::Minds;
use crate::errors::{self, Interrupted, write_error};
use crate::play::controller::MatchController;
use crate::play::messages;

/// How long a key is waited for while somebody thinks.
const WHILE_THINKING: Duration = Duration::from_millis(25);
/// How long it is waited for otherwise: nothing else can happen.
const OTHERWISE: Duration = Duration::from_hours(1);

/// Plays until the match is over or the player leaves.
pub(crate) fn play(course: MatchController, out: &mut dyn Write) -> Result<()> {
    let gate = Gate::default();
    let at_signal = gate.clone();
    course.keeper().tell_at_ctrl_c(move || at_signal.close())?;
    let has_colour = env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let mut app = App::new(course, has_colour);
    let left = on_screen(&mut app, &gate);
    gate.close();
    let keeper = app.course.keeper();
    let left = left
        .map_err(|error| error.context(format!("the match has stopped\n{}", keeper.tell_left())))?;
    if left == Leaving::Interrupt {
        errors::print_aside(&keeper.tell_left());
        return Err(Interrupted.into());
    }
    let farewell = if app.course.contest().result().is_some() {
        messages::end_of_match(app.course.session(), out).map_err(write_error)?;
        format!("\n{}", keeper.tell_over())
    } else {
        keeper.tell_left()
    };
    writeln!(out, "{}", farewell.trim_end()).map_err(write_error)
}

/// Draws, waits, and lets things happen, until the player leaves.
fn on_screen(app: &mut App, gate: &Gate) -> Result<Leaving> {
    let minds = Minds::new(&app.course)?;
    let mut screen = Screen::open(gate)?;
    loop {
        for request in app.take_requests() {
            minds.ask(request)?;
        }
        let mut hits = Hits::default();
        screen.draw(|frame| hits = draw::draw(app, frame))?;
        app.scroll_end = hits.scroll_end;
        if wait(app, &minds, &hits, &mut screen)?.is_some()
            && let Some(leaving) = app.leaving
        {
            return Ok(leaving);
        }
    }
}

/// Waits until something happens that may change the screen.
fn wait(app: &mut App, minds: &Minds, hits: &Hits, screen: &mut Screen) -> Result<Option<Leaving>> {
    loop {
        if let Some(answer) = minds.answer()? {
            app.hear(answer)?;
            return Ok(None);
        }
        let patience = if app.is_waiting() { WHILE_THINKING } else { OTHERWISE };
        if !event::poll(patience).context(CANNOT_READ)? {
            continue;
        }
        let event = event::read().context(CANNOT_READ)?;
        match input::read(&event, app.focus(), hits) {
            Some(intent) => {
                if intent == Intent::Redraw {
                    screen.forget()?;
                }
                app.follow(intent)?;
                return Ok(app.leaving);
            }
            None if matches!(event, event::Event::Resize(..)) => return Ok(None),
            None => {}
        }
    }
}

const CANNOT_READ: &str = "cannot read the terminal";
