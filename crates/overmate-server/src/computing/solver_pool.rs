//! Runs analyses with the exact solver, scheduled fairly between clients, and caches the solvers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use overmate_rules::Dealt;
use overmate_solver::{Budget, Solver};

use super::compute::{Class, Compute, ComputePermit, Purpose};
use super::fair_cache::FairCache;
use super::fair_semaphore::QueueLimit;
use crate::error::ApiError;
use crate::http::client::Client;

/// Time limit for one analysis of a game with more than 20 cards.
const TIME: Duration = Duration::from_millis(1_500);

/// Memory limit, in bytes, for one search by a computer opponent, and for one analysis of a game with more than 20 cards.
///
/// The limit suffices for nearly all positions of a Pinochle deck with 16 cards in each hand. The
/// number of simultaneous searches is at most the number of processors, and at least two.
pub(crate) const MEMORY: u64 = 256_000_000;

/// Limits of the queue of analyses: the maximum number of waiting analyses per IP network, and in total. Each cost class has its
/// own queue.
const QUEUE: QueueLimit = QueueLimit { of_network: 64, of_all: 1_000 };

/// Name of the queue of waiting analyses in error texts.
const WAITING: &str = "waiting analyses";

/// Memory limit of all cached solvers together, in bytes.
const CACHE_BYTES: u64 = 128_000_000;

/// Upper bound on the memory of a solver for one deal, in bytes. The largest deal table has 2²² positions (under rules with a
/// free move) of 16 bits each.
///
/// A solver for more than 20 cards keeps no deal table.
const SOLVER_BYTES: u64 = 8_400_000;

/// Pool of solvers for recently analysed deals. The pool limits the number of concurrent searches.
pub(crate) struct SolverPool {
    /// Cached solvers by deal. Each solver contains the deal table of its deal.
    solvers: FairCache<Dealt, Solver>,
    compute: Arc<Compute>,
}

/// Guard that sets the stop flag of a search when the guard is dropped, so that a cancelled request ends its search.
struct StopWhenDropped(Arc<AtomicBool>);

impl Drop for StopWhenDropped {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl SolverPool {
    pub(crate) fn new(compute: Arc<Compute>) -> Self {
        Self { solvers: FairCache::new(CACHE_BYTES), compute }
    }

    /// Runs a function on a blocking thread, with the solver of a deal. Returns the function's result.
    ///
    /// If another client is currently analysing the deal, the pool creates a second solver, so that
    /// no client waits for another client's search.
    pub(crate) async fn with_deal<T: Send + 'static>(
        self: &Arc<Self>,
        client: Client,
        dealt: Dealt,
        work: impl FnOnce(&mut Solver, &Budget) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let class = Class::of_hands(dealt.hands());
        let pool = Arc::clone(self);
        let search = move |budget: &Budget| {
            let mut solver = pool.solvers.take(&dealt).unwrap_or_default();
            let result = work(&mut solver, budget);
            if class == Class::Cheap {
                pool.solvers.put(dealt, solver, client.network(), SOLVER_BYTES);
            }
            result
        };
        self.run(client, class, search).await
    }

    /// Waits until the client may run a computation, and then runs a function on a blocking thread. Returns the function's result. When the
    /// caller is cancelled, the budget stops the function's search.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        client: Client,
        class: Class,
        work: impl FnOnce(&Budget) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let permit = self.permit(class, client).await?;
        let stop = Arc::new(AtomicBool::new(false));
        let _guard = StopWhenDropped(Arc::clone(&stop));
        let start = Instant::now();
        let budget = Budget::unlimited().with_time(TIME).with_memory(MEMORY).with_stop(stop);
        let result = permit.run(move || work(&budget)).await?;
        metrics::histogram!("overmate_solve_seconds").record(start.elapsed().as_secs_f64());
        Ok(result)
    }

    /// Waits until the client may run a computation, but only for a limited time, and returns the permit. Returns an error if too many
    /// clients wait, or if the wait is too long.
    pub(crate) async fn permit(
        &self,
        class: Class,
        client: Client,
    ) -> Result<ComputePermit, ApiError> {
        self.compute.timely_permit(class, Purpose::Solver, client, QUEUE, WAITING).await
    }

    /// Waits until the client may run a computation, without a time limit, and returns the permit. This method is for the later parts of a
    /// streamed HTTP response, because the server can no longer refuse a response that has begun.
    pub(crate) async fn patient_permit(
        &self,
        class: Class,
        client: Client,
    ) -> Result<ComputePermit, ApiError> {
        let permit = self.compute.permit(class, Purpose::Solver, client, None).await;
        permit.map_err(|_| ApiError::Full { what: WAITING })
    }
}
