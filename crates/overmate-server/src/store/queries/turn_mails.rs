//! Reads and writes the e-mails about turns in a database.

use sqlx::Error;

use super::person_sql::holder_in;
use super::rows::{last_sequence, signed};
use crate::store::connection::sql::{Connection, Pool, Row, statement};
use crate::store::interface::holder::Holder;
use crate::store::interface::outcome::Appended;
use crate::store::interface::push::PushKind;
use crate::store::interface::turn_mail::{
    MOST_REFUSALS, REFUSAL_PAUSE, STOP_TIME, TurnMail, TurnMailAnswer, TurnMailChange,
};

fn turn_mail_in(row: &Row) -> Result<TurnMail, Error> {
    let (turn, tries): (i64, i64) = (row.get("turn")?, row.get("tries")?);
    Ok(TurnMail {
        person: holder_in(row, "person")?,
        id: row.get("match_id")?,
        turn: turn.unsigned_abs(),
        tries: u32::try_from(tries).unwrap_or(u32::MAX),
        failed: row.get("failed")?,
        at: row.get("at")?,
        until: row.get("until")?,
    })
}

/// Returns the e-mails to a person about the person's turns, oldest first.
pub(crate) async fn of_person(readers: &Pool, person: Holder) -> Result<Vec<TurnMail>, Error> {
    let query = "SELECT person, match_id, turn, tries, failed, at, until FROM turn_mails
        WHERE person = $1 ORDER BY at, match_id, turn";
    let rows = statement(query).bind(person).rows(readers).await?;
    rows.iter().map(turn_mail_in).collect()
}

/// Returns the e-mail to a person about a turn of a match, or `None` if no attempt to send this e-mail was begun.
pub(crate) async fn of_turn(
    readers: &Pool,
    person: Holder,
    (id, turn): (&str, u64),
) -> Result<Option<TurnMail>, Error> {
    let query = "SELECT person, match_id, turn, tries, failed, at, until FROM turn_mails
        WHERE person = $1 AND match_id = $2 AND turn = $3";
    let row = statement(query).bind(person).bind(id).bind(signed(turn)).row(readers).await?;
    row.as_ref().map(turn_mail_in).transpose()
}

/// Returns the recipient of an e-mail about a turn, found by the hash of the token in the e-mail's unsubscribe link.
/// Returns `None` if the token is not valid at the time `at`.
pub(crate) async fn of_token(
    readers: &Pool,
    hash: [u8; 32],
    at: i64,
) -> Result<Option<Holder>, Error> {
    let query = statement("SELECT person FROM turn_mails WHERE hash = $1 AND until > $2");
    let row = query.bind(&hash[..]).bind(at).row(readers).await?;
    row.as_ref().map(|row| holder_in(row, "person")).transpose()
}

/// Executes a change of the stored e-mails about turns, or of the setting for such e-mails, in a transaction.
pub(crate) async fn write(
    connection: &mut Connection,
    change: &TurnMailChange,
) -> Result<Appended, Error> {
    let changed = match change {
        TurnMailChange::Set { person, turns, language } => {
            statement(
                "UPDATE mail_addresses SET turns = $2, language = $3, refusals = 0, retry_at = 0 WHERE person = $1",
            )
            .bind(*person)
            .bind(*turns)
            .bind(language.tag())
            .execute(connection)
            .await?
        }
        TurnMailChange::Begin { person, address, id, sequence, turn, hash, at } => {
            statement(concat!(
                "INSERT INTO turn_mails (hash, person, match_id, turn, tries, failed, at, until)
                 SELECT $1, $2, $3, $4, 1, FALSE, $5, $6
                 WHERE EXISTS (SELECT 1 FROM mail_addresses WHERE person = $2 AND address = $7 AND turns)
                 AND EXISTS (SELECT 1 FROM leases WHERE name = $8)
                 AND $9 = ",
                last_sequence!("$3"),
                " ON CONFLICT (person, match_id, turn) DO UPDATE SET hash = excluded.hash, tries = turn_mails.tries + 1,
                     failed = FALSE, at = excluded.at, until = excluded.until WHERE turn_mails.failed",
            ))
            .bind(&hash[..])
            .bind(*person)
            .bind(id)
            .bind(signed(*turn))
            .bind(*at)
            .bind(at + STOP_TIME)
            .bind(address)
            .bind(PushKind::Mail.lease(id))
            .bind(signed(*sequence))
            .execute(connection)
            .await?
        }
        TurnMailChange::End { person, hash, answer, at } => {
            return end(connection, (*person, hash), *answer, *at).await;
        }
        TurnMailChange::Stop { person, hash, at } => {
            statement(
                "UPDATE mail_addresses SET turns = FALSE, refusals = 0, retry_at = 0 WHERE person = $1
                 AND EXISTS (SELECT 1 FROM turn_mails WHERE hash = $2 AND person = $1 AND until > $3)",
            )
            .bind(*person)
            .bind(&hash[..])
            .bind(*at)
            .execute(connection)
            .await?
        }
    };
    Ok(Appended::stored_if(changed > 0))
}

