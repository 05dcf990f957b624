//! Reads and writes the ratings of accounts in a database.

use overmate_rules::{ByPlayer, Player};
use sqlx::Error;

use super::accounts;
use super::person_sql::holder_in;
use super::rows::{player_in, player_text};
use crate::rating::glicko2::Rating;
use crate::rating::match_rating::{MatchRating, MatchScore, PROVISIONAL, Pace, after_match};
use crate::store::connection::sql::{Connection, On, Pool, Row, statement};
use crate::store::interface::holder::Holder;
use crate::store::interface::rating::{
    KnownRating, Leader, Rated, RatedEnd, RatedMatch, RatingChange, Results, Rival,
};

fn unreadable(what: &'static str) -> Error {
    Error::Decode(format!("a stored rating has {what}").into())
}

/// Reads a person's match rating from a database row.
pub(crate) fn known_in(row: &Row) -> Result<MatchRating, Error> {
    let rating = Rating {
        rating: row.get("rating")?,
        deviation: row.get("deviation")?,
        volatility: row.get("volatility")?,
    };
    Ok(MatchRating { rating, at: row.get("at")? })
}

fn results_in(row: &Row) -> Result<Results, Error> {
    Ok(Results { wins: row.get("wins")?, draws: row.get("draws")?, losses: row.get("losses")? })
}

fn pace_in(row: &Row) -> Result<Pace, Error> {
    let pace: String = row.get("pace")?;
    Pace::of_text(&pace).ok_or_else(|| unreadable("an unknown pace"))
}

fn change_in(row: &Row) -> Result<RatingChange, Error> {
    Ok(RatingChange {
        before: Rated {
            rating: row.get("rating_before")?,
            deviation: row.get("deviation_before")?,
        },
        after: Rated { rating: row.get("rating_after")?, deviation: row.get("deviation_after")? },
    })
}

/// Updates the ratings of the persons in a match after the end of the match. Ratings stay unchanged if a person has no account or has a bot
/// account. The rating of a computer opponent is fixed.
///
/// The transaction holds locks that keep other transactions from changing these ratings.
pub(crate) async fn settle(
    connection: &mut Connection,
    id: &str,
    end: &RatedEnd,
    at: i64,
) -> Result<(), Error> {
    let ByPlayer { a, b } = end.rivals;
    for person in end.persons() {
        if !accounts::exists(connection, person).await?
            || accounts::is_bot(connection, person).await?
        {
            return Ok(());
        }
    }
    if a.person() == b.person() {
        return Ok(());
    }
    let before = ByPlayer {
        a: known_of(connection, a, end, at).await?,
        b: known_of(connection, b, end, at).await?,
    };
    let after = after_match(before, end.winner, at);
    for player in Player::BOTH {
        if let Some(person) = end.rivals[player].person() {
            let rating = (before[player], after[player]);
            change(connection, (id, player, person), end, rating, at).await?;
        }
    }
    Ok(())
}

/// Returns the rating of a person or a computer opponent before the result of a match is counted.
async fn known_of(
    connection: &mut Connection,
    rival: Rival,
    end: &RatedEnd,
    at: i64,
) -> Result<MatchRating, Error> {
    match rival {
        Rival::Person(person) => of_board(connection, person, end, at).await,
        Rival::Anchor(rating) => Ok(MatchRating { rating, at }),
    }
}

/// Returns a person's rating for the rule set and the pace (live or correspondence) of a match. A person without such a rating gets the
/// initial rating.
async fn of_board(
    connection: &mut Connection,
    person: Holder,
    end: &RatedEnd,
    at: i64,
) -> Result<MatchRating, Error> {
    let row = statement(
        "SELECT rating, deviation, volatility, at FROM ratings WHERE person = $1 AND rules = $2 AND pace = $3",
    )
    .bind(person)
    .bind(&end.rules)
    .bind(end.pace.text())
    .row(connection)
    .await?;
    row.as_ref().map_or_else(|| Ok(MatchRating::new(at)), known_in)
}

