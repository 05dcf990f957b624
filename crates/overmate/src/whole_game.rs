//! Solves all deals of a rule set for a command, with a check of the free memory, a progress bar, and a stop at Ctrl-C.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use overmate_rules::RuleSet;
use overmate_solver::whole::{MAX_WHOLE_DECK, WholeGame, WholeOptions};
use overmate_solver::{Kernel, Progress};

use crate::cli::WorkOptions;
use crate::memory;
use overmate_terminal::errors::Interrupted;
use overmate_terminal::signals;

/// Progress bar of a long computation, such as solving all deals or verifying a tablebase. The bar appears on a
/// terminal only, and disappears when the Rust value is dropped.
pub(crate) struct StageBar(ProgressBar);

impl StageBar {
    pub(crate) fn new(what: &'static str) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{msg} {bar:40} {percent:>3} % after {elapsed}");
        if let Ok(style) = style {
            bar.set_style(style.progress_chars("=> "));
        }
        Self(bar.with_message(what))
    }

    pub(crate) fn tell(&self, done: u64, total: u64) {
        self.0.set_length(total);
        self.0.set_position(done);
    }
}

impl Drop for StageBar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Solves all deals of a rule set. Returns the solution and the duration of the computation.
pub(crate) fn solve(
    rules: &Arc<RuleSet>,
    options: &WorkOptions,
    stop: Option<&AtomicBool>,
) -> Result<(WholeGame, Duration)> {
    let options = WholeOptions::default()
        .with_threads(threads(options.threads))
        .with_kernel(options.kernel.map_or_else(Kernel::fastest, Into::into));
    let failed = || format!("the rule set {} cannot be solved as a whole game", rules.name());
    if rules.deck().cards().len() <= MAX_WHOLE_DECK {
        memory::check(WholeGame::positions_of(rules)).with_context(failed)?;
    }
    let progress = StageBar::new("Solving");
    let tell = |done, total| progress.tell(done, total);
    let start = Instant::now();
    let watch = Progress { report: Some(&tell), stop };
    let game = WholeGame::solve(rules, options, &watch).with_context(failed)?;
    Ok((game, start.elapsed()))
}

/// Returns the requested number of threads, or by default the number of processors.
pub(crate) fn threads(asked: Option<u16>) -> usize {
    asked.map_or_else(|| WholeOptions::default().threads, usize::from)
}

/// Makes Ctrl-C terminate the program immediately. This is permitted only for work that leaves no unfinished file behind.
pub(crate) fn end_at_ctrl_c() -> Result<()> {
    signals::when_told_to_end(|| {
        if io::stderr().is_terminal() {
            // A line end is printed, so that the shell's prompt appears below the progress bar.
            let _ = writeln!(io::stderr());
        }
        signals::exit();
    })
}

/// Makes Ctrl-C set the returned stop flag, so that a long computation can delete its temporary files. A second Ctrl-C terminates the
/// program immediately.
pub(crate) fn stop_at_ctrl_c() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    signals::when_told_to_end(move || {
        if asked.swap(true, Ordering::Relaxed) {
            signals::exit();
        }
    })?;
    Ok(stop)
}

/// Replaces the error of a computation by [`Interrupted`] if the computation's stop flag is set.
pub(crate) fn unless_stopped<T>(stop: &AtomicBool, result: Result<T>) -> Result<T> {
    if result.is_err() && stop.load(Ordering::Relaxed) {
        return Err(Interrupted.into());
    }
    result
}
