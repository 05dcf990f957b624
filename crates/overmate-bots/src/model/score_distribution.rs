//! Defines the probability distribution of the final scores of a game.

/// Probability of each final score of a game, in ascending order of the scores. The scores are points for *first* unless the comment at the
/// use names another seat.
pub(crate) type ScoreDistribution = Vec<(i32, f64)>;

/// Converts a score distribution in points for one seat to the distribution in points for the opponent.
pub(crate) fn with_exchanged_seats(scores: &[(i32, f64)]) -> ScoreDistribution {
    scores.iter().rev().map(|(points, share)| (-points, *share)).collect()
}
