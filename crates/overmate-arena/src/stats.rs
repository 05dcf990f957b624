//! Estimates a bot's strength from match results, with confidence intervals.

use statrs::distribution::{ContinuousCDF as _, Normal, StudentsT};

use crate::likelihood::log_likelihood;
use crate::pair_counts::{PairCounts, as_number, elo_of_score};

/// Confidence level of the confidence intervals for match results, from 0 to 1.
const CONFIDENCE: f64 = 0.95;

/// Estimate of a statistic, such as an Elo difference, with its 95 % confidence interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Lower limit of the 95 % confidence interval of an estimated statistic, such as an Elo difference.
    pub low: f64,
    /// Point estimate of a statistic, such as an Elo difference. The point estimate lies within the confidence interval.
    pub value: f64,
    /// Upper limit of the 95 % confidence interval of an estimated statistic, such as an Elo difference.
    pub high: f64,
}

impl Estimate {
    /// Applies a monotonic function to the estimated value and to both limits of its confidence interval.
    fn map(self, function: impl Fn(f64) -> f64) -> Self {
        Self { low: function(self.low), value: function(self.value), high: function(self.high) }
    }
}

impl PairCounts {
    /// Returns the entrant's mean score in a match, from 0 (all matches lost) to 1 (all matches won), with its confidence interval.
    ///
    /// The interval contains all expected scores whose empirical likelihood (Owen 1988) is above
    /// the quantile of the confidence level. With many pairs, the interval is close to the usual
    /// interval from the variance. With few pairs, the interval is wider. If all pairs have the same
    /// score, the interval is that of a binomial proportion (Clopper and Pearson 1934).
    #[must_use]
    pub fn score(&self) -> Estimate {
        let (pairs, mean) = (as_number(self.pairs()), self.mean());
        if pairs == 0.0 {
            return Estimate { low: 0.0, value: 0.5, high: 1.0 };
        }
        let tail = (1.0 - CONFIDENCE) / 2.0;
        if self.is_one_kind() {
            // The entrant has the same score in all match pairs so far. A pair with another score then has at most the
            // probability q with (1 - q)^pairs = tail, and its score lies anywhere from 0 to 1.
            let same = tail.powf(1.0 / pairs);
            return Estimate { low: mean * same, value: mean, high: 1.0 - (1.0 - mean) * same };
        }
        let least = -Normal::standard().inverse_cdf(1.0 - tail).powi(2) / 2.0;
        // The likelihood falls monotonically from the mean score to both 0 and 1, so that bisection finds each limit of the interval.
        let limit = |end: f64| {
            let (mut inside, mut outside) = (mean, end);
            // The bisection needs no more than 60 steps, because a 64-bit floating-point number has 53 binary digits.
            for _ in 0..60 {
                let middle = f64::midpoint(inside, outside);
                if log_likelihood(self, middle) >= least {
                    inside = middle;
                } else {
                    outside = middle;
                }
            }
            inside
        };
        Estimate { low: limit(0.0), value: mean, high: limit(1.0) }
    }

    /// Returns the entrant's Elo advantage over the opponent; infinite for a mean score of 0 or 1.
    #[must_use]
    pub fn elo(&self) -> Estimate {
        self.score().map(elo_of_score)
    }

    /// Returns the likelihood of superiority: the confidence, from 0 to 1, that the entrant is stronger than its opponent.
    ///
    /// The value is one minus the one-sided p-value of the empirical likelihood ratio test (Owen 1988) of an expected score of 0.5. The
    /// value differs from 0 and from 1 by at least 2^-(pairs + 1). The smaller difference is exactly 2^-(pairs + 1) if the entrant has the
    /// same score in all match pairs and this score is not 0.5. For a mean score of 0.5, the value is 0.5.
    #[must_use]
    pub fn likelihood_of_superiority(&self) -> f64 {
        let lead = self.mean() - 0.5;
        if lead == 0.0 {
            return 0.5;
        }
        // The p-value counts as at least 2^-(pairs + 1), where `pairs` is the number of match pairs. This is half the
        // probability that a fair coin, tossed once for each match pair, shows only heads.
        let least = 0.5_f64.powf(as_number(self.pairs()) + 1.0);
        let other = if self.is_one_kind() {
            least
        } else {
            let off = (-2.0 * log_likelihood(self, 0.5).min(0.0)).sqrt();
            Normal::standard().cdf(-off).max(least)
        };
        if lead > 0.0 { 1.0 - other } else { other }
    }
}

/// Returns the mean of a sample and its confidence interval (Student 1908), given the sum of the values and the sum of their squares.
///
/// The interval is unbounded if all values are equal, because the variance is then unknown.
pub(crate) fn mean_of(count: u64, sum: i64, sum_of_squares: u128) -> Estimate {
    let unbounded = |value| Estimate { low: f64::NEG_INFINITY, value, high: f64::INFINITY };
    if count == 0 {
        return unbounded(0.0);
    }
    let (cases, value) = (as_number(count), mean(count, sum));
    // The difference n Σx² - (Σx)² is exact, because it is computed in integers.
    let spread = u128::from(count) * sum_of_squares - u128::from(sum.unsigned_abs()).pow(2);
    let Ok(distribution) = StudentsT::new(0.0, 1.0, cases - 1.0) else { return unbounded(value) };
    if spread == 0 {
        return unbounded(value);
    }
    #[expect(
        clippy::cast_precision_loss,
        reason = "an interval needs no more digits than a float has"
    )]
    let deviation = (spread as f64 / (cases * (cases - 1.0))).sqrt();
    let quantile = distribution.inverse_cdf(f64::midpoint(1.0, CONFIDENCE));
    let reach = quantile * deviation / cases.sqrt();
    Estimate { low: value - reach, value, high: value + reach }
}

/// Returns the mean of integers from their count and sum; 0 for a count of 0.
pub(crate) fn mean(count: u64, sum: i64) -> f64 {
    let size = as_number(sum.unsigned_abs()) / as_number(count.max(1));
    if sum < 0 { -size } else { size }
}
