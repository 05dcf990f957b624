//! Reads and writes passkeys and passkey challenges in a database.

use sqlx::Error;

use super::accounts;
use super::person_sql::holder_in;
use crate::store::connection::sql::{Connection, Pool, Row, statement};
use crate::store::interface::holder::Holder;
use crate::store::interface::outcome::Appended;
use crate::store::interface::passkey::{
    MOST_CHALLENGES, MOST_PASSKEYS, PasskeyChallenge, StoredPasskey,
};

fn passkey_in(row: &Row) -> Result<StoredPasskey, Error> {
    let user_handle: Vec<u8> = row.get("user_handle")?;
    Ok(StoredPasskey {
        id: row.get("id")?,
        person: holder_in(row, "person")?,
        user_handle: user_handle.try_into().map_err(|_| {
            Error::Decode("the stored user handle of a passkey does not have 16 bytes".into())
        })?,
        passkey: row.get("passkey")?,
        name: row.get("name")?,
        made_at: row.get("made_at")?,
        used_at: row.get("used_at")?,
    })
}

/// Returns the passkeys of a person, oldest first.
pub(crate) async fn of_person(readers: &Pool, person: Holder) -> Result<Vec<StoredPasskey>, Error> {
    let rows = statement(
        "SELECT id, person, user_handle, passkey, name, made_at, used_at FROM passkeys
         WHERE person = $1 ORDER BY made_at, id",
    )
    .bind(person)
    .rows(readers)
    .await?;
    rows.iter().map(passkey_in).collect()
}

/// Returns the passkey with a given credential id, or `None` if there is no such passkey.
pub(crate) async fn of_id(readers: &Pool, id: &[u8]) -> Result<Option<StoredPasskey>, Error> {
    let row = statement(
        "SELECT id, person, user_handle, passkey, name, made_at, used_at FROM passkeys WHERE id = $1",
    )
    .bind(id)
    .row(readers)
    .await?;
    row.as_ref().map(passkey_in).transpose()
}

/// Returns the passkey challenge with a given id, or `None` if the challenge is unknown, used or expired. The time `at` is a Unix time,
/// in seconds.
pub(crate) async fn challenge(
    readers: &Pool,
    id: &str,
    at: i64,
) -> Result<Option<PasskeyChallenge>, Error> {
    let row = statement(
        "SELECT id, person, state, until FROM passkey_challenges WHERE id = $1 AND until > $2",
    )
    .bind(id)
    .bind(at)
    .row(readers)
    .await?;
    let read = |row: &Row| {
        let person: Option<Vec<u8>> = row.get("person")?;
        let person = person.map(|_| holder_in(row, "person")).transpose()?;
        let (id, state, until) = (row.get("id")?, row.get("state")?, row.get("until")?);
        Ok(PasskeyChallenge { id, person, state, until })
    };
    row.as_ref().map(read).transpose()
}

/// Returns whether the store contains expired passkey challenges.
pub(crate) async fn has_old(readers: &Pool, at: i64) -> Result<bool, Error> {
    let query = "SELECT EXISTS (SELECT 1 FROM passkey_challenges WHERE until <= $1)";
    statement(query).bind(at).scalar(readers).await
}

/// Stores a passkey challenge. If the person then has more than the maximum number, the person's oldest challenges are removed.
pub(crate) async fn begin(
    connection: &mut Connection,
    challenge: &PasskeyChallenge,
) -> Result<Appended, Error> {
    let PasskeyChallenge { id, person, state, until } = challenge;
    statement("INSERT INTO passkey_challenges (id, person, state, until) VALUES ($1, $2, $3, $4)")
        .bind(id)
        .bind(*person)
        .bind(state)
        .bind(*until)
        .execute(&mut *connection)
        .await?;
    if let Some(person) = *person {
        statement(
            "DELETE FROM passkey_challenges WHERE person = $1 AND id != $2 AND id NOT IN
             (SELECT id FROM passkey_challenges WHERE person = $1 AND id != $2 ORDER BY until DESC, id LIMIT $3)",
        )
        .bind(person)
        .bind(id)
        .bind(i64::try_from(MOST_CHALLENGES - 1).unwrap_or(i64::MAX))
        .execute(connection)
        .await?;
    }
    Ok(Appended::Stored)
}

/// Removes a passkey challenge after its use. Returns a conflict if there is no such challenge.
pub(crate) async fn use_up(connection: &mut Connection, id: &str) -> Result<Appended, Error> {
    let delete = statement("DELETE FROM passkey_challenges WHERE id = $1").bind(id);
    let is_used = delete.execute(connection).await? == 1;
    Ok(Appended::stored_if(is_used))
}

