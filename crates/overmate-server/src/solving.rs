//! Exact values: solved deals are kept, work is done off the asynchronous threads, and not too much of it at once.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use moka::sync::Cache;
use overmate_rules::{Dealt, RuleSet};
use overmate_solver::{Budget, Solver};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::error::ApiError;

/// What one analysis of a game with more than 20 cards may take.
const TIME: Duration = Duration::from_millis(1_500);

/// How long one waits for its turn.
const PATIENCE: Duration = Duration::from_secs(10);

/// Solved deals that are kept: up to 8 MB each.
const DEALS: u64 = 16;

/// How many processors there are.
pub(crate) fn processors() -> usize {
    available_parallelism().map_or(1, NonZeroUsize::get)
}

/// The solvers.
pub(crate) struct Solving {
    /// By rule set and deal: each keeps the table of its deal.
    solvers: Cache<(Arc<RuleSet>, Dealt), Arc<Mutex<Solver>>>,
    permits: Arc<Semaphore>,
}

/// Sets its flag when it is dropped: when the work is done, or nobody waits for it any more.
struct StopWhenDropped(Arc<AtomicBool>);

impl Drop for StopWhenDropped {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Solving {
    pub(crate) fn new() -> Self {
        Self { solvers: Cache::new(DEALS), permits: Arc::new(Semaphore::new(processors())) }
    }

    /// Works with the solver of a deal, when it is its turn.
    pub(crate) async fn of_deal<T: Send + 'static>(
        &self,
        rules: &Arc<RuleSet>,
        dealt: Dealt,
        work: impl FnOnce(&mut Solver, &Budget) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let solver = self.solvers.get_with((Arc::clone(rules), dealt), Arc::default);
        self.run(move |budget| {
            let mut solver = solver.lock().unwrap_or_else(PoisonError::into_inner);
            work(&mut solver, budget)
        })
        .await
    }

    /// Works when it is its turn. The budget ends when nobody waits for the result any more.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Budget) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let permit = timeout(PATIENCE, Arc::clone(&self.permits).acquire_owned()).await;
        let permit = permit.map_err(|_| ApiError::Busy)?.map_err(ApiError::internal)?;
        let stop = Arc::new(AtomicBool::new(false));
        let _guard = StopWhenDropped(Arc::clone(&stop));
        let start = Instant::now();
        let result = tokio::task::spawn_blocking(move || {
            // Held until the work ends, even if nobody waits for it.
            let _permit = permit;
            work(&Budget::unlimited().with_time(TIME).with_stop(stop))
        });
        let result = result.await.map_err(ApiError::internal)?;
        metrics::histogram!("overmate_solve_seconds").record(start.elapsed().as_secs_f64());
        Ok(result)
    }
}
