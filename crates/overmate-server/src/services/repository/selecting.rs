//! Loads the states of several matches at once, such as all matches of a browser identity.

use std::sync::Arc;

use super::{BATCH, MatchRepository, SHORT_BATCH};
use crate::computing::compute::Class;
use crate::computing::solver_pool::SolverPool;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::matches::match_state::MatchState;
use crate::services::selected::Selected;
use crate::store::{Entry, Listed, Logs, MatchInfo, Selection, StoreError};

/// Listed match with the state from which its replay begins.
struct Found {
    state: Arc<MatchState>,
    info: Arc<MatchInfo>,
    /// Sequence number of the last log entry in the store.
    sequence: u64,
}

/// State of a listed match after the replay of the log entries that the cache lacked.
enum Updated {
    /// The cache lacked no entries of the match.
    Known(Arc<MatchState>),
    /// The log is replayed. Without the information about the match, the information has to be read again, because a seat's holder or name
    /// has changed between the queries for the match and for its new log entries.
    Replayed(Box<MatchState>, Option<Arc<MatchInfo>>),
}

impl Found {
    /// Returns the number of log entries that the state lacks.
    fn missing(&self) -> u64 {
        self.sequence.saturating_sub(self.state.sequence())
    }

    /// Replays the log entries that the state lacks. `None` stands for no entries.
    fn updated(self, log: Option<Result<Vec<Entry>, StoreError>>) -> Result<Updated, ApiError> {
        let Some(log) = log else { return Ok(Updated::Known(self.state)) };
        let entries = log?;
        let replayed = MatchState::clone(&self.state).replay(&entries);
        let replayed = replayed.map_err(ApiError::internal)?;
        // One statement of the store has read the information and the sequence number.
        let is_later = |entry: &Entry| entry.sequence > self.sequence && entry.kind.changes_seat();
        let info = (!entries.iter().any(is_later)).then_some(self.info);
        Ok(Updated::Replayed(Box::new(replayed), info))
    }
}

impl MatchRepository {
    /// Returns the current states of the matches in a selection, such as all matches of a browser identity. A match that cannot be
    /// replayed is logged and left out.
    pub(in crate::services) async fn list(
        &self,
        selection: Selection,
    ) -> Result<Vec<Arc<MatchState>>, ApiError> {
        self.select(selection).await.map(Selected::log_damaged)
    }

    /// Returns the current states of the matches in a selection, as [`Self::list`] does. The replay of long logs counts for the share of
    /// the requesting client in the processors.
    pub(in crate::services) async fn list_for(
        &self,
        selection: Selection,
        solvers: &SolverPool,
        client: Client,
    ) -> Result<Vec<Arc<MatchState>>, ApiError> {
        self.select_in(selection, Some((solvers, client))).await.map(Selected::log_damaged)
    }

    /// Returns the current states of the matches in a selection, and the matches of the selection that cannot be replayed.
    pub(in crate::services) async fn select(
        &self,
        selection: Selection,
    ) -> Result<Selected, ApiError> {
        self.select_in(selection, None).await
    }

    /// Returns the current states of the matches in a selection, and the matches that cannot be replayed. One database query lists the
    /// matches. For each batch of matches, a further query reads the log entries that the cache lacks.
    async fn select_in(
        &self,
        selection: Selection,
        share: Option<(&SolverPool, Client)>,
    ) -> Result<Selected, ApiError> {
        let mut selected = Selected::default();
        let mut found = Vec::new();
        for Listed { id, info, sequence } in self.store.list(selection).await? {
            let begin = |info: MatchInfo| {
                let info = Arc::new(info);
                let state = match self.cached(&id) {
                    Some(cached) => cached,
                    None => Arc::new(self.begun(Arc::clone(&info))?),
                };
                Ok(Found { state, info, sequence })
            };
            match info.map_err(ApiError::from).and_then(begin) {
                Ok(one) => found.push(one),
                Err(error) => selected.damaged.push((id, error)),
            }
        }
        let mut found = found.into_iter();
        loop {
            let batch: Vec<Found> = found.by_ref().take(BATCH as usize).collect();
            if batch.is_empty() {
                return Ok(selected);
            }
            for (id, updated) in self.updated(batch, share).await? {
                let state = match updated {
                    Ok(Updated::Known(state)) => Ok(state),
                    Ok(Updated::Replayed(state, info)) => {
                        let info = match info {
                            Some(info) => Ok(info),
                            None => self.info(&id).await.map(Arc::new),
                        };
                        info.map(|info| {
                            let state = Arc::new(state.with_info(info));
                            self.states.remember(&state);
                            state
                        })
                    }
                    Err(error) => Err(error),
                };
                match state {
                    Ok(state) => selected.states.push(state),
                    // The match was removed after its log was read.
                    Err(ApiError::NotFound(_)) => {}
                    Err(error @ ApiError::Internal(_)) => selected.damaged.push((id, error)),
                    Err(error) => return Err(error),
                }
            }
        }
    }

