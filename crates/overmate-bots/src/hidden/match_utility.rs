//! Computes the utility of points in the last games of a match, where winning the match counts more than points.

use overmate_rules::Seat;

use crate::bot::Standing;
use crate::hidden::tree_builder::as_points;
use crate::model::objective::result_of_match;
use crate::model::score_distribution::{ScoreDistribution, with_exchanged_seats};

/// Utility function of points in one of the last two games of a match, where winning the match
/// counts more than points.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct MatchUtility {
    /// Points by which the player in seat *first* is ahead of the player in seat *second* after the earlier games of the match.
    lead_of_first: i32,
    /// Probability of each score in the next game of the match, in points for the player who has
    /// seat *first* in the current game. Without a next game, 0 points have probability 1.
    later_for_first: Vec<(i32, f32)>,
    is_last: bool,
}

/// Utility of a won match minus the utility of a drawn match, measured in points.
const MATCH: f32 = 50.0;

/// Utility of one point in a game that decides the match: just large enough to break ties.
const POINT: f32 = 0.02;

/// Typical error of a state's heuristic value, in points. For heuristic values, the utility passes smoothly from a lost
/// to a won match on this scale, instead of in one step.
const DOUBTFUL: f32 = 20.0;

impl MatchUtility {
    /// Returns the utility function for a game that is played to win the match ([`Standing::is_for_the_match`]), or `None` for any other
    /// game.
    ///
    /// `later` returns the score distribution of the last game, in points for the seat *first* of that game.
    pub(crate) fn of(
        standing: Standing,
        seat: Seat,
        later: impl FnOnce() -> Option<ScoreDistribution>,
    ) -> Option<Self> {
        if !standing.is_for_the_match() {
            return None;
        }
        let lead_of_first = standing.lead() * seat.sign_for_first();
        if standing.games_after() == 0 {
            return Some(Self::last(lead_of_first));
        }
        // The players exchange seats in the next game, so that the sign of the points changes.
        Some(Self::before_last(lead_of_first, &with_exchanged_seats(&later()?)))
    }

    /// Returns the utility function for the last game of a match, given the points by which seat *first* is ahead in the match.
    pub(crate) fn last(lead_of_first: i32) -> Self {
        Self { lead_of_first, later_for_first: vec![(0, 1.0)], is_last: true }
    }

    /// Returns the utility function for the last game but one of a match, given the score
    /// distribution of the last game.
    pub(crate) fn before_last(lead_of_first: i32, later_for_first: &[(i32, f64)]) -> Self {
        #[allow(clippy::cast_possible_truncation, reason = "seven digits suffice")]
        let later = later_for_first.iter().map(|(points, odds)| (*points, *odds as f32));
        Self { lead_of_first, later_for_first: later.collect(), is_last: false }
    }

    /// Returns whether the utility function is for the last game of the match.
    pub(crate) fn is_last(&self) -> bool {
        self.is_last
    }

    /// Converts points of the current game to their utility for seat *first*. The points are exact
    /// final points or heuristic points.
    ///
    /// The utility increases with the points, so a state in which the hidden card does not matter keeps its best play and
    /// remains a leaf. Heuristic points are inexact, so their utility is a smooth function without a step between a lost and a won match.
    pub(crate) fn utility(&self, points: f32, is_exact: bool) -> f32 {
        let result = |(later, odds): &(i32, f32)| {
            let after = as_points(self.lead_of_first + later) + points;
            odds * match is_exact {
                true if after.abs() < 0.5 => 0.0,
                true => after.signum(),
                false => (after / DOUBTFUL).tanh(),
            }
        };
        MATCH * self.later_for_first.iter().map(result).sum::<f32>() + POINT * points
    }

    /// Returns the probability, 0 to 1, that a seat wins the match if the seat scores `points` in
    /// the current game. A drawn match counts one half.
    pub(crate) fn win_chance(&self, seat: Seat, points: i32) -> f32 {
        let sign = seat.sign_for_first();
        let result = |(later, odds): &(i32, f32)| {
            odds * result_of_match((self.lead_of_first + later) * sign + points)
        };
        self.later_for_first.iter().map(result).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utility_follows_the_result_of_the_match() {
        let last = MatchUtility::last(-10);
        let chances = [9, 10, 11].map(|points| last.win_chance(Seat::First, points));
        assert!(chances.iter().zip([0.0, 0.5, 1.0]).all(|(a, b)| (a - b).abs() < 1e-6));
        // *First* is ten points behind, and wins or loses thirty points in the last game with equal probability.
        let later = [(-30, 0.5), (30, 0.5)];
        let before = MatchUtility::before_last(-10, &later);
        for (points, chance) in
            [(-21, 0.0), (-20, 0.25), (0, 0.5), (39, 0.5), (40, 0.75), (41, 1.0)]
        {
            assert!((before.win_chance(Seat::First, points) - chance).abs() < 1e-6, "{points}");
            let other = before.win_chance(Seat::Second, -points);
            assert!((other - (1.0 - chance)).abs() < 1e-6, "{points}");
        }
        for utility in [last, before] {
            for (less, more) in (-90_i16..90).zip(-89_i16..) {
                for is_exact in [true, false] {
                    let of = |points: i16| utility.utility(points.into(), is_exact);
                    assert!(of(less) < of(more), "{utility:?} {less}");
                }
            }
        }
    }
}
