//! Ends matches in which a player has run out of time, and gives the downtime of the servers back
//! to players.
//!
//! The store keeps the deadline of a running clock together with the action that starts the clock.
//! Each server looks for passed deadlines, and leases a match before it ends the match, so that one
//! server does the work. The log decides between the end of the match and an action. While a clock
//! runs, each server regularly stores the current time (a heartbeat). A gap between heartbeats means
//! that no server ran, or that none reached the database.

use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use super::absences::follow;
use super::repository::{MatchRepository, next_entry};
use crate::clock::now_ms;
use crate::clock_setting::ClockSetting;
use crate::error::ApiError;
use crate::match_clock::MatchClock;
use crate::random::random_id;
use crate::store::{Appended, Deadline, Entry, EntryKind};

/// Maximum time between two searches for deadlines, and between two stored heartbeats of this
/// server.
const INTERVAL: Duration = Duration::from_millis(500);

/// Look-ahead, in milliseconds, of a search for deadlines.
const AHEAD: i64 = 500;

/// Interval, in milliseconds, between two stored heartbeats while only correspondence clocks run.
const RARE: i64 = 60_000;

/// Maximum age of this server's last heartbeat when an action with a clock is accepted. If the
/// heartbeat is older, the action waits for a new one.
const STALE: Duration = Duration::from_secs(1);

/// Interval between two adjustments of the clock to the database's clock.
const SET_INTERVAL: Duration = Duration::from_secs(10);

/// Maximum number of deadlines in one search.
const BATCH: u32 = 500;

/// Maximum number of matches that the service ends or credits concurrently.
const AT_ONCE: usize = 32;

/// Service that enforces the deadlines of all matches.
pub(crate) struct ClockService {
    repository: Arc<MatchRepository>,
    /// Whether this server does background work.
    plays: bool,
    noted: Mutex<Noted>,
    stop: CancellationToken,
}

/// Times of this server's last updates for the match clocks.
#[derive(Debug, Default)]
struct Noted {
    /// Monotonic time of the last heartbeat, or of the last search without a running clock.
    at: Option<Instant>,
    /// Unix time of the last heartbeat, in milliseconds. While the machine sleeps, this clock runs
    /// on, and the monotonic clock may stand still.
    at_ms: i64,
    /// Monotonic time of the last adjustment to the database's clock.
    set: Option<Instant>,
}

impl Noted {
    /// Returns whether the last heartbeat is younger than an age, by both the monotonic and the
    /// wall clock.
    fn is_younger(&self, age: Duration, now_ms: i64) -> bool {
        let passed = Duration::from_millis(now_ms.abs_diff(self.at_ms));
        self.at.is_some_and(|at| at.elapsed() < age) && passed < age
    }
}

impl ClockService {
    pub(crate) fn new(
        repository: Arc<MatchRepository>,
        plays: bool,
        stop: CancellationToken,
    ) -> Self {
        Self { repository, plays, noted: Mutex::default(), stop }
    }

    /// Enforces deadlines until the server stops.
    pub(crate) async fn run(&self) {
        let mut has_failed = false;
        loop {
            let pause = match self.sweep().await {
                Ok(pause) => {
                    has_failed = false;
                    pause
                }
                Err(error) => {
                    // The database may be away for a long time, so that the failure is logged only once.
                    if !has_failed {
                        error.log();
                    }
                    has_failed = true;
                    INTERVAL
                }
            };
            if timeout(pause, self.stop.cancelled()).await.is_ok() {
                return;
            }
        }
    }

    /// Ends the matches whose deadlines have passed, and returns the time until the next search.
    async fn sweep(&self) -> Result<Duration, ApiError> {
        // The time comes before the note: while the machine sleeps between the two, no deadline passes that was not over before.
        let now = self.repository.time().now_ms();
        self.note(INTERVAL).await?;
        if !self.plays {
            return Ok(INTERVAL);
        }
        let deadlines = self.repository.store().deadlines(now + AHEAD, BATCH).await?;
        let next = deadlines.iter().find(|(_, deadline)| *deadline > now);
        let pause = next.map_or(INTERVAL, |(_, deadline)| {
            INTERVAL.min(Duration::from_millis(deadline.abs_diff(now)))
        });
        let due = deadlines.into_iter().filter(|(_, deadline)| *deadline <= now);
        let due: Vec<String> = due.map(|(id, _)| id).collect();
        let ended = stream::iter(due).map(|id| async move { self.end(&id).await });
        let ended = ended.buffer_unordered(AT_ONCE);
        // A failure in one match does not prevent the end of other matches.
        let ended: Vec<Result<(), ApiError>> = ended.collect().await;
        ended.into_iter().collect::<Result<(), _>>()?;
        Ok(pause)
    }

