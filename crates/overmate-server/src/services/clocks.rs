//! Ends matches in which a player has run out of time, and credits the downtime of the servers to players.
//!
//! The store keeps the deadline of a running clock together with the action that starts the clock. Each server looks for passed
//! deadlines, and leases a match before it ends the match, so that one server does the work. If an action and a loss on time
//! compete, the entry that is first in the log counts.
//!
//! While a clock or an event runs, each server that answers players regularly stores a heartbeat: the time until which the server
//! has run and reached the database without a break. A gap between heartbeats is a downtime: no such server ran, or none reached
//! the database. A gap ends at the time of the database at which the last heartbeat was read. A later end would be wrong, because
//! this process may be frozen after the read while another server runs.
//!
//! A worker server answers no players. It therefore stores no heartbeats, credits no downtime, and ends a match only if the
//! deadline is not after the last heartbeat of the other servers. A server that answers players stores a heartbeat only after it
//! has credited the downtime before the heartbeat.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use super::absences::follow;
use super::failure_log::FailureLog;
use super::repository::{MatchRepository, next_entry};
use crate::clocks::clock_setting::ClockSetting;
use crate::clocks::match_clock::MatchClock;
use crate::error::ApiError;
use crate::random::random_id;
use crate::settings::ServerRole;
use crate::store::{Appended, Deadline, Entry, EntryKind};

/// Maximum time between two searches for deadlines of match clocks. The servers' heartbeat is checked at least as often.
const INTERVAL: Duration = Duration::from_millis(500);

/// Look-ahead, in milliseconds, of a search for deadlines of match clocks.
const AHEAD: i64 = 500;

/// Interval, in milliseconds, between two stored heartbeats of a server while only correspondence clocks run.
const RARE: i64 = 60_000;

/// Heartbeat timeout, in milliseconds: a gap of this length shows a downtime of all servers or a freeze of this server. While a live clock
/// or a tournament event runs, and the database answers each read within 1.5 seconds, the last known heartbeat is always younger.
const MISSED: i64 = 10_000;

/// Maximum age, in milliseconds, of the other servers' last heartbeat at which a worker (server for background work only) may adjust clocks
/// to days off. A worker ([`ServerRole::Worker`]) looks for days off several times between two heartbeats for correspondence clocks, so
/// that one search comes soon after each heartbeat.
const HEARD: i64 = 15_000;

/// Maximum age that this server's last heartbeat may have when the server accepts an action in a
/// match with clocks. If the heartbeat is older, the action waits for a new one.
const STALE: Duration = Duration::from_secs(1);

/// Maximum number of deadlines that one search for deadlines reads.
const BATCH: u32 = 500;

/// Maximum number of matches that the clock service changes concurrently. The service ends matches after a loss on time, and credits
/// players for server downtime.
const AT_ONCE: usize = 32;

/// Time until the next attempt to end a match whose log could not be replayed.
const DAMAGED_RETRY: Duration = Duration::from_mins(10);

/// Service that enforces the deadlines of match clocks, and credits players for the downtime of the servers.
pub(crate) struct ClockService {
    repository: Arc<MatchRepository>,
    role: ServerRole,
    noted: Mutex<Noted>,
    /// End of the last downtime that this server has found and credited to live clocks, as a Unix time in milliseconds.
    down_until: AtomicI64,
    /// End, as a Unix time in milliseconds, of the last long period in which this server saw no heartbeat of any server. The period
    /// includes each downtime of all servers, even if another server has credited it, and each freeze of this server alone.
    silent_until: AtomicI64,
    /// End of the last downtime that this server has found and credited to correspondence clocks, as a Unix time in milliseconds.
    down_until_of_days: AtomicI64,
    stop: CancellationToken,
}

