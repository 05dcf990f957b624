//! Plays the turns of computer opponents in running matches, in background tasks.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use overmate_bots::{ACTION_NODES, BuiltIn, Choice, Forfeit};
use overmate_rules::Player;
use overmate_solver::Budget;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::repository::{BotNotice, MatchRepository, next_entry};
use crate::computer::Computer;
use crate::computing::bot_cache::BotCache;
use crate::computing::compute::{Class, Compute, Purpose};
use crate::computing::program_pool::{ProgramAnswer, ProgramPool, ProgramTurn};
use crate::computing::solver_pool::MEMORY;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::limits::Limiter;
use crate::matches::match_state::MatchState;
use crate::random::{random_id, random_seed};
use crate::store::{Appended, EntryKind};

/// Retry delay after a failed turn of a computer opponent.
const RETRY: Duration = Duration::from_secs(10);

/// Shortest and longest pause before a server retries a turn whose opponent program is missing. A random time is added to the pause.
/// Between the bounds, the pause is a quarter of the time since the last log entry, so that the pauses grow exponentially.
const MISSING: RangeInclusive<Duration> = Duration::from_secs(5)..=Duration::from_mins(5);

/// Maximum random jitter, in milliseconds, of the pause before a server retries a turn whose opponent program is missing.
const MISSING_MORE: u64 = 10_000;

/// Time limit for an action of a computer opponent. Only slow machines reach this limit.
const TIME: Duration = Duration::from_secs(5);

/// Service that plays the turns of the computer opponents in all matches.
#[derive(Clone)]
pub(crate) struct BotService(Arc<BotServiceState>);

struct BotServiceState {
    repository: Arc<MatchRepository>,
    /// Whether this server plays the turns of computer opponents. Otherwise the server only records
    /// that turns are due.
    plays: bool,
    cache: BotCache,
    programs: Arc<ProgramPool>,
    /// Ids of the matches in which a task of this process currently plays a computer opponent's turns.
    working: Mutex<HashSet<Box<str>>>,
    compute: Arc<Compute>,
    limiter: Arc<Limiter>,
    /// Flag that stops the searches of all computer opponents when it becomes `true`.
    halt: Arc<AtomicBool>,
    stop: CancellationToken,
    tasks: TaskTracker,
}

impl BotService {
    /// Starts the service for computer opponents. Until the server stops, the service handles the notices of the match repository.
    pub(crate) fn start(
        repository: Arc<MatchRepository>,
        plays: bool,
        notices: mpsc::UnboundedReceiver<BotNotice>,
        (compute, limiter, programs): (Arc<Compute>, Arc<Limiter>, Arc<ProgramPool>),
        stop: CancellationToken,
        tasks: &TaskTracker,
    ) -> Self {
        let service = Self(Arc::new(BotServiceState {
            repository,
            plays,
            cache: BotCache::default(),
            programs: Arc::clone(&programs),
            working: Mutex::default(),
            compute,
            limiter,
            halt: Arc::default(),
            stop: stop.clone(),
            tasks: tasks.clone(),
        }));
        tasks.spawn(async move { programs.run(stop).await });
        tasks.spawn(service.clone().answer(notices));
        service
    }

    /// Stops the running searches of all computer opponents. The results are discarded.
    pub(crate) fn halt(&self) {
        self.0.halt.store(true, Ordering::Relaxed);
        self.0.programs.halt();
    }

    /// Drops idle computer opponents from the cache.
    pub(crate) fn remove_idle(&self) {
        self.0.cache.remove_idle();
    }

    async fn answer(self, mut notices: mpsc::UnboundedReceiver<BotNotice>) {
        loop {
            let notice = tokio::select! {
                notice = notices.recv() => notice,
                () = self.0.stop.cancelled() => return,
            };
            match notice {
                // The turn of the computer opponent is already stored as due, and waits for a server that does background work.
                Some(BotNotice::Due { is_leased: true, .. }) if !self.0.plays => {}
                Some(BotNotice::Due { id, is_leased }) => self.wake(id, is_leased),
                Some(BotNotice::Ended(id)) => self.dismiss(&id, self.0.repository.cached(&id)),
                None => return,
            }
        }
    }

