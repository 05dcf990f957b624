//! Appends entries to the logs of matches, stores what follows from the entries (such as new ratings), and removes matches.

use overmate_rules::Player;
use sqlx::Error;

use super::clocks;
use super::leases;
use super::logs::{append_entry, bind_entry, insert_entry, rejoined};
use super::new_matches::{full_quota, holders, insert};
use super::person_sql::owned;
use super::push::{self, wanted_messages};
use super::rated_pairs;
use super::ratings;
use super::rows::{player_text, signed};
use super::seats;
use super::secrets;
use super::talk;
use crate::random::hexadecimal;
use crate::settings::Limits;
use crate::store::connection::sql::{Connection, statement};
use crate::store::interface::entry::{Entry, EntryKind};
use crate::store::interface::holder::Holder;
use crate::store::interface::outcome::Appended;
use crate::store::interface::push::PushKind;
use crate::store::interface::store::{Addition, Deadline, SeatTaken};

/// Appends an entry to the log of a match, and executes all effects of the entry, such as a new deadline or new ratings. If the
/// entry is refused, nothing changes, and the result is the reason for the refusal.
pub(crate) async fn append(
    connection: &mut Connection,
    addition: &Addition,
    limits: &Limits,
    server: Option<&str>,
) -> Result<Appended, Error> {
    let Addition { id, entry, followed_by, answers, .. } = addition;
    let Addition { ends, computer_acts, deadline, rated, taken, begun, .. } = addition;
    if let Some(answers) = answers
        && !seats::are_unchanged(connection, id, answers).await?
    {
        return Ok(Appended::Conflict);
    }
    let holders = taken.iter().map(|taken| taken.holder).chain(begun.iter().flat_map(holders));
    for holder in holders {
        if let Some(quota) = full_quota(connection, holder, limits).await? {
            return Ok(Appended::Full(quota));
        }
    }
    if let Some(quota) = rated_pairs::full_quota_of(connection, addition, limits).await? {
        return Ok(Appended::Full(quota));
    }
    // The function gives the open seat to the person before it appends the person's log entry. If a second person tries to take the same
    // seat, their log entry is thus refused.
    if let Some(SeatTaken { player, holder, name, .. }) = taken
        && !take_seat(connection, id, *player, holder, name.as_deref()).await?
    {
        return Ok(Appended::Conflict);
    }
    if !insert_entry(connection, id, entry).await? {
        if let Some(taken) = taken {
            leave_seat(connection, id, taken.player).await?;
        }
        return Ok(Appended::Conflict);
    }
    for entry in followed_by {
        if !insert_entry(connection, id, entry).await? {
            return Err(Error::Protocol(
                "the log of the match refuses a further entry of a request".to_owned(),
            ));
        }
    }
    if entry.kind == EntryKind::Leave {
        talk::remove(connection, id, Some(entry.player)).await?;
        delete_seat(connection, id, entry.player, entry.at()).await?;
    }
    if let Some(answers) = answers {
        seats::forget_answers(connection, id, answers).await?;
    }
    if *ends {
        end(connection, id, entry.at()).await?;
    }
    if let Some(end) = rated {
        ratings::settle(connection, id, end, entry.at()).await?;
    }
    if let Some(deadline) = deadline {
        clocks::set(connection, id, *deadline).await?;
    }
    match computer_acts {
        Some(true) => leases::hold(connection, id, server).await?,
        Some(false) => leases::end(connection, id).await?,
        None => push::announce(connection, id, entry, *deadline).await?,
    }
    if let Some(info) = begun {
        insert(connection, info, None, server).await?;
        if let Some(first) = rejoined(info, entry.at()) {
            insert_entry(connection, &info.id, &first).await?;
        }
        push::announce_rematch(connection, &info.id).await?;
    }
    Ok(Appended::Stored)
}

