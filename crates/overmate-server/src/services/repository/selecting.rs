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
    Replayed(Arc<MatchState>),
    /// The log is replayed, but the information about the match has to be read again, because a seat's holder or name may have changed
    /// between the queries for the match and for its new log entries.
    SeatChanged(Box<MatchState>),
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
        if entries.iter().any(|entry| entry.kind.changes_seat()) {
            return Ok(Updated::SeatChanged(Box::new(replayed)));
        }
        Ok(Updated::Replayed(Arc::new(replayed.with_info(self.info))))
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
                    Ok(Updated::Replayed(state)) => {
                        self.states.remember(&state);
                        Ok(state)
                    }
                    Ok(Updated::SeatChanged(state)) => self.info(&id).await.map(|info| {
                        let state = Arc::new(state.with_info(Arc::new(info)));
                        self.states.remember(&state);
                        state
                    }),
                    Err(error) => Err(error),
                };
                match state {
                    Ok(state) => selected.states.push(state),
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
    use std::time::Duration;

    use overmate_rules::ByPlayer;
    use tokio::time::timeout;

    use super::*;
    use crate::computing::compute::Compute;
    use crate::notices::events::InProcess;
    use crate::settings::Limits;
    use crate::simulation::memory_link::Direct;
    use crate::simulation::memory_store::{MemoryStore, Tables};
    use crate::store::{EntryKind, Holder, NewMatchRequest, Occupant, SeatInfo, Store};

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
            let seat = || SeatInfo::new(None, Occupant::Holder(holder));
            let id = browser.to_string();
            let seats = ByPlayer { a: seat(), b: seat() };
            let info =
                MatchInfo { watch: id.clone(), id: id.clone(), seats, ..MatchInfo::sample() };
            let hints = (1..entries).map(|sequence| Entry::sample(sequence, EntryKind::Hint));
            let log = hints.chain([Entry::sample(entries, EntryKind::Resign)]).collect();
            let request = NewMatchRequest { holder, client_id: id };
            store.hand_in(info, request, log).await.expect("a write");
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
