//! Folds (compresses) the log of a finished match into one database row, and expands folded logs.
//!
//! The row is stored in the table `log` under the sequence number of the last folded entry, with
//! the kind [`KIND`]. The last sequence number, the time of the last entry, and the removal of a
//! match therefore need no second query. Later entries follow as separate rows.
//!
//! Each folded entry is one line: player, time since the previous entry, kind, and detail. The time is in seconds; the first entry
//! has the seconds since 1970. In a match with clocks the time is in milliseconds, followed by `+` and the milliseconds that the
//! entry added to the clock, such as `7250+80`. The ids of requests are not kept.

use std::fmt::Write as _;

use overmate_rules::Player;
use sqlx::Error;

use crate::store::connection::fault::unreadable;
use crate::store::connection::sql::{Connection, Row, statement};
use crate::store::interface::entry::{Entry, EntryKind};
use crate::store::interface::outcome::{Appended, StoreError};

/// Text in the column `kind` of a database row that holds a folded (compressed) match log.
pub(crate) const KIND: &str = "fold";

/// Row of the database table `log`, reduced to the columns that folding (compression into one row) preserves.
#[derive(Debug)]
pub(crate) struct LogRow {
    pub(crate) player: String,
    pub(crate) kind: String,
    pub(crate) detail: Option<String>,
    pub(crate) at_ms: i64,
    pub(crate) given_ms: i64,
}

/// Encodes a match log as the text of a folded (compressed) log, with one line for each row of the log. Returns `None` if a row
/// cannot be encoded. Times have milliseconds only in a match with clocks.
pub(crate) fn encode(rows: &[LogRow], has_clock: bool) -> Option<String> {
    let mut text = String::new();
    let mut before = 0;
    for LogRow { player, kind, detail, at_ms, given_ms } in rows {
        let at = if has_clock { *at_ms } else { at_ms.div_euclid(1_000) };
        if kind == KIND || detail.as_ref().is_some_and(|detail| detail.contains('\n')) {
            return None;
        }
        write!(text, "{player} {}", at.checked_sub(before)?).ok()?;
        if has_clock {
            write!(text, "+{given_ms}").ok()?;
        }
        write!(text, " {kind}").ok()?;
        if let Some(detail) = detail {
            write!(text, " {detail}").ok()?;
        }
        text.push('\n');
        before = at;
    }
    Some(text)
}

/// Decodes the entries of a folded (compressed) match log. `last` is the expected sequence number of the last entry.
pub(crate) fn decode(text: &str, last: u64) -> Result<Vec<Entry>, StoreError> {
    let damaged = || unreadable("a folded log");
    let mut at_ms = 0_i64;
    let mut entries = Vec::new();
    for (sequence, line) in (1..).zip(text.lines()) {
        let mut words = line.splitn(4, ' ');
        let mut word = || words.next().ok_or_else(damaged);
        let player = match word()? {
            "a" => Player::A,
            "b" => Player::B,
            _ => return Err(damaged()),
        };
        let time = word()?;
        let (millis, given) = match time.rsplit_once('+') {
            Some((millis, given)) => (millis.parse().ok(), given.parse().ok()),
            None => {
                (time.parse().ok().and_then(|seconds: i64| seconds.checked_mul(1_000)), Some(0))
            }
        };
        let millis = millis.and_then(|millis| at_ms.checked_add(millis));
        at_ms = millis.ok_or_else(damaged)?;
        let given_ms = given.ok_or_else(damaged)?;
        let kind = word()?;
        let detail = words.next().map(str::to_owned);
        let kind = EntryKind::of_texts(kind, detail).ok_or_else(damaged)?;
        entries.push(Entry { sequence, player, kind, client_id: String::new(), at_ms, given_ms });
    }
    if entries.len() as u64 == last { Ok(entries) } else { Err(damaged()) }
}