/// Records the mail server's answer to an attempt to send an e-mail about a turn. An answer about a former address of the person
/// changes nothing.
async fn end(
    connection: &mut Connection,
    (person, hash): (Holder, &[u8; 32]),
    answer: TurnMailAnswer,
    at: i64,
) -> Result<Appended, Error> {
    let changed = match answer {
        TurnMailAnswer::Accepted => {
            statement(
                "UPDATE mail_addresses SET refusals = 0, retry_at = 0 WHERE person = $1
                 AND EXISTS (SELECT 1 FROM turn_mails WHERE hash = $2 AND person = $1)",
            )
            .bind(person)
            .bind(&hash[..])
            .execute(connection)
            .await?
        }
        // The server may send a person several e-mails about turns at the same time. A refusal within the pause after another refusal does
        // not count.
        TurnMailAnswer::Refused => {
            statement(
                "UPDATE mail_addresses SET refusals = refusals + 1, retry_at = $3, turns = (turns AND refusals + 1 < $4)
                 WHERE person = $1 AND retry_at <= $5
                 AND EXISTS (SELECT 1 FROM turn_mails WHERE hash = $2 AND person = $1)",
            )
            .bind(person)
            .bind(&hash[..])
            .bind(at + REFUSAL_PAUSE)
            .bind(MOST_REFUSALS)
            .bind(at)
            .execute(connection)
            .await?
        }
        TurnMailAnswer::Failed => {
            statement("UPDATE turn_mails SET failed = TRUE WHERE hash = $2 AND person = $1")
                .bind(person)
                .bind(&hash[..])
                .execute(connection)
                .await?
        }
    };
    Ok(Appended::stored_if(changed > 0))
}

/// Removes the e-mails to a person about the person's turns. The links in these e-mails become invalid.
pub(crate) async fn forget(connection: &mut Connection, person: Holder) -> Result<(), Error> {
    let delete = statement("DELETE FROM turn_mails WHERE person = $1").bind(person);
    delete.execute(connection).await.map(drop)
}

/// Returns whether the store contains e-mails about turns whose links have expired.
pub(crate) async fn has_old(readers: &Pool, at: i64) -> Result<bool, Error> {
    let query = "SELECT EXISTS (SELECT 1 FROM turn_mails WHERE until <= $1)";
    statement(query).bind(at).scalar(readers).await
}

/// Deletes the stored data of e-mails about turns after the links in these e-mails have expired.
pub(crate) async fn forget_old(connection: &mut Connection, at: i64) -> Result<(), Error> {
    let delete = statement("DELETE FROM turn_mails WHERE until <= $1").bind(at);
    delete.execute(connection).await.map(drop)
}

/// Transfers a person's e-mails about turns to the person's new identity. The links in these e-mails stay valid.
pub(crate) async fn transfer(
    connection: &mut Connection,
    person: Holder,
    new: Holder,
) -> Result<(), Error> {
    let update = statement("UPDATE turn_mails SET person = $2 WHERE person = $1");
    update.bind(person).bind(new).execute(connection).await.map(drop)
}
