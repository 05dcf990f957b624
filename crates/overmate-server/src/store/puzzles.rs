//! Reads and writes the attempts at puzzles and the ratings that follow from them.

use sqlx::Error;
use sqlx::sqlite::{SqliteConnection, SqlitePool};

use super::types::{Appended, Attempt, CountedAttempt, Holder};
use crate::puzzle_rating::PuzzleRating;

/// Row of a rating in the database: rating, deviation and volatility.
type RatingRow = (f64, f64, f64);

fn rating_of((rating, deviation, volatility): RatingRow) -> PuzzleRating {
    PuzzleRating { rating, deviation, volatility }
}

/// Counts the first attempt of a browser at a puzzle, and changes both ratings. A later attempt changes nothing.
pub(super) async fn count(
    connection: &mut SqliteConnection,
    attempt: &Attempt,
) -> Result<Appended, Error> {
    let Attempt { holder, puzzle, rules, new_puzzle, solved, at } = attempt;
    let old_player: Option<RatingRow> = sqlx::query_as(
        "SELECT rating, deviation, volatility FROM puzzle_players WHERE holder = ?1",
    )
    .bind(&holder.0[..])
    .fetch_optional(&mut *connection)
    .await?;
    let old_puzzle: Option<RatingRow> = sqlx::query_as(
        "SELECT rating, deviation, volatility FROM puzzle_ratings WHERE puzzle = ?1",
    )
    .bind(puzzle)
    .fetch_optional(&mut *connection)
    .await?;
    let player = old_player.map_or_else(PuzzleRating::of_new_player, rating_of);
    let (new, changed) = player.after_attempt(old_puzzle.map_or(*new_puzzle, rating_of), *solved);
    let counted = sqlx::query(
        "INSERT INTO puzzle_attempts (holder, puzzle, rules, solved, rating, at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING",
    )
    .bind(&holder.0[..])
    .bind(puzzle)
    .bind(rules)
    .bind(solved)
    .bind(new.rating)
    .bind(at)
    .execute(&mut *connection)
    .await?;
    if counted.rows_affected() == 0 {
        return Ok(Appended::Conflict);
    }
    sqlx::query(
        "INSERT OR REPLACE INTO puzzle_players (holder, rating, deviation, volatility)
         VALUES (?1, ?2, ?3, ?4)",
    )
    .bind(&holder.0[..])
    .bind(new.rating)
    .bind(new.deviation)
    .bind(new.volatility)
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "INSERT OR REPLACE INTO puzzle_ratings (puzzle, rating, deviation, volatility)
         VALUES (?1, ?2, ?3, ?4)",
    )
    .bind(puzzle)
    .bind(changed.rating)
    .bind(changed.deviation)
    .bind(changed.volatility)
    .execute(connection)
    .await?;
    Ok(Appended::Stored)
}

/// Removes the attempts and the rating of a browser. The ratings of puzzles stay.
pub(super) async fn forget(
    connection: &mut SqliteConnection,
    holder: Holder,
) -> Result<Appended, Error> {
    for statement in [
        "DELETE FROM puzzle_attempts WHERE holder = ?1",
        "DELETE FROM puzzle_players WHERE holder = ?1",
    ] {
        sqlx::query(statement).bind(&holder.0[..]).execute(&mut *connection).await?;
    }
    Ok(Appended::Stored)
}

/// Returns the rating of a browser, or `None` if the browser has not tried a puzzle.
pub(super) async fn player(
    readers: &SqlitePool,
    holder: Holder,
) -> Result<Option<PuzzleRating>, Error> {
    let row: Option<RatingRow> = sqlx::query_as(
        "SELECT rating, deviation, volatility FROM puzzle_players WHERE holder = ?1",
    )
    .bind(&holder.0[..])
    .fetch_optional(readers)
    .await?;
    Ok(row.map(rating_of))
}

/// Returns the rating of a puzzle, or `None` if nobody has tried the puzzle.
pub(super) async fn puzzle(readers: &SqlitePool, id: &str) -> Result<Option<PuzzleRating>, Error> {
    let row: Option<RatingRow> = sqlx::query_as(
        "SELECT rating, deviation, volatility FROM puzzle_ratings WHERE puzzle = ?1",
    )
    .bind(id)
    .fetch_optional(readers)
    .await?;
    Ok(row.map(rating_of))
}

/// Returns the counted attempts of a browser, the newest first.
pub(super) async fn attempts(
    readers: &SqlitePool,
    holder: Holder,
) -> Result<Vec<CountedAttempt>, Error> {
    let rows: Vec<(String, String, bool, f64, i64)> = sqlx::query_as(
        "SELECT puzzle, rules, solved, rating, at FROM puzzle_attempts
         WHERE holder = ?1 ORDER BY at DESC, puzzle",
    )
    .bind(&holder.0[..])
    .fetch_all(readers)
    .await?;
    let attempt =
        |(puzzle, rules, solved, rating, at)| CountedAttempt { puzzle, rules, solved, rating, at };
    Ok(rows.into_iter().map(attempt).collect())
}
