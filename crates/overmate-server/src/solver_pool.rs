//! Runs searches on blocking threads, with a limit on concurrent searches and a cache of solved deals.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use moka::sync::Cache;
use overmate_rules::Dealt;
use overmate_solver::{Budget, Solver};
use tokio::sync::{Mutex, Semaphore};
use tokio::time::timeout;

use crate::error::ApiError;

/// Time budget for one analysis of a game with more than 20 cards.
const TIME: Duration = Duration::from_millis(1_500);

/// Memory budget in bytes for one analysis, or for one action of a computer opponent, in a game with more than 20 cards.
///
/// The budget holds nearly all positions of a Pinochle deck with 16 cards in each hand. At most as many analyses, and as
/// many actions, run at a time as there are processors.
pub(crate) const MEMORY: u64 = 256_000_000;

/// Longest time for which a search waits for a free solver or a free processor.
const QUEUE_TIME: Duration = Duration::from_secs(10);

/// Largest number of solved deals in the cache; each takes up to 8 MB.
const DEALS: u64 = 16;

/// Returns the number of processors that this process may use.
pub(crate) fn processors() -> usize {
    available_parallelism().map_or(1, NonZeroUsize::get)
}

/// Solvers of recently analysed deals, and permits that limit concurrent searches.
pub(crate) struct SolverPool {
    /// Solvers by deal; each solver holds the transposition table of its deal.
    solvers: Cache<Dealt, Arc<Mutex<Solver>>>,
    permits: Arc<Semaphore>,
}

/// Guard that sets a stop flag when it is dropped: when the search is done, or its caller is cancelled.
struct StopWhenDropped(Arc<AtomicBool>);

impl Drop for StopWhenDropped {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl SolverPool {
    pub(crate) fn new() -> Self {
        Self::with_permits(processors())
    }

    /// Creates a pool that runs at most `permits` searches at a time.
    fn with_permits(permits: usize) -> Self {
        Self { solvers: Cache::new(DEALS), permits: Arc::new(Semaphore::new(permits)) }
    }

    /// Runs a function with the solver of a deal on a blocking thread, and returns the function's result.
    pub(crate) async fn with_deal<T: Send + 'static>(
        &self,
        dealt: Dealt,
        work: impl FnOnce(&mut Solver, &Budget) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let solver = self.solvers.get_with(dealt, Arc::default);
        // The solver is locked before a permit is taken, so that work which waits for a solver holds no processor.
        let solver = timeout(QUEUE_TIME, solver.lock_owned())
            .await
            .map_err(|_| ApiError::busy("no solver or processor became free in time"))?;
        self.run(move |budget| {
            let mut solver = solver;
            work(&mut solver, budget)
        })
        .await
    }

    /// Runs a function on a blocking thread when a permit is free, and returns the function's result. The budget stops when the caller is
    /// cancelled.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Budget) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let permit = timeout(QUEUE_TIME, Arc::clone(&self.permits).acquire_owned()).await;
        let permit = permit
            .map_err(|_| ApiError::busy("no solver or processor became free in time"))?
            .map_err(ApiError::internal)?;
        let stop = Arc::new(AtomicBool::new(false));
        let _guard = StopWhenDropped(Arc::clone(&stop));
        let start = Instant::now();
        let result = tokio::task::spawn_blocking(move || {
            // The permit is held until the work ends, even if the caller is cancelled.
            let _permit = permit;
            work(&Budget::unlimited().with_time(TIME).with_memory(MEMORY).with_stop(stop))
        });
        let result = result.await.map_err(ApiError::internal)?;
        metrics::histogram!("overmate_solve_seconds").record(start.elapsed().as_secs_f64());
        Ok(result)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use overmate_rules::{Deal, RuleSet};

    use super::*;

    #[test]
    fn many_requests_for_one_deal_hold_one_permit() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        runtime.expect("a runtime").block_on(async {
            let pool = Arc::new(SolverPool::with_permits(2));
            let rules = RuleSet::named("bga").expect("a rule set").shared();
            let dealt = |number| Deal::numbered(&rules, number).expect("a deal");
            let (finish, finished) = mpsc::channel::<()>();
            let (started, start) = tokio::sync::oneshot::channel();
            let ask = |work: Box<dyn FnOnce() + Send>| {
                let (pool, dealt) = (Arc::clone(&pool), dealt(1));
                tokio::spawn(async move { pool.with_deal(dealt, |_, _| work()).await })
            };
            let first = ask(Box::new(move || {
                started.send(()).expect("the test waits");
                // Waits for a message of the test; a failed test drops the sender.
                let _ = finished.recv();
            }));
            start.await.expect("the work starts");
            let others: Vec<_> = (0..4).map(|_| ask(Box::new(|| ()))).collect();
            // Every task runs until it waits for the solver.
            for _ in 0..others.len() {
                tokio::task::yield_now().await;
            }
            let other = pool.with_deal(dealt(2), |_, _| ()).await;
            assert!(other.is_ok(), "work on deal 2 waited for deal 1");
            finish.send(()).expect("the work runs");
            for asked in others.into_iter().chain([first]) {
                assert!(asked.await.expect("no panic").is_ok());
            }
        });
    }
}
