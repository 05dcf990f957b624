//! Appends entries to the logs of matches, and stores the complete logs of finished matches.

use overmate_rules::Player;
use sqlx::Error;

use super::fold::{self, LogRow};
use super::rows::{player_text, signed};
use crate::store::connection::sql::{Connection, Statement, statement};
use crate::store::interface::entry::{Entry, EntryKind};
use crate::store::interface::holder::Holder;
use crate::store::interface::match_info::{MatchInfo, Occupant};

/// Returns the first log entry of a match that began with an accepted offer. The entry has the kind `Join`, and belongs to the
/// person who accepted the offer.
pub(crate) fn joined(info: &MatchInfo, acceptor: Holder, at: i64) -> Entry {
    let is_first = info.seats[Player::A].occupant == Occupant::Holder(acceptor);
    Entry {
        sequence: 1,
        player: if is_first { Player::A } else { Player::B },
        kind: EntryKind::Join,
        // The match id, which is random, serves as the client id of the entry for the join. No request has this client id.
        client_id: info.id.clone(),
        at_ms: 1_000 * at,
        given_ms: 0,
    }
}

/// Returns the first log entry of a rematch between two people, or `None` for any other rematch. Without this entry, the match
/// would count as empty, and the server would remove it after a day.
pub(crate) fn rejoined(info: &MatchInfo, at: i64) -> Option<Entry> {
    match Player::BOTH.map(|player| info.seats[player].occupant) {
        [Occupant::Holder(one), Occupant::Holder(other)] if one != other => {
            Some(joined(info, other, at))
        }
        _ => None,
    }
}

/// SQL statement that appends a log entry to a match, if the entry has the next sequence number and a new idempotency key (client id).
///
/// Otherwise the statement changes nothing. `$source` is the text after `FROM`, with a condition that finds the match.
/// [`bind_entry`] binds the parameters.
macro_rules! append_entry {
    ($source:literal) => {
        concat!(
            "INSERT INTO log (match_id, sequence, player, kind, detail, client_id, at, at_ms, given_ms)
             SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9 FROM ",
            $source,
            " AND $2 = 1 + (SELECT coalesce(max(sequence), 0) FROM log WHERE match_id = $1)
             ON CONFLICT DO NOTHING"
        )
    };
}
pub(crate) use append_entry;

/// Appends an entry to the log of a match, if the entry has the next sequence number and a new idempotency key (client id). Returns
/// whether the entry was appended.
pub(crate) async fn insert_entry(
    connection: &mut Connection,
    id: &str,
    entry: &Entry,
) -> Result<bool, Error> {
    let insert = statement(append_entry!("matches WHERE id = $1"));
    Ok(bind_entry(insert, id, entry).execute(connection).await? > 0)
}

/// Binds the fields of a log entry to the next parameters of an SQL statement, in the order of the columns of the table `log`.
pub(crate) fn bind_entry(statement: Statement, id: &str, entry: &Entry) -> Statement {
    let (kind, detail) = entry.kind.texts();
    statement
        .bind(id)
        .bind(signed(entry.sequence))
        .bind(player_text(entry.player))
        .bind(kind)
        .bind(detail)
        .bind(&entry.client_id)
        .bind(entry.at())
        .bind(entry.at_ms)
        .bind(entry.given_ms)
}

/// Stores the complete log of a newly inserted match without clocks, and marks the match as ended. The log is folded (packed into
/// one database row). The log entries lose their client ids, and their times are rounded down to whole seconds.
pub(crate) async fn insert_ended(
    connection: &mut Connection,
    id: &str,
    log: &[Entry],
) -> Result<(), Error> {
    let row = |entry: &Entry| {
        let (kind, detail) = entry.kind.texts();
        LogRow {
            player: player_text(entry.player).to_owned(),
            kind: kind.to_owned(),
            detail: detail.map(str::to_owned),
            at_ms: entry.at_ms,
            given_ms: entry.given_ms,
        }
    };
    let rows: Vec<LogRow> = log.iter().map(row).collect();
    let (Some(last), Some(text)) = (rows.last(), fold::encode(&rows, false)) else {
        return Err(Error::Protocol(
            "the log of a match cannot be packed into one row of the database".to_owned(),
        ));
    };
    statement("UPDATE matches SET folded = TRUE, ended_at = $2 WHERE id = $1")
        .bind(id)
        .bind(last.at_ms.div_euclid(1_000))
        .execute(&mut *connection)
        .await?;
    fold::insert_folded(connection, id, signed(log.len() as u64), last, text).await
}
