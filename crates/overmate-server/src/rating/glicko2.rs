//! Implements the Glicko-2 ratings (Glickman, "Example of the Glicko-2 system", 2022), with rating periods of any length.
//!
//! A rating period holds one game. The length of the period only decides by how much the deviation grows, so that a fraction of a
//! period is possible.

use std::f64::consts::PI;

/// Rating of an average player, the zero of the Glicko-2 scale.
const CENTRE: f64 = 1_500.0;

/// Number of rating points in one unit of the Glicko-2 scale.
pub(crate) const SCALE: f64 = 173.717_8;

/// System constant τ of Glicko-2, the middle of the range that Glickman proposes.
const TAU: f64 = 0.5;

/// Width of the bracket at which the volatility iteration stops, as Glickman proposes.
const TOLERANCE: f64 = 1e-6;

/// Lower bound on the expected score of a game, which avoids a division by zero. If two ratings are
/// so far apart that the expected score would be lower, this bound replaces it.
const LEAST_CHANCE: f64 = 1e-9;

/// Maximum number of steps of the volatility iteration, which usually needs about five.
const STEPS: u32 = 100;

/// Glicko-2 rating of a player or puzzle.
#[derive(Clone, Copy, PartialEq, Debug)]
#[allow(clippy::struct_field_names, reason = "a rating is a number with its deviation")]
pub(crate) struct Rating {
    /// Estimated strength of the player or puzzle, in Elo points.
    pub(crate) rating: f64,
    /// Standard deviation of the rating, in Elo points.
    pub(crate) deviation: f64,
    /// Volatility of the rating (its expected fluctuation in one period), on the Glicko-2 scale.
    pub(crate) volatility: f64,
}

impl Rating {
    /// Volatility of new players and puzzles, as Glickman proposes.
    pub(crate) const NEW_VOLATILITY: f64 = 0.06;

    /// Returns the rating after some rating periods without a game. Such periods change only the deviation.
    pub(crate) fn after_pause(self, periods: f64) -> Self {
        Self { deviation: self.deviation.hypot(SCALE * self.volatility * periods.sqrt()), ..self }
    }

    /// Returns the number of rating periods without a game after which the rating has a given deviation; 0 if the rating's deviation is
    /// already larger.
    pub(crate) fn periods_until(self, deviation: f64) -> f64 {
        let grown = deviation.powi(2) - self.deviation.powi(2);
        (grown / (SCALE * self.volatility).powi(2)).max(0.0)
    }

    /// Returns the rating after a game against an opponent. `periods` is the number of rating periods since the previous game. The
    /// score is 1 for a win, 0.5 for a draw and 0 for a loss.
    pub(crate) fn after_game(self, opponent: Self, score: f64, periods: f64) -> Self {
        let (mean, phi) = ((self.rating - CENTRE) / SCALE, self.deviation / SCALE);
        // The variables have their names from Glickman's paper: g(φ), E, v and Δ.
        let g = 1.0 / (1.0 + 3.0 * (opponent.deviation / SCALE / PI).powi(2)).sqrt();
        let expected = 1.0 / (1.0 + (-g * (mean - (opponent.rating - CENTRE) / SCALE)).exp());
        // The expected score of the game must not be exactly 0 or 1, because Glickman's variance v would then be infinite. Without the
        // limits in the next line, a score could be rounded to 0 or 1 if the two ratings are thousands of points apart.
        let expected = expected.clamp(LEAST_CHANCE, 1.0 - LEAST_CHANCE);
        let v = 1.0 / (g * g * expected * (1.0 - expected));
        let surprise = g * (score - expected);
        let volatility = volatility(phi, v, v * surprise, self.volatility);
        let grown = phi.hypot(volatility * periods.sqrt());
        let phi = 1.0 / (1.0 / grown.powi(2) + 1.0 / v).sqrt();
        Self {
            rating: (mean + phi * phi * surprise).mul_add(SCALE, CENTRE),
            deviation: phi * SCALE,
            volatility,
        }
    }
}

/// Returns the new volatility (step 5 of Glickman's paper) by the Illinois algorithm, a variant of
/// regula falsi.
fn volatility(phi: f64, v: f64, delta: f64, former: f64) -> f64 {
    let a = (former * former).ln();
    let f = |x: f64| {
        let e = x.exp();
        let sum = phi * phi + v + e;
        e * (delta * delta - sum) / (2.0 * sum * sum) - (x - a) / (TAU * TAU)
    };
    let excess = delta * delta - phi * phi - v;
    let mut low = (a, f(a));
    let mut high = if excess > 0.0 { excess.ln() } else { a - TAU };
    while excess <= 0.0 && f(high) < 0.0 {
        high -= TAU;
    }
    let mut high = (high, f(high));
    for _ in 0..STEPS {
        if (high.0 - low.0).abs() <= TOLERANCE {
            break;
        }
        let x = low.0 + (low.0 - high.0) * low.1 / (high.1 - low.1);
        let next = (x, f(x));
        if next.1 * high.1 <= 0.0 {
            low = high;
        } else {
            low.1 /= 2.0;
        }
        high = next;
    }
    (low.0 / 2.0).exp()
}

