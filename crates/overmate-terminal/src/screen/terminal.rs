//! The terminal: taken over for the table, and given back as it was whatever happens.

use std::io;
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, Result};
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::{DefaultTerminal, Frame};

/// Whether the terminal is ours, shared with those who must give it back: panics and signals.
#[derive(Clone, Default)]
pub(super) struct TerminalGuard(Arc<State>);

#[derive(Default)]
struct State {
    is_open: AtomicBool,
    /// Held while something is drawn.
    drawing: Mutex<()>,
}

/// The table's screen.
pub(super) struct Screen {
    terminal: DefaultTerminal,
    guard: TerminalGuard,
}

impl TerminalGuard {
    /// Gives the terminal back when nothing is being drawn; nothing is drawn afterwards.
    pub(super) fn close(&self) {
        let _drawing = self.0.drawing.lock().unwrap_or_else(PoisonError::into_inner);
        self.close_at_once();
    }

    /// The same without waiting: whoever draws may be the one that panics.
    fn close_at_once(&self) {
        if self.0.is_open.swap(false, Ordering::SeqCst) {
            // A terminal that is gone takes nothing back.
            let _ = disable_raw_mode();
            let _ = execute!(io::stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
        }
    }
}

impl Screen {
    /// Takes the terminal over. The gate gives it back, also before a panic is told.
    pub(super) fn open(guard: &TerminalGuard) -> Result<Self> {
        const CANNOT: &str = "cannot draw on this terminal: play with --lines";
        let at_panic = guard.clone();
        let tell = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            at_panic.close_at_once();
            tell(info);
        }));
        guard.0.is_open.store(true, Ordering::SeqCst);
        enable_raw_mode().context(CANNOT)?;
        execute!(io::stdout(), EnterAlternateScreen, EnableMouseCapture).context(CANNOT)?;
        let backend = ratatui::backend::CrosstermBackend::new(io::stdout());
        let terminal = ratatui::Terminal::new(backend).context(CANNOT)?;
        Ok(Self { terminal, guard: guard.clone() })
    }

    /// Draws, unless the terminal has been given back.
    pub(super) fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> Result<()> {
        let _drawing = self.guard.0.drawing.lock().unwrap_or_else(PoisonError::into_inner);
        if self.guard.0.is_open.load(Ordering::SeqCst) {
            self.terminal.draw(draw).context("cannot draw on the terminal")?;
        }
        Ok(())
    }

    /// Forgets what is on the screen, so that all of it is drawn anew.
    pub(super) fn forget(&mut self) -> Result<()> {
        self.terminal.clear().context("cannot draw on the terminal")
    }
}
