//! Counts the results of match pairs, and converts between expected scores and Elo differences.

/// Possible scores of an entrant in a match pair, as fractions of the maximum of two points.
pub(crate) const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Numbers of match pairs in which an entrant scored 0, ½, 1, 1½ and 2 points. A win is one point and a draw half a point.
///
/// The two matches of a pair have the same deals and are therefore dependent, so whole pairs are the statistical cases: the pentanomial
/// model, as in fishtest, the testing framework of the chess engine Stockfish.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PairCounts(pub [u64; 5]);

impl PairCounts {
    /// Returns the total number of counted match pairs.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Counts a match pair in which the entrant scored `half_points` half points, from 0 to 4.
    pub(crate) fn add(&mut self, half_points: usize) {
        if let Some(count) = self.0.get_mut(half_points) {
            *count += 1;
        }
    }

    /// Returns the entrant's mean score in a match pair as a fraction of two points, 0 to 1. Returns 0.5 if no match pairs are counted.
    pub(crate) fn mean(&self) -> f64 {
        let quarters: u64 = self.0.iter().zip(0..).map(|(count, quarters)| count * quarters).sum();
        if quarters == 2 * self.pairs() {
            return 0.5;
        }
        as_number(quarters) / as_number(4 * self.pairs())
    }

    /// Returns whether the entrant had the same score in all match pairs that `self` counts. Returns `false` if `self`
    /// counts no match pairs.
    pub(crate) fn is_one_kind(&self) -> bool {
        self.0.iter().filter(|count| **count > 0).count() == 1
    }
}

/// Returns the Elo advantage of a player whose expected score in a match is `score`, 0 to 1. See Elo, "The Rating of
/// Chessplayers, Past and Present", 1978.
#[must_use]
pub fn elo_of_score(score: f64) -> f64 {
    // For a score of 0.5, the Elo advantage would be -0.0 without the addition of 0.0.
    -400.0 * (1.0 / score - 1.0).log10() + 0.0
}

/// Returns the expected score, 0 to 1, of a player whose Elo rating is `elo` above the opponent's rating (logistic curve).
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// Converts a count of match pairs to a floating-point number.
#[expect(clippy::cast_precision_loss, reason = "nobody plays 2^53 matches")]
pub(crate) fn as_number(count: u64) -> f64 {
    count as f64
}
