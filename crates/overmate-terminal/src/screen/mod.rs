//! Plays a match on the full screen, with separate modules for state (`app`), input, drawing and search (`workers`).

mod app;
mod board;
mod draw;
mod faces;
mod help;
mod input;
mod intent;
mod intents;
mod lines;
mod popup;
mod popup_content;
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

use self::app::{App, Exit};
use self::input::ClickAreas;
use self::intent::Intent;
use self::terminal::{Screen, TerminalGuard};
use self::workers::Workers;
use crate::charset::Charset;
use crate::errors::{self, Interrupted, write_error};
use crate::play::controller::MatchController;
use crate::play::messages;

/// Polling interval for answers of worker threads while a request to a worker thread is unanswered.
const WHILE_THINKING: Duration = Duration::from_millis(25);
/// Maximum time to wait for a key press while no worker thread is at work.
const OTHERWISE: Duration = Duration::from_hours(1);

/// Plays a match on the full screen until the match is over or the player leaves.
pub(crate) fn play(
    controller: MatchController,
    charset: Charset,
    out: &mut dyn Write,
) -> Result<()> {
    let guard = TerminalGuard::default();
    let at_signal = guard.clone();
    controller.autosave().print_place_at_exit(move || at_signal.close())?;
    let has_colour = env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let mut app = App::new(controller, has_colour, charset);
    let left = on_screen(&mut app, &guard);
    guard.close();
    let autosave = app.controller.autosave();
    let left = left.map_err(|error| {
        error.context(format!("the match has stopped\n{}", autosave.leaving_message()))
    })?;
    if left == Exit::Interrupt {
        errors::print_aside(&autosave.leaving_message());
        return Err(Interrupted.into());
    }
    let farewell = if app.controller.played_match().result().is_some() {
        messages::end_of_match(app.controller.session(), out).map_err(write_error)?;
        format!("\n{}", autosave.finished_message())
    } else {
        autosave.leaving_message()
    };
    writeln!(out, "{}", farewell.trim_end()).map_err(write_error)
}

/// Draws the match, and reacts to keys, clicks and answers of worker threads, until the player leaves.
fn on_screen(app: &mut App, guard: &TerminalGuard) -> Result<Exit> {
    let workers = Workers::new(&app.controller)?;
    let mut screen = Screen::open(guard)?;
    loop {
        for request in app.take_requests() {
            workers.ask(request)?;
        }
        let mut hits = ClickAreas::default();
        screen.draw(|frame| hits = draw::draw(app, frame))?;
        app.scroll_end = hits.scroll_end;
        if wait(app, &workers, &hits, &mut screen)?.is_some()
            && let Some(leaving) = app.leaving
        {
            return Ok(leaving);
        }
    }
}

/// Waits for an event that may change the screen: a key, a click, a new terminal size, or an answer of a worker thread.
fn wait(
    app: &mut App,
    workers: &Workers,
    hits: &ClickAreas,
    screen: &mut Screen,
) -> Result<Option<Exit>> {
    loop {
        if let Some(answer) = workers.answer()? {
            app.receive(answer)?;
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
                } else if intent == Intent::Suspend {
                    screen.suspend()?;
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