/// Result of this server's last check of the heartbeat in the database, with the time of the check.
#[derive(Debug, Default)]
struct Noted {
    /// Monotonic time at which this server last checked the stored heartbeat of the servers; `None` before the first check.
    at: Option<Instant>,
    /// Unix time, in milliseconds, at which this server last checked the stored heartbeat of the servers. While the machine sleeps, the
    /// Unix time runs on, and the monotonic clock may stand still.
    at_ms: i64,
    served: Served,
    /// Time of the last heartbeat that this server has read, as a Unix time in milliseconds.
    heard: i64,
}

/// Period in which no server ran or reached the database, as Unix times of the database in milliseconds.
#[derive(Clone, Copy, Debug)]
struct Down {
    /// Time of the last heartbeat before the downtime.
    from: i64,
    /// End of the downtime: the time, by the clock of the database, at which this server noticed the downtime.
    until: i64,
}

/// End, as a Unix time in milliseconds, of the latest period in which this server reached the database without a long break. The time comes
/// from the database. All earlier downtimes have been credited.
#[derive(Debug, Default)]
struct Served(AtomicI64);

impl Served {
    fn new(until: i64) -> Self {
        Self(AtomicI64::new(until))
    }

    fn until(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Extends the period in which this server has reached the database without a long break, up to the Unix time `now` in milliseconds. A
    /// call after a long break changes nothing, so that the noted time stays at the beginning of the break. In a break, the process was
    /// frozen or waited for the database.
    fn extend(&self, now: i64) {
        if now.saturating_sub(self.until()) < ClockSetting::LEAST_DOWNTIME {
            self.0.fetch_max(now, Ordering::Relaxed);
        }
    }
}

impl Noted {
    /// Returns whether less than the time `age` has passed since this server last checked the heartbeat of the servers. Both the monotonic
    /// and the wall clock must show this.
    fn is_younger(&self, age: Duration, now_ms: i64) -> bool {
        let passed = Duration::from_millis(now_ms.abs_diff(self.at_ms));
        self.at.is_some_and(|at| at.elapsed() < age) && passed < age
    }
}

impl ClockService {
    pub(crate) fn new(
        repository: Arc<MatchRepository>,
        role: ServerRole,
        stop: CancellationToken,
    ) -> Self {
        Self {
            repository,
            role,
            noted: Mutex::default(),
            down_until: AtomicI64::new(i64::MIN),
            silent_until: AtomicI64::new(i64::MIN),
            down_until_of_days: AtomicI64::new(i64::MIN),
            stop,
        }
    }

    /// Enforces the deadlines of match clocks, and stores heartbeats, until the server stops.
    pub(crate) async fn run(&self) {
        tokio::join!(self.note_regularly(), self.sweep_regularly());
    }

    /// Stores heartbeats until the server stops, even during a long search for deadlines.
    async fn note_regularly(&self) {
        loop {
            // An error while this server stores its heartbeat is ignored here. The search for deadlines also stores heartbeats, and logs
            // its errors.
            let _ = self.note(INTERVAL).await;
            if timeout(INTERVAL, self.stop.cancelled()).await.is_ok() {
                return;
            }
        }
    }

    async fn sweep_regularly(&self) {
        let mut failures = FailureLog::default();
        let mut damaged = HashMap::new();
        loop {
            let pause = failures.note(self.sweep(&mut damaged).await).unwrap_or(INTERVAL);
            if timeout(pause, self.stop.cancelled()).await.is_ok() {
                return;
            }
        }
    }