#[cfg(test)]
mod tests {
    use skillratings::Outcomes;
    use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};

    use super::*;

    const GAMES: usize = 5_000;

    fn oracle(Rating { rating, deviation, volatility }: Rating) -> Glicko2Rating {
        Glicko2Rating { rating, deviation, volatility }
    }

    fn assert_close(own: Rating, expected: Glicko2Rating) {
        assert!((own.rating - expected.rating).abs() < 1e-6, "{own:?} {expected:?}");
        assert!((own.deviation - expected.deviation).abs() < 1e-6, "{own:?} {expected:?}");
        assert!((own.volatility - expected.volatility).abs() < 1e-9, "{own:?} {expected:?}");
    }

    #[test]
    fn ratings_after_a_game_are_those_of_another_implementation() {
        let mut random = fastrand::Rng::with_seed(16);
        let mut in_range = |low: f64, high: f64| low + (high - low) * random.f64();
        let mut larger = 0;
        for game in 0..GAMES {
            let [a, b] = std::array::from_fn(|_| Rating {
                rating: in_range(300.0, 2_900.0),
                deviation: in_range(30.0, 350.0),
                volatility: in_range(0.03, 0.12),
            });
            let (score, outcome) =
                [(1.0, Outcomes::WIN), (0.5, Outcomes::DRAW), (0.0, Outcomes::LOSS)][game % 3];
            let expected = glicko2(&oracle(a), &oracle(b), &outcome, &Glicko2Config::new());
            let own = a.after_game(b, score, 1.0);
            assert_close(own, expected.0);
            assert_close(b.after_game(a, 1.0 - score, 1.0), expected.1);
            larger += usize::from(own.volatility > a.volatility);
        }
        // At least one in a hundred test games, but not every game, raises the player's volatility. The games thus cover both starts of the
        // iteration that computes the volatility.
        assert!((GAMES / 100..GAMES).contains(&larger), "{larger}");
    }

    #[test]
    fn ratings_that_are_far_apart_give_finite_ratings() {
        let of = |rating: f64| Rating { rating, deviation: 350.0, volatility: 0.06 };
        for (own, other) in [(10_000.0, 0.0), (0.0, 10_000.0), (100_000.0, -100_000.0)] {
            for score in [0.0, 0.5, 1.0] {
                let Rating { rating, deviation, volatility } =
                    of(own).after_game(of(other), score, 1.0);
                let all = [rating, deviation, volatility];
                assert!(all.iter().all(|value| value.is_finite()), "{own} {other} {score} {all:?}");
            }
        }
    }

    #[test]
    fn a_pause_of_several_periods_is_that_many_pauses_of_one_period() {
        let start = Rating { rating: 1_700.0, deviation: 60.0, volatility: 0.06 };
        let mut expected = oracle(start);
        for periods in 1..=200 {
            // The next rating period has no game, so that only the deviation of the rating grows (step 6 of Glickman's paper).
            expected = skillratings::glicko2::decay_deviation(&expected);
            assert_close(start.after_pause(f64::from(periods)), expected);
        }
        let halves = start.after_pause(0.25).after_pause(0.75);
        assert_close(halves, skillratings::glicko2::decay_deviation(&oracle(start)));
        let grown = start.after_pause(start.periods_until(110.0));
        assert!((grown.deviation - 110.0).abs() < 1e-9, "{grown:?}");
    }

    #[test]
    fn a_game_after_a_fraction_of_a_period_lies_between_no_period_and_a_whole_one() {
        let (a, b) = (
            Rating { rating: 1_500.0, deviation: 80.0, volatility: 0.09 },
            Rating { rating: 1_600.0, deviation: 50.0, volatility: 0.06 },
        );
        let [none, half, one] = [0.0, 0.5, 1.0].map(|periods| a.after_game(b, 1.0, periods));
        assert!(none.deviation < half.deviation && half.deviation < one.deviation);
        assert!(none.rating < half.rating && half.rating < one.rating);
        assert!(none.deviation < a.deviation);
    }
}
