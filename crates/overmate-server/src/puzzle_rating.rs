//! Computes ratings of players and puzzles by Glicko-2. Each attempt is a game between the player and the puzzle.

use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};

/// Rating of a player without attempts. It lies below the middle level, because the first puzzles are for beginners.
const NEW_PLAYER: f64 = 1_200.0;

/// Rating deviation of a player without attempts, as Glickman proposes.
const NEW_PLAYER_DEVIATION: f64 = 350.0;

/// Rating deviation of a puzzle without attempts. It is smaller than that of a new player, because the play of the levels gives a
/// first estimate.
const NEW_PUZZLE_DEVIATION: f64 = 150.0;

/// Volatility of new players and puzzles, as Glickman proposes.
const VOLATILITY: f64 = 0.06;

/// Rating of a player or a puzzle, with its uncertainty.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct PuzzleRating {
    /// Rating on the scale of Elo.
    pub(crate) rating: f64,
    /// Standard deviation of the rating.
    pub(crate) deviation: f64,
    /// Expected fluctuation of the rating on the scale of Glicko-2.
    pub(crate) volatility: f64,
}

impl PuzzleRating {
    /// Returns the rating of a player without attempts.
    pub(crate) const fn of_new_player() -> Self {
        Self { rating: NEW_PLAYER, deviation: NEW_PLAYER_DEVIATION, volatility: VOLATILITY }
    }

    /// Returns the rating of a puzzle without attempts. `rating` is its initial rating, from the play of the levels.
    pub(crate) fn of_new_puzzle(rating: u16) -> Self {
        Self { rating: rating.into(), deviation: NEW_PUZZLE_DEVIATION, volatility: VOLATILITY }
    }

    /// Returns the new ratings of the player `self` and of the puzzle after an attempt.
    pub(crate) fn after_attempt(self, puzzle: Self, solved: bool) -> (Self, Self) {
        let outcome = if solved { Outcomes::WIN } else { Outcomes::LOSS };
        let (player, puzzle) =
            glicko2(&self.into(), &puzzle.into(), &outcome, &Glicko2Config::new());
        (player.into(), puzzle.into())
    }
}

impl From<PuzzleRating> for Glicko2Rating {
    fn from(PuzzleRating { rating, deviation, volatility }: PuzzleRating) -> Self {
        Self { rating, deviation, volatility }
    }
}

impl From<Glicko2Rating> for PuzzleRating {
    fn from(Glicko2Rating { rating, deviation, volatility }: Glicko2Rating) -> Self {
        Self { rating, deviation, volatility }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solved_attempt_raises_the_player_and_lowers_the_puzzle_by_less() {
        let (player, puzzle) = (PuzzleRating::of_new_player(), PuzzleRating::of_new_puzzle(1_200));
        let (better, easier) = player.after_attempt(puzzle, true);
        assert!(better.rating > player.rating && easier.rating < puzzle.rating);
        assert!(better.rating - player.rating > puzzle.rating - easier.rating);
        assert!(better.deviation < player.deviation);
        let (worse, harder) = player.after_attempt(puzzle, false);
        assert!(worse.rating < player.rating && harder.rating > puzzle.rating);
    }

    #[test]
    fn ratings_after_an_attempt_follow_from_glickmans_formulas() {
        let (player, puzzle) = (PuzzleRating::of_new_player(), PuzzleRating::of_new_puzzle(1_500));
        // Another program computed these numbers from "Example of the Glicko-2 system" (Glickman, 2013). The same program
        // confirms the example of the paper: rating 1464.06, deviation 151.52.
        for (solved, player_after, puzzle_after) in [
            (true, (1_556.852, 288.263), (1_437.590, 145.970)),
            (false, (1_124.957, 288.263), (1_519.654, 145.970)),
        ] {
            let (new_player, new_puzzle) = player.after_attempt(puzzle, solved);
            for (new, (rating, deviation)) in
                [(new_player, player_after), (new_puzzle, puzzle_after)]
            {
                assert!((new.rating - rating).abs() < 1e-3, "{new:?}");
                assert!((new.deviation - deviation).abs() < 1e-3, "{new:?}");
                assert!((new.volatility - 0.06).abs() < 1e-5, "{new:?}");
            }
        }
    }
}
