//! What is played for at the end of a match: the match, as far as its result depends on this game.

use overmate_rules::Seat;

use crate::bot::Standing;
use crate::hidden::tree_builder::as_points;
use crate::model::objective::ScoreDistribution;

/// A match that ends with this game, or with the next one, whose scores are known by how likely they are.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct MatchUtility {
    /// By how much *first* leads before this game.
    lead_of_first: i32,
    /// What may be added to his lead after this game, and how likely, 0 to 1; nothing for sure if it is the last one.
    later_for_first: Vec<(i32, f32)>,
    is_last: bool,
}

/// What a match is worth, in points.
const MATCH: f32 = 50.0;

/// What a point is worth beside a match.
const SHARE: f32 = 0.02;

/// Points by which a judgement may well be wrong.
const DOUBTFUL: f32 = 20.0;

impl MatchUtility {
    /// What a seat plays for: the match in its last game, and in the last but one if the last one has the same deal. `later` tells of
    /// that last game how likely each score is, for *first* of it. `None`: points.
    pub(crate) fn of(
        standing: Standing,
        seat: Seat,
        later: impl FnOnce() -> Option<ScoreDistribution>,
    ) -> Option<Self> {
        let lead_of_first = standing.lead() * seat.sign_for_first();
        match standing.games_after() {
            _ if standing.games < 2 => None,
            0 => Some(Self::last(lead_of_first)),
            1 if standing.game.is_multiple_of(2) => {
                // Who is *first* now is *second* then.
                let later = later()?.into_iter().map(|(points, odds)| (-points, odds)).collect();
                Some(Self::before(lead_of_first, &later))
            }
            _ => None,
        }
    }

    /// In the last game.
    pub(crate) fn last(lead_of_first: i32) -> Self {
        Self { lead_of_first, later_for_first: vec![(0, 1.0)], is_last: true }
    }

    /// In the last game but one, when these scores may still be added to the lead of *first*, with how likely they are.
    pub(crate) fn before(lead_of_first: i32, later_for_first: &ScoreDistribution) -> Self {
        #[allow(clippy::cast_possible_truncation, reason = "rounding is meant")]
        let later = later_for_first.iter().map(|(points, odds)| (*points, *odds as f32));
        Self { lead_of_first, later_for_first: later.collect(), is_last: false }
    }

    /// Whether the match ends with this game.
    pub(crate) fn is_last(&self) -> bool {
        self.is_last
    }

    /// What points of this game are worth to *first*: the match, as if to win it were so many points, and of equal chances for
    /// that the one with more points.
    ///
    /// More points are never worth less, so the open value of a position for the match is that of its points, and trees end where
    /// they end for points. What is only judged may come otherwise, the sooner the nearer it is.
    pub(crate) fn worth(&self, points: f32, is_sure: bool) -> f32 {
        let result = |(later, odds): &(i32, f32)| {
            let after = as_points(self.lead_of_first + later) + points;
            odds * match is_sure {
                true if after.abs() < 0.5 => 0.0,
                true => after.signum(),
                false => (after / DOUBTFUL).tanh(),
            }
        };
        MATCH * self.later_for_first.iter().map(result).sum::<f32>() + SHARE * points
    }

    /// How likely a seat wins the match that gets so many points of this game, 0 to 1; a draw is half of it.
    pub(crate) fn chance(&self, seat: Seat, points: i32) -> f32 {
        let sign = seat.sign_for_first();
        let result = |(later, odds): &(i32, f32)| {
            let after = (self.lead_of_first + later) * sign + points;
            odds * match after.signum() {
                1 => 1.0,
                0 => 0.5,
                _ => 0.0,
            }
        };
        self.later_for_first.iter().map(result).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_is_worth_what_its_results_are() {
        let last = MatchUtility::last(-10);
        let chances = [9, 10, 11].map(|points| last.chance(Seat::First, points));
        assert!(chances.iter().zip([0.0, 0.5, 1.0]).all(|(a, b)| (a - b).abs() < 1e-6));
        // Ten behind, and a coin decides whether thirty more or less come later.
        let later = ScoreDistribution::from([(-30, 0.5), (30, 0.5)]);
        let before = MatchUtility::before(-10, &later);
        for (points, chance) in
            [(-21, 0.0), (-20, 0.25), (0, 0.5), (39, 0.5), (40, 0.75), (41, 1.0)]
        {
            assert!((before.chance(Seat::First, points) - chance).abs() < 1e-6, "{points}");
            let other = before.chance(Seat::Second, -points);
            assert!((other - (1.0 - chance)).abs() < 1e-6, "{points}");
        }
        for aim in [last, before] {
            for (less, more) in (-90_i16..90).zip(-89_i16..) {
                for is_sure in [true, false] {
                    let worth = |points: i16| aim.worth(points.into(), is_sure);
                    assert!(worth(less) < worth(more), "{aim:?} {less}");
                }
            }
        }
    }
}
