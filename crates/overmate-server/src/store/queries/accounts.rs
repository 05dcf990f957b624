//! Reads and writes accounts in a database, and reserves former handles.

use sqlx::Error;

use super::person_sql::holder_in;
use crate::store::connection::sql::{Connection, Pool, Row, statement};
use crate::store::interface::holder::Holder;
use crate::store::interface::outcome::Appended;
use crate::store::interface::person::Account;

/// Period, in seconds, for which a former handle stays reserved for the person who had the handle: one year.
pub(crate) const FORMER_HANDLE_TIME: i64 = 365 * 24 * 60 * 60;

fn account_in(row: &Row) -> Result<Account, Error> {
    Ok(Account {
        person: holder_in(row, "person")?,
        handle: row.get("handle")?,
        password: row.get("password")?,
        made_at: row.get("made_at")?,
        handle_at: row.get("handle_at")?,
        is_private: row.get("private")?,
        is_bot: row.get("bot")?,
    })
}

/// Returns the account of a person, or `None` without an account.
pub(crate) async fn of_person(readers: &Pool, person: Holder) -> Result<Option<Account>, Error> {
    let row = statement(
        "SELECT person, handle, password, made_at, handle_at, private, bot FROM accounts WHERE person = $1",
    )
    .bind(person)
    .row(readers)
    .await?;
    row.as_ref().map(account_in).transpose()
}

/// Returns the account whose handle has a given tag (keyed hash), or `None` without such an account.
pub(crate) async fn of_tag(readers: &Pool, tag: [u8; 32]) -> Result<Option<Account>, Error> {
    let row = statement(
        "SELECT person, handle, password, made_at, handle_at, private, bot FROM accounts WHERE tag = $1",
    )
    .bind(&tag[..])
    .row(readers)
    .await?;
    row.as_ref().map(account_in).transpose()
}

/// SQL query that tells whether the person `$2` may take the handle whose keyed hash is `$1` at the Unix time `$3`.
const IS_FREE: &str = "SELECT NOT EXISTS (SELECT 1 FROM accounts WHERE tag = $1 AND person != $2)
    AND NOT EXISTS (SELECT 1 FROM former_handles WHERE tag = $1 AND until > $3 AND (person IS NULL OR person != $2))";

/// Returns whether a person may take the handle with a given tag (keyed hash).
pub(crate) async fn is_free(
    readers: &Pool,
    tag: [u8; 32],
    person: Holder,
    at: i64,
) -> Result<bool, Error> {
    statement(IS_FREE).bind(&tag[..]).bind(person).bind(at).scalar(readers).await
}

/// Returns whether the store contains expired reservations of handles.
pub(crate) async fn has_old(readers: &Pool, at: i64) -> Result<bool, Error> {
    let query = "SELECT EXISTS (SELECT 1 FROM former_handles WHERE until <= $1)";
    statement(query).bind(at).scalar(readers).await
}

/// Returns whether a person has an account.
pub(crate) async fn exists(connection: &mut Connection, person: Holder) -> Result<bool, Error> {
    let query = "SELECT EXISTS (SELECT 1 FROM accounts WHERE person = $1)";
    statement(query).bind(person).scalar(connection).await
}

/// Returns whether the account of a person is a bot account.
pub(crate) async fn is_bot(connection: &mut Connection, person: Holder) -> Result<bool, Error> {
    let query = "SELECT EXISTS (SELECT 1 FROM accounts WHERE person = $1 AND bot)";
    statement(query).bind(person).scalar(connection).await
}

/// Returns the handle of a person's account, or `None` without an account.
pub(crate) async fn handle_of(
    connection: &mut Connection,
    person: Holder,
) -> Result<Option<String>, Error> {
    let query = "SELECT handle FROM accounts WHERE person = $1";
    statement(query).bind(person).optional_scalar(connection).await
}

/// Returns whether a person's account has a given password hash; the hash `None` stands for an account without a password.
pub(crate) async fn has_password(
    connection: &mut Connection,
    person: Holder,
    password: Option<&str>,
) -> Result<bool, Error> {
    let query = "SELECT EXISTS (SELECT 1 FROM accounts WHERE person = $1 AND password IS NOT DISTINCT FROM $2)";
    statement(query).bind(person).bind(password).scalar(connection).await
}

/// Returns whether a person's account has a given handle, and took this handle at a given Unix time in seconds.
pub(crate) async fn has_handle(
    connection: &mut Connection,
    person: Holder,
    handle: &str,
    handle_at: i64,
) -> Result<bool, Error> {
    let query = "SELECT EXISTS (SELECT 1 FROM accounts WHERE person = $1 AND handle = $2 AND handle_at = $3)";
    statement(query).bind(person).bind(handle).bind(handle_at).scalar(connection).await
}

