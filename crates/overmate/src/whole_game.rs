//! Working out a whole game: the memory that it takes, how far it is, and Ctrl-C.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use overmate_rules::RuleSet;
use overmate_solver::{Kernel, MAX_WHOLE_DECK, Progress, WholeGame, WholeOptions};
use sysinfo::{ProcessRefreshKind, ProcessesToUpdate, System};

use crate::cli::WorkOptions;
use overmate_terminal::errors::Interrupted;
use overmate_terminal::signals;

/// A bar on the standard error, if that is a terminal; it is gone when the work is done.
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

/// Works out a whole game, and says how long it took.
pub(crate) fn solve(
    rules: &Arc<RuleSet>,
    options: &WorkOptions,
    stop: Option<&AtomicBool>,
) -> Result<(WholeGame, Duration)> {
    let options = WholeOptions {
        threads: threads(options.threads),
        kernel: options.kernel.map_or_else(Kernel::fastest, Into::into),
    };
    let failed = || format!("{} cannot be solved as a whole", rules.name());
    if rules.deck().cards().len() <= MAX_WHOLE_DECK {
        check_memory(WholeGame::positions_of(rules)).with_context(failed)?;
    }
    let progress = StageBar::new("Solving");
    let tell = |done, total| progress.tell(done, total);
    let start = Instant::now();
    let watch = Progress { report: Some(&tell), stop };
    let game = WholeGame::solve(rules, options, &watch).with_context(failed)?;
    Ok((game, start.elapsed()))
}

/// As many as were asked for, or one for each processor.
pub(crate) fn threads(asked: Option<u16>) -> usize {
    asked.map_or_else(|| WholeOptions::default().threads, usize::from)
}

/// Asks for memory before it is taken: a system that has too little ends programs without a word.
pub(crate) fn check_memory(needed: u64) -> Result<()> {
    compare_memory(needed, free_memory())
}

/// The memory that can be had without harm to others, in bytes, if the system tells.
fn free_memory() -> Option<u64> {
    let mut system = System::new().ok()?;
    system.refresh_memory();
    let machine = (system.total_memory() > 0).then(|| system.available_memory());
    machine.into_iter().chain(free_in_container(&mut system)).min()
}

/// What the group of this process may still take, if it has a limit. What the system keeps of files for it is
/// given back when it is needed, so it does not count.
fn free_in_container(system: &mut System) -> Option<u64> {
    let own = sysinfo::get_current_pid().ok()?;
    let update = ProcessesToUpdate::Some(&[own]);
    system.refresh_processes_specifics(update, false, ProcessRefreshKind::nothing());
    let limits = system.process(own).and_then(sysinfo::Process::cgroup_limits);
    let limits = limits.or_else(|| system.cgroup_limits())?;
    Some(limits.total_memory.saturating_sub(limits.rss))
}

fn compare_memory(needed: u64, free: Option<u64>) -> Result<()> {
    if let Some(free) = free
        && free < needed
    {
        bail!("it takes {} MB of memory, and {} MB are free", needed.div_ceil(MB), free / MB);
    }
    Ok(())
}

/// Bytes.
pub(crate) const MB: u64 = 1_000_000;

/// Makes Ctrl-C end the program at once. For work that leaves nothing behind.
pub(crate) fn end_at_ctrl_c() -> Result<()> {
    signals::when_told_to_end(|| {
        if io::stderr().is_terminal() {
            // The bar stands there, and the prompt of the shell would follow it.
            let _ = writeln!(io::stderr());
        }
        signals::exit();
    })
}

/// Makes Ctrl-C ask for a stop, so that what was begun is cleared away. Who asks twice gets it at once.
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

/// What is told of work that failed because it was stopped.
pub(crate) fn unless_stopped<T>(stop: &AtomicBool, result: Result<T>) -> Result<T> {
    if result.is_err() && stop.load(Ordering::Relaxed) {
        return Err(Interrupted.into());
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_asked_for_before_it_is_taken() {
        assert!(compare_memory(1_000, Some(1_000)).is_ok());
        assert!(compare_memory(u64::MAX, None).is_ok());
        let error = compare_memory(1_068_000_001, Some(1_067_999_999)).unwrap_err();
        assert_eq!(error.to_string(), "it takes 1069 MB of memory, and 1067 MB are free");
    }

    #[test]
    fn this_machine_tells_how_much_memory_is_free() {
        assert!(free_memory().is_none_or(|free| free > 0));
    }
}