    /// Ends the matches whose deadlines have passed, and returns the time until the next search for deadlines. `damaged` holds the matches
    /// whose logs could not be replayed, each with the time of the next attempt to end it, and is updated.
    async fn sweep(&self, damaged: &mut HashMap<String, Instant>) -> Result<Duration, ApiError> {
        // The time `now`, with which deadlines are compared, is read before the heartbeat is stored. If the machine sleeps between the read
        // and the write, the sleep lets no deadline pass.
        let now = self.repository.time().now_ms();
        self.note(INTERVAL).await?;
        if self.role == ServerRole::Web {
            return Ok(INTERVAL);
        }
        let deadlines = self.repository.store().deadlines(now + AHEAD, BATCH).await?;
        let next = deadlines.iter().find(|(_, deadline)| *deadline > now);
        let pause = next.map_or(INTERVAL, |(_, deadline)| {
            INTERVAL.min(Duration::from_millis(deadline.abs_diff(now)))
        });
        let served = match deadlines.first() {
            Some((_, deadline)) if *deadline <= now => self.served_until(now).await?,
            _ => now,
        };
        damaged.retain(|_, retry| *retry > Instant::now());
        let due = deadlines.into_iter().filter(|(_, deadline)| *deadline <= served);
        let due: Vec<String> =
            due.map(|(id, _)| id).filter(|id| !damaged.contains_key(id)).collect();
        let end = |id: String| async move {
            let ended = self.end(&id, served).await;
            (id, ended)
        };
        let ended = stream::iter(due).map(end).buffer_unordered(AT_ONCE);
        // If one match cannot be ended, the other matches with passed deadlines are ended all the same.
        let ended: Vec<(String, Result<(), ApiError>)> = ended.collect().await;
        let mut swept = Ok(pause);
        for (id, ended) in ended {
            let Err(error) = ended else { continue };
            if matches!(error, ApiError::Internal(_)) && self.repository.load(&id).await.is_err() {
                error.log();
                damaged.insert(id, Instant::now() + DAMAGED_RETRY);
            } else {
                swept = Err(error);
            }
        }
        swept
    }

    /// Returns the Unix time, in milliseconds, up to which deadlines count as passed. Until this time, players could act or were credited
    /// the downtime. The returned time is at most `now`, the present Unix time in milliseconds. A worker knows only the last heartbeat of
    /// the other servers.
    async fn served_until(&self, now: i64) -> Result<i64, ApiError> {
        match self.role {
            ServerRole::All | ServerRole::Web => Ok(now),
            ServerRole::Worker => Ok(now.min(self.repository.store().clock_status().await?.seen)),
        }
    }

    /// Returns whether this server may now pause or resume correspondence clocks for days off. The method first waits like
    /// [`Self::settle`]. A worker must not adjust clocks while no server answers players. An adjustment appends a log entry, and the part
    /// of a downtime before the last entry of a match is not credited.
    pub(super) async fn settle_for_absences(&self) -> Result<bool, ApiError> {
        self.settle().await?;
        if self.role != ServerRole::Worker {
            return Ok(true);
        }
        let status = self.repository.store().clock_status().await?;
        let now = status.now.unwrap_or_else(|| self.repository.time().now_ms());
        Ok(!status.has_any || now.saturating_sub(status.seen) < HEARD)
    }

    /// Waits until the recent downtime of the servers has been credited to the players. Otherwise an action that is not late
    /// could be charged with the downtime.
    pub(super) async fn settle(&self) -> Result<(), ApiError> {
        self.note(STALE).await
    }

    /// Returns the end of the last downtime that was credited to clocks of the given kind (live or correspondence), as a Unix time in
    /// milliseconds. The method first waits like [`Self::settle`]. No action counts as earlier than this end, because the opponent could
    /// not see an action during the downtime.
    pub(super) async fn settle_for(&self, setting: ClockSetting) -> Result<i64, ApiError> {
        self.settle().await?;
        let until = match setting {
            ClockSetting::Live { .. } => &self.down_until,
            ClockSetting::Days(_) => &self.down_until_of_days,
        };
        Ok(until.load(Ordering::Relaxed))
    }

    /// Returns the end of the last downtime that was credited to live clocks, as a Unix time in milliseconds. The method first
    /// waits like [`Self::settle`]. A request for a pause never counts as earlier than this end.
    pub(super) async fn settle_for_pause(&self) -> Result<i64, ApiError> {
        self.settle().await?;
        Ok(self.down_until.load(Ordering::Relaxed))
    }

