//! Runs long computations that Ctrl-C can stop, and reports their progress to Python.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;

use crate::errors::fault;

/// Interval at which the calling thread checks for signals, such as Ctrl-C, and reports progress while a computation runs.
const PERIOD: Duration = Duration::from_millis(100);

/// Progress counters of a computation: the number of finished units of work, and the number of all units. The threads
/// of the computation update the counters.
#[derive(Default)]
pub(crate) struct Counts {
    done: AtomicU64,
    total: AtomicU64,
}

impl Counts {
    /// Sets the number of finished units of work and the number of all units.
    pub(crate) fn set(&self, done: u64, total: u64) {
        self.done.store(done, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    /// Adds `units` to the number of finished units of work.
    pub(crate) fn add(&self, units: u64) {
        self.done.fetch_add(units, Ordering::Relaxed);
    }
}

/// Runs a computation in a separate thread, without holding Python's global interpreter lock (GIL).
///
/// Meanwhile the calling thread calls `progress` with the numbers of finished and of all units. After a signal such as Ctrl-C, or
/// after an exception of `progress`, the function sets the cancel flag, and raises the resulting exception once the computation
/// has ended.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&AtomicBool, &Counts) -> T + Send,
) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    run_with_flag(py, &stop, progress, |counts| work(&stop, counts))
}

/// Runs a computation in a separate thread, with a cancel flag from the caller. Otherwise works like [`run`].
pub(crate) fn run_with_flag<T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Counts) -> T + Send,
) -> PyResult<T> {
    let counts = &Counts::default();
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        let computation = scope.spawn(move || {
            // Sending the result cannot fail, because the calling thread keeps the channel open until the computation has ended.
            let _ = sender.send(work(counts));
        });
        let mut raised = None;
        // `detach` requires a closure that is `Send`. A reference to the receiver is not `Send`, but a reference to its mutex is.
        let receiver = Mutex::new(receiver);
        loop {
            let received = py.detach(|| {
                let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
                receiver.recv_timeout(PERIOD)
            });
            match received {
                Ok(result) => {
                    return match raised {
                        Some(error) => Err(error),
                        None => report(progress, counts).map(|()| result),
                    };
                }
                Err(RecvTimeoutError::Disconnected) => {
                    // The computation panicked. Without `join`, the scope would panic, too, when it ends.
                    let _ = computation.join();
                    return Err(fault(
                        "the thread of the computation ended without a result: please report this bug of Overmate",
                    ));
                }
                Err(RecvTimeoutError::Timeout) if raised.is_none() => {
                    if let Err(error) = py.check_signals().and_then(|()| report(progress, counts)) {
                        stop.store(true, Ordering::Relaxed);
                        raised = Some(error);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    })
}

/// Reports the progress of a computation to Python as the numbers of finished units and of all units. Reports nothing
/// while the number of all units is unknown.
fn report(progress: Option<&Bound<'_, PyAny>>, counts: &Counts) -> PyResult<()> {
    let total = counts.total.load(Ordering::Relaxed);
    if let Some(progress) = progress.filter(|_| total > 0) {
        progress.call1((counts.done.load(Ordering::Relaxed), total))?;
    }
    Ok(())
}