/// Stores a person's new rating after a match, and the rating change, unless this change is already stored.
async fn change(
    connection: &mut Connection,
    (id, player, person): (&str, Player, Holder),
    end: &RatedEnd,
    (before, after): (MatchRating, Rating),
    at: i64,
) -> Result<(), Error> {
    let score = MatchScore::of(end.winner, player);
    let shown = before.at(at);
    let inserted = statement(
        "INSERT INTO rating_changes (match_id, player, person, rules, pace, result, margin,
             rating_before, deviation_before, rating_after, deviation_after, at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT DO NOTHING",
    )
    .bind(id)
    .bind(player_text(player))
    .bind(person)
    .bind(&end.rules)
    .bind(end.pace.text())
    .bind(score.text())
    .bind(end.margin(player))
    .bind(shown.rating)
    .bind(shown.deviation)
    .bind(after.rating)
    .bind(after.deviation)
    .bind(at)
    .execute(&mut *connection)
    .await?;
    if inserted == 0 {
        return Ok(());
    }
    let Results { wins, draws, losses } = Results::of(score);
    statement(
        "INSERT INTO ratings (person, rules, pace, rating, deviation, volatility, wins, draws, losses, at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         ON CONFLICT (person, rules, pace) DO UPDATE
         SET rating = excluded.rating, deviation = excluded.deviation, volatility = excluded.volatility,
             wins = ratings.wins + excluded.wins, draws = ratings.draws + excluded.draws,
             losses = ratings.losses + excluded.losses, at = excluded.at",
    )
    .bind(person)
    .bind(&end.rules)
    .bind(end.pace.text())
    .bind(after.rating)
    .bind(after.deviation)
    .bind(after.volatility)
    .bind(wins)
    .bind(draws)
    .bind(losses)
    // The stored time of the latest rating change never decreases, even if the clocks of two servers differ.
    .bind(at.max(before.at))
    .execute(connection)
    .await
    .map(drop)
}

/// Returns the ratings of a person, ordered by rule set and pace (live or correspondence).
pub(crate) async fn of_person(readers: &Pool, person: Holder) -> Result<Vec<KnownRating>, Error> {
    let rows = statement(
        "SELECT rules, pace, rating, deviation, volatility, wins, draws, losses, at FROM ratings
         WHERE person = $1 ORDER BY rules, pace",
    )
    .bind(person)
    .rows(readers)
    .await?;
    let read = |row: &Row| {
        Ok(KnownRating {
            rules: row.get("rules")?,
            pace: pace_in(row)?,
            known: known_in(row)?,
            results: results_in(row)?,
        })
    };
    rows.iter().map(read).collect()
}

/// Returns the rating changes of the players of a match.
pub(crate) async fn changes(
    readers: &Pool,
    id: &str,
) -> Result<Vec<(Player, RatingChange)>, Error> {
    let rows = statement(
        "SELECT player, rating_before, deviation_before, rating_after, deviation_after FROM rating_changes
         WHERE match_id = $1 ORDER BY player",
    )
    .bind(id)
    .rows(readers)
    .await?;
    rows.iter().map(|row| Ok((player_in(row)?, change_in(row)?))).collect()
}

/// Returns the person whose rating changed because they played a given match as a given player (A or B). The person may
/// have deleted the match since.
pub(crate) async fn player(
    on: impl Into<On<'_>>,
    id: &str,
    player: Player,
) -> Result<Option<Holder>, Error> {
    let query = "SELECT person FROM rating_changes WHERE match_id = $1 AND player = $2";
    let row = statement(query).bind(id).bind(player_text(player)).row(on).await?;
    row.map(|row| holder_in(&row, "person")).transpose()
}