    /// Returns the Unix time, in milliseconds, since which this server has seen the heartbeats of the servers without a gap. The method
    /// first waits like [`Self::settle`]. The time in which a player of a tournament event must make their first action begins no earlier.
    pub(super) async fn settle_for_arrivals(&self) -> Result<i64, ApiError> {
        self.settle().await?;
        Ok(self.silent_until.load(Ordering::Relaxed))
    }

    /// Stores a heartbeat of the servers if a match clock or a tournament event runs. The method does nothing if this server last checked
    /// the heartbeat less than `age` ago. While only correspondence clocks run, the servers store a heartbeat at most once in [`RARE`]
    /// milliseconds. Before the heartbeat, a downtime of the servers is credited to the players. A worker only adjusts its clock to the
    /// clock of the database, and reads the last heartbeat.
    async fn note(&self, age: Duration) -> Result<(), ApiError> {
        let mut noted = self.noted.lock().await;
        let (store, time) = (self.repository.store(), self.repository.time());
        let (begin, begin_ms) = (Instant::now(), time.here_ms());
        if noted.is_younger(age, begin_ms) {
            return Ok(());
        }
        let status = store.clock_status().await?;
        if let Some(told) = status.now {
            time.set(told, begin_ms, time.here_ms());
        }
        // `now` must not be later than the time at which the last heartbeat was read. The time of the database and the start of this call
        // both fulfil this condition.
        let now = status.now.unwrap_or(begin_ms);
        let heard = status.seen;
        // The server measures the time without heartbeats from the last heartbeat that it read at its previous check. The newest heartbeat
        // could hide a downtime of all servers, because another server may have stored it after the downtime.
        if now.saturating_sub(noted.heard) >= MISSED {
            self.silent_until.store(now, Ordering::Relaxed);
        }
        if self.role == ServerRole::Worker {
            let (at, served) = (Some(begin), Served::default());
            *noted = Noted { at, at_ms: begin_ms, served, heard };
            return Ok(());
        }
        noted.served.extend(now);
        let seen = status.seen.max(noted.served.until());
        let (gap, served) = (now.saturating_sub(seen), Served::new(now));
        let down = Down { from: seen, until: now };
        if gap >= ClockSetting::LEAST_DOWNTIME {
            self.down_until.store(now, Ordering::Relaxed);
        }
        if gap >= ClockSetting::LEAST_DOWNTIME_OF_DAYS {
            self.down_until_of_days.store(now, Ordering::Relaxed);
        }
        if status.has_live && gap >= ClockSetting::LEAST_DOWNTIME {
            self.credit_all(store.live_clocks(u32::MAX).await?, down, &served).await?;
        }
        if status.has_any && gap >= ClockSetting::LEAST_DOWNTIME_OF_DAYS {
            let is_long = gap >= ClockSetting::LONG_DOWNTIME_OF_DAYS;
            let until = if is_long { i64::MAX } else { now + ClockSetting::LONG_DOWNTIME_OF_DAYS };
            // Some of the deadlines that the store returns may belong to live clocks. Such clocks have already been credited above, so that
            // nothing is left to credit.
            let due = store.deadlines(until, u32::MAX).await?;
            self.credit_all(due.into_iter().map(|(id, _)| id).collect(), down, &served).await?;
        }
        served.extend(time.now_ms());
        let is_frequent = status.has_live || status.has_event;
        if is_frequent || (status.has_any && now.saturating_sub(status.seen) >= RARE) {
            // If another server has already stored a later heartbeat, the call of `beat` changes nothing.
            store.beat(served.until()).await?;
            served.extend(time.now_ms());
        }
        *noted = Noted { at: Some(begin), at_ms: begin_ms, served, heard };
        Ok(())
    }

    /// Credits the thinking time lost in a downtime to the players whose clocks run in the given matches. Each response of the store
    /// extends the time that this server has served.
    async fn credit_all(
        &self,
        ids: Vec<String>,
        down: Down,
        served: &Served,
    ) -> Result<(), ApiError> {
        let ids = stream::iter(ids).map(Ok);
        let credit = |id: String| async move { self.credit(&id, down, served).await };
        ids.try_for_each_concurrent(AT_ONCE, credit).await
    }