/// Returns whether an account has at least one passkey, but no passkey with a given Web Authentication user handle. This happens if
/// two concurrent requests for the first passkey of an account choose different user handles.
async fn has_other_handle(
    connection: &mut Connection,
    person: Holder,
    user_handle: &[u8],
) -> Result<bool, Error> {
    let query = "SELECT EXISTS (SELECT 1 FROM passkeys WHERE person = $1)
        AND NOT EXISTS (SELECT 1 FROM passkeys WHERE person = $1 AND user_handle = $2)";
    statement(query).bind(person).bind(user_handle).scalar(connection).await
}

/// Returns whether any account has the passkey with a given credential id.
pub(crate) async fn exists(connection: &mut Connection, id: &[u8]) -> Result<bool, Error> {
    let query = "SELECT EXISTS (SELECT 1 FROM passkeys WHERE id = $1)";
    statement(query).bind(id).scalar(connection).await
}

/// Adds a passkey to the account of a person. Returns a conflict if the person has no account or the maximum number of passkeys.
///
/// An account that already has the passkey is also a conflict, and so is a user handle that differs from the user handle of the
/// account's other passkeys.
pub(crate) async fn add(
    connection: &mut Connection,
    passkey: &StoredPasskey,
) -> Result<Appended, Error> {
    let StoredPasskey { id, person, user_handle, passkey, name, made_at, used_at } = passkey;
    let count = statement("SELECT count(*) FROM passkeys WHERE person = $1").bind(*person);
    let count: i64 = count.scalar(&mut *connection).await?;
    if usize::try_from(count).is_ok_and(|count| count >= MOST_PASSKEYS)
        || !accounts::exists(connection, *person).await?
        || exists(connection, id).await?
        || has_other_handle(connection, *person, user_handle).await?
    {
        return Ok(Appended::Conflict);
    }
    statement(
        "INSERT INTO passkeys (id, person, user_handle, passkey, name, made_at, used_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(&id[..])
    .bind(*person)
    .bind(&user_handle[..])
    .bind(passkey)
    .bind(name.as_deref())
    .bind(*made_at)
    .bind(*used_at)
    .execute(connection)
    .await?;
    Ok(Appended::Stored)
}

/// Replaces the state of a passkey after a sign-in, if the stored state still equals the state before the sign-in. Returns
/// whether the state was replaced.
pub(crate) async fn use_passkey(
    connection: &mut Connection,
    (person, id): (Holder, &[u8]),
    former: &str,
    new: &str,
    at: i64,
) -> Result<bool, Error> {
    let update = statement(
        "UPDATE passkeys SET passkey = $4, used_at = $5 WHERE id = $1 AND person = $2 AND passkey = $3",
    );
    let update = update.bind(id).bind(person).bind(former).bind(new).bind(at);
    Ok(update.execute(connection).await? == 1)
}

/// Removes a passkey of a person. Returns a conflict if the person does not have the passkey, or has no other way to sign in.
pub(crate) async fn remove(
    connection: &mut Connection,
    person: Holder,
    id: &[u8],
) -> Result<Appended, Error> {
    let delete = statement(
        "DELETE FROM passkeys WHERE id = $1 AND person = $2
         AND (EXISTS (SELECT 1 FROM accounts WHERE person = $2 AND password IS NOT NULL)
              OR EXISTS (SELECT 1 FROM passkeys AS other WHERE other.person = $2 AND other.id != $1))",
    );
    let is_removed = delete.bind(id).bind(person).execute(connection).await? == 1;
    Ok(Appended::stored_if(is_removed))
}

/// Removes the passkeys and passkey challenges of a person.
pub(crate) async fn forget(connection: &mut Connection, person: Holder) -> Result<(), Error> {
    for sql in [
        "DELETE FROM passkeys WHERE person = $1",
        "DELETE FROM passkey_challenges WHERE person = $1",
    ] {
        statement(sql).bind(person).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Removes expired passkey challenges.
pub(crate) async fn forget_old(connection: &mut Connection, at: i64) -> Result<(), Error> {
    let delete = statement("DELETE FROM passkey_challenges WHERE until <= $1").bind(at);
    delete.execute(connection).await.map(drop)
}

/// Moves the passkeys of a person to the person's new identity, and removes the person's passkey challenges.
pub(crate) async fn transfer(
    connection: &mut Connection,
    person: Holder,
    new: Holder,
) -> Result<(), Error> {
    let update = statement("UPDATE passkeys SET person = $2 WHERE person = $1");
    update.bind(person).bind(new).execute(&mut *connection).await?;
    statement("DELETE FROM passkey_challenges WHERE person = $1")
        .bind(person)
        .execute(connection)
        .await
        .map(drop)
}