/// Returns the latest rated matches of a person, most recent end first. Handles that the viewer may not see are left out.
pub(crate) async fn matches(
    readers: &Pool,
    person: Holder,
    viewer: Option<Holder>,
    limit: u32,
) -> Result<Vec<RatedMatch>, Error> {
    let rows = statement(
        "SELECT own.match_id AS id, own.rules AS rules, own.pace AS pace, own.result AS result, own.margin AS margin,
             own.rating_before AS rating_before, own.deviation_before AS deviation_before,
             own.rating_after AS rating_after, own.deviation_after AS deviation_after, own.at AS at, handle,
             (SELECT bot FROM seats WHERE seats.match_id = own.match_id AND seats.player != own.player) AS bot,
             EXISTS (SELECT 1 FROM seats WHERE seats.match_id = own.match_id AND seats.player = own.player AND deleted_at IS NULL) AS kept
         FROM rating_changes AS own
         LEFT JOIN rating_changes AS theirs ON theirs.match_id = own.match_id AND theirs.player != own.player
         LEFT JOIN accounts ON accounts.person = theirs.person AND NOT private AND NOT EXISTS
             (SELECT 1 FROM relations WHERE relations.person = theirs.person AND other = $2 AND kind = 'block')
         WHERE own.person = $1 ORDER BY own.at DESC, own.match_id LIMIT $3",
    )
    .bind(person)
    .bind(viewer)
    .bind(limit)
    .rows(readers)
    .await?;
    let read = |row: &Row| {
        let score: String = row.get("result")?;
        Ok(RatedMatch {
            id: row.get("id")?,
            rules: row.get("rules")?,
            pace: pace_in(row)?,
            score: MatchScore::of_text(&score).ok_or_else(|| unreadable("an unknown result"))?,
            margin: row.get("margin")?,
            change: change_in(row)?,
            at: row.get("at")?,
            opponent: row.get("handle")?,
            computer: row.get("bot")?,
            is_kept: row.get("kept")?,
        })
    };
    rows.iter().map(read).collect()
}

/// Returns all pairs of a rule set and a pace (live or correspondence) for which any account has a rating.
pub(crate) async fn boards(readers: &Pool) -> Result<Vec<(String, Pace)>, Error> {
    let rows = statement("SELECT DISTINCT rules, pace FROM ratings ORDER BY rules, pace");
    let rows = rows.rows(readers).await?;
    rows.iter().map(|row| Ok((row.get("rules")?, pace_in(row)?))).collect()
}

/// Returns the persons whose latest ratings for a rule set and a pace (live or correspondence) lie within given bounds. The bounds are
/// inclusive. The person with the most recent rated match comes first.
pub(crate) async fn near(
    readers: &Pool,
    (rules, pace): (&str, Pace),
    (from, to): (f64, f64),
    limit: u32,
) -> Result<Vec<Holder>, Error> {
    let rows = statement(
        "SELECT person FROM ratings WHERE rules = $1 AND pace = $2 AND rating BETWEEN $3 AND $4
         ORDER BY at DESC, person LIMIT $5",
    )
    .bind(rules)
    .bind(pace.text())
    .bind(from)
    .bind(to)
    .bind(limit)
    .rows(readers)
    .await?;
    rows.iter().map(|row| holder_in(row, "person")).collect()
}

/// Returns the accounts with the highest ratings for a rule set and a pace (live or correspondence) at a Unix time, in seconds.
/// Private accounts and accounts with provisional ratings are left out.
pub(crate) async fn board(
    readers: &Pool,
    rules: &str,
    pace: Pace,
    at: i64,
    limit: u32,
) -> Result<Vec<Leader>, Error> {
    // The last condition in this SQL query excludes provisional ratings. The deviation grows with the time since the last match, as in
    // `MatchRating::at`.
    let rows = statement(
        "SELECT handle, rating, deviation, volatility, wins, draws, losses, at
         FROM ratings JOIN accounts ON accounts.person = ratings.person
         WHERE rules = $1 AND pace = $2 AND NOT private
             AND deviation * deviation + volatility * volatility * $3 * ($4 - at) <= $5
         ORDER BY rating DESC, handle LIMIT $6",
    )
    .bind(rules)
    .bind(pace.text())
    .bind(MatchRating::growth())
    .bind(at)
    .bind(PROVISIONAL * PROVISIONAL)
    .bind(limit)
    .rows(readers)
    .await?;
    let read = |row: &Row| {
        Ok(Leader { handle: row.get("handle")?, known: known_in(row)?, results: results_in(row)? })
    };
    rows.iter().map(read).collect()
}
