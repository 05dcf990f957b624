//! Turns accounts into bot accounts in a database, and changes the access tokens of bots.

use sqlx::Error;

use super::accounts;
use super::bot_tokens;
use super::offers;
use super::operators::{self, Seats};
use super::person_sql::owned;
use crate::store::connection::sql::{Connection, statement};
use crate::store::interface::bot::BotChange;
use crate::store::interface::holder::Holder;
use crate::store::interface::outcome::Appended;

/// Executes a change of a bot account or of a bot's access tokens in a transaction.
pub(crate) async fn write(
    connection: &mut Connection,
    change: &BotChange,
) -> Result<Appended, Error> {
    let changed = match change {
        BotChange::Mark { person, at } => return mark(connection, *person, *at).await,
        BotChange::AddToken(token) => return bot_tokens::add(connection, token).await,
        BotChange::RemoveToken { person, id } => {
            bot_tokens::remove(connection, *person, id).await?
        }
    };
    Ok(Appended::stored_if(changed))
}

/// Removes all access tokens of a person. If the person is a bot, also withdraws their open offers, because no program can play these
/// offers without a token.
pub(crate) async fn forget_tokens(
    connection: &mut Connection,
    person: Holder,
) -> Result<(), Error> {
    bot_tokens::forget(connection, person).await?;
    if accounts::is_bot(connection, person).await? {
        withdraw_offers(connection, person).await?;
    }
    Ok(())
}

async fn withdraw_offers(connection: &mut Connection, person: Holder) -> Result<(), Error> {
    if offers::withdraw_all(connection, person).await? > 0 {
        offers::note(connection).await?;
    }
    Ok(())
}

async fn mark(connection: &mut Connection, person: Holder, at: i64) -> Result<Appended, Error> {
    if accounts::is_bot(connection, person).await? {
        return Ok(Appended::Stored);
    }
    let has_played: bool = statement(concat!(
        "SELECT EXISTS (SELECT 1 FROM seats JOIN matches ON id = match_id WHERE rated AND holder IN ",
        owned!("$1"),
        ") OR EXISTS (SELECT 1 FROM rating_changes WHERE person = $1)
         OR EXISTS (SELECT 1 FROM event_players WHERE person = $1)
         OR EXISTS (SELECT 1 FROM events WHERE host = $1 AND finished_at IS NULL)"
    ))
    .bind(person)
    .scalar(&mut *connection)
    .await?;
    if has_played || !accounts::exists(connection, person).await? {
        return Ok(Appended::Conflict);
    }
    let update = statement("UPDATE accounts SET bot = TRUE WHERE person = $1").bind(person);
    update.execute(&mut *connection).await?;
    // The function appends an entry to the log of each match of the person. This entry makes all servers read the seats of the match again.
    operators::note(connection, Seats { holder: Some(person), ..Seats::default() }, at).await?;
    mark_seats(connection, person, person).await?;
    Ok(Appended::Stored)
}

/// Marks the seats of a person as the seats of a bot, and withdraws the person's open offers. The person has become the bot, or is about to
/// join it. The caller appends an entry to the log of each match of the person, so that all servers read the seats again.
pub(crate) async fn mark_seats(
    connection: &mut Connection,
    person: Holder,
    bot: Holder,
) -> Result<(), Error> {
    statement(concat!(
        "UPDATE seats SET program = TRUE, name = (SELECT handle FROM accounts WHERE person = $2) WHERE holder IN ",
        owned!("$1")
    ))
    .bind(person)
    .bind(bot)
    .execute(&mut *connection)
    .await?;
    withdraw_offers(connection, person).await
}
