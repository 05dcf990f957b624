//! Reads and writes, in a database, the secret URLs of turn feeds (lists of the matches in which it is a person's turn).

use sqlx::Error;

use super::person_sql::{holder_in, is_of, known_person_of};
use crate::store::connection::sql::{Connection, Pool, statement};
use crate::store::interface::holder::Holder;
use crate::store::interface::outcome::Appended;

/// Returns the token in the secret URL of a person's turn feed, or `None` if the person has no feed.
pub(crate) async fn of(readers: &Pool, person: Holder) -> Result<Option<String>, Error> {
    let query = statement("SELECT token FROM feeds WHERE person = $1").bind(person);
    query.optional_scalar(readers).await
}

/// Returns the person whose turn feed has a given token in its secret URL, or `None` if no feed has this token.
pub(crate) async fn person_of(readers: &Pool, token: &str) -> Result<Option<Holder>, Error> {
    let query = statement("SELECT person FROM feeds WHERE token = $1").bind(token);
    query.row(readers).await?.as_ref().map(|row| holder_in(row, "person")).transpose()
}

/// Replaces or removes the token in the secret URL of a person's turn feed, at the request of a browser. Returns a conflict if the browser
/// does not belong to the person, or if the store contains neither a browser nor a seat of the person.
pub(crate) async fn write(
    connection: &mut Connection,
    (person, browser): (Holder, Holder),
    token: Option<&str>,
) -> Result<Appended, Error> {
    // The browser that asked to change the person's turn feed may meanwhile have been signed out, or have been linked to another person.
    // Its data may also have been erased.
    let is_known = is_of(connection, browser, person).await?
        && known_person_of(connection, person).await?.is_some();
    if !is_known {
        return Ok(Appended::Conflict);
    }
    let Some(token) = token else {
        forget(connection, person).await?;
        return Ok(Appended::Stored);
    };
    let set = "INSERT INTO feeds (person, token) VALUES ($1, $2)
         ON CONFLICT (person) DO UPDATE SET token = excluded.token";
    statement(set).bind(person).bind(token).execute(connection).await?;
    Ok(Appended::Stored)
}

/// Removes the secret URL of a person's turn feed.
pub(crate) async fn forget(connection: &mut Connection, person: Holder) -> Result<(), Error> {
    let delete = statement("DELETE FROM feeds WHERE person = $1").bind(person);
    delete.execute(connection).await.map(drop)
}
