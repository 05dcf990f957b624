//! Reads and writes the chat messages of players in a database.

use overmate_rules::Player;
use sqlx::Error;

use super::person_sql::{holder_in, owned, person_of};
use super::relations;
use super::rows::{player_in, player_text, signed};
use crate::store::connection::sql::{Connection, Pool, Row, statement};
use crate::store::interface::holder::Holder;
use crate::store::interface::outcome::{Appended, Quota};
use crate::store::interface::talk::{MOST_IN_PERIOD, MOST_TEXTS, NewTalk, TALK_PERIOD, TalkText};

fn text_in(row: &Row) -> Result<TalkText, Error> {
    let number: i64 = row.get("number")?;
    Ok(TalkText {
        number: number.unsigned_abs(),
        player: player_in(row)?,
        text: row.get("text")?,
        at: row.get("at")?,
    })
}

/// Returns the chat messages of a match after the message with a given number, in order.
pub(crate) async fn after(readers: &Pool, id: &str, after: u64) -> Result<Vec<TalkText>, Error> {
    let rows = statement(
        "SELECT number, player, text, at FROM talk WHERE match_id = $1 AND number > $2 ORDER BY number",
    )
    .bind(id)
    .bind(signed(after))
    .rows(readers)
    .await?;
    rows.iter().map(text_in).collect()
}

/// Returns the chat messages of a person in all matches, each with the id of the match.
pub(crate) async fn of_person(
    readers: &Pool,
    person: Holder,
) -> Result<Vec<(String, TalkText)>, Error> {
    let rows = statement(concat!(
        "SELECT talk.match_id AS match_id, number, talk.player AS player, text, at FROM talk
         JOIN seats ON seats.match_id = talk.match_id AND seats.player = talk.player
         WHERE seats.holder IN ",
        owned!("$1"),
        " ORDER BY talk.match_id, number"
    ))
    .bind(person)
    .rows(readers)
    .await?;
    rows.iter().map(|row| Ok((row.get("match_id")?, text_in(row)?))).collect()
}

/// Returns whether the store contains chat messages that were sent before a Unix time in seconds.
pub(crate) async fn has_old(readers: &Pool, before: i64) -> Result<bool, Error> {
    let query = "SELECT EXISTS (SELECT 1 FROM talk WHERE at < $1)";
    statement(query).bind(before).scalar(readers).await
}

/// Returns the person who holds the seat of a player in a match, or `None` if no person holds the
/// seat.
pub(crate) async fn person_at(
    connection: &mut Connection,
    id: &str,
    player: Player,
) -> Result<Option<Holder>, Error> {
    let query =
        "SELECT holder FROM seats WHERE match_id = $1 AND player = $2 AND holder IS NOT NULL";
    let row = statement(query).bind(id).bind(player_text(player)).row(&mut *connection).await?;
    let Some(row) = row else { return Ok(None) };
    let holder = holder_in(&row, "holder")?;
    Ok(Some(person_of(connection, holder).await?))
}

/// Stores a chat message of a player in a transaction.
pub(crate) async fn send(connection: &mut Connection, new: &NewTalk) -> Result<Appended, Error> {
    let NewTalk { id, player, person, text, client_id, at } = new;
    let own = person_at(connection, id, *player).await?;
    let other = person_at(connection, id, !*player).await?;
    let (Some(own), Some(other)) = (own, other) else { return Ok(Appended::Conflict) };
    if own != *person || !relations::are_mutual(connection, own, other).await? {
        return Ok(Appended::Conflict);
    }
    let row = statement(
        "SELECT coalesce(max(number), 0) AS last, count(*) AS texts,
             coalesce(sum(CASE WHEN player = $2 AND at > $3 THEN 1 ELSE 0 END), 0) AS recent,
             coalesce(sum(CASE WHEN player = $2 AND client_id = $4 THEN 1 ELSE 0 END), 0) AS same
         FROM talk WHERE match_id = $1",
    )
    .bind(id)
    .bind(player_text(*player))
    .bind(at - TALK_PERIOD)
    .bind(client_id)
    .row(&mut *connection)
    .await?
    .ok_or(Error::RowNotFound)?;
    let [last, texts, recent, same]: [i64; 4] =
        [row.get("last")?, row.get("texts")?, row.get("recent")?, row.get("same")?];
    let is_reached =
        |count: i64, most: usize| usize::try_from(count).is_ok_and(|count| count >= most);
    if same > 0 {
        return Ok(Appended::Stored);
    }
    if is_reached(texts, MOST_TEXTS) {
        return Ok(Appended::Full(Quota::Talk));
    }
    if is_reached(recent, MOST_IN_PERIOD) {
        return Ok(Appended::Full(Quota::TalkInPeriod));
    }
    statement(
        "INSERT INTO talk (match_id, number, player, text, client_id, at) VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(id)
    .bind(last + 1)
    .bind(player_text(*player))
    .bind(text)
    .bind(client_id)
    .bind(*at)
    .execute(connection)
    .await?;
    Ok(Appended::Stored)
}

/// Removes all chat messages of a match, or the chat messages of one player in the match.
pub(crate) async fn remove(
    connection: &mut Connection,
    id: &str,
    player: Option<Player>,
) -> Result<(), Error> {
    let delete = match player {
        Some(player) => statement("DELETE FROM talk WHERE match_id = $1 AND player = $2")
            .bind(id)
            .bind(player_text(player)),
        None => statement("DELETE FROM talk WHERE match_id = $1").bind(id),
    };
    delete.execute(connection).await.map(drop)
}

/// Removes the chat messages that were sent before a Unix time in seconds.
pub(crate) async fn forget(connection: &mut Connection, before: i64) -> Result<Appended, Error> {
    statement("DELETE FROM talk WHERE at < $1").bind(before).execute(connection).await?;
    Ok(Appended::Stored)
}