    /// Waits until recent downtime of the servers has been given back to the players. Otherwise an
    /// action that is not late could be charged with the downtime.
    pub(super) async fn settle(&self) -> Result<(), ApiError> {
        self.note(STALE).await
    }

    /// Stores a heartbeat if the last heartbeat is older than `age` and a clock runs. Before the
    /// heartbeat, players get a downtime of the servers back.
    async fn note(&self, age: Duration) -> Result<(), ApiError> {
        let mut noted = self.noted.lock().await;
        if noted.is_younger(age, now_ms()) {
            return Ok(());
        }
        let (begin, begin_ms) = (Instant::now(), now_ms());
        let (store, time) = (self.repository.store(), self.repository.time());
        if noted.set.is_none_or(|set| set.elapsed() > SET_INTERVAL) {
            let asked = now_ms();
            if let Some(told) = store.now_ms().await? {
                time.set(told, asked, now_ms());
            }
            noted.set = Some(begin);
        }
        let has_live = !store.live_clocks(1).await?.is_empty();
        if has_live || !store.deadlines(i64::MAX, 1).await?.is_empty() {
            let seen = store.last_beat().await?;
            let gap = time.now_ms().saturating_sub(seen);
            if gap >= ClockSetting::LEAST_DOWNTIME_OF_DAYS {
                let all = store.deadlines(i64::MAX, u32::MAX).await?;
                self.credit_all(all.into_iter().map(|(id, _)| id).collect(), seen).await?;
            } else if has_live && gap >= ClockSetting::LEAST_DOWNTIME {
                self.credit_all(store.live_clocks(u32::MAX).await?, seen).await?;
            }
            if has_live || gap >= RARE {
                // Another server may have stored a later time.
                store.beat(time.now_ms()).await?;
            }
        }
        (noted.at, noted.at_ms) = (Some(begin), begin_ms);
        Ok(())
    }

    /// Gives the downtime since the Unix time `seen`, in milliseconds, back to the players to act
    /// in the given matches.
    async fn credit_all(&self, ids: Vec<String>, seen: i64) -> Result<(), ApiError> {
        let ids = stream::iter(ids).map(Ok);
        ids.try_for_each_concurrent(AT_ONCE, |id| async move { self.credit(&id, seen).await }).await
    }

    /// Gives the downtime since the Unix time `seen`, in milliseconds, back to the player to act in
    /// a match.
    async fn credit(&self, id: &str, seen: i64) -> Result<(), ApiError> {
        let credited = self.repository.retry(id, async |state| {
            let now = state.now_ms();
            let downtime = state.clock().and_then(|clock| clock.downtime(seen, now));
            let Some((player, down)) = downtime else { return Ok(Some(())) };
            let entry = next_entry(&state, player, EntryKind::Credit, random_id()?);
            let entry = Entry { at_ms: now, given_ms: down, ..entry };
            Ok(self.repository.append(&state, entry, |addition| addition).await?.map(|_| ()))
        });
        match credited.await {
            // The match may have been removed in the meantime.
            Ok(()) | Err(ApiError::NotFound(_)) => Ok(()),
            Err(error @ ApiError::Busy(_)) => Err(error),
            // An unreadable match does not prevent credits in other matches.
            Err(error) => {
                error.log();
                Ok(())
            }
        }
    }

    /// Ends a match whose deadline has passed, if this server gets the lease of the match.
    async fn end(&self, id: &str) -> Result<(), ApiError> {
        let store = self.repository.store();
        if store.take_lease(id).await? != Appended::Stored {
            return Ok(());
        }
        // A server may have died after it had stored an absence, and before the clock followed.
        let followed = follow(&self.repository, id).await;
        if !matches!(followed, Ok(()) | Err(ApiError::NotFound(_))) {
            followed?;
        }
        let ended = self.repository.retry(id, async |state| {
            let deadline = state.clock().and_then(MatchClock::deadline);
            if deadline.is_some_and(|deadline| deadline <= state.now_ms()) {
                return Ok(self.repository.flag(&state).await?.map(|next| next.sequence()));
            }
            // A server of an earlier version has appended an entry without changing the deadline.
            store.set_deadline(id.to_owned(), state.sequence(), Deadline(deadline)).await?;
            // The turn of a computer opponent keeps its lease, because no log with entries has the sequence number 0.
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

    #[test]
    fn a_note_is_old_after_the_machine_has_slept() {
        let noted = Noted { at: Some(Instant::now()), at_ms: 1_000_000, ..Noted::default() };
        let hour = Duration::from_hours(1);
        // The clock of the runtime has stood still, and the wall clock has gone on or was set back.
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
