//! Adds, renews and signs out the browsers of persons in a database.

use sqlx::Error;

use super::push;
use crate::store::connection::sql::{Connection, sql, statement};
use crate::store::interface::holder::Holder;

/// Replaces the identity (token hash) of a browser. The former identity is signed out, but still belongs to the person, who thus
/// keeps the seats of this identity. The push subscription of the former identity is removed, because anybody who had its cookie could
/// have named the endpoint.
pub(super) async fn renew(
    connection: &mut Connection,
    browser: Holder,
    renewed: Holder,
) -> Result<(), Error> {
    if browser == renewed {
        return Ok(());
    }
    statement(
        "INSERT INTO browsers (browser, person, name, added_at, changed_at)
         SELECT $2, person, name, added_at, 0 FROM browsers WHERE browser = $1",
    )
    .bind(browser)
    .bind(renewed)
    .execute(&mut *connection)
    .await?;
    let query = sql!(
        "UPDATE browsers SET revoked = TRUE, changed_at = ",
        NOW,
        " / 1000 WHERE browser = $1"
    );
    statement(query).bind(browser).execute(&mut *connection).await?;
    push::sign_out(connection, browser).await
}

/// Signs out all browsers of a person except a given browser, whose identity the caller replaces. Removes the push subscriptions of all
/// these browsers.
pub(super) async fn revoke_others(
    connection: &mut Connection,
    person: Holder,
    kept: Holder,
) -> Result<(), Error> {
    // If a person has several browsers, all of them, even the first browser, have rows in the table `browsers`. The statement thus also
    // signs out the first browser.
    let query = sql!(
        "UPDATE browsers SET revoked = TRUE, changed_at = ",
        NOW,
        " / 1000 WHERE person = $1 AND browser != $2 AND NOT revoked"
    );
    statement(query).bind(person).bind(kept).execute(&mut *connection).await?;
    push::forget(connection, person).await
}

/// Records that a browser belongs to a person, or renames a browser that is already recorded. Other servers need no notice of this
/// change.
pub(super) async fn know(
    connection: &mut Connection,
    browser: Holder,
    person: Holder,
    name: Option<&str>,
    at: i64,
) -> Result<(), Error> {
    statement(
        "INSERT INTO browsers (browser, person, name, added_at, changed_at) VALUES ($1, $2, $3, $4, 0)
         ON CONFLICT (browser) DO UPDATE SET name = coalesce(excluded.name, browsers.name)",
    )
    .bind(browser)
    .bind(person)
    .bind(name)
    .bind(at)
    .execute(connection)
    .await
    .map(drop)
}
