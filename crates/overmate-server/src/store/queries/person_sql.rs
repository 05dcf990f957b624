//! Defines SQL expressions for the person to whom a browser belongs, and for the seats of a person.
//!
//! A seat stores the hash of the browser that took it. Queries return the person of this browser,
//! so that all code above the store compares persons.

use sqlx::Error;

use crate::store::connection::sql::{Connection, Row, statement};
use crate::store::interface::holder::Holder;

/// Expands to an SQL expression for the person to whom a browser belongs. The browser is in the column `holder` of a table.
macro_rules! person {
    () => {
        person!("seats")
    };
    ($table:literal) => {
        concat!(
            "coalesce((SELECT person FROM browsers WHERE browser = ",
            $table,
            ".holder), ",
            $table,
            ".holder) AS holder"
        )
    };
}

/// Expands to an SQL subquery for the browsers that belong to a person. The argument is an SQL expression for the person.
macro_rules! owned {
    ($person:literal) => {
        concat!(
            "(SELECT ",
            $person,
            " UNION ALL SELECT browser FROM browsers WHERE person = ",
            $person,
            ")"
        )
    };
}

/// Expands to an SQL condition that at least one of two persons has blocked the other person. The arguments are SQL expressions
/// for the two persons.
macro_rules! apart {
    ($one:literal, $other:literal) => {
        concat!(
            "EXISTS (SELECT 1 FROM relations AS barrier WHERE barrier.kind = 'block' AND (barrier.person = ",
            $one,
            " AND barrier.other = ",
            $other,
            " OR barrier.person = ",
            $other,
            " AND barrier.other = ",
            $one,
            "))"
        )
    };
}

/// Expands to an SQL condition that an account of the table `accounts` has a rating or is a bot. Only such accounts have a public profile.
macro_rules! is_rated {
    () => {
        "(accounts.bot OR EXISTS (SELECT 1 FROM ratings WHERE ratings.person = accounts.person))"
    };
}

pub(crate) use {apart, is_rated, owned, person};

/// Reads a 32-byte value, such as an identity or another hash, from a column of a database row.
pub(crate) fn holder_in(row: &Row, column: &str) -> Result<Holder, Error> {
    let bytes: Vec<u8> = row.get(column)?;
    let bytes = bytes.try_into();
    bytes.map(Holder).map_err(|_| Error::Decode("a stored hash does not have 32 bytes".into()))
}

/// Returns the person to whom a browser belongs, even if the browser is signed out.
pub(crate) async fn person_of(
    connection: &mut Connection,
    browser: Holder,
) -> Result<Holder, Error> {
    let query = statement("SELECT person FROM browsers WHERE browser = $1").bind(browser);
    query.row(connection).await?.map_or(Ok(browser), |row| holder_in(&row, "person"))
}

/// Returns whether a browser belongs to a person and is not signed out.
pub(crate) async fn is_of(
    connection: &mut Connection,
    browser: Holder,
    person: Holder,
) -> Result<bool, Error> {
    let query = "SELECT coalesce((SELECT person = $2 AND NOT revoked FROM browsers WHERE browser = $1), $1 = $2)";
    statement(query).bind(browser).bind(person).scalar(connection).await
}

/// Returns the person to whom a browser belongs, or `None` if the store contains neither a browser nor a seat of the person.
pub(crate) async fn known_person_of(
    connection: &mut Connection,
    browser: Holder,
) -> Result<Option<Holder>, Error> {
    let person = person_of(connection, browser).await?;
    let query = "SELECT EXISTS (SELECT 1 FROM browsers WHERE person = $1)
         OR EXISTS (SELECT 1 FROM seats WHERE holder = $1)";
    let is_known: bool = statement(query).bind(person).scalar(connection).await?;
    Ok(is_known.then_some(person))
}

/// Returns whether at least one of two persons has blocked the other person.
pub(crate) async fn are_apart(
    connection: &mut Connection,
    one: Holder,
    other: Holder,
) -> Result<bool, Error> {
    let query = concat!("SELECT ", apart!("$1", "$2"));
    statement(query).bind(one).bind(other).scalar(connection).await
}
