//! Summarises measured times for the output of a test.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

/// List of measured times, in ascending order. Their summary gives the median, the 99th percentile and the maximum.
#[derive(Clone, Debug, Default)]
pub struct Times(Vec<Duration>);

impl Times {
    /// Adds a measured time to the sorted list of times.
    pub fn add(&mut self, time: Duration) {
        let place = self.0.partition_point(|known| *known <= time);
        self.0.insert(place, time);
    }

    /// Returns the number of measured times that are at least `least`.
    #[must_use]
    pub fn count_from(&self, least: Duration) -> usize {
        self.0.iter().filter(|time| **time >= least).count()
    }

    /// Returns the given percentile (1 to 100) of the measured times, by the nearest-rank method. Returns zero without measured times.
    fn percentile(&self, percent: usize) -> Duration {
        let rank = (self.0.len() * percent).div_ceil(100);
        self.0.get(rank.saturating_sub(1)).copied().unwrap_or_default()
    }
}

impl Display for Times {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let [median, high, longest] = [50, 99, 100].map(|percent| self.percentile(percent));
        let number = self.0.len();
        write!(f, "{number} times, median {median:.2?}, p99 {high:.2?}, longest {longest:.2?}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_those_of_the_nearest_rank() {
        let mut times = Times::default();
        assert_eq!(times.to_string(), "0 times, median 0.00ns, p99 0.00ns, longest 0.00ns");
        for milliseconds in (1..=200).rev() {
            times.add(Duration::from_millis(milliseconds));
        }
        let summary = "200 times, median 100.00ms, p99 198.00ms, longest 200.00ms";
        assert_eq!(times.to_string(), summary);
        assert_eq!(times.count_from(Duration::from_millis(200)), 1);
        assert_eq!(times.count_from(Duration::from_millis(51)), 150);
    }
}
