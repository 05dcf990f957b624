//! Finds players' days off that began or ended, and pauses or resumes the correspondence clocks of these players.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::absences::settle_absences;
use super::clocks::ClockService;
use super::failure_log::FailureLog;
use super::repository::MatchRepository;
use crate::clocks::clock_setting::DAY;
use crate::error::ApiError;

/// Interval between two searches for players' days off that have begun or ended.
const INTERVAL: Duration = Duration::from_secs(10);

/// Overlap, in milliseconds, of the time ranges of two successive searches for days off that began or ended. For this time, a failed
/// adjustment of a clock is tried again.
const OVERLAP: i64 = 120_000;

/// Length, in milliseconds, of the past period in which a starting server looks for beginnings and ends of days off.
const AT_START: i64 = DAY;

/// Service that finds correspondence clocks that were not paused or resumed for players' days off, and corrects these clocks. A clock
/// misses such a change if a server died after it had stored the days off, or if an action came at the same time. The service has a task of
/// its own, so that deadlines and heartbeats do not wait for it.
pub(crate) struct AbsenceWatch {
    repository: Arc<MatchRepository>,
    clocks: Arc<ClockService>,
    /// Whether this server does background work.
    plays: bool,
    stop: CancellationToken,
}

impl AbsenceWatch {
    pub(crate) fn new(
        repository: Arc<MatchRepository>,
        clocks: Arc<ClockService>,
        plays: bool,
        stop: CancellationToken,
    ) -> Self {
        Self { repository, clocks, plays, stop }
    }

    /// Regularly pauses or resumes correspondence clocks for players' days off, until the server stops. The method returns at once if this
    /// server does no background work.
    pub(crate) async fn run(&self) {
        if !self.plays {
            return;
        }
        let mut looked = None;
        let mut failures = FailureLog::default();
        loop {
            failures.note(self.look(&mut looked).await);
            if timeout(INTERVAL, self.stop.cancelled()).await.is_ok() {
                return;
            }
        }
    }

    /// Finds the days off that began or ended since the previous search, and pauses or resumes the correspondence clocks of their players.
    /// `looked` is the time of the previous search in milliseconds since 1970, and is updated.
    async fn look(&self, looked: &mut Option<i64>) -> Result<(), ApiError> {
        // Players are credited for server downtime before their clocks are paused or resumed for days off.
        if !self.clocks.settle_for_absences().await? {
            return Ok(());
        }
        let now = self.repository.time().now_ms();
        // The first search for days off has no upper bound of time, so that it also finds days off that will end in the future. Such days
        // off may have begun long ago.
        let (since, until) =
            looked.map_or((now - AT_START, i64::MAX), |last| (last - OVERLAP, now));
        let persons = self.repository.store().changed_absences(since, until).await?;
        for person in persons {
            if self.stop.is_cancelled() {
                return Ok(());
            }
            // A failure for one person does not keep the server from adjusting the clocks of other persons. The searches of the next two
            // minutes try again. The clock service also adjusts a clock before it ends a match on time.
            if let Err(error) = settle_absences(&self.repository, person).await {
                error.log();
            }
        }
        *looked = Some(now);
        Ok(())
    }
}