    /// Credits the thinking time lost in a downtime to the player whose clock runs in a match. Several servers may credit one downtime,
    /// because only the part after the last log entry of the match counts.
    async fn credit(&self, id: &str, down: Down, served: &Served) -> Result<(), ApiError> {
        let credited = self.repository.retry(id, async |state| {
            served.extend(state.now_ms());
            let downtime = state.clock().and_then(|clock| clock.downtime(down.from, down.until));
            let Some((player, given_ms)) = downtime else { return Ok(Some(())) };
            let entry = next_entry(&state, player, EntryKind::Credit, random_id()?);
            // The log entry `Credit` has the time of the end of the downtime. A later time would hide a further downtime that begins before
            // the entry is stored.
            let entry = Entry { at_ms: down.until, given_ms, ..entry };
            let appended = self.repository.append(&state, entry, |addition| addition).await?;
            served.extend(state.now_ms());
            Ok(appended.map(|_| ()))
        });
        match credited.await {
            // The match may have been removed since its id was read.
            Ok(()) | Err(ApiError::NotFound(_)) => Ok(()),
            Err(error @ ApiError::Busy(_)) => Err(error),
            // An error in one match is only logged, so that the downtime is still credited to the players of other matches.
            Err(error) => {
                error.log();
                Ok(())
            }
        }
    }

    /// Ends a match whose deadline has passed, if this server gets the database lease of the match. The deadline has passed at `now`, a
    /// Unix time in milliseconds. If the process is frozen after this time, the freeze makes no player lose the match.
    async fn end(&self, id: &str, now: i64) -> Result<(), ApiError> {
        // A match that cannot be read gets no lease. The holder of the lease would also take over the turns of computer opponents in the
        // match, and fail again.
        match self.repository.load(id).await {
            Err(ApiError::NotFound(_)) => return Ok(()),
            state => state?,
        };
        let store = self.repository.store();
        if store.take_lease(id).await? != Appended::Stored {
            return Ok(());
        }
        // Before the deadline is checked, the clock is paused or resumed for its player's days off. A server may have died after it had
        // stored days off, and before it had adjusted the clock.
        let followed = follow(&self.repository, id).await;
        if !matches!(followed, Ok(()) | Err(ApiError::NotFound(_))) {
            followed?;
        }
        let ended = self.repository.retry(id, async |state| {
            let deadline = state.clock().and_then(MatchClock::deadline);
            // At its first search for deadlines, this server may not yet have adjusted its clock to the clock of the database. The time
            // `now` may then be too late.
            let now = now.min(state.now_ms());
            if deadline.is_some_and(|deadline| deadline <= now) {
                return Ok(self.repository.flag(&state).await?.map(|next| next.sequence()));
            }
            // The stored deadline may be outdated: a server of an earlier version may have appended an entry without changing the
            // deadline.
            store.set_deadline(id.to_owned(), state.sequence(), Deadline(deadline)).await?;
            // The database lease of the match stays if a computer opponent is to act, because the server needs the lease for this turn. The
            // returned number 0 keeps the lease: it is removed only if the last log entry has the returned sequence number, and no entry
            // has the number 0.
            Ok(Some(if state.bot_to_act().is_some() { 0 } else { state.sequence() }))
        });
        let sequence = match ended.await {
            Ok(sequence) => sequence,
            Err(ApiError::NotFound(_)) => 0,
            Err(error) => return Err(error),
        };
        store.remove_lease(id.to_owned(), sequence).await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notices::events::InProcess;
    use crate::settings::Limits;
    use crate::simulation::memory_link::Direct;
    use crate::simulation::memory_store::{MemoryStore, Tables};
    use crate::simulation::simulated_time::SimulatedTime;
    use crate::store::{Addition, MatchInfo, Store};

    /// Returns an empty store in memory, and the repository of its matches.
    fn memory() -> (Arc<dyn Store>, Arc<MatchRepository>) {
        let limits = Limits::default();
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new(Tables::new(&limits), Direct));
        let (repository, _) =
            MatchRepository::new(Arc::clone(&store), Arc::new(InProcess::default()), &limits);
        (store, Arc::new(repository))
    }

