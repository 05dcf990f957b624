//! A test that stops as soon as it knows which of two Elo differences the matches speak for.

use crate::stats::{PairCounts, SCORES, as_number, score_of_elo};

/// How often each kind of error may happen.
const ERROR: f64 = 0.05;

/// Stands for a count of 0, which a logarithm cannot take.
const HARDLY: f64 = 1e-3;

/// A sequential probability ratio test: is the one player stronger than the other by `elo1`, or only by `elo0`?
///
/// After every pair of matches it compares how likely the results are at best under either hypothesis (the
/// generalised test, over pairs). Each kind of error happens in at most about 5 % of the arenas.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
}

/// Which hypothesis a test has accepted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Hypothesis {
    /// The player is the stronger by `elo0` only.
    Elo0,
    /// The player is the stronger by `elo1`.
    Elo1,
}

/// The two Elo differences of a test make none.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[error("the first Elo difference must be below the second, and both from -2000 to 2000")]
pub struct BadSprt;

impl Sprt {
    /// A test of `elo0` against `elo1`.
    ///
    /// # Errors
    ///
    /// If `elo0` is not below `elo1`, or one is not a number from -2000 to 2000.
    pub fn new(elo0: f64, elo1: f64) -> Result<Self, BadSprt> {
        let range = -2000.0..=2000.0;
        let is_test = range.contains(&elo0) && range.contains(&elo1) && elo0 < elo1;
        if is_test { Ok(Self { elo0, elo1 }) } else { Err(BadSprt) }
    }

    /// The Elo difference of the one hypothesis.
    #[must_use]
    pub fn elo0(&self) -> f64 {
        self.elo0
    }

    /// The Elo difference of the other hypothesis, the larger.
    #[must_use]
    pub fn elo1(&self) -> f64 {
        self.elo1
    }

    /// How rare either kind of error is.
    #[must_use]
    pub fn error_rate(&self) -> f64 {
        ERROR
    }

    /// At this log-likelihood ratio or below, `elo0` is accepted.
    #[must_use]
    pub fn lower_bound(&self) -> f64 {
        (ERROR / (1.0 - ERROR)).ln()
    }

    /// At this log-likelihood ratio or above, `elo1` is accepted.
    #[must_use]
    pub fn upper_bound(&self) -> f64 {
        ((1.0 - ERROR) / ERROR).ln()
    }

    /// The logarithm of how much better the pairs fit `elo1` than `elo0`; 0 without any.
    #[must_use]
    pub fn log_likelihood_ratio(&self, counts: &PairCounts) -> f64 {
        log_likelihood(counts, score_of_elo(self.elo1))
            - log_likelihood(counts, score_of_elo(self.elo0))
    }

    /// Which hypothesis is accepted, if the pairs suffice for one.
    #[must_use]
    pub fn decide(&self, counts: &PairCounts) -> Option<Hypothesis> {
        let ratio = self.log_likelihood_ratio(counts);
        if ratio <= self.lower_bound() {
            Some(Hypothesis::Elo0)
        } else if ratio >= self.upper_bound() {
            Some(Hypothesis::Elo1)
        } else {
            None
        }
    }
}

/// The logarithm of how likely the pairs are at best if this score, above 0 and below 1, is expected, beside what they are if
/// their own is: 0 at most, but for rounding and what stands for counts of 0.
pub(super) fn log_likelihood(counts: &PairCounts, expected: f64) -> f64 {
    if counts.pairs() == 0 {
        return 0.0;
    }
    let counts = counts.0.map(|count| if count == 0 { HARDLY } else { as_number(count) });
    let tilt = tilt(&counts, expected);
    // The most likely frequencies are count / (1 + tilt · (score - expected)), up to the same factor.
    let terms = counts
        .iter()
        .zip(SCORES)
        .map(|(count, score)| -count * (1.0 + tilt * (score - expected)).ln());
    terms.sum()
}

/// The multiplier of Lagrange by which the observed frequencies become the most likely ones among those with the
/// expected score: the root of Σ count · (score - expected) / (1 + x · (score - expected)).
///
/// The sum falls in x, from +∞ to -∞ between the two ends, so halving the interval finds its only root.
fn tilt(counts: &[f64; 5], expected: f64) -> f64 {
    let slope = |x: f64| -> f64 {
        let terms = counts.iter().zip(SCORES).map(|(count, score)| {
            let off = score - expected;
            count * off / (1.0 + x * off)
        });
        terms.sum()
    };
    let (mut low, mut high) = (-1.0 / (1.0 - expected), 1.0 / expected);
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return middle;
        }
        if slope(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
}
