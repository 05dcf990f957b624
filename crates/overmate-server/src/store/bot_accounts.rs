//! Reads and writes bot accounts and their tokens in a database.

use sqlx::Error;

use super::accounts;
use super::bot_types::{BotChange, BotToken, MOST_TOKENS};
use super::offers;
use super::operators::{self, Seats};
use super::person_sql::{holder_in, owned};
use super::sql::{Connection, Pool, Row, statement};
use super::types::{Appended, Holder};

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

/// Returns the tokens of a person, from old to new.
pub(super) async fn tokens(readers: &Pool, person: Holder) -> Result<Vec<BotToken>, Error> {
    let rows = statement(
        "SELECT id, hash, person, name, made_at FROM bot_tokens WHERE person = $1 ORDER BY made_at, id",
    )
    .bind(person)
    .rows(readers)
    .await?;
    rows.iter().map(token_in).collect()
}

/// Returns the bot to which the token with a hash belongs, unless its account is closed.
pub(super) async fn of_token(readers: &Pool, hash: [u8; 32]) -> Result<Option<Holder>, Error> {
    let row = statement(
        "SELECT bot_tokens.person AS person FROM bot_tokens JOIN accounts ON accounts.person = bot_tokens.person AND bot
         WHERE hash = $1 AND NOT EXISTS (SELECT 1 FROM measures WHERE measures.person = bot_tokens.person AND kind = 'closed')",
    )
    .bind(&hash[..])
    .row(readers)
    .await?;
    row.as_ref().map(|row| holder_in(row, "person")).transpose()
}

/// Executes a change of a bot account or its tokens in a transaction.
pub(super) async fn write(
    connection: &mut Connection,
    change: &BotChange,
) -> Result<Appended, Error> {
    let changed = match change {
        BotChange::Mark { person, at } => return mark(connection, *person, *at).await,
        BotChange::AddToken(token) => return add(connection, token).await,
        BotChange::RemoveToken { person, id } => {
            let delete = statement("DELETE FROM bot_tokens WHERE id = $1 AND person = $2");
            delete.bind(id).bind(*person).execute(connection).await?
        }
    };
    Ok(if changed > 0 { Appended::Stored } else { Appended::Conflict })
}

async fn mark(connection: &mut Connection, person: Holder, at: i64) -> Result<Appended, Error> {
    if accounts::is_bot(connection, person).await? {
        return Ok(Appended::Stored);
    }
    let has_played: bool = statement(concat!(
        "SELECT EXISTS (SELECT 1 FROM seats JOIN matches ON id = match_id WHERE rated AND holder IN ",
        owned!("$1"),
        ") OR EXISTS (SELECT 1 FROM event_players WHERE person = $1)"
    ))
    .bind(person)
    .scalar(&mut *connection)
    .await?;
    if has_played || !accounts::exists(connection, person).await? {
        return Ok(Appended::Conflict);
    }
    let update = statement("UPDATE accounts SET bot = TRUE WHERE person = $1").bind(person);
    update.execute(&mut *connection).await?;
    // A log entry in each match makes all servers read the seats again.
    operators::note(connection, Seats { holder: Some(person), ..Seats::default() }, at).await?;
    statement(concat!(
        "UPDATE seats SET program = TRUE, name = (SELECT handle FROM accounts WHERE person = $1) WHERE holder IN ",
        owned!("$1")
    ))
    .bind(person)
    .execute(&mut *connection)
    .await?;
    if offers::withdraw_all(connection, person).await? > 0 {
        offers::note(connection).await?;
    }
    Ok(Appended::Stored)
}

async fn add(connection: &mut Connection, token: &BotToken) -> Result<Appended, Error> {
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

/// Removes the tokens of a person.
pub(super) async fn forget(connection: &mut Connection, person: Holder) -> Result<(), Error> {
    let delete = statement("DELETE FROM bot_tokens WHERE person = $1").bind(person);
    delete.execute(connection).await.map(drop)
}

/// Returns the names of the tokens of a person, or their ids without a name, from old to new.
pub(crate) async fn token_names(
    connection: &mut Connection,
    person: Holder,
) -> Result<Vec<String>, Error> {
    let query = "SELECT coalesce(name, id) FROM bot_tokens WHERE person = $1 ORDER BY made_at, id";
    statement(query).bind(person).scalars(connection).await
}
