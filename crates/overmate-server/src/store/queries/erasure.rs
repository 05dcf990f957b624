//! Removes the data of a person from a database.

use sqlx::Error;

use super::{
    absences, accounts, bot_tokens, events, feeds, mail, offers, passkeys, push, puzzles,
    relations, reports, visibility,
};
use crate::store::connection::sql::{Connection, statement};
use crate::store::interface::holder::Holder;
use crate::store::interface::outcome::Appended;

/// Removes all data of a person except their seats. The handle of their account is reserved for a period after `at`, in seconds since 1970.
pub(super) async fn forget(
    connection: &mut Connection,
    person: Holder,
    at: i64,
) -> Result<Appended, Error> {
    puzzles::forget(connection, person).await?;
    absences::forget(connection, person).await?;
    feeds::forget(connection, person).await?;
    push::forget(connection, person).await?;
    // A person's match offers are removed before the person's browsers, because `offers::forget` finds the offers by these browsers.
    offers::forget(connection, person).await?;
    for sql in ["DELETE FROM codes WHERE person = $1", "DELETE FROM browsers WHERE person = $1"] {
        statement(sql).bind(person).execute(&mut *connection).await?;
    }
    passkeys::forget(connection, person).await?;
    bot_tokens::forget(connection, person).await?;
    mail::forget(connection, person).await?;
    relations::forget(connection, person).await?;
    visibility::erase(connection, person).await?;
    reports::forget(connection, person).await?;
    events::forget(connection, person).await?;
    accounts::forget(connection, person, at).await?;
    Ok(Appended::Stored)
}
