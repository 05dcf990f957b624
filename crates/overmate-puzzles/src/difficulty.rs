//! Computes the initial rating of a puzzle from the probabilities with which bots of the strength levels 1 to 9 solve
//! the puzzle.

use overmate_bots::{Level, LevelPolicies};

use crate::solution::Decision;

/// Nominal ratings of the strength levels 1 to 9, on the scale of puzzle ratings.
///
/// The scale is nominal: adjacent levels differ by 200 points, and the middle level has 1500.
pub const LEVEL_RATINGS: [f64; Level::COUNT] =
    [700.0, 900.0, 1100.0, 1300.0, 1500.0, 1700.0, 1900.0, 2100.0, 2300.0];

/// Minimum and maximum initial rating of a puzzle.
const RANGE: (f64, f64) = (300.0, 2700.0);

/// Returns, for each strength level, the probability (0 to 1) that the level's bot solves the whole puzzle.
#[must_use]
pub fn success_of_levels(solution: &Decision, policies: &LevelPolicies) -> [f64; Level::COUNT] {
    let mut levels = Level::all();
    std::array::from_fn(|_| levels.next().map_or(0.0, |level| success(solution, policies, level)))
}

fn success(decision: &Decision, policies: &LevelPolicies, level: Level) -> f64 {
    let Some(likely) = policies.probabilities(level, &decision.position) else { return 0.0 };
    let branches = decision.branches.iter().map(|branch| {
        let rest = branch.next.as_ref().map_or(1.0, |next| success(next, policies, level));
        likely.probability_of(&branch.action) * rest
    });
    branches.sum()
}

/// Returns the initial rating of a puzzle, from 300 to 2700, computed from the success probability of each strength
/// level's bot.
///
/// At this rating, players with the ratings [`LEVEL_RATINGS`] would solve the puzzle as often as
/// the levels do. Elo's logistic function gives the expected success of each player. The sum over
/// the nine players falls as the rating of the puzzle grows, so that bisection finds the rating.
#[must_use]
pub fn rating(success: &[f64; Level::COUNT]) -> u16 {
    let wanted: f64 = success.iter().sum();
    let expected = |rating: f64| -> f64 {
        LEVEL_RATINGS.iter().map(|level| 1.0 / (1.0 + 10f64.powf((rating - level) / 400.0))).sum()
    };
    let (mut low, mut high) = RANGE;
    while high - low > 0.01 {
        let middle = f64::midpoint(low, high);
        if expected(middle) > wanted { low = middle } else { high = middle }
    }
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the rating lies between 300 and 2700"
    )]
    let rounded = low.round() as u16;
    rounded
}
