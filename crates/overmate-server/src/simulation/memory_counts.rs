//! Counts requests in memory for the rate limits that all simulated servers share.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::Instant;

use crate::store::Counted;

/// Theoretical arrival time (generic cell rate algorithm) of the next request under each rate limit, by the key of the rate limit.
#[derive(Default)]
pub(super) struct Counts(BTreeMap<i64, Instant>);

impl Counts {
    /// Counts a request against several rate limits, unless the request would exceed one of the limits. If a limit has no room, returns the
    /// time after which a repeated request may succeed.
    pub(super) fn count(&mut self, counted: &[Counted], window: Duration) -> Option<Duration> {
        let now = Instant::now();
        let after = |counts: &Self, counted: &Counted| {
            counts.0.get(&counted.key).map_or(now, |until| now.max(*until)) + counted.step
        };
        let last = counted.iter().map(|counted| after(self, counted)).max()?;
        let wait = last.saturating_duration_since(now + window);
        if !wait.is_zero() {
            return Some(wait);
        }
        for counted in counted {
            let until = after(self, counted);
            self.0.insert(counted.key, until);
        }
        None
    }

    /// Removes the counters that no longer affect a rate limit.
    pub(super) fn forget(&mut self) {
        self.0.retain(|_, until| *until > Instant::now());
    }
}
