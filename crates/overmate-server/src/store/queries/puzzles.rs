//! Reads and writes puzzle attempts and puzzle ratings in a database.

use std::collections::HashMap;

use sqlx::Error;

use super::person_sql::person_of;
use crate::puzzle_run::PuzzleRun;
use crate::rating::glicko2::Rating;
use crate::rating::puzzle_rating;
use crate::store::connection::sql::{Connection, On, Pool, Row, statement};
use crate::store::interface::holder::Holder;
use crate::store::interface::outcome::Appended;
use crate::store::interface::store::{Attempt, CountedAttempt, PuzzleCounts, TriedPuzzles};

fn rating_of(row: &Row) -> Result<Rating, Error> {
    Ok(Rating {
        rating: row.get("rating")?,
        deviation: row.get("deviation")?,
        volatility: row.get("volatility")?,
    })
}

/// Records a person's first attempt at a puzzle, and updates the person's puzzle rating. The attempt of an established player also changes
/// the rating of the puzzle. Later attempts change nothing.
pub(crate) async fn count(
    connection: &mut Connection,
    attempt: &Attempt,
) -> Result<Appended, Error> {
    let Attempt { holder, puzzle, rules, new_puzzle, solved, at, run } = attempt;
    // The browser may have been linked to another person after it sent the puzzle attempt.
    let holder = &person_of(connection, *holder).await?;
    let old_player = player(&mut *connection, *holder).await?;
    let old_player = old_player.unwrap_or_else(puzzle_rating::of_new_player);
    let old_puzzle = self::puzzle(&mut *connection, puzzle).await?.unwrap_or(*new_puzzle);
    let (new, changed) = puzzle_rating::after_attempt(old_player, old_puzzle, *new_puzzle, *solved);
    let run = match run {
        Some(run) if is_open(connection, *holder, run, *at).await? => Some(run.as_str()),
        Some(_) | None => None,
    };
    let counted = statement(
        "INSERT INTO puzzle_attempts (holder, puzzle, rules, solved, rating, at, run)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING",
    )
    .bind(*holder)
    .bind(puzzle)
    .bind(rules)
    .bind(*solved)
    .bind(new.rating)
    .bind(*at)
    .bind(run)
    .execute(&mut *connection)
    .await?;
    if counted == 0 {
        return Ok(Appended::Conflict);
    }
    statement(
        "INSERT INTO puzzle_players (holder, rating, deviation, volatility)
         VALUES ($1, $2, $3, $4)
         ON CONFLICT (holder) DO UPDATE
         SET rating = excluded.rating, deviation = excluded.deviation, volatility = excluded.volatility",
    )
    .bind(*holder)
    .bind(new.rating)
    .bind(new.deviation)
    .bind(new.volatility)
    .execute(&mut *connection)
    .await?;
    statement(
        "INSERT INTO puzzle_ratings (puzzle, rating, deviation, volatility)
         VALUES ($1, $2, $3, $4)
         ON CONFLICT (puzzle) DO UPDATE
         SET rating = excluded.rating, deviation = excluded.deviation, volatility = excluded.volatility",
    )
    .bind(puzzle)
    .bind(changed.rating)
    .bind(changed.deviation)
    .bind(changed.volatility)
    .execute(connection)
    .await?;
    Ok(Appended::Stored)
}

/// Returns whether a puzzle run (streak or storm) accepts a puzzle attempt that is made at the Unix time `at`, in seconds.
async fn is_open(
    connection: &mut Connection,
    holder: Holder,
    run: &PuzzleRun,
    at: i64,
) -> Result<bool, Error> {
    let row = statement(
        "SELECT min(at) AS first_at, count(*) FILTER (WHERE NOT solved) AS failed
         FROM puzzle_attempts WHERE holder = $1 AND run = $2",
    )
    .bind(holder)
    .bind(run.as_str())
    .row(connection)
    .await?;
    let Some(row) = row else { return Ok(true) };
    let failed: i64 = row.get("failed")?;
    Ok(run.is_open(row.get("first_at")?, failed > 0, at))
}

