//! Defines a simulated server process with its links to the store, to the other servers and to clients.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use fastrand::Rng;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::memory_store::{MemoryStore, Tables};
use super::network::{Hearers, LossyEvents, Wire};
use crate::clocks::store_time::StoreTime;
use crate::computing::compute::Compute;
use crate::computing::program_pool::ProgramPool;
use crate::computing::solver_pool::SolverPool;
use crate::error::ApiError;
use crate::names::RefusedWords;
use crate::notices::events::InProcess;
use crate::services::{ClockService, DaysOffService, MatchRepository, MatchService, WatchService};
use crate::settings::{Limits, ServerRole};
use crate::store::{Holder, Store};

/// Timeout of a client for the answer to a request.
const PATIENCE: Duration = Duration::from_secs(20);

/// Server process in the simulated cluster, with the services that players use.
#[derive(Clone)]
pub(super) struct Server {
    pub(super) wire: Wire,
    matches: Arc<MatchService>,
    days_off: Arc<DaysOffService>,
}

impl Server {
    /// Starts the services by which a simulated server answers requests about matches.
    pub(super) fn new(parts: ClockParts) -> Self {
        let ClockParts { wire, repository, clocks, stop } = parts;
        let words = Arc::new(RefusedWords::from_lines([]));
        let solvers = Arc::new(SolverPool::new(Arc::new(Compute::inline())));
        let watching = WatchService::new(Arc::clone(&repository), solvers, Arc::clone(&words));
        let days_off = DaysOffService::new(Arc::clone(&repository), Arc::clone(&clocks));
        let services = (repository, clocks, Arc::new(watching));
        let programs = ProgramPool::empty();
        let matches = Arc::new(MatchService::new(services, words, programs, stop));
        Self { wire, matches, days_off: Arc::new(days_off) }
    }

    /// Sends a request about a match to the simulated server. Returns `None` if the server does not answer in time.
    pub(super) async fn answer<T>(
        &self,
        request: impl AsyncFnOnce(&MatchService) -> Result<T, ApiError>,
    ) -> Option<Result<T, ApiError>> {
        self.reach(request(&self.matches)).await
    }

    /// Begins or ends the days off of a person at the simulated server. Returns `None` if the server does not answer in time.
    pub(super) async fn set_away(
        &self,
        person: Holder,
        is_away: bool,
    ) -> Option<Result<(), ApiError>> {
        self.reach(async { self.days_off.set(person, is_away).await.map(drop) }).await
    }

    /// Executes a request at the simulated server, with the delays of the network. Returns `None` if the server does not answer
    /// in time.
    async fn reach<T>(
        &self,
        request: impl Future<Output = Result<T, ApiError>>,
    ) -> Option<Result<T, ApiError>> {
        // The request is boxed, so that the futures of the simulated players stay small.
        let request = Box::pin(request);
        let there_and_back = async {
            self.wire.delay(20).await;
            let answer = request.await;
            self.wire.delay(20).await;
            answer
        };
        tokio::select! {
            biased;
            () = self.wire.ended() => None,
            answer = timeout(PATIENCE, there_and_back) => answer.ok(),
        }
    }
}

/// Connects a new simulated server process to the shared tables of the in-memory store.
pub(super) fn connect(tables: &Arc<Mutex<Tables>>, random: Rng) -> (Wire, Arc<dyn Store>) {
    let wire = Wire::new(random);
    let store = MemoryStore::new(Arc::clone(tables), wire.clone());
    (wire, Arc::new(store))
}

/// Objects from which a simulated server process is built: process handle, match repository, clock service and stop signal.
pub(super) struct ClockParts {
    pub(super) wire: Wire,
    pub(super) repository: Arc<MatchRepository>,
    pub(super) clocks: Arc<ClockService>,
    pub(super) stop: CancellationToken,
}

/// Starts a simulated server process with its clock service. The process shares the in-memory store with the other
/// servers, and its wall clock has a random skew.
pub(super) fn start_clocks(
    (tables, hearers): (&Arc<Mutex<Tables>>, &Hearers),
    role: ServerRole,
    limits: &Limits,
    mut random: Rng,
) -> ClockParts {
    let skew = random.i64(-100_000..100_000);
    let (wire, store) = connect(tables, random);
    let events = lossy_events(hearers, &wire);
    let (repository, _) = MatchRepository::new(store, events, limits);
    let repository = Arc::new(repository.with_time(StoreTime::with_skew(skew)));
    let stop = CancellationToken::new();
    let clocks = Arc::new(ClockService::new(Arc::clone(&repository), role, stop.clone()));
    let sweeps = Arc::clone(&clocks);
    tokio::spawn(async move { sweeps.run().await });
    ClockParts { wire, repository, clocks, stop }
}

/// Connects the event bus of a simulated server process to the event buses of the other servers.
pub(super) fn lossy_events(hearers: &Hearers, wire: &Wire) -> Arc<LossyEvents> {
    let local = InProcess::default();
    lock(hearers).push((wire.clone(), local.clone()));
    Arc::new(LossyEvents { local, wire: wire.clone(), hearers: Arc::clone(hearers) })
}

/// Locks a mutex, even after a panic of another thread that held the lock.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
