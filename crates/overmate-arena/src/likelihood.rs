//! Computes empirical likelihoods of a bot's expected score (Owen, "Empirical likelihood ratio confidence intervals for
//! a single functional", 1988).

use crate::pair_counts::{PairCounts, SCORES, as_number};

/// Pseudocount in place of a count of 0 match pairs, because 0 has no logarithm.
const ZERO_COUNT: f64 = 1e-3;

/// Returns the logarithm of the empirical likelihood ratio for the hypothesis that the mean score in a match pair is `expected`.
///
/// The expected score is above 0 and below 1. The result is at most 0, apart from rounding errors and the effect of the pseudocount
/// [`ZERO_COUNT`].
pub(crate) fn log_likelihood(counts: &PairCounts, expected: f64) -> f64 {
    if counts.pairs() == 0 {
        return 0.0;
    }
    let counts = counts.0.map(|count| if count == 0 { ZERO_COUNT } else { as_number(count) });
    let multiplier = lagrange_multiplier(&counts, expected);
    // Each `count` is the number of match pairs with the score `score`. If the mean score is `expected`, the most likely frequency of such
    // pairs is proportional to count / (1 + multiplier · (score - expected)), with the Lagrange multiplier `multiplier`.
    let terms = counts
        .iter()
        .zip(SCORES)
        .map(|(count, score)| -count * (1.0 + multiplier * (score - expected)).ln());
    terms.sum()
}

/// Returns the Lagrange multiplier for the constraint that the mean score is `expected`, in the maximisation of the
/// likelihood.
///
/// The multiplier is the root x of the sum Σ count · (score - expected) / (1 + x · (score - expected)). While x grows from
/// -1 / (1 - expected) to 1 / expected, the sum falls from +∞ to -∞, so bisection finds the only root.
fn lagrange_multiplier(counts: &[f64; 5], expected: f64) -> f64 {
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