/// Deletes the puzzle attempts and the puzzle rating of a person. The ratings of puzzles stay.
pub(crate) async fn forget(connection: &mut Connection, holder: Holder) -> Result<(), Error> {
    for sql in [
        "DELETE FROM puzzle_attempts WHERE holder = $1",
        "DELETE FROM puzzle_players WHERE holder = $1",
    ] {
        statement(sql).bind(holder).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Returns the puzzle rating of a person, or `None` before the person's first puzzle attempt.
pub(crate) async fn player(on: impl Into<On<'_>>, holder: Holder) -> Result<Option<Rating>, Error> {
    let row =
        statement("SELECT rating, deviation, volatility FROM puzzle_players WHERE holder = $1")
            .bind(holder)
            .row(on)
            .await?;
    row.as_ref().map(rating_of).transpose()
}

/// Returns the rating of a puzzle, or `None` before the first attempt at the puzzle.
pub(crate) async fn puzzle(on: impl Into<On<'_>>, id: &str) -> Result<Option<Rating>, Error> {
    let row =
        statement("SELECT rating, deviation, volatility FROM puzzle_ratings WHERE puzzle = $1")
            .bind(id)
            .row(on)
            .await?;
    row.as_ref().map(rating_of).transpose()
}

/// Returns the ratings of all puzzles that players have tried, by puzzle id.
pub(crate) async fn ratings(readers: &Pool) -> Result<HashMap<String, f64>, Error> {
    let rows = statement("SELECT puzzle, rating FROM puzzle_ratings").rows(readers).await?;
    rows.iter().map(|row| Ok((row.get("puzzle")?, row.get("rating")?))).collect()
}

/// Returns the puzzles that a person has tried, from the attempt with the number `from` to the latest attempt. The result also tells
/// whether the person has ever tried the puzzle `asked`.
///
/// One database row holds all ids, because thousands of rows would cost milliseconds.
pub(crate) async fn tried(
    readers: &Pool,
    holder: Holder,
    from: i64,
    asked: &str,
) -> Result<TriedPuzzles, Error> {
    let row = statement(
        "SELECT min(number) AS first, max(number) AS last, string_agg(puzzle, ',' ORDER BY number) AS puzzles,
             EXISTS (SELECT 1 FROM puzzle_attempts WHERE holder = $1 AND puzzle = $3) AS has_asked
         FROM puzzle_attempts WHERE holder = $1 AND number >= $2",
    )
    .bind(holder)
    .bind(from)
    .bind(asked)
    .row(readers)
    .await?;
    let Some(row) = row else { return Ok(TriedPuzzles::default()) };
    let (first, last): (Option<i64>, Option<i64>) = (row.get("first")?, row.get("last")?);
    let ids: Option<String> = row.get("puzzles")?;
    Ok(TriedPuzzles {
        puzzles: ids.iter().flat_map(|ids| ids.split(',')).map(str::to_owned).collect(),
        numbers: first.zip(last),
        has_asked: row.get("has_asked")?,
    })
}

/// Returns the puzzle statistics of a person: counted attempts, solved puzzles, and best scores in puzzle runs (streak and storm).
///
/// Indexes hold all columns that the query reads. The runs of a mode are a range of an index, such as `streak:` to `streak;`,
/// because `;` follows `:` in ASCII.
pub(crate) async fn counts(readers: &Pool, holder: Holder) -> Result<PuzzleCounts, Error> {
    let row = statement(
        "SELECT count(*) AS attempts, count(*) FILTER (WHERE solved) AS solved,
             (SELECT max(score) FROM (SELECT count(*) AS score FROM puzzle_attempts
                 WHERE holder = $1 AND run >= 'streak:' AND run < 'streak;' AND solved GROUP BY run) AS streaks) AS best_streak,
             (SELECT max(score) FROM (SELECT count(*) AS score FROM puzzle_attempts
                 WHERE holder = $1 AND run >= 'storm:' AND run < 'storm;' AND solved GROUP BY run) AS storms) AS best_storm
         FROM puzzle_attempts WHERE holder = $1",
    )
    .bind(holder)
    .row(readers)
    .await?;
    let Some(row) = row else { return Ok(PuzzleCounts::default()) };
    let count = |column| -> Result<u64, Error> {
        let count: Option<i64> = row.get(column)?;
        Ok(count.and_then(|count| u64::try_from(count).ok()).unwrap_or_default())
    };
    Ok(PuzzleCounts {
        attempts: count("attempts")?,
        solved: count("solved")?,
        best_streak: count("best_streak")?,
        best_storm: count("best_storm")?,
    })
}

/// Returns the results of a person's puzzle attempts that counted for ratings, newest first. A result is `true` for a solved
/// puzzle. One database row holds all results.
pub(crate) async fn results(readers: &Pool, holder: Holder) -> Result<Vec<bool>, Error> {
    let results: Option<String> = statement(
        "SELECT string_agg(CASE WHEN solved THEN '1' ELSE '0' END, '' ORDER BY number DESC)
         FROM puzzle_attempts WHERE holder = $1",
    )
    .bind(holder)
    .scalar(readers)
    .await?;
    Ok(results.iter().flat_map(|results| results.bytes()).map(|result| result == b'1').collect())
}

/// Returns the latest puzzle attempts of a person that counted for ratings, newest first.
pub(crate) async fn attempts(
    readers: &Pool,
    holder: Holder,
    limit: u32,
) -> Result<Vec<CountedAttempt>, Error> {
    let rows = statement(
        "SELECT puzzle, rules, solved, rating, at, run FROM puzzle_attempts
         WHERE holder = $1 ORDER BY number DESC LIMIT $2",
    )
    .bind(holder)
    .bind(limit)
    .rows(readers)
    .await?;
    let attempt = |row: &Row| {
        Ok(CountedAttempt {
            puzzle: row.get("puzzle")?,
            rules: row.get("rules")?,
            solved: row.get("solved")?,
            rating: row.get("rating")?,
            at: row.get("at")?,
            run: row.get("run")?,
        })
    };
    rows.iter().map(attempt).collect()
}

/// Transfers the puzzle attempts of a person to another person. If both persons have tried a puzzle, only the earlier attempt
/// stays.
///
/// If both persons have a rating, the rating of the other person stays. In the history, the transferred attempts then leave this
/// rating unchanged.
pub(crate) async fn bring(
    connection: &mut Connection,
    former: Holder,
    person: Holder,
) -> Result<(), Error> {
    statement(
        "UPDATE puzzle_attempts SET rating = coalesce(
             (SELECT own.rating FROM puzzle_attempts AS own
              WHERE own.holder = $2 AND own.number < puzzle_attempts.number ORDER BY own.number DESC LIMIT 1), $3)
         WHERE holder = $1 AND EXISTS (SELECT 1 FROM puzzle_players WHERE holder = $2)",
    )
    .bind(former)
    .bind(person)
    .bind(puzzle_rating::of_new_player().rating)
    .execute(&mut *connection)
    .await?;
    for sql in [
        "DELETE FROM puzzle_attempts WHERE holder IN ($1, $2) AND EXISTS (
             SELECT 1 FROM puzzle_attempts AS earlier WHERE earlier.holder IN ($1, $2)
             AND earlier.puzzle = puzzle_attempts.puzzle AND earlier.number < puzzle_attempts.number)",
        "UPDATE puzzle_attempts SET holder = $2 WHERE holder = $1",
        "DELETE FROM puzzle_players WHERE holder = $1
         AND EXISTS (SELECT 1 FROM puzzle_players AS kept WHERE kept.holder = $2)",
        "UPDATE puzzle_players SET holder = $2 WHERE holder = $1",
    ] {
        statement(sql).bind(former).bind(person).execute(&mut *connection).await?;
    }
    Ok(())
}
