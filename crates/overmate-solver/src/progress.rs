//! Defines progress reports and the cancellation of a long computation.

use core::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

/// Progress callback and cancel flag of a long computation.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use overmate_rules::RuleSet;
/// use overmate_solver::Progress;
/// use overmate_solver::whole::{WholeError, WholeGame, WholeOptions};
/// let rules = RuleSet::named("bga")?.shared();
/// let stop = AtomicBool::new(true);
/// let progress = Progress { stop: Some(&stop), ..Progress::default() };
/// let result = WholeGame::solve(&rules, WholeOptions::default(), &progress);
/// assert!(matches!(result, Err(WholeError::Stopped)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct Progress<'a> {
    /// Progress callback, which any thread calls with two numbers: the number of finished positions
    /// and the number of all positions.
    pub report: Option<&'a (dyn Fn(u64, u64) + Sync)>,
    /// Cancel flag, which stops the computation soon after the caller sets it.
    pub stop: Option<&'a AtomicBool>,
}

impl Progress<'_> {
    /// Returns whether the caller has cancelled the computation.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Reports to the caller the number of finished positions and the number of all positions.
    pub(crate) fn tell(&self, done: u64, total: u64) {
        if let Some(report) = self.report {
            report(done, total);
        }
    }
}

/// Error: a computation was cancelled through [`Progress::stop`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the computation was cancelled")
    }
}

impl core::error::Error for Stopped {}
