//! Provides the wall clock of a simulation, which follows the paused clock of the asynchronous runtime.

use std::cell::Cell;

use tokio::time::Instant;

/// Unix time at which each simulation begins, in milliseconds (9 September 2001).
const BEGIN: i64 = 1_000_000_000_000;

thread_local! {
    /// Monotonic time at which the simulation in this thread began, or `None` if no simulation runs in this thread.
    static BEGUN: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Guard that keeps the simulated wall clock of a thread running. When the guard is dropped, the thread uses the clock of the
/// machine again.
pub(crate) struct SimulatedTime(());

impl SimulatedTime {
    /// Starts the simulated wall clock of this thread.
    pub(crate) fn start() -> Self {
        BEGUN.set(Some(Instant::now()));
        Self(())
    }
}

impl Drop for SimulatedTime {
    fn drop(&mut self) {
        BEGUN.set(None);
    }
}

/// Returns the simulated Unix time in milliseconds, or `None` outside of a simulation.
pub(crate) fn now_ms() -> Option<i64> {
    let passed = BEGUN.get().map(|begun| begun.elapsed())?;
    Some(BEGIN + i64::try_from(passed.as_millis()).unwrap_or(i64::MAX / 2))
}
