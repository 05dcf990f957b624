//! Implements the sequential probability ratio test between two hypotheses on the Elo difference of
//! two bots.

use crate::likelihood::log_likelihood;
use crate::pair_counts::{PairCounts, score_of_elo};

/// Error rate of the sequential test: the probability that the test accepts the false hypothesis.
const ERROR: f64 = 0.05;

/// Minimum distance between the two Elo differences of a sequential test. A test of a smaller distance may need more match pairs than an
/// arena can play.
const MIN_DISTANCE: f64 = 0.1;

/// Upper bound of the rounding error in the distance between two Elo differences that a person wrote as decimal fractions, such as 0.2 and
/// 0.3.
const ROUNDING: f64 = 1e-9;

/// Sequential probability ratio test (Wald, "Sequential Tests of Statistical Hypotheses", 1945) that decides between
/// two Elo differences.
///
/// After every match pair, the test compares the maximum likelihoods of the two hypotheses
/// (generalised test: Li, Liu and Ying 2014). The probability of each kind of error is about 5 %.
///
/// ```
/// use overmate_arena::{Hypothesis, PairCounts, Sprt};
/// let test = Sprt::new(0.0, 50.0)?;
/// assert_eq!(test.decide(&PairCounts([1, 2, 3, 2, 1])), None);
/// assert_eq!(test.decide(&PairCounts([2, 10, 30, 60, 40])), Some(Hypothesis::Elo1));
/// # Ok::<(), overmate_arena::SprtError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
}

/// Hypothesis of a sequential probability ratio test ([`Sprt`]) on the Elo difference between two bots.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Hypothesis {
    /// The Elo difference between the two bots equals `elo0`, the lower of the two tested values.
    Elo0,
    /// The Elo difference between the two bots equals `elo1`, the higher of the two tested values.
    Elo1,
}

/// Error: the two Elo differences of a sequential test are out of range, not in ascending order or too close together.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[error(
    "a sequential probability ratio test needs two Elo differences from -2000 to 2000, the lower difference first, \
     and at least {MIN_DISTANCE} apart"
)]
pub struct SprtError;

impl Sprt {
    /// Creates a sequential test that decides between two Elo differences of two bots, the lower `elo0` and the higher `elo1`.
    ///
    /// # Errors
    ///
    /// Returns an error if `elo1` is not at least 0.1 above `elo0`, or if a value is outside the range from -2000 to 2000.
    pub fn new(elo0: f64, elo1: f64) -> Result<Self, SprtError> {
        let range = -2000.0..=2000.0;
        let is_test =
            range.contains(&elo0) && range.contains(&elo1) && elo1 - elo0 > MIN_DISTANCE - ROUNDING;
        if is_test { Ok(Self { elo0, elo1 }) } else { Err(SprtError) }
    }

    /// Returns the lower of the two Elo differences that the sequential test compares.
    #[must_use]
    pub fn elo0(&self) -> f64 {
        self.elo0
    }

    /// Returns the higher of the two Elo differences that the sequential test compares.
    #[must_use]
    pub fn elo1(&self) -> f64 {
        self.elo1
    }

    /// Returns the error rate of the sequential test: the probability, from 0 to 1, that the test accepts the false hypothesis.
    #[must_use]
    pub fn error_rate(&self) -> f64 {
        ERROR
    }

    /// Returns the log-likelihood ratio at or below which the sequential test accepts the lower Elo difference, `elo0`.
    #[must_use]
    pub fn lower_bound(&self) -> f64 {
        (ERROR / (1.0 - ERROR)).ln()
    }

    /// Returns the log-likelihood ratio at or above which the sequential test accepts the higher Elo difference, `elo1`.
    #[must_use]
    pub fn upper_bound(&self) -> f64 {
        ((1.0 - ERROR) / ERROR).ln()
    }

    /// Returns the log-likelihood ratio of the Elo difference `elo1` to the Elo difference `elo0`, given the results
    /// `counts`; 0 without results.
    #[must_use]
    pub fn log_likelihood_ratio(&self, counts: &PairCounts) -> f64 {
        log_likelihood(counts, score_of_elo(self.elo1))
            - log_likelihood(counts, score_of_elo(self.elo0))
    }

    /// Returns the hypothesis that the sequential test accepts after the results `counts`, or `None` while the test needs
    /// more results.
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
