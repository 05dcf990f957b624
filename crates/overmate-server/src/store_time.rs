//! Provides the database's time, so that match clocks do not depend on the clocks of several
//! servers.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use crate::clock::now_ms;

/// Clock that follows the time of the database. All clones share the clock. Until it is set, the
/// clock shows the time of this machine.
#[derive(Clone, Debug, Default)]
pub(crate) struct StoreTime(Arc<AtomicI64>);

impl StoreTime {
    /// Returns the current Unix time by the database's clock, in milliseconds.
    pub(crate) fn now_ms(&self) -> i64 {
        now_ms().saturating_add(self.0.load(Ordering::Relaxed))
    }

    /// Adjusts the clock to a time that the database has reported. `asked` and `answered` are the
    /// times of the request and the answer on this machine. All times are in milliseconds since
    /// 1970.
    pub(crate) fn set(&self, told: i64, asked: i64, answered: i64) {
        let here = asked.saturating_add(answered.saturating_sub(asked) / 2);
        self.0.store(told.saturating_sub(here), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_shows_the_time_of_the_database() {
        let time = StoreTime::default();
        let shown = time.clone();
        let begin = now_ms();
        assert!(shown.now_ms() >= begin);
        time.set(10_000_600, 500, 700);
        let hours = 10_000_000;
        assert!(shown.now_ms() >= begin + hours);
        assert!(shown.now_ms() <= now_ms() + hours);
    }
}
