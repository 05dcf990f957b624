//! Loads matches from the store, caches their computed states, and appends entries to their logs.

mod selecting;

use std::sync::Arc;

use overmate_json::LogFault;
use overmate_rules::Player;
use tokio::sync::{mpsc, watch};

use super::entries::{absence_entry, answered, timed_by_days};
pub(super) use super::entries::{next_entry, refuse_full};
use super::parse::is_id;
use super::quotas::refusal;
use super::rated_end::rated_end;
use super::roles::role_in;
use super::state_cache::StateCache;
use crate::clocks::match_clock::MatchClock;
use crate::clocks::store_time::StoreTime;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::matches::match_state::{LogLimits, MatchState, Role};
use crate::matches::replay_error::EntryError;
use crate::notices::events::{Events, LOBBY, Reached, talk_of};
use crate::random::random_id;
use crate::settings::Limits;
use crate::store::{
    Addition, Appended, Deadline, Entry, EntryKind, Holder, MatchInfo, NewMatchRequest, Store,
};

/// Maximum number of attempts to append a log entry under concurrent appends.
const ATTEMPTS: usize = 16;

/// Maximum number of log entries that are replayed directly on a thread of the asynchronous runtime. A longer replay would
/// delay other clients, and runs on a blocking thread.
const SHORT_LOG: usize = 100;

/// Number of matches whose logs a list or an export reads together. The memory for the log entries of a request does not grow with the
/// number of its matches.
pub(super) const BATCH: u32 = 8;

/// Largest total number of log entries that a list replays without a permit of the client, and that an export reads and writes together.
pub(super) const SHORT_BATCH: u64 = (BATCH as usize * SHORT_LOG) as u64;

/// Notice about a match to the service that plays for computer opponents. If a notice is lost, the next reader of the match sends another
/// notice.
#[derive(Debug)]
pub(crate) enum BotNotice {
    /// It is a computer opponent's turn in a match.
    Due {
        /// Id of the match in which it is a computer opponent's turn.
        id: Box<str>,
        /// Whether this server already holds the database lease for the computer opponent's turn. A server takes this lease when it creates
        /// the match or appends the previous log entry.
        is_leased: bool,
    },
    /// A match has ended or was removed. The notice holds the id of the match.
    Ended(Box<str>),
}

/// Repository that loads, caches and changes matches.
pub(crate) struct MatchRepository {
    store: Arc<dyn Store>,
    events: Arc<dyn Events>,
    states: StateCache,
    notices: mpsc::UnboundedSender<BotNotice>,
    limits: Limits,
    time: StoreTime,
}

impl MatchRepository {
    /// Creates a match repository on a store, together with the receiver of the repository's notices about computer opponents.
    pub(crate) fn new(
        store: Arc<dyn Store>,
        events: Arc<dyn Events>,
        limits: &Limits,
    ) -> (Self, mpsc::UnboundedReceiver<BotNotice>) {
        let (notices, receiver) = mpsc::unbounded_channel();
        let states = StateCache::new();
        let time = StoreTime::default();
        (Self { store, events, states, notices, limits: *limits, time }, receiver)
    }

    /// Replaces the time source of the match clocks.
    #[cfg(test)]
    pub(crate) fn with_time(self, time: StoreTime) -> Self {
        Self { time, ..self }
    }

    pub(crate) fn store(&self) -> &dyn Store {
        &*self.store
    }

    /// Returns the limits of the server on requests, connections, matches and logs.
    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns the initial state of a match, before its first log entry.
    pub(super) fn begun(&self, info: Arc<MatchInfo>) -> Result<MatchState, ApiError> {
        let state = MatchState::new(info, LogLimits::of(&self.limits));
        Ok(state.map_err(ApiError::internal)?.with_time(self.time.clone()))
    }

    /// Returns the time source that all match clocks of this server share.
    pub(super) fn time(&self) -> &StoreTime {
        &self.time
    }

    /// Returns a receiver that is notified of each change to a match.
    pub(crate) fn subscribe(&self, id: &str) -> watch::Receiver<Reached> {
        self.events.subscribe(id)
    }

    /// Notifies all servers of changed match offers.
    pub(super) fn publish_lobby(&self, version: i64) {
        self.events.publish(LOBBY, version.unsigned_abs());
    }