/// PostgreSQL statement that appends an entry to the log of a match between people, and may store a new deadline of the match.
/// The statement executes no other effects of the entry. If a player wants messages about the match, the statement changes
/// nothing.
///
/// The lock comes before the insert, as in every transaction, so that no two servers deadlock.
const APPEND_ALONE: &str = concat!(
    "WITH locked AS (SELECT id FROM matches WHERE id = $1 FOR UPDATE),
     wanted AS (",
    wanted_messages!(),
    "),
     entry AS (",
    append_entry!("locked CROSS JOIN wanted WHERE NOT by_push AND NOT by_mail"),
    " RETURNING match_id),
     timed AS (UPDATE matches SET deadline = $11 FROM entry WHERE id = match_id AND $10)
     SELECT by_push OR by_mail AS is_wanted, EXISTS (SELECT 1 FROM entry) AS is_stored FROM wanted"
);

/// Appends an entry to a match log by a single PostgreSQL statement. Compared with a transaction, the statement saves
/// five round trips. If the entry needs a transaction, the function changes nothing and returns `None`.
pub(crate) async fn append_alone(
    connection: &mut Connection,
    addition: &Addition,
) -> Result<Option<Appended>, Error> {
    if matches!(connection, Connection::Sqlite(_)) || !is_plain(addition) {
        return Ok(None);
    }
    let Addition { id, entry, deadline, .. } = addition;
    let row = bind_entry(statement(APPEND_ALONE), id, entry)
        .bind(deadline.is_some())
        .bind(deadline.and_then(|Deadline(deadline)| deadline))
        .row(connection)
        .await?
        .ok_or(Error::RowNotFound)?;
    Ok(match (row.get("is_wanted")?, row.get("is_stored")?) {
        (true, _) => None,
        (false, true) => Some(Appended::Stored),
        (false, false) => Some(Appended::Conflict),
    })
}

/// Returns whether a log entry changes nothing but the log and the deadline of its match. Scheduled messages to the players do
/// not count as a change.
fn is_plain(addition: &Addition) -> bool {
    // The pattern names all fields of `Addition`, so that a new field causes a compiler error here until this function considers
    // the field.
    let Addition {
        id: _,
        entry,
        followed_by,
        answers,
        ends,
        computer_acts,
        deadline: _,
        rated,
        taken,
        begun,
    } = addition;
    entry.kind != EntryKind::Leave
        && followed_by.is_empty()
        && answers.is_none()
        && !ends
        && computer_acts.is_none()
        && rated.is_none()
        && taken.is_none()
        && begun.is_none()
}

/// Records the end of a match, and deletes the players' conditional answers.
async fn end(connection: &mut Connection, id: &str, at: i64) -> Result<(), Error> {
    statement("UPDATE matches SET ended_at = $2 WHERE id = $1")
        .bind(id)
        .bind(at)
        .execute(&mut *connection)
        .await?;
    statement("UPDATE seats SET answers = NULL WHERE match_id = $1 AND answers IS NOT NULL")
        .bind(id)
        .execute(connection)
        .await
        .map(drop)
}

/// Removes a match, if the last log entry still has the given sequence number.
pub(crate) async fn remove(
    connection: &mut Connection,
    id: &str,
    sequence: u64,
) -> Result<Appended, Error> {
    let is_unchanged: bool = statement(
        "SELECT EXISTS (SELECT 1 FROM matches WHERE id = $1)
         AND $2 = (SELECT coalesce(max(sequence), 0) FROM log WHERE match_id = $1)",
    )
    .bind(id)
    .bind(signed(sequence))
    .scalar(&mut *connection)
    .await?;
    if !is_unchanged {
        return Ok(Appended::Conflict);
    }
    leases::end(connection, id).await?;
    for kind in PushKind::ALL {
        leases::end(connection, &kind.lease(id)).await?;
    }
    talk::remove(connection, id, None).await?;
    for sql in [
        "DELETE FROM log WHERE match_id = $1",
        "DELETE FROM seats WHERE match_id = $1",
        "DELETE FROM matches WHERE id = $1",
    ] {
        statement(sql).bind(id).execute(&mut *connection).await?;
    }
    Ok(Appended::Stored)
}

/// Vacates the seat of a person in a match whose log cannot be replayed, or removes the match if no other person holds a seat. In a running
/// match, the person resigns before, because a log has no other entry `Leave` before its end.
pub(crate) async fn vacate(
    connection: &mut Connection,
    id: &str,
    person: Holder,
    at: i64,
) -> Result<Appended, Error> {
    let own = concat!("SELECT player FROM seats WHERE match_id = $1 AND holder IN ", owned!("$2"));
    let own: Vec<String> = statement(own).bind(id).bind(person).scalars(&mut *connection).await?;
    let Some(player) =
        Player::BOTH.into_iter().find(|player| own.iter().any(|own| own == player_text(*player)))
    else {
        return Ok(Appended::Conflict);
    };
    let last = statement("SELECT coalesce(max(sequence), 0) FROM log WHERE match_id = $1");
    let last: i64 = last.bind(id).scalar(&mut *connection).await?;
    let last = last.unsigned_abs();
    let others = concat!(
        "SELECT EXISTS (SELECT 1 FROM seats WHERE match_id = $1 AND holder IS NOT NULL AND holder NOT IN ",
        owned!("$2"),
        ")"
    );
    if !statement(others).bind(id).bind(person).scalar::<bool>(&mut *connection).await? {
        return remove(connection, id, last).await;
    }
    let running = statement("SELECT ended_at IS NULL FROM matches WHERE id = $1").bind(id);
    let resigns: bool = running.scalar(&mut *connection).await?;
    let kinds = [resigns.then_some(EntryKind::Resign), Some(EntryKind::Leave)];
    for (sequence, kind) in (last + 1..).zip(kinds.into_iter().flatten()) {
        let client_id = hexadecimal(&secrets::drawn::<16>()?);
        let at_ms = at.saturating_mul(1_000);
        let entry = Entry { sequence, player, kind, client_id, at_ms, given_ms: 0 };
        insert_entry(connection, id, &entry).await?;
    }
    talk::remove(connection, id, Some(player)).await?;
    delete_seat(connection, id, player, at).await?;
    if resigns {
        end(connection, id, at).await?;
        clocks::set(connection, id, Deadline(None)).await?;
        leases::end(connection, &PushKind::Near.lease(id)).await?;
    }
    Ok(Appended::Stored)
}

/// Gives the open seat of a match to a person. Returns `false` if the seat is not open, or if the person is a bot.
async fn take_seat(
    connection: &mut Connection,
    id: &str,
    player: Player,
    holder: &Holder,
    name: Option<&str>,
) -> Result<bool, Error> {
    let taken = statement(
        "UPDATE seats SET holder = $3, name = $4
         WHERE match_id = $1 AND player = $2
         AND holder IS NULL AND bot IS NULL AND deleted_at IS NULL
         AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.person = $3 AND accounts.bot)",
    )
    .bind(id)
    .bind(player_text(player))
    .bind(*holder)
    .bind(name)
    .execute(connection)
    .await?;
    Ok(taken == 1)
}

/// Removes the name and the browser identity from a seat of a match. The player's rating change stays. If the browser created the match,
/// the stored creation request is also removed.
async fn delete_seat(
    connection: &mut Connection,
    id: &str,
    player: Player,
    at: i64,
) -> Result<(), Error> {
    statement(
        "UPDATE matches SET asked_by = NULL, client_id = NULL
         WHERE id = $1 AND asked_by = (SELECT holder FROM seats WHERE match_id = $1 AND player = $2)",
    )
    .bind(id)
    .bind(player_text(player))
    .execute(&mut *connection)
    .await?;
    statement(
        "UPDATE seats SET holder = NULL, name = NULL, deleted_at = $3, answers = NULL, note = NULL
         WHERE match_id = $1 AND player = $2",
    )
    .bind(id)
    .bind(player_text(player))
    .bind(at)
    .execute(connection)
    .await
    .map(drop)
}

/// Reopens a match seat that a person has taken in the current transaction. The reason is that the log of the match has refused the
/// person's entry.
async fn leave_seat(connection: &mut Connection, id: &str, player: Player) -> Result<(), Error> {
    statement("UPDATE seats SET holder = NULL, name = NULL WHERE match_id = $1 AND player = $2")
        .bind(id)
        .bind(player_text(player))
        .execute(connection)
        .await?;
    Ok(())
}