    /// Plays the turns of computer opponents in a match for which this server holds the database lease.
    pub(crate) fn take_over(&self, id: Box<str>) {
        self.wake(id, true);
    }

    /// Starts a task for the turns of computer opponents in a match, unless such a task is running.
    fn wake(&self, id: Box<str>, mut is_leased: bool) {
        if !self.begin(&id) {
            return;
        }
        let service = self.clone();
        self.0.tasks.spawn(async move {
            loop {
                let result = service.play(&id, is_leased).await;
                // A computer opponent may still be searching when its match ends, and is put back into the cache after the search.
                // Therefore the computer opponent is dropped from the cache here.
                let state = service.0.repository.cached(&id);
                let is_removed = matches!(result, Err(ApiError::NotFound(_)));
                if is_removed || state.as_ref().is_some_and(|state| state.result().is_some()) {
                    service.dismiss(&id, state);
                }
                service.end(&id);
                match result {
                    Ok(true) => {}
                    // The task for the computer opponents of the match ends here, because this server cannot play their turn now.
                    // Otherwise, the cached match state would make the task try the same turn again and again. If this server took the
                    // lease meanwhile, the next renewal of the leases starts a new task.
                    Ok(false) => return,
                    Err(error) => {
                        error.log();
                        service.give_up(&id, &error).await;
                        return;
                    }
                }
                is_leased = false;
                // A computer opponent's turn that became due after the last read of the match may have been missed. Until the call of
                // `end`, the match still had a task, so that a notice of the turn was ignored. Therefore the cached state is checked once
                // more.
                let state = service.0.repository.cached(&id);
                let is_due = state.is_some_and(|state| state.bot_to_act().is_some());
                if service.0.stop.is_cancelled() || !is_due || !service.begin(&id) {
                    return;
                }
            }
        });
    }

    /// Removes the computer opponents of a match from the cache, and ends the opponent programs that play in the match. The match is over
    /// or removed. `state` is the last state of the match, if it is known.
    fn dismiss(&self, id: &str, state: Option<Arc<MatchState>>) {
        self.0.cache.remove(id);
        self.0.programs.end(id, state);
    }

    /// Reserves a match for one task of this process, which plays the turns of the computer opponents. Returns `false` if the match already
    /// has such a task.
    fn begin(&self, id: &str) -> bool {
        self.0.working.lock().unwrap_or_else(PoisonError::into_inner).insert(id.into())
    }