    /// Returns a receiver that is notified of each new free-text chat message in a match.
    pub(crate) fn subscribe_talk(&self, id: &str) -> watch::Receiver<Reached> {
        self.events.subscribe(&talk_of(id))
    }

    /// Notifies all servers of the newest free-text chat message in a match.
    pub(super) fn publish_talk(&self, id: &str, number: u64) {
        self.events.publish(&talk_of(id), number);
    }

    pub(super) fn events(&self) -> &dyn Events {
        &*self.events
    }

    /// Returns the cached state of a match, or `None` if the cache does not contain the match. The store may hold a newer state.
    pub(crate) fn cached(&self, id: &str) -> Option<Arc<MatchState>> {
        self.states.get(id)
    }

    /// Returns the current state of a match, replayed up to the last log entry in the store.
    pub(crate) async fn load(&self, id: &str) -> Result<Arc<MatchState>, ApiError> {
        if !is_id(id) {
            return Err(ApiError::NotFound("match"));
        }
        let cached = self.cached(id);
        let is_cached = cached.is_some();
        let state = if let Some(state) = cached {
            state
        } else {
            let info = self.info(id).await?;
            Arc::new(self.begun(Arc::new(info))?)
        };
        let entries = self.entries(id, state.sequence()).await?;
        if entries.is_empty() {
            if !is_cached {
                self.states.remember(&state);
            }
            return Ok(state);
        }
        let changes_seat = entries.iter().any(|entry| entry.kind.changes_seat());
        let mut next = replay((*state).clone(), entries).await?;
        if changes_seat {
            next = next.with_info(Arc::new(self.info(id).await?));
        }
        let next = Arc::new(next);
        self.states.remember(&next);
        Ok(next)
    }

    /// Returns the log entries of a match after a sequence number. If the store no longer holds the match, its cached state is
    /// dropped.
    async fn entries(&self, id: &str, after: u64) -> Result<Vec<Entry>, ApiError> {
        let entries = self.store.entries(id, after).await?;
        if entries.is_none() {
            self.forget(id);
        }
        entries.ok_or(ApiError::NotFound("match"))
    }

    async fn info(&self, id: &str) -> Result<MatchInfo, ApiError> {
        self.store.info(id).await?.ok_or(ApiError::NotFound("match"))
    }

    /// Returns a match state that includes at least the log entry with a given sequence number. The store is read only
    /// if the cached state is older.
    pub(crate) async fn load_since(
        &self,
        id: &str,
        sequence: u64,
    ) -> Result<Arc<MatchState>, ApiError> {
        match self.cached(id) {
            Some(state) if state.sequence() >= sequence => Ok(state),
            _ => self.load(id).await,
        }
    }

    /// Returns the state of a match directly after the log entry with a given sequence number.
    pub(super) async fn load_at(
        &self,
        id: &str,
        sequence: u64,
    ) -> Result<Arc<MatchState>, ApiError> {
        let state = self.load(id).await?;
        if state.sequence() == sequence {
            return Ok(state);
        }
        let mut entries = self.entries(id, 0).await?;
        entries.retain(|entry| entry.sequence <= sequence);
        let start = self.begun(Arc::clone(state.info()))?;
        replay(start, entries).await.map(Arc::new)
    }

    /// Wakes the service for computer opponents if a computer opponent is to act in a match.
    pub(super) fn wake_bot(&self, state: &MatchState) {
        self.wake(state, false);
    }

    fn wake(&self, state: &MatchState, is_leased: bool) {
        if state.bot_to_act().is_some() {
            self.notify(BotNotice::Due { id: state.id().into(), is_leased });
        }
    }

    fn notify(&self, notice: BotNotice) {
        // An error of `send` is ignored: the receiver of the notices is dropped only when the server stops.
        let _ = self.notices.send(notice);
    }

    /// Records the id of the creator's IP network in the metadata of a new match against a computer opponent. The searches of its computer
    /// opponent count for this network.
    pub(super) fn note_network(&self, info: &mut MatchInfo, client: Client) {
        if info.has_bot() {
            info.network = Some(client.network_number(&self.store.identity_key()));
        }
    }

