//! Reads and writes the access tokens of bots in a database.

use sqlx::Error;

use super::accounts;
use super::person_sql::holder_in;
use crate::store::connection::sql::{Connection, Pool, Row, statement};
use crate::store::interface::bot::{BotToken, MOST_TOKENS};
use crate::store::interface::holder::Holder;
use crate::store::interface::outcome::Appended;

fn token_in(row: &Row) -> Result<BotToken, Error> {
    let Holder(hash) = holder_in(row, "hash")?;
    Ok(BotToken {
        id: row.get("id")?,
        hash,
        person: holder_in(row, "person")?,
        name: row.get("name")?,
        made_at: row.get("made_at")?,
    })
}

/// Returns the access tokens of a bot, oldest first.
pub(crate) async fn tokens(readers: &Pool, person: Holder) -> Result<Vec<BotToken>, Error> {
    let rows = statement(
        "SELECT id, hash, person, name, made_at FROM bot_tokens WHERE person = $1 ORDER BY made_at, id",
    )
    .bind(person)
    .rows(readers)
    .await?;
    rows.iter().map(token_in).collect()
}

/// Returns the bot whose access token has a given SHA-256 hash. Returns `None` for an unknown token or a closed account.
pub(crate) async fn of_token(readers: &Pool, hash: [u8; 32]) -> Result<Option<Holder>, Error> {
    let row = statement(
        "SELECT bot_tokens.person AS person FROM bot_tokens JOIN accounts ON accounts.person = bot_tokens.person AND bot
         WHERE hash = $1 AND NOT EXISTS (SELECT 1 FROM measures WHERE measures.person = bot_tokens.person AND kind = 'closed')",
    )
    .bind(&hash[..])
    .row(readers)
    .await?;
    row.as_ref().map(|row| holder_in(row, "person")).transpose()
}

/// Stores an access token of a bot. Returns a conflict if the person is not a bot, or has [`MOST_TOKENS`] tokens already.
pub(crate) async fn add(connection: &mut Connection, token: &BotToken) -> Result<Appended, Error> {
    let BotToken { id, hash, person, name, made_at } = token;
    let count = statement("SELECT count(*) FROM bot_tokens WHERE person = $1").bind(*person);
    let count: i64 = count.scalar(&mut *connection).await?;
    if usize::try_from(count).is_ok_and(|count| count >= MOST_TOKENS)
        || !accounts::is_bot(connection, *person).await?
    {
        return Ok(Appended::Conflict);
    }
    statement(
        "INSERT INTO bot_tokens (id, hash, person, name, made_at) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(id)
    .bind(&hash[..])
    .bind(*person)
    .bind(name.as_deref())
    .bind(*made_at)
    .execute(connection)
    .await?;
    Ok(Appended::Stored)
}

/// Removes the access token of a bot by the token's id. Returns whether the bot had such a token.
pub(crate) async fn remove(
    connection: &mut Connection,
    person: Holder,
    id: &str,
) -> Result<bool, Error> {
    let delete = statement("DELETE FROM bot_tokens WHERE id = $1 AND person = $2");
    Ok(delete.bind(id).bind(person).execute(connection).await? > 0)
}

/// Removes all access tokens of a person.
pub(crate) async fn forget(connection: &mut Connection, person: Holder) -> Result<(), Error> {
    let delete = statement("DELETE FROM bot_tokens WHERE person = $1").bind(person);
    delete.execute(connection).await.map(drop)
}

/// Returns the names of a bot's access tokens, oldest token first. A token without a name is represented by its id.
pub(crate) async fn token_names(
    connection: &mut Connection,
    person: Holder,
) -> Result<Vec<String>, Error> {
    let query = "SELECT coalesce(name, id) FROM bot_tokens WHERE person = $1 ORDER BY made_at, id";
    statement(query).bind(person).scalars(connection).await
}
