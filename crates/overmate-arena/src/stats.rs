//! What the matches of two players say about their strength: score, Elo difference, likelihood of superiority.

use statrs::distribution::{ContinuousCDF as _, Normal, StudentsT};

use crate::sprt::log_likelihood;

/// The share of cases that an interval is meant to hold.
const CONFIDENCE: f64 = 0.95;

/// What a pair of matches can bring a player, as a share of its two points.
pub(super) const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// How many pairs of matches brought a player 0, ½, 1, 1½ and 2 points, a win being one point and a draw half of one.
///
/// The two matches of a pair have the same deals, so they are anything but independent: only whole pairs are
/// counted as cases.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PairCounts(pub [u64; 5]);

/// A number that is not known exactly: it lies between two others with 95 % confidence.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The lower end of the interval.
    pub low: f64,
    /// The most likely value.
    pub value: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Estimate {
    fn map(self, turn: impl Fn(f64) -> f64) -> Self {
        Self { low: turn(self.low), value: turn(self.value), high: turn(self.high) }
    }
}

impl PairCounts {
    /// How many pairs there are.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Counts one more pair, by the half points that it brought the player: 0 to 4.
    pub(super) fn add(&mut self, half_points: usize) {
        if let Some(count) = self.0.get_mut(half_points) {
            *count += 1;
        }
    }

    /// The share of all points that the player has taken, 0 to 1, and where the expected share lies.
    ///
    /// The interval holds all expectations under which the pairs are not much less likely than at best: the same likelihood
    /// as of the sequential test. With many pairs it is the usual one, from their variance; with few it does not take the
    /// little that they vary for all that there is. If all pairs brought the same it holds all expectations under which a
    /// row of so many equal pairs is not rarer than one in 40.
    #[must_use]
    pub fn score(&self) -> Estimate {
        let (pairs, mean) = (as_number(self.pairs()), self.mean());
        if pairs == 0.0 {
            return Estimate { low: 0.0, value: 0.5, high: 1.0 };
        }
        let tail = (1.0 - CONFIDENCE) / 2.0;
        if self.is_one_kind() {
            // A pair is different with probability q at most, if (1 - q)^pairs >= tail; and then it is at worst 0 or 1.
            let same = tail.powf(1.0 / pairs);
            return Estimate { low: mean * same, value: mean, high: 1.0 - (1.0 - mean) * same };
        }
        let least = -Normal::standard().inverse_cdf(1.0 - tail).powi(2) / 2.0;
        // Between the mean and an end the likelihood only falls.
        let limit = |end: f64| {
            let (mut inside, mut outside) = (mean, end);
            // So often that no digit is left to change.
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

    /// By how many Elo points the player is the stronger: the difference of which the expected score is that of
    /// [`score`](Self::score). Infinite where that is 0 or 1.
    #[must_use]
    pub fn elo(&self) -> Estimate {
        self.score().map(elo_of_score)
    }

    /// How likely it is that the player is the stronger one, 0 to 1, if nothing was known before.
    #[must_use]
    pub fn likelihood_of_superiority(&self) -> f64 {
        let lead = self.mean() - 0.5;
        if lead == 0.0 {
            return 0.5;
        }
        // Nothing says more than a coin that fell the same way each time.
        let least = 0.5_f64.powf(as_number(self.pairs()) + 1.0);
        let other = if self.is_one_kind() {
            least
        } else {
            let off = (-2.0 * log_likelihood(self, 0.5).min(0.0)).sqrt();
            Normal::standard().cdf(-off).max(least)
        };
        if lead > 0.0 { 1.0 - other } else { other }
    }

    /// The mean of what the pairs brought; one half without any.
    fn mean(&self) -> f64 {
        let quarters: u64 = self.0.iter().zip(0..).map(|(count, quarters)| count * quarters).sum();
        if quarters == 2 * self.pairs() {
            return 0.5;
        }
        as_number(quarters) / as_number(4 * self.pairs())
    }

    /// Whether all pairs brought the same.
    fn is_one_kind(&self) -> bool {
        self.0.iter().filter(|count| **count > 0).count() == 1
    }
}

/// A mean of whole numbers that have been summed up exactly, and the interval in which the expectation lies: without
/// bounds if all were the same, for then nothing tells how far others may lie.
pub(super) fn mean_of(count: u64, sum: i64, sum_of_squares: u128) -> Estimate {
    let unbounded = |value| Estimate { low: f64::NEG_INFINITY, value, high: f64::INFINITY };
    if count == 0 {
        return unbounded(0.0);
    }
    let (cases, value) = (as_number(count), mean(count, sum));
    // n Σx² - (Σx)² is exact in whole numbers, and its root is not.
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

/// The mean of so many whole numbers with this sum; 0 of none.
pub(super) fn mean(count: u64, sum: i64) -> f64 {
    let size = as_number(sum.unsigned_abs()) / as_number(count.max(1));
    if sum < 0 { -size } else { size }
}

/// The Elo difference at which this score, 0 to 1, is expected.
#[must_use]
pub fn elo_of_score(score: f64) -> f64 {
    // Adding 0 makes no -0 of an even score.
    -400.0 * (1.0 / score - 1.0).log10() + 0.0
}

/// The score, 0 to 1, that is expected at this Elo difference.
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

#[expect(clippy::cast_precision_loss, reason = "nobody plays 2^53 matches")]
pub(super) fn as_number(count: u64) -> f64 {
    count as f64
}