    /// Stores a new match, or returns the match that an identical earlier request has created.
    pub(super) async fn create(
        &self,
        info: MatchInfo,
        request: Option<NewMatchRequest>,
    ) -> Result<(Arc<MatchState>, Appended), ApiError> {
        let state = self.begun(Arc::new(info.clone()))?;
        let created = self.store.create(info, request.clone()).await?;
        self.refuse_over_quota(created)?;
        if created == Appended::Conflict {
            let id = match &request {
                Some(request) => self.store.created_by(request).await?,
                None => None,
            };
            let id =
                id.ok_or_else(|| ApiError::internal("the id of a new match is taken already"))?;
            return Ok((self.load(&id).await?, created));
        }
        let state = Arc::new(state);
        self.wake(&state, true);
        Ok((state, created))
    }

    /// Returns the log entry that an earlier copy of a client's request has appended to a match, or `None` if no earlier copy has
    /// appended an entry.
    ///
    /// The server refuses a client id that another player or another kind of request has used.
    pub(super) async fn earlier_entry(
        &self,
        id: &str,
        role: Role,
        client_id: &str,
        is_same: impl Fn(&EntryKind) -> bool,
    ) -> Result<Option<Entry>, ApiError> {
        if role == Role::Spectator {
            return Err(ApiError::NotAPlayer);
        }
        let Some(entry) = self.store.entry_of_request(id, client_id).await? else {
            return Ok(None);
        };
        let is_own = role == Role::Both || role == Role::Player(entry.player);
        if !is_own || !is_same(&entry.kind) {
            return Err(ApiError::bad_request(
                "client_id: another request in this match has used the same id: create a new id",
            ));
        }
        Ok(Some(entry))
    }

    /// Adds a log entry for days off to the write of an action, if the action starts the correspondence clock of a player on days off.
    async fn absent(
        &self,
        state: MatchState,
        mut addition: Addition,
    ) -> Result<(MatchState, Addition), ApiError> {
        if !matches!(addition.entry.kind, EntryKind::Act(_)) {
            return Ok((state, addition));
        }
        let Some((player, person)) = timed_by_days(&state) else { return Ok((state, addition)) };
        let absences = self.store.absences_of(person).await?;
        let Some(entry) = absence_entry(&state, player, &absences)? else {
            return Ok((state, addition));
        };
        let state = state.apply(&entry)?;
        addition.followed_by.push(entry);
        Ok((state, addition))
    }

    /// Appends an entry to the log of a match by compare-and-swap on the sequence number. `complete` adds further writes to the
    /// same transaction. Returns `None` if another entry already has the sequence number or the client id.
    pub(super) async fn append(
        &self,
        state: &MatchState,
        entry: Entry,
        complete: impl FnOnce(Addition) -> Addition,
    ) -> Result<Option<Arc<MatchState>>, ApiError> {
        let changes_seat = entry.kind.changes_seat();
        let client_id = entry.client_id.clone();
        let acted = state.clone().apply(&entry)?;
        let may_have_answer = matches!(entry.kind, EntryKind::Act(_)) && acted.takes_conditional();
        let addition = complete(Addition::of(state.id(), entry));
        let mut attempts = 0;
        let next = loop {
            attempts += 1;
            let texts =
                if may_have_answer { Some(self.store.seat_texts(state.id()).await?) } else { None };
            let (next, addition) = answered(acted.clone(), texts.as_ref(), addition.clone())?;
            let (next, addition) = self.absent(next, addition).await?;
            let ends = next.result().is_some() && state.result().is_none();
            let computer_acts = next.has_bot().then(|| next.bot_to_act().is_some());
            let deadline = next.clock().map(|clock| Deadline(clock.deadline()));
            let rated = if ends { rated_end(&next) } else { None };
            let addition = Addition { ends, computer_acts, deadline, rated, ..addition };
            let appended = self.store.append(addition).await?;
            self.refuse_over_quota(appended)?;
            if appended != Appended::Conflict {
                break next;
            }
            // The append of the log entry may have failed because a player has changed their conditional answers. In this case, the
            // sequence number of the log is unchanged, the client id is unused, and the entry is appended with the new answers. A
            // comparison of the answers would not suffice, because a second change may have restored the earlier answers.
            if texts.is_none()
                || self.load(state.id()).await?.sequence() != state.sequence()
                || self.store.entry_of_request(state.id(), &client_id).await?.is_some()
            {
                return Ok(None);
            }
            if attempts == ATTEMPTS {
                return Err(too_contended());
            }
        };
        let ends = next.result().is_some() && state.result().is_none();
        let next = if changes_seat {
            // The match is loaded again, because the occupant and the name of the changed seat are stored outside of the log.
            self.load(state.id()).await?
        } else {
            let next = Arc::new(next);
            self.states.remember(&next);
            next
        };
        self.events.publish(next.id(), next.sequence());
        if ends {
            self.notify(BotNotice::Ended(next.id().into()));
        }
        self.wake(&next, true);
        Ok(Some(next))
    }