    /// Reads and replays the log entries that a batch of matches lacks. Returns the result for each match, with its id.
    async fn updated(
        &self,
        mut batch: Vec<Found>,
        share: Option<(&SolverPool, Client)>,
    ) -> Result<Vec<(String, Result<Updated, ApiError>)>, ApiError> {
        let missing = |batch: &[Found]| batch.iter().map(Found::missing).sum::<u64>();
        let mut permit = None;
        if let Some((solvers, client)) = share
            && missing(&batch) > SHORT_BATCH
        {
            permit = Some(solvers.permit(Class::Cheap, client).await?);
            // Another request of the client may have replayed the same logs while this request waited.
            for found in &mut batch {
                if let Some(cached) = self.cached(found.state.id()) {
                    found.state = cached;
                }
            }
        }
        let is_long = missing(&batch) > SHORT_BATCH;
        let wanted = batch.iter().filter(|found| found.missing() > 0);
        let wanted: Vec<_> =
            wanted.map(|found| (found.state.id().to_owned(), found.state.sequence())).collect();
        let mut logs = Logs::new();
        if !wanted.is_empty() {
            logs = self.store.entries_of(wanted).await?;
        }
        let replay = move || {
            let replayed = batch.into_iter().map(|found| {
                let id = found.state.id().to_owned();
                let log = logs.remove(&id);
                (id, found.updated(log))
            });
            replayed.collect()
        };
        match permit {
            Some(permit) if is_long => permit.run(replay).await,
            None if is_long => {
                tokio::task::spawn_blocking(replay).await.map_err(ApiError::internal)
            }
            Some(_) | None => Ok(replay()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use futures_util::FutureExt as _;
    use futures_util::future::BoxFuture;
    use tokio::time::timeout;

    use super::*;
    use crate::computing::compute::Compute;
    use crate::notices::events::InProcess;
    use crate::settings::Limits;
    use crate::simulation::memory_link::{Direct, Link};
    use crate::simulation::memory_store::{MemoryStore, Tables};
    use crate::store::{Addition, Appended, EntryKind, Holder, Store, hand_in_sample};

    /// Link to the store that counts its messages. Before some messages, another server changes and removes the match "1".
    struct Interfering {
        other: Option<MemoryStore<Direct>>,
        messages: Arc<AtomicUsize>,
    }

    impl Link for Interfering {
        fn pass(&self) -> BoxFuture<'_, Result<(), StoreError>> {
            let message = self.messages.fetch_add(1, Ordering::Relaxed);
            async move {
                let Some(other) = &self.other else { return Ok(()) };
                let written = match message {
                    // The request for the log entries, after the list of matches.
                    2 => {
                        let renamed = Addition::of("1", Entry::sample(3, EntryKind::Operator));
                        other.append(renamed).await?
                    }
                    // The request for the information about the match.
                    4 => other.remove("1".to_owned(), 3).await?,
                    _ => return Ok(()),
                };
                assert_eq!(written, Appended::Stored);
                Ok(())
            }
            .boxed()
        }
    }

    #[tokio::test]
    async fn a_list_reads_seats_again_only_after_later_changes_and_leaves_out_a_removed_match() {
        let limits = Limits::default();
        let holder = Holder([1; 32]);
        // Each request to the store takes two messages. The first request reads the list, the second the log entries, and a third the
        // changed seats.
        for (is_changed, expected) in [(false, (1, 2 * 2)), (true, (0, 3 * 2))] {
            let tables = Tables::new(&limits);
            let other = MemoryStore::new(Arc::clone(&tables), Direct);
            hand_in_sample(&other, "1", holder, 2).await;
            let messages = Arc::<AtomicUsize>::default();
            let link =
                Interfering { other: is_changed.then_some(other), messages: Arc::clone(&messages) };
            let store = Arc::new(MemoryStore::new(tables, link));
            let (repository, _notices) =
                MatchRepository::new(store, Arc::new(InProcess::default()), &limits);
            let selection = Selection::HeldBy { holder, limit: 10 };
            let states = repository.list(selection).await.expect("a list");
            assert_eq!((states.len(), messages.load(Ordering::Relaxed)), expected);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_list_replays_long_logs_only_with_a_permit_of_its_client() {
        const SECOND: Duration = Duration::from_secs(1);
        let limits = Limits::default();
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new(Tables::new(&limits), Direct));
        let (repository, _notices) =
            MatchRepository::new(Arc::clone(&store), Arc::new(InProcess::default()), &limits);
        let solvers = SolverPool::new(Arc::new(Compute::new()));
        for (browser, entries) in [(1, SHORT_BATCH), (2, SHORT_BATCH + 1)] {
            let holder = Holder([browser; 32]);
            hand_in_sample(&*store, &browser.to_string(), holder, entries).await;
            let client = Client::at([192, 0, 2, 1].into()).with_browser(Some(holder));
            let mut held = Vec::new();
            while let Ok(permit) = timeout(SECOND, solvers.permit(Class::Cheap, client)).await {
                held.push(permit.expect("a permit"));
            }
            assert!(!held.is_empty());
            let selection = || Selection::HeldBy { holder, limit: 10 };
            let mut list = Box::pin(repository.list_for(selection(), &solvers, client));
            let mut listed = timeout(SECOND, &mut list).await;
            assert_eq!(listed.is_err(), entries > SHORT_BATCH, "{entries} entries");
            if listed.is_err() {
                held.clear();
                listed = Ok(list.await);
            }
            let states = listed.expect("in time").expect("a list");
            assert_eq!((states.len(), states[0].sequence()), (1, entries));
            assert!(states[0].result().is_some());
        }
        // A list of cached states waits for nobody.
        let client = Client::at([192, 0, 2, 1].into());
        let permit = solvers.permit(Class::Cheap, client).await.expect("a permit");
        let selection = Selection::HeldBy { holder: Holder([2; 32]), limit: 10 };
        assert_eq!(
            repository.list_for(selection, &solvers, client).await.expect("a list").len(),
            1
        );
        drop(permit);
    }
}
