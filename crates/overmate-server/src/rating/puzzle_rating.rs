//! Computes the puzzle ratings of players and the ratings of puzzles by Glicko-2. Each attempt is a game between the player and
//! the puzzle.

use super::glicko2::Rating;

/// Puzzle rating of a player without attempts. The number lies below the middle level, because the first puzzles are for
/// beginners.
const NEW_PLAYER: f64 = 1_200.0;

/// Deviation of the puzzle rating of a player without attempts, as Glickman proposes.
const NEW_PLAYER_DEVIATION: f64 = 350.0;

/// Rating deviation of a puzzle without attempts. The deviation is smaller than that of a new player, because the play of the
/// levels gives a first estimate of the puzzle's rating.
const NEW_PUZZLE_DEVIATION: f64 = 150.0;

/// Maximum rating deviation of a player whose attempts change the ratings of puzzles. The rating of the player is then at least
/// as certain as that of a new puzzle. A new player reaches this deviation after about six attempts. The bound protects the
/// ratings of puzzles, because new browsers are easy to invent.
const ESTABLISHED_DEVIATION: f64 = NEW_PUZZLE_DEVIATION;

/// Maximum difference between the rating of a puzzle and its initial rating, in rating points.
const MOST_SHIFT: f64 = 400.0;

/// Returns the puzzle rating of a player without attempts.
pub(crate) const fn of_new_player() -> Rating {
    Rating {
        rating: NEW_PLAYER,
        deviation: NEW_PLAYER_DEVIATION,
        volatility: Rating::NEW_VOLATILITY,
    }
}

/// Returns the initial rating of a puzzle. `rating` is an estimate from the play of computer opponents of several strengths.
pub(crate) fn of_new_puzzle(rating: u16) -> Rating {
    Rating {
        rating: rating.into(),
        deviation: NEW_PUZZLE_DEVIATION,
        volatility: Rating::NEW_VOLATILITY,
    }
}

/// Returns the ratings of a player and a puzzle after the player's attempt at the puzzle. Each attempt is a rating period of
/// its own, so that ratings stay the same during a pause. Only established players change the rating of the puzzle, which stays
/// near its initial rating `first`.
pub(crate) fn after_attempt(
    player: Rating,
    puzzle: Rating,
    first: Rating,
    solved: bool,
) -> (Rating, Rating) {
    let score = f64::from(u8::from(solved));
    let changed = if player.deviation <= ESTABLISHED_DEVIATION {
        let changed = puzzle.after_game(player, 1.0 - score, 1.0);
        let (least, most) = (first.rating - MOST_SHIFT, first.rating + MOST_SHIFT);
        Rating { rating: changed.rating.clamp(least, most), ..changed }
    } else {
        puzzle
    };
    (player.after_game(puzzle, score, 1.0), changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a test player's rating that is certain enough to change the ratings of puzzles.
    fn established() -> Rating {
        Rating { deviation: ESTABLISHED_DEVIATION, ..of_new_player() }
    }

    #[test]
    fn a_solved_attempt_raises_the_player_and_lowers_the_puzzle() {
        let (player, puzzle) = (established(), of_new_puzzle(1_200));
        let (better, easier) = after_attempt(player, puzzle, puzzle, true);
        assert!(better.rating > player.rating && easier.rating < puzzle.rating);
        assert!(better.deviation < player.deviation);
        let (worse, harder) = after_attempt(player, puzzle, puzzle, false);
        assert!(worse.rating < player.rating && harder.rating > puzzle.rating);
    }

    #[test]
    fn players_change_puzzles_after_about_six_attempts() {
        let puzzle = of_new_puzzle(1_200);
        let (mut player, mut changed) = (of_new_player(), Vec::new());
        for attempt in 0..10 {
            let (after, moved) = after_attempt(player, puzzle, puzzle, attempt % 2 == 0);
            player = after;
            changed.push(moved != puzzle);
        }
        let unchanged = changed.iter().take_while(|changed| !**changed).count();
        assert!((5..8).contains(&unchanged), "{changed:?}");
        assert!(changed[unchanged..].iter().all(|changed| *changed), "{changed:?}");
    }

    #[test]
    fn many_players_who_agree_move_a_puzzle_to_its_bounds_only() {
        let first = of_new_puzzle(1_500);
        for (solved, bound) in [(true, 1_100.0), (false, 1_900.0)] {
            let end = (0..10_000).fold(first, |puzzle, _| {
                // Each simulated player has the rating that the puzzle has before the player's attempt. Thus both results are equally
                // likely, and each result changes the rating of the puzzle.
                let player = Rating { rating: puzzle.rating, ..established() };
                after_attempt(player, puzzle, first, solved).1
            });
            assert!((end.rating - bound).abs() < 1e-9, "{end:?}");
        }
    }

    #[test]
    fn ratings_after_an_attempt_follow_from_glickmans_formulas() {
        let puzzle = of_new_puzzle(1_500);
        // Another program computed the expected ratings and deviations from "Example of the Glicko-2 system" (Glickman, 2013). The same
        // program confirms the example of the paper: rating 1464.06, deviation 151.52.
        for (player, counts, solved, player_after, puzzle_after) in [
            (of_new_player(), false, true, (1_556.852, 288.263), (1_437.590, 145.970)),
            (of_new_player(), false, false, (1_124.957, 288.263), (1_519.654, 145.970)),
            (established(), true, true, (1_289.265, 144.174), (1_410.735, 144.174)),
            (established(), true, false, (1_181.228, 144.174), (1_518.772, 144.174)),
        ] {
            let (new_player, puzzle_then) = after_attempt(player, puzzle, puzzle, solved);
            // An attempt of a new player does not change the rating of the puzzle. For such an attempt, the test checks the
            // formula with the rating that the puzzle would get.
            let new_puzzle = puzzle.after_game(player, f64::from(u8::from(!solved)), 1.0);
            assert_eq!(puzzle_then, if counts { new_puzzle } else { puzzle });
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