    /// Removes a match with its log from the store, if the log still ends at the given sequence number. Returns whether the
    /// match was removed.
    pub(super) async fn remove(&self, id: &str, sequence: u64) -> Result<bool, ApiError> {
        let is_removed = self.store.remove(id.to_owned(), sequence).await? == Appended::Stored;
        if is_removed {
            self.forget(id);
            // A notice with the sequence number `u64::MAX` makes live connections read the match again and find its removal.
            self.events.publish(id, u64::MAX);
        }
        Ok(is_removed)
    }

    /// Drops the cached state and the cached computer opponent of a removed match.
    pub(super) fn forget(&self, id: &str) {
        self.states.forget(id);
        self.notify(BotNotice::Ended(id.into()));
    }

    /// Returns an error if the store has refused a database write because of a quota (maximum number of stored items).
    pub(super) fn refuse_over_quota(&self, written: Appended) -> Result<(), ApiError> {
        let Appended::Full(quota) = written else { return Ok(()) };
        Err(refusal(quota, &self.limits))
    }

    /// Appends an entry after the latest log entry of a match, regardless of the sequence number that the client saw. `entry_of`
    /// returns the player and the kind of the entry, or `None` if there is nothing to append. Returns the new state, with the role
    /// of the browser.
    ///
    /// The operation is idempotent: a repeated request appends nothing. `is_same` returns whether an earlier entry with the client
    /// id is of the requested kind.
    pub(super) async fn append_to_latest(
        &self,
        id: &str,
        holder: Option<Holder>,
        client_id: &str,
        is_same: impl Fn(&EntryKind) -> bool,
        entry_of: impl Fn(&MatchState, Role) -> Result<Option<(Player, EntryKind)>, ApiError>,
    ) -> Result<(Arc<MatchState>, Role), ApiError> {
        self.append_to_latest_at(id, holder, client_id, |_, now| now, is_same, entry_of).await
    }

    /// Appends an entry after the latest log entry of a match, with an entry time that the function `at` computes. Otherwise the method
    /// works like [`Self::append_to_latest`]. The function `at` computes the time of the entry from the state before the entry and from
    /// the present time. Both are Unix times in milliseconds.
    pub(super) async fn append_to_latest_at(
        &self,
        id: &str,
        holder: Option<Holder>,
        client_id: &str,
        at: impl Fn(&MatchState, i64) -> i64,
        is_same: impl Fn(&EntryKind) -> bool,
        entry_of: impl Fn(&MatchState, Role) -> Result<Option<(Player, EntryKind)>, ApiError>,
    ) -> Result<(Arc<MatchState>, Role), ApiError> {
        for _ in 0..ATTEMPTS {
            let state = self.load(id).await?;
            let role = role_in(&state, holder, None)?;
            if self.earlier_entry(id, role, client_id, &is_same).await?.is_some() {
                return Ok((state, role));
            }
            let Some((player, kind)) = entry_of(&state, role)? else { return Ok((state, role)) };
            let mut entry = next_entry(&state, player, kind, client_id.to_owned());
            entry.at_ms = at(&state, entry.at_ms);
            if let Some(next) = self.append(&state, entry, |addition| addition).await? {
                return Ok((next, role));
            }
        }
        Err(too_contended())
    }

