//! Provides the time of the database's clock, which makes match clocks independent of clock differences between servers.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use crate::clock::now_ms;

/// Clock that is synchronised with the database's clock. All clones share one clock offset. Before the first adjustment, the clock shows
/// the time of this machine.
#[derive(Clone, Debug, Default)]
pub(crate) struct StoreTime {
    /// Estimated clock offset: the time of the database's clock minus the time of this machine's clock, in milliseconds.
    ahead: Arc<AtomicI64>,
    /// Clock skew of a simulated machine: the time of the machine's clock minus the simulated time, in milliseconds.
    #[cfg(test)]
    skew: i64,
}

impl StoreTime {
    /// Returns the clock of a simulated machine, which is `skew` milliseconds ahead of the simulated time.
    #[cfg(test)]
    pub(crate) fn with_skew(skew: i64) -> Self {
        Self { skew, ..Self::default() }
    }

    /// Returns the current Unix time by the database's clock, in milliseconds.
    pub(crate) fn now_ms(&self) -> i64 {
        self.here_ms().saturating_add(self.ahead.load(Ordering::Relaxed))
    }

    /// Returns the current Unix time by the database's clock, in seconds.
    pub(crate) fn now(&self) -> i64 {
        self.now_ms().div_euclid(1_000)
    }

    /// Returns the current Unix time by this machine's clock, in milliseconds.
    #[cfg_attr(
        not(test),
        expect(clippy::unused_self, reason = "only simulated machines have clocks of their own")
    )]
    pub(crate) fn here_ms(&self) -> i64 {
        #[cfg(test)]
        if let Some(now_ms) = crate::simulation::simulated_time::now_ms() {
            return now_ms + self.skew;
        }
        now_ms()
    }

    /// Corrects this clock if its time is inconsistent with `told`, a time that the database has reported. This machine sent the request at
    /// the time `asked`, and received the answer at the time `answered`. The database has read its clock between these two times, which may
    /// be far apart. All times are Unix times in milliseconds, and `asked` and `answered` are times of this machine's clock.
    pub(crate) fn set(&self, told: i64, asked: i64, answered: i64) {
        // Each bound of the difference between the database's clock and this machine's clock is widened by 1 ms. The reason is that all
        // times are rounded down to milliseconds.
        let least = told.saturating_sub(answered).saturating_sub(1);
        let most = told.saturating_sub(asked).saturating_add(1);
        let ahead = self.ahead.load(Ordering::Relaxed);
        if ahead < least || ahead > most {
            let middle = least.saturating_add(most.saturating_sub(least) / 2);
            self.ahead.store(middle, Ordering::Relaxed);
        }
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

    #[test]
    fn a_late_answer_does_not_change_a_clock_that_it_does_not_contradict() {
        let time = StoreTime::default();
        let ahead = |time: &StoreTime| time.ahead.load(Ordering::Relaxed);
        time.set(10_000, 1_000, 1_002);
        assert_eq!(ahead(&time), 8_999);
        // The process was frozen for five seconds between its request for the database's time and the receipt of the answer. The database
        // may have read its clock at any moment of these five seconds. Each reported time is thus consistent with the known clock offset.
        for told in [11_000, 13_000, 16_000] {
            time.set(told, 2_000, 7_000);
            assert_eq!(ahead(&time), 8_999, "{told}");
        }
        // After the database's clock was set forward, the newly reported time gives a new offset between this clock and the machine's
        // clock.
        time.set(25_000, 8_000, 8_004);
        assert_eq!(ahead(&time), 16_998);
    }
}