/// Inserts an account for a person without an account. Returns a conflict if the handle is not
/// free, or if the person has an account.
pub(crate) async fn make(
    connection: &mut Connection,
    account: &Account,
    tag: [u8; 32],
) -> Result<Appended, Error> {
    let Account { person, handle, password, made_at, handle_at, is_private, is_bot: _ } = account;
    if exists(connection, *person).await?
        || !take_handle(connection, tag, *person, *made_at).await?
    {
        return Ok(Appended::Conflict);
    }
    statement(
        "INSERT INTO accounts (person, handle, tag, password, made_at, handle_at, private)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(*person)
    .bind(handle)
    .bind(&tag[..])
    .bind(password.as_deref())
    .bind(*made_at)
    .bind(*handle_at)
    .bind(*is_private)
    .execute(connection)
    .await?;
    Ok(Appended::Stored)
}

/// Removes the reservation of a handle if a given person may take the handle. Returns whether the person may take the handle. The
/// `tag` is the handle's keyed hash.
async fn take_handle(
    connection: &mut Connection,
    tag: [u8; 32],
    person: Holder,
    at: i64,
) -> Result<bool, Error> {
    let check = statement(IS_FREE).bind(&tag[..]).bind(person).bind(at);
    let is_free: bool = check.scalar(&mut *connection).await?;
    if is_free {
        let delete = statement("DELETE FROM former_handles WHERE tag = $1").bind(&tag[..]);
        delete.execute(connection).await?;
    }
    Ok(is_free)
}

/// Replaces the password hash of an account. The caller has checked that the request comes from the account's owner. Returns a
/// conflict if the person has no account.
pub(crate) async fn set_password(
    connection: &mut Connection,
    person: Holder,
    password: &str,
) -> Result<Appended, Error> {
    let update = statement("UPDATE accounts SET password = $2 WHERE person = $1");
    let changed = update.bind(person).bind(password).execute(connection).await?;
    Ok(Appended::stored_if(changed == 1))
}

/// Sets whether the profile of an account is private. Returns a conflict if the person has no
/// account.
pub(crate) async fn set_private(
    connection: &mut Connection,
    person: Holder,
    is_private: bool,
) -> Result<Appended, Error> {
    let update = statement("UPDATE accounts SET private = $2 WHERE person = $1");
    let changed = update.bind(person).bind(is_private).execute(connection).await?;
    Ok(Appended::stored_if(changed == 1))
}

/// Changes the handle of an account, and reserves the former handle for the account's owner.
pub(crate) async fn set_handle(
    connection: &mut Connection,
    person: Holder,
    handle: &str,
    tag: [u8; 32],
    at: i64,
) -> Result<Appended, Error> {
    if !take_handle(connection, tag, person, at).await? {
        return Ok(Appended::Conflict);
    }
    // The former handle is not reserved if it looks like the new handle. Both handles then have the same keyed hash, which is stored as
    // `tag`.
    statement(
        "INSERT INTO former_handles (tag, person, until)
         SELECT tag, person, $3 FROM accounts WHERE person = $1 AND tag != $2",
    )
    .bind(person)
    .bind(&tag[..])
    .bind(at + FORMER_HANDLE_TIME)
    .execute(&mut *connection)
    .await?;
    statement("UPDATE accounts SET handle = $2, tag = $3, handle_at = $4 WHERE person = $1")
        .bind(person)
        .bind(handle)
        .bind(&tag[..])
        .bind(at)
        .execute(connection)
        .await?;
    Ok(Appended::Stored)
}

/// Deletes the account of a person, and the account's ratings. Nobody can take the person's handles during the reservation
/// period.
pub(crate) async fn forget(
    connection: &mut Connection,
    person: Holder,
    at: i64,
) -> Result<(), Error> {
    statement("UPDATE former_handles SET person = NULL WHERE person = $1")
        .bind(person)
        .execute(&mut *connection)
        .await?;
    statement(
        "INSERT INTO former_handles (tag, person, until)
         SELECT tag, NULL, $2 FROM accounts WHERE person = $1",
    )
    .bind(person)
    .bind(at + FORMER_HANDLE_TIME)
    .execute(&mut *connection)
    .await?;
    for sql in [
        "DELETE FROM ratings WHERE person = $1",
        "DELETE FROM rating_changes WHERE person = $1",
        "DELETE FROM accounts WHERE person = $1",
    ] {
        statement(sql).bind(person).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Deletes expired reservations of handles.
pub(crate) async fn forget_old(connection: &mut Connection, at: i64) -> Result<(), Error> {
    let delete = statement("DELETE FROM former_handles WHERE until <= $1").bind(at);
    delete.execute(connection).await.map(drop)
}

/// Transfers an account to the person's new identity after an operator has revoked the old identity, for example
/// because of a stolen cookie. A sign-in with the password then gives access to the data of the new identity.
pub(crate) async fn transfer(
    connection: &mut Connection,
    person: Holder,
    new: Holder,
) -> Result<(), Error> {
    for sql in [
        "UPDATE accounts SET person = $2 WHERE person = $1",
        "UPDATE former_handles SET person = $2 WHERE person = $1",
        "UPDATE ratings SET person = $2 WHERE person = $1",
        "UPDATE rating_changes SET person = $2 WHERE person = $1",
    ] {
        statement(sql).bind(person).bind(new).execute(&mut *connection).await?;
    }
    Ok(())
}
