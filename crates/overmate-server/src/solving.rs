//! Exact values: solved deals are kept, work is done off the asynchronous threads, and not too much of it at once.

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

/// What one analysis of a game with more than 20 cards may take.
const TIME: Duration = Duration::from_millis(1_500);

/// What one analysis, or one action of an opponent, may take of memory with more than 20 cards, in bytes: enough for nearly all positions of a
/// Pinochle deck with 16 cards in each hand. Of each no more are worked on at a time than there are processors.
pub(crate) const MEMORY: u64 = 256_000_000;

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
    /// By deal: each keeps the table of its deal.
    solvers: Cache<Dealt, Arc<Mutex<Solver>>>,
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
        Self::at_once(processors())
    }

    /// With so much work at once.
    fn at_once(permits: usize) -> Self {
        Self { solvers: Cache::new(DEALS), permits: Arc::new(Semaphore::new(permits)) }
    }

    /// Works with the solver of a deal, when it is its turn.
    pub(crate) async fn of_deal<T: Send + 'static>(
        &self,
        dealt: Dealt,
        work: impl FnOnce(&mut Solver, &Budget) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let solver = self.solvers.get_with(dealt, Arc::default);
        // First the deal, then a processor: who waits for a deal keeps no processor from the others.
        let solver = timeout(PATIENCE, solver.lock_owned()).await.map_err(|_| ApiError::Busy)?;
        self.run(move |budget| {
            let mut solver = solver;
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
    fn one_deal_holds_one_processor_however_many_ask_for_it() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        runtime.expect("a runtime").block_on(async {
            let solving = Arc::new(Solving::at_once(2));
            let rules = RuleSet::named("bga").expect("a rule set").shared();
            let dealt = |number| Deal::numbered(&rules, number).expect("a deal");
            let (finish, finished) = mpsc::channel::<()>();
            let (started, start) = tokio::sync::oneshot::channel();
            let ask = |work: Box<dyn FnOnce() + Send>| {
                let (solving, dealt) = (Arc::clone(&solving), dealt(1));
                tokio::spawn(async move { solving.of_deal(dealt, |_, _| work()).await })
            };
            let first = ask(Box::new(move || {
                started.send(()).expect("somebody waits");
                // Until the test says so, or fails.
                let _ = finished.recv();
            }));
            start.await.expect("it starts");
            let others: Vec<_> = (0..4).map(|_| ask(Box::new(|| ()))).collect();
            // Each comes to where it waits.
            for _ in 0..others.len() {
                tokio::task::yield_now().await;
            }
            let other = solving.of_deal(dealt(2), |_, _| ()).await;
            assert!(other.is_ok(), "another deal waits for this one");
            finish.send(()).expect("it runs");
            for asked in others.into_iter().chain([first]) {
                assert!(asked.await.expect("no panic").is_ok());
            }
        });
    }
}
