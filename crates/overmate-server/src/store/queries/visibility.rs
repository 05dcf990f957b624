//! Stores visibility settings and the list of online people in a database, and lists public matches.

use sqlx::Error;

use super::person_sql::{holder_in, person};
use crate::store::connection::sql::{Connection, Pool, Row, Sql, statement};
use crate::store::interface::holder::Holder;
use crate::store::interface::outcome::Appended;
use crate::store::interface::visibility::{
    KnownPresence, Present, PublicCursor, PublicMatch, PublicPage, PublicWanted, UNUSED_TIME,
    Visibility, VisibilityChange, Watching,
};

/// Key of the PostgreSQL advisory lock for writes to the list of people who are online.
pub(crate) const LOCK: i64 = 0x7072_6573_656e;

fn visibility_in(row: &Row) -> Result<Visibility, Error> {
    let (watching, presence): (String, String) = (row.get("watching")?, row.get("presence")?);
    Ok(Visibility {
        watching: Watching::of_text(&watching),
        shows_presence: presence == Visibility::default().presence_text(),
    })
}

const OF_PERSON: &str = "SELECT watching, presence FROM visibility WHERE person = $1";

/// Returns the visibility settings of a person.
pub(crate) async fn of_person(readers: &Pool, person: Holder) -> Result<Visibility, Error> {
    let row = statement(OF_PERSON).bind(person).row(readers).await?;
    row.as_ref().map_or_else(|| Ok(Visibility::default()), visibility_in)
}

/// Replaces the visibility settings of a person. The table has no row for the default settings.
pub(crate) async fn set(
    connection: &mut Connection,
    change: VisibilityChange,
) -> Result<Appended, Error> {
    let VisibilityChange { person, visibility, at } = change;
    forget(connection, person).await?;
    if visibility != Visibility::default() {
        statement(
            "INSERT INTO visibility (person, watching, presence, at) VALUES ($1, $2, $3, $4)",
        )
        .bind(person)
        .bind(visibility.watching.text())
        .bind(visibility.presence_text())
        .bind(at)
        .execute(connection)
        .await?;
    }
    Ok(Appended::Stored)
}