    /// Ends a match by the resignation of a player. Returns whether the match was running.
    pub(crate) async fn end(&self, id: &str, loser: Player) -> Result<bool, ApiError> {
        let attempt = async |state: Arc<MatchState>| {
            if state.result().is_some() {
                return Ok(Some(false));
            }
            let entry = next_entry(&state, loser, EntryKind::Resign, random_id()?);
            let ended = self.append(&state, entry, |addition| addition).await?;
            Ok(ended.map(|_| true))
        };
        self.retry(id, attempt).await
    }

    /// Ends a match because the player whose clock runs has run out of time. Returns `None` if another entry was appended first.
    pub(super) async fn flag(
        &self,
        state: &MatchState,
    ) -> Result<Option<Arc<MatchState>>, ApiError> {
        let running = state.clock().and_then(MatchClock::running).ok_or(ApiError::MatchOver)?;
        let entry = next_entry(state, running.player, EntryKind::Flag, random_id()?);
        self.append(state, entry, |addition| addition).await
    }

    /// Repeats an operation on the latest state of a match until the operation returns a result. The number of attempts is limited to
    /// [`ATTEMPTS`]. An operation returns `None` if another request has changed the match at the same time.
    pub(super) async fn retry<T, F>(
        &self,
        id: &str,
        attempt: impl Fn(Arc<MatchState>) -> F,
    ) -> Result<T, ApiError>
    where
        F: Future<Output = Result<Option<T>, ApiError>>,
    {
        for _ in 0..ATTEMPTS {
            if let Some(result) = attempt(self.load(id).await?).await? {
                return Ok(result);
            }
        }
        Err(too_contended())
    }
}

/// Replays log entries on the state of a match. More than [`SHORT_LOG`] entries are replayed on a blocking thread.
async fn replay(state: MatchState, entries: Vec<Entry>) -> Result<MatchState, ApiError> {
    if entries.len() <= SHORT_LOG {
        return state.replay(&entries).map_err(ApiError::internal);
    }
    let replayed = tokio::task::spawn_blocking(move || state.replay(&entries)).await;
    replayed.map_err(ApiError::internal)?.map_err(ApiError::internal)
}

fn too_contended() -> ApiError {
    ApiError::busy("every attempt failed, because concurrent requests changed the match")
}

impl From<EntryError> for ApiError {
    fn from(error: EntryError) -> Self {
        match error {
            EntryError::Log(LogFault::MatchOver) => Self::MatchOver,
            EntryError::Log(LogFault::NotYourTurn) => Self::NotYourTurn,
            EntryError::Paused => Self::NotAllowed(
                "the clocks are paused: both players have to end the pause before the next action",
            ),
            EntryError::Log(LogFault::UnreadableAction(reason)) => Self::bad_request(reason),
            EntryError::Log(LogFault::IllegalAction(reason)) => {
                Self::IllegalAction(reason.to_string())
            }
            EntryError::Log(LogFault::NothingToUndo) => Self::NothingToUndo,
            EntryError::Misplaced => Self::NotAllowed(
                "the request does not fit the present state of the match: read the match again",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    fn log(length: u64) -> Vec<Entry> {
        (1..=length).map(|sequence| Entry::sample(sequence, EntryKind::Hint)).collect()
    }

    #[test]
    fn a_long_log_is_replayed_outside_the_asynchronous_threads() {
        let runtime = tokio::runtime::Builder::new_current_thread().max_blocking_threads(1).build();
        runtime.expect("a runtime").block_on(async {
            // The only blocking thread of the runtime is occupied until the sender `occupied` is dropped.
            let (occupied, released) = std::sync::mpsc::channel::<()>();
            let occupant = tokio::task::spawn_blocking(move || released.recv().is_err());
            let short = replay(MatchState::sample(), log(SHORT_LOG as u64)).now_or_never();
            assert_eq!(short.expect("no wait").expect("a valid log").sequence(), 100);
            let mut long = Box::pin(replay(MatchState::sample(), log(SHORT_LOG as u64 + 1)));
            assert!((&mut long).now_or_never().is_none(), "the replay waits for the thread");
            drop(occupied);
            assert!(occupant.await.expect("no panic"));
            assert_eq!(long.await.expect("a valid log").sequence(), 101);
        });
    }
}