    #[tokio::test(start_paused = true)]
    async fn a_worker_lets_clocks_follow_days_off_only_soon_after_a_heartbeat() {
        let _time = SimulatedTime::start();
        let (store, repository) = memory();
        let service =
            |role| ClockService::new(Arc::clone(&repository), role, CancellationToken::new());
        let (worker, other) = (service(ServerRole::Worker), service(ServerRole::All));
        let may_follow =
            async |service: &ClockService| service.settle_for_absences().await.expect("an answer");
        assert!(may_follow(&worker).await, "no clock runs");
        let info = MatchInfo { clock: ClockSetting::days(1), ..MatchInfo::sample() };
        let id = info.id.clone();
        store.create(info, None).await.expect("a write");
        store.set_deadline(id, 0, Deadline(Some(i64::MAX))).await.expect("a write");
        store.beat(repository.time().now_ms()).await.expect("a write");
        for (seconds, is_soon) in [(0, true), (14, true), (2, false)] {
            tokio::time::sleep(Duration::from_secs(seconds)).await;
            assert_eq!(may_follow(&worker).await, is_soon, "{seconds}");
        }
        assert!(may_follow(&other).await, "another server credits the downtime itself");
        assert!(!may_follow(&worker).await, "the next heartbeat is due after a minute");
        tokio::time::sleep(Duration::from_mins(1)).await;
        assert!(may_follow(&other).await && may_follow(&worker).await);
    }

    #[tokio::test(start_paused = true)]
    async fn a_damaged_match_is_not_leased_and_tried_again_later() {
        let _time = SimulatedTime::start();
        let (store, repository) = memory();
        let service = ClockService::new(repository, ServerRole::All, CancellationToken::new());
        let info = MatchInfo { clock: ClockSetting::days(1), ..MatchInfo::sample() };
        let id = info.id.clone();
        store.create(info, None).await.expect("a write");
        let illegal = Entry::sample(1, EntryKind::Act("illegal".to_owned()));
        let addition = Addition { deadline: Some(Deadline(Some(0))), ..Addition::of(&id, illegal) };
        assert_eq!(store.append(addition).await.expect("a write"), Appended::Stored);
        let mut damaged = HashMap::new();
        for _ in 0..2 {
            assert!(service.sweep(&mut damaged).await.is_ok());
            assert_eq!(damaged.keys().collect::<Vec<_>>(), [&id]);
        }
        let leases = store.keep_leases().await.expect("a read");
        assert!(!leases.contains(&id), "the search for deadlines has taken the match");
        let first = damaged[&id];
        tokio::time::sleep(DAMAGED_RETRY).await;
        assert!(service.sweep(&mut damaged).await.is_ok());
        assert!(damaged[&id] > first);
    }

    #[test]
    fn a_note_is_old_after_the_machine_has_slept() {
        let noted = Noted { at: Some(Instant::now()), at_ms: 1_000_000, ..Noted::default() };
        let hour = Duration::from_hours(1);
        // In all cases of this test, the monotonic clock has stood still since the server's last check of the stored heartbeat. The wall
        // clock has stood still, gone on or been set back.
        for (now_ms, is_younger) in [
            (1_000_000, true),
            (1_000_000 + 3_599_999, true),
            (1_000_000 + 3_600_000, false),
            (1_000_000 - 3_600_000, false),
        ] {
            assert_eq!(noted.is_younger(hour, now_ms), is_younger, "{now_ms}");
        }
        assert!(!noted.is_younger(Duration::ZERO, 1_000_000));
        assert!(!Noted::default().is_younger(hour, 0));
    }
}