/// Expands to an SQL query for the players of selected public matches, and for each player's spectator setting (whether
/// spectators may watch, at once or with a delay). The arguments are the parts of an SQL query that selects the matches,
/// with the columns `id` and `at`.
macro_rules! watched {
    ($($chosen:literal),+) => {
        concat!(
            "SELECT id, at, holder, (SELECT watching FROM visibility WHERE visibility.person = holder) AS watching
             FROM (SELECT chosen.id AS id, chosen.at AS at, ",
            person!(),
            " FROM (",
            $($chosen),+,
            ") AS chosen JOIN seats ON seats.match_id = chosen.id) AS players ORDER BY at DESC, id DESC"
        )
    };
}

/// Expands to the SQL query for a page of public matches. The first literal is the column by which the matches are ordered. The
/// second literal is an SQL condition.
macro_rules! page {
    ($at:literal, $condition:literal) => {
        watched!(
            "SELECT id, ",
            $at,
            " AS at FROM matches WHERE public AND ",
            $condition,
            " AND (",
            $at,
            ", id) < ($1, $2) ORDER BY ",
            $at,
            " DESC, id DESC LIMIT $3"
        )
    };
}

const RUNNING: &str = page!("created_at", "ended_at IS NULL");
const RUNNING_OF_RULES: &str = page!("created_at", "ended_at IS NULL AND rules = $4");
const FINISHED: &str = page!("ended_at", "ended_at IS NOT NULL");
const FINISHED_OF_RULES: &str = page!("ended_at", "ended_at IS NOT NULL AND rules = $4");

/// Reads public matches from database rows, each with its spectator setting (whether spectators may watch, at once or
/// with a delay). The stricter setting of the two players applies. Matches without two different persons are left out.
/// The two rows of a match are adjacent.
fn watched_in(rows: &[Row]) -> Result<Vec<PublicMatch>, Error> {
    let mut matches = Vec::new();
    for seats in rows.chunks(2) {
        let [first, second] = seats else {
            return Err(Error::Decode("a stored match does not have two seats".into()));
        };
        let [one, other] = [first, second].map(|seat| seat.get::<Option<Vec<u8>>>("holder"));
        let (one, other) = (one?, other?);
        let watching = |seat: &Row| -> Result<Watching, Error> {
            let text: Option<String> = seat.get("watching")?;
            Ok(text.as_deref().map_or_else(Watching::default, Watching::of_text))
        };
        let watching = watching(first)?.max(watching(second)?);
        if one.is_some() && other.is_some() && one != other && watching != Watching::Never {
            matches.push(PublicMatch { id: first.get("id")?, at: first.get("at")?, watching });
        }
    }
    Ok(matches)
}

/// Returns a page of the public matches, newest first, by a single database query.
pub(crate) async fn public_matches(
    readers: &Pool,
    wanted: PublicWanted,
) -> Result<PublicPage, Error> {
    let PublicWanted { rules, is_finished, after, limit } = wanted;
    let query = match (is_finished, &rules) {
        (false, None) => RUNNING,
        (false, Some(_)) => RUNNING_OF_RULES,
        (true, None) => FINISHED,
        (true, Some(_)) => FINISHED_OF_RULES,
    };
    let PublicCursor { at, id } = after.unwrap_or(PublicCursor { at: i64::MAX, id: String::new() });
    let query = statement(query).bind(at).bind(id).bind(limit);
    let query = match rules {
        Some(rules) => query.bind(rules),
        None => query,
    };
    let rows = query.rows(readers).await?;
    let is_full = rows.len() / 2 >= limit as usize;
    let next = match rows.last() {
        Some(last) if is_full => Some(PublicCursor { at: last.get("at")?, id: last.get("id")? }),
        _ => None,
    };
    Ok(PublicPage { matches: watched_in(&rows)?, next })
}

/// Returns the spectator setting of a public match: spectators see each action at once, or with a delay. Returns `None`
/// if the match is not public, or if a player permits no spectators.
pub(crate) async fn public_watching(readers: &Pool, id: &str) -> Result<Option<Watching>, Error> {
    let query = watched!("SELECT id, created_at AS at FROM matches WHERE id = $1 AND public");
    let rows = statement(query).bind(id).rows(readers).await?;
    Ok(watched_in(&rows)?.pop().map(|found| found.watching))
}

/// Replaces one server's stored list of the people who are connected to it, and removes the expired lists of other servers.
pub(crate) async fn set_present(
    connection: &mut Connection,
    present: &Present,
) -> Result<Appended, Error> {
    let Present { server, people, persons, at, until } = present;
    for sql in [
        "DELETE FROM present_servers WHERE server = $1 OR until <= $2",
        "DELETE FROM present_persons WHERE server = $1 OR until <= $2",
    ] {
        statement(sql).bind(server).bind(*at).execute(&mut *connection).await?;
    }
    if *people == 0 {
        return Ok(Appended::Stored);
    }
    statement("INSERT INTO present_servers (server, people, until) VALUES ($1, $2, $3)")
        .bind(server)
        .bind(i64::try_from(*people).unwrap_or(i64::MAX))
        .bind(*until)
        .execute(&mut *connection)
        .await?;
    // The list of online people contains only persons who are a favourite of somebody, because only the online status of favourites is
    // shown.
    let insert = Sql::Each {
        sqlite: "INSERT INTO present_persons (person, server, until)
             SELECT DISTINCT unhex(value), $2, $3 FROM json_each($1)
             WHERE EXISTS (SELECT 1 FROM relations WHERE other = unhex(value) AND kind = 'favourite')",
        postgres: "INSERT INTO present_persons (person, server, until)
             SELECT DISTINCT decode(value, 'hex'), $2, $3::BIGINT FROM unnest($1) AS given (value)
             WHERE EXISTS (SELECT 1 FROM relations WHERE other = decode(value, 'hex') AND kind = 'favourite')",
    };
    let persons: Vec<String> = persons.iter().map(ToString::to_string).collect();
    statement(insert).bind(persons).bind(server).bind(*until).execute(connection).await?;
    Ok(Appended::Stored)
}

/// Returns the number of people who are connected to servers other than a given server.
pub(crate) async fn people_elsewhere(readers: &Pool, server: &str, at: i64) -> Result<u64, Error> {
    let query = "SELECT CAST(coalesce(sum(people), 0) AS BIGINT) FROM present_servers WHERE server != $1 AND until > $2";
    let people: i64 = statement(query).bind(server).bind(at).scalar(readers).await?;
    Ok(people.unsigned_abs())
}

/// Returns the favourites of a person, each with a flag that is true if the favourite is online. The result contains only
/// favourites who show their presence, and who have added the person to their own favourites.
pub(crate) async fn favourites_present(
    readers: &Pool,
    person: Holder,
    at: i64,
) -> Result<Vec<KnownPresence>, Error> {
    let rows = statement(
        "SELECT own.other AS person, accounts.handle AS handle,
             EXISTS (SELECT 1 FROM present_persons AS here WHERE here.person = own.other AND here.until > $2) AS here
         FROM relations AS own JOIN accounts ON accounts.person = own.other
         WHERE own.person = $1 AND own.kind = 'favourite'
             AND EXISTS (SELECT 1 FROM relations AS back WHERE back.person = own.other AND back.other = $1 AND back.kind = 'favourite')
             AND NOT EXISTS (SELECT 1 FROM relations AS ban WHERE ban.kind = 'block'
                 AND (ban.person = $1 AND ban.other = own.other OR ban.person = own.other AND ban.other = $1))
             AND NOT EXISTS (SELECT 1 FROM visibility AS hidden WHERE hidden.person = own.other AND hidden.presence = 'nobody')",
    )
    .bind(person)
    .bind(at)
    .rows(readers)
    .await?;
    let read = |row: &Row| {
        Ok(KnownPresence {
            person: holder_in(row, "person")?,
            handle: row.get("handle")?,
            is_here: row.get("here")?,
        })
    };
    let mut known = rows.iter().map(read).collect::<Result<Vec<KnownPresence>, Error>>()?;
    // This function sorts the rows by handle, instead of the database, because SQLite and PostgreSQL order texts by different rules.
    known.sort_by_key(|favourite| favourite.handle.to_ascii_lowercase());
    Ok(known)
}

/// Removes the visibility settings of a person.
pub(crate) async fn forget(connection: &mut Connection, person: Holder) -> Result<(), Error> {
    let delete = statement("DELETE FROM visibility WHERE person = $1").bind(person);
    delete.execute(connection).await.map(drop)
}

/// Removes the visibility settings and the online status of a person who erases their data.
pub(crate) async fn erase(connection: &mut Connection, person: Holder) -> Result<(), Error> {
    forget(connection, person).await?;
    let delete = statement("DELETE FROM present_persons WHERE person = $1").bind(person);
    delete.execute(connection).await.map(drop)
}

/// Merges the visibility settings of a person into the settings of another person. For each setting, the more restrictive value
/// remains.
pub(crate) async fn join(
    connection: &mut Connection,
    (former, person): (Holder, Holder),
    at: i64,
) -> Result<(), Error> {
    let row = statement(OF_PERSON).bind(former).row(&mut *connection).await?;
    let Some(row) = row else { return Ok(()) };
    let brought = visibility_in(&row)?;
    forget(connection, former).await?;
    let row = statement(OF_PERSON).bind(person).row(&mut *connection).await?;
    let own = row.as_ref().map_or_else(|| Ok(Visibility::default()), visibility_in)?;
    let visibility = own.stricter(brought);
    set(connection, VisibilityChange { person, visibility, at }).await.map(drop)
}

/// Transfers the visibility settings of a person to the person's new identity.
pub(crate) async fn transfer(
    connection: &mut Connection,
    person: Holder,
    new: Holder,
) -> Result<(), Error> {
    let update = statement("UPDATE visibility SET person = $2 WHERE person = $1");
    update.bind(person).bind(new).execute(connection).await.map(drop)
}

/// Expands to an SQL condition that selects a person's expired visibility settings. Settings have expired if they were last changed before
/// the Unix time `$1`, in seconds, and if the store contains no browser, seat or match offer of the person.
macro_rules! is_old {
    () => {
        "at < $1 AND NOT EXISTS (SELECT 1 FROM browsers WHERE browsers.person = visibility.person)
         AND NOT EXISTS (SELECT 1 FROM seats WHERE seats.holder = visibility.person)
         AND NOT EXISTS (SELECT 1 FROM offers WHERE offers.holder = visibility.person)"
    };
}

/// Returns whether the store contains expired visibility settings of persons without any stored browser, seat or match offer.
pub(crate) async fn has_old(readers: &Pool, at: i64) -> Result<bool, Error> {
    let query = concat!("SELECT EXISTS (SELECT 1 FROM visibility WHERE ", is_old!(), ")");
    statement(query).bind(at - UNUSED_TIME).scalar(readers).await
}

/// Removes expired visibility settings of persons without any stored browser, seat or match offer.
pub(crate) async fn forget_old(connection: &mut Connection, at: i64) -> Result<(), Error> {
    let delete = concat!("DELETE FROM visibility WHERE ", is_old!());
    statement(delete).bind(at - UNUSED_TIME).execute(connection).await.map(drop)
}