    fn end(&self, id: &str) {
        self.0.working.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    /// Releases the database lease of a match after a failed turn of a computer opponent, so that the turn is tried again.
    async fn give_up(&self, id: &str, error: &ApiError) {
        let store = self.0.repository.store();
        let written = match error {
            ApiError::NotFound(_) => store.remove_lease(id.to_owned(), 0).await,
            // The server does not try to release the lease of the match while the database is busy, because the release would fail, too.
            // The next renewal of the lease tries the turn again.
            ApiError::Busy(_) => return,
            _ => store.release_lease(id.to_owned(), RETRY).await,
        };
        if let Err(error) = written {
            ApiError::from(error).log();
        }
    }

    /// Tries to take the database lease for the turns of computer opponents in a match. Returns `false` if another server holds the lease,
    /// or if this server does no background work.
    async fn lease(&self, id: &str) -> Result<bool, ApiError> {
        Ok(self.0.repository.store().take_lease(id).await? == Appended::Stored)
    }

    /// Returns whether the player to act in a match is an opponent program that this server does not offer. The answer uses the cached
    /// state of the match.
    fn lacks_program(&self, id: &str) -> bool {
        let to_act = self.0.repository.cached(id).and_then(|state| state.bot_to_act());
        to_act.is_some_and(|(_, bot, _)| self.0.programs.lacks(bot))
    }

    /// Releases the database lease of a match whose opponent program this server lacks or cannot start. The lease becomes due again after a
    /// pause. The pause has a random part, so that sooner or later another server takes the lease.
    async fn wait_for_program(&self, state: &MatchState) -> Result<(), ApiError> {
        let more = Duration::from_millis(random_seed()? % MISSING_MORE);
        let pause = (state.idle_time() / 4).clamp(*MISSING.start(), *MISSING.end());
        let store = self.0.repository.store();
        store.release_lease(state.id().to_owned(), pause + more).await?;
        Ok(())
    }

    /// Searches for the next action of a built-in computer opponent in a match. Returns `None` if the server stops.
    async fn search(
        &self,
        state: &Arc<MatchState>,
        (player, bot, seed): (Player, BuiltIn, u64),
        client: Client,
    ) -> Result<Option<Result<Choice, Forfeit>>, ApiError> {
        let BotServiceState { cache, compute, halt, stop, .. } = &*self.0;
        let class = Class::of_bot(bot, state.rules());
        let permit = tokio::select! {
            permit = compute.permit(class, Purpose::Bot, client, None) => permit,
            () = stop.cancelled() => return Ok(None),
        };
        let permit = permit.map_err(|_| {
            ApiError::internal("the queue of searches for computer opponents is full")
        })?;
        let halt = Arc::clone(halt);
        let visible = Arc::clone(state);
        let start = Instant::now();
        let mut opponent = cache.take(state.id(), player, bot, seed);
        let chosen = permit.run(move || {
            let budget = Budget::unlimited().with_nodes(ACTION_NODES).with_time(TIME);
            let budget = budget.with_memory(MEMORY).with_stop(halt);
            let chosen = opponent.choose(visible.play(), &budget);
            (opponent, chosen)
        });
        let (opponent, chosen) = chosen.await?;
        cache.put(opponent, state.rules(), client.network());
        metrics::histogram!("overmate_bot_seconds").record(start.elapsed().as_secs_f64());
        Ok(Some(chosen))
    }

    /// Asks an opponent program for its action, once the limit on running opponent programs allows the turn. Returns `None` if the match
    /// has changed while the turn waited, or if the server stops.
    async fn ask_program(&self, turn: ProgramTurn) -> Result<Option<ProgramAnswer>, ApiError> {
        let BotServiceState { repository, programs, stop, .. } = &*self.0;
        let asked = async {
            let permit = programs.permit(turn.client).await?;
            // While the server waited for permission to run the opponent program, the match may have ended, or an undo may have changed the
            // position.
            let newest = repository.load(turn.state.id()).await?;
            if newest.sequence() != turn.state.sequence() {
                return Ok(None);
            }
            programs.choose(permit, turn).await.map(Some)
        };
        tokio::select! {
            outcome = asked => outcome,
            () = stop.cancelled() => Ok(None),
        }
    }

    /// Plays the turns of computer opponents in a match until a person is to act, the match ends,
    /// or another server takes over. Returns `false` if another server holds the lease or waits to
    /// take it, or if this server cannot start the program that is to act.
    async fn play(&self, id: &str, is_leased: bool) -> Result<bool, ApiError> {
        let BotServiceState { repository, limiter, stop, .. } = &*self.0;
        if !is_leased && (self.lacks_program(id) || !self.lease(id).await?) {
            return Ok(false);
        }
        let mut refused_at = None;
        loop {
            let state = repository.load(id).await?;
            // The search for the computer opponent's action uses the share of the processors that belongs to the person in the match.
            let client =
                state.person().map(|browser| limiter.latest(browser, state.info().network));
            let (Some((player, bot, seed)), Some(client)) = (state.bot_to_act(), client) else {
                repository.store().remove_lease(id.to_owned(), state.sequence()).await?;
                return Ok(true);
            };
            let chosen = match bot {
                Computer::BuiltIn(bot) => self.search(&state, (player, bot, seed), client).await?,
                Computer::Program(name) => {
                    let Some(source) = self.0.programs.source(name) else {
                        self.wait_for_program(&state).await?;
                        return Ok(false);
                    };
                    let turn =
                        ProgramTurn { source, state: Arc::clone(&state), player, seed, client };
                    match self.ask_program(turn).await? {
                        Some(ProgramAnswer::Chosen(chosen)) => Some(chosen),
                        Some(ProgramAnswer::NotStarted(fault)) => {
                            tracing::error!(%fault, id, opponent = %bot, "a program cannot be started");
                            self.wait_for_program(&state).await?;
                            return Ok(false);
                        }
                        None if stop.is_cancelled() => None,
                        None => {
                            if !self.lease(id).await? {
                                return Ok(false);
                            }
                            continue;
                        }
                    }
                }
            };
            let Some(chosen) = chosen else { return Ok(true) };
            if stop.is_cancelled() {
                return Ok(true);
            }
            let kind = match chosen {
                Ok(choice) => EntryKind::Act(overmate_json::action(state.rules(), choice.action)),
                Err(forfeit) => {
                    tracing::error!(%forfeit, id, opponent = %bot, "a computer opponent resigns after a fault");
                    EntryKind::Resign
                }
            };
            // The client id of the log entry is random, so that it differs from the client ids of all requests.
            let entry = next_entry(&state, player, kind, random_id()?);
            if let Some(next) = repository.append(&state, entry, |addition| addition).await? {
                metrics::counter!("overmate_actions_total", "by" => "computer").increment(1);
                if next.bot_to_act().is_none() {
                    // No computer opponent is to act after the new log entry. Therefore the write of the entry has also removed the lease.
                    return Ok(true);
                }
            } else if refused_at == Some(state.sequence()) {
                return Err(ApiError::internal(
                    "the database refuses the action of a computer opponent, although no other request has added an entry to the match",
                ));
            } else {
                // The compare-and-swap failed, because another entry was appended to the log first. The next pass of the loop reads the new
                // state.
                refused_at = Some(state.sequence());
                if !self.lease(id).await? {
                    return Ok(false);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::sync::atomic::AtomicU32;

    use futures_util::FutureExt as _;
    use futures_util::future::BoxFuture;
    use overmate_rules::ByPlayer;

    use super::*;
    use crate::notices::events::InProcess;
    use crate::settings::Limits;
    use crate::simulation::memory_link::{Direct, Link};
    use crate::simulation::memory_store::{MemoryStore, Tables};
    use crate::simulation::simulated_time::{self, SimulatedTime};
    use crate::store::{MatchInfo, Occupant, SeatInfo, Store, StoreError};

    /// Number of messages after which a test breaks the simulated link between a server and its store.
    const MESSAGES: u32 = 1_000;

    /// Simulated link between a server and its store, which breaks after [`MESSAGES`] messages.
    #[derive(Clone, Default)]
    struct Counting(Arc<AtomicU32>);

    impl Link for Counting {
        fn pass(&self) -> BoxFuture<'_, Result<(), StoreError>> {
            let passed = self.0.fetch_add(1, Ordering::Relaxed);
            async move {
                let broken = Box::<dyn Error + Send + Sync>::from("too many messages");
                if passed < MESSAGES { Ok(()) } else { Err(StoreError::Busy(Arc::from(broken))) }
            }
            .boxed()
        }
    }

    /// Returns a match in which a computer opponent has the first turn.
    fn against(opponent: &str) -> MatchInfo {
        let sample = MatchInfo::sample();
        let bot = Occupant::Bot(opponent.parse().expect("an opponent"), 1);
        let seats = ByPlayer { a: SeatInfo::new(None, bot), b: sample.seats.b.clone() };
        MatchInfo { seats, ..sample }
    }

    /// Starts the service for computer opponents on a server that offers no opponent programs.
    fn start(store: Arc<dyn Store>, plays: bool) -> (Arc<MatchRepository>, BotService) {
        let limits = Limits::default().lifted();
        let events = Arc::new(InProcess::default());
        let (repository, notices) = MatchRepository::new(Arc::clone(&store), events, &limits);
        let repository = Arc::new(repository);
        let limiter = Arc::new(Limiter::new(&limits, store));
        let programs = ProgramPool::empty();
        let shares = (Arc::new(Compute::inline()), limiter, programs);
        let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
        let service =
            BotService::start(Arc::clone(&repository), plays, notices, shares, stop, &tasks);
        (repository, service)
    }

    #[test]
    fn a_server_asks_once_for_a_turn_that_another_server_has_or_waits_for() {
        let mut cases = 0;
        for plays in [true, false] {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_time()
                .start_paused(true)
                .build();
            let messages = runtime.expect("a runtime").block_on(async {
                let limits = Limits::default().lifted();
                let tables = Tables::new(&limits);
                let info = against("level:1");
                let id = info.id.clone();
                let other = MemoryStore::new(Arc::clone(&tables), Direct);
                other.create(info, None).await.expect("a new match");
                let link = Counting::default();
                let store = MemoryStore::new(tables, link.clone());
                if !plays {
                    store.retire().await.expect("a store");
                    other.retire().await.expect("a store");
                }
                let (repository, _bots) = start(Arc::new(store), plays);
                let state = repository.load(&id).await.expect("the match");
                assert!(state.bot_to_act().is_some());
                let before = link.0.load(Ordering::Relaxed);
                repository.wake_bot(&state);
                // The paused clock of the test's Tokio runtime advances only when no task can run.
                tokio::time::sleep(Duration::from_secs(1)).await;
                link.0.load(Ordering::Relaxed) - before
            });
            // One write to the simulated store takes two messages: a request and a response.
            assert_eq!(messages, 2, "a server that plays: {plays}");
            cases += 1;
        }
        assert_eq!(cases, 2);
    }

    #[test]
    fn the_pauses_of_a_match_without_its_program_grow_to_a_limit() {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
        let tries = runtime.expect("a runtime").block_on(async {
            let _time = SimulatedTime::start();
            let tables = Tables::new(&Limits::default().lifted());
            let store: Arc<dyn Store> = Arc::new(MemoryStore::new(tables, Direct));
            let now_ms = simulated_time::now_ms().expect("a simulation");
            let info = MatchInfo { created_at: now_ms / 1_000, ..against("program:mine") };
            let id = info.id.clone();
            store.create(info, None).await.expect("a new match");
            let (_, bots) = start(Arc::clone(&store), true);
            let begin = tokio::time::Instant::now();
            let mut tries = Vec::new();
            while begin.elapsed() < Duration::from_hours(6) {
                let held = store.keep_leases().await.expect("leases");
                if held.contains(&id) {
                    tries.push(tokio::time::Instant::now());
                    bots.take_over(id.clone().into());
                }
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            tries
        });
        let pauses: Vec<Duration> =
            tries.windows(2).map(|pair| pair[1].duration_since(pair[0])).collect();
        let is_near = |pause: &Duration, least: Duration| {
            (least..=least + Duration::from_secs(11)).contains(pause)
        };
        assert!(is_near(&pauses[0], Duration::from_secs(5)), "{pauses:?}");
        let last = pauses.last().expect("pauses");
        assert!(is_near(last, Duration::from_mins(5)), "{pauses:?}");
        // If the server waited only 5 to 15 seconds between attempts, it would try the computer opponent's turn more than a thousand
        // times in six hours.
        assert!((70..110).contains(&tries.len()), "{pauses:?}");
    }
}
