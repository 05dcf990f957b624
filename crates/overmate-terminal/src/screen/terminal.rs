//! Switches the terminal to full-screen display, and restores the terminal's former state at normal exit, panic and termination by a
//! signal.

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

const CANNOT_DRAW: &str = "cannot draw on the terminal";

/// Guard that restores the terminal, shared by the drawing code, the panic hook and the signal handler.
#[derive(Clone, Default)]
pub(super) struct TerminalGuard(Arc<TerminalState>);

#[derive(Default)]
struct TerminalState {
    is_open: AtomicBool,
    /// Lock that is held while the screen is drawn.
    drawing: Mutex<()>,
}

/// Full-screen display of the terminal, on which frames are drawn.
pub(super) struct Screen {
    terminal: DefaultTerminal,
    guard: TerminalGuard,
}

impl TerminalGuard {
    /// Waits until the current frame is drawn, and restores the terminal. Later frames are not drawn, unless the terminal is switched to
    /// the full-screen display again.
    pub(super) fn close(&self) {
        let _drawing = self.0.drawing.lock().unwrap_or_else(PoisonError::into_inner);
        self.close_at_once();
    }

    /// Restores the terminal without waiting for the lock on drawing, because a thread that panicked may still hold this lock.
    fn close_at_once(&self) {
        if self.0.is_open.swap(false, Ordering::SeqCst) {
            // A failure to restore the terminal is ignored, because the terminal may be closed.
            let _ = disable_raw_mode();
            let _ = execute!(io::stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
        }
    }
}

impl Screen {
    /// Switches the terminal to the full-screen display. The guard restores the terminal, also before the message of a panic is
    /// printed.
    pub(super) fn open(guard: &TerminalGuard) -> Result<Self> {
        const CANNOT: &str = "cannot draw on this terminal: play with --lines";
        let at_panic = guard.clone();
        let tell = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            at_panic.close_at_once();
            tell(info);
        }));
        take_over(guard).context(CANNOT)?;
        let backend = ratatui::backend::CrosstermBackend::new(io::stdout());
        let terminal = ratatui::Terminal::new(backend).context(CANNOT)?;
        Ok(Self { terminal, guard: guard.clone() })
    }

    /// Restores the terminal, suspends the process, and switches back to the full-screen display when the process continues.
    ///
    /// On systems without process suspension, the screen is only redrawn.
    pub(super) fn suspend(&mut self) -> Result<()> {
        #[cfg(unix)]
        {
            self.guard.close();
            signal_hook::low_level::raise(signal_hook::consts::SIGTSTP)
                .context("cannot suspend the program")?;
            take_over(&self.guard).context(CANNOT_DRAW)?;
        }
        self.forget()
    }

    /// Draws the next frame (whole image of the display) on the screen. Does nothing if the terminal was restored.
    pub(super) fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> Result<()> {
        let _drawing = self.guard.0.drawing.lock().unwrap_or_else(PoisonError::into_inner);
        if self.guard.0.is_open.load(Ordering::SeqCst) {
            self.terminal.draw(draw).context(CANNOT_DRAW)?;
        }
        Ok(())
    }

    /// Clears the screen, so that the next frame is drawn in full.
    pub(super) fn forget(&mut self) -> Result<()> {
        // `Terminal::clear` is not used, because some terminals do not report the position of the cursor.
        let size = self.terminal.size().context(CANNOT_DRAW)?;
        self.terminal.resize(size.into()).context(CANNOT_DRAW)
    }
}

/// Switches the terminal to raw mode, to the alternate screen, and to mouse capture.
fn take_over(guard: &TerminalGuard) -> io::Result<()> {
    guard.0.is_open.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen, EnableMouseCapture)
}