/// Folds (compresses) the log of a finished match into one database row.
pub(crate) async fn fold_log(connection: &mut Connection, id: &str) -> Result<Appended, Error> {
    let marked = statement(
        "UPDATE matches SET folded = TRUE WHERE id = $1 AND ended_at IS NOT NULL AND NOT folded",
    )
    .bind(id)
    .execute(&mut *connection)
    .await?;
    if marked == 0 {
        return Ok(Appended::Conflict);
    }
    let rows = statement(
        "SELECT sequence, player, kind, detail, at, at_ms, given_ms, clock IS NOT NULL AS has_clock
         FROM log JOIN matches ON id = match_id WHERE match_id = $1 ORDER BY sequence",
    )
    .bind(id)
    .rows(&mut *connection)
    .await?;
    let read = |row: &Row| {
        let at: i64 = row.get("at")?;
        let at_ms: Option<i64> = row.get("at_ms")?;
        Ok(LogRow {
            player: row.get("player")?,
            kind: row.get("kind")?,
            detail: row.get("detail")?,
            at_ms: at_ms.unwrap_or(at.saturating_mul(1_000)),
            given_ms: row.get("given_ms")?,
        })
    };
    let has_clock = rows.first().map_or(Ok(false), |row| row.get("has_clock"))?;
    let read: Vec<LogRow> = rows.iter().map(read).collect::<Result<_, Error>>()?;
    let sequence: Option<i64> = rows.last().map(|row| row.get("sequence")).transpose()?;
    let sequence = sequence.filter(|last| usize::try_from(*last) == Ok(read.len()));
    let (Some(last), Some(sequence), Some(text)) =
        (read.last(), sequence, encode(&read, has_clock))
    else {
        // A match log that lacks entries is not folded, so that an examination of the database can find the fault. The next sweep does not
        // read this log again.
        return Ok(Appended::Stored);
    };
    statement("DELETE FROM log WHERE match_id = $1").bind(id).execute(&mut *connection).await?;
    insert_folded(connection, id, sequence, last, text).await?;
    Ok(Appended::Stored)
}

/// Inserts the database row that contains a folded (compressed) match log.
pub(crate) async fn insert_folded(
    connection: &mut Connection,
    id: &str,
    sequence: i64,
    last: &LogRow,
    text: String,
) -> Result<(), Error> {
    statement(
        "INSERT INTO log (match_id, sequence, player, kind, detail, client_id, at)
         VALUES ($1, $2, $3, $4, $5, '', $6)",
    )
    .bind(id)
    .bind(sequence)
    .bind(&last.player)
    .bind(KIND)
    .bind(text)
    .bind(last.at_ms.div_euclid(1_000))
    .execute(connection)
    .await
    .map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(player: &str, kind: &str, detail: Option<&str>, at: i64) -> LogRow {
        let [player, kind] = [player, kind].map(str::to_owned);
        LogRow { player, kind, detail: detail.map(str::to_owned), at_ms: 1_000 * at, given_ms: 0 }
    }

    #[test]
    fn a_folded_log_has_a_line_for_each_entry() {
        let rows = [
            row("a", "act", Some("(Tc)"), 1_000),
            row("b", "act", Some("-"), 1_007),
            row("b", "hint", None, 1_005),
        ];
        let text = encode(&rows, false).expect("a text");
        assert_eq!(text, "a 1000 act (Tc)\nb 7 act -\nb -2 hint\n");
        let entries = decode(&text, 3).expect("a log");
        let act = EntryKind::Act("-".to_owned());
        let expected = Entry {
            sequence: 2,
            player: Player::B,
            kind: act,
            client_id: String::new(),
            at_ms: 1_007_000,
            given_ms: 0,
        };
        assert_eq!((entries.len(), &entries[1]), (3, &expected));
        assert_eq!((entries[2].kind.clone(), entries[2].at()), (EntryKind::Hint, 1_005));
    }

    #[test]
    fn the_folded_log_of_a_match_with_clocks_keeps_its_milliseconds() {
        let rows = [
            LogRow { at_ms: 1_000_250, ..row("a", "act", Some("Tc"), 0) },
            LogRow { at_ms: 1_007_251, given_ms: 80, ..row("b", "act", Some("Qc"), 0) },
            LogRow { at_ms: 1_007_200, ..row("a", "flag", None, 0) },
        ];
        let text = encode(&rows, true).expect("a text");
        assert_eq!(text, "a 1000250+0 act Tc\nb 7001+80 act Qc\na -51+0 flag\n");
        let times: Vec<_> =
            decode(&text, 3).expect("a log").iter().map(|e| (e.at_ms, e.given_ms)).collect();
        assert_eq!(times, [(1_000_250, 0), (1_007_251, 80), (1_007_200, 0)]);
    }

    #[test]
    fn a_damaged_folded_log_is_refused() {
        let whole = "a 1000 act Tc\nb 7 resign\n";
        assert!(decode(whole, 2).is_ok());
        let damaged = [
            "a 1000 act Tc\n",
            "",
            "c 1000 act Tc\nb 7 resign\n",
            "a x act Tc\nb 7 resign\n",
            "a 1+x act Tc\nb 7 resign\n",
            "a 1 act Tc\nb 7\n",
            "a 1 act Tc\nb 7 fold\n",
        ];
        for text in damaged {
            assert!(decode(text, 2).is_err(), "{text}");
        }
        assert!(encode(&[row("a", "act", Some("T\nc"), 0)], false).is_none());
        assert!(encode(&[row("a", KIND, Some(""), 0)], false).is_none());
    }
}
