//! Reads finished matches with their logs, in batches for an archive of matches.

use std::collections::HashMap;

use super::connection::fault::{store_error, unreadable};
use super::connection::sql::{Connection, Row, Sql, statement};
use super::interface::entry::Entry;
use super::interface::match_info::MatchInfo;
use super::interface::outcome::StoreError;
use super::queries::rows::{column, deals_of, entries_of, info_columns, info_of, last_sequence};

/// Maximum number of matches in one batch that is read for an archive of matches.
const BATCH: u32 = 500;

/// Maximum number of log entries in one batch of matches for an archive. Only a batch of a single match may have more. The limit bounds the
/// memory, and keeps each SQL statement below a second.
const BATCH_ENTRIES: i64 = 20_000;

/// SQL query for the ids of finished matches, ordered by id, with the length of each log.
const NEXT: &str = concat!(
    "SELECT id, ",
    last_sequence!("id"),
    " AS entries FROM matches WHERE ended_at IS NOT NULL AND id > $1 ORDER BY id LIMIT $2"
);

/// SQL query for the logs of a list of matches.
const LOGS: Sql = Sql::Each {
    sqlite:
        "SELECT match_id, sequence, player, kind, detail, client_id, at, at_ms, given_ms FROM log
         WHERE match_id IN (SELECT value FROM json_each($1)) ORDER BY match_id, sequence",
    postgres:
        "SELECT match_id, sequence, player, kind, detail, client_id, at, at_ms, given_ms FROM log
         WHERE match_id = ANY($1) ORDER BY match_id, sequence",
};

/// Expands to the SQL query for a list of matches with their seats. A match without seats gives one row. The argument is an SQL
/// condition on the match ids.
macro_rules! matches {
    ($condition:literal) => {
        concat!(
            "SELECT id, ",
            info_columns!(),
            " FROM matches LEFT JOIN seats ON seats.match_id = id WHERE id ",
            $condition
        )
    };
}

const MATCHES: Sql = Sql::Each {
    sqlite: matches!("IN (SELECT value FROM json_each($1))"),
    postgres: matches!("= ANY($1)"),
};

/// Batch of finished matches for an archive of matches.
pub(crate) struct Batch {
    /// Id of the last match in the batch of finished matches. The next batch begins after the match with this id.
    pub(crate) last: String,
    /// Matches of one batch of finished matches, ordered by match id.
    pub(crate) matches: Vec<Finished>,
}

/// Finished match in a batch for an archive of matches.
pub(crate) struct Finished {
    pub(crate) id: String,
    /// Match with its log, or the error that reports unreadable database rows of the match.
    pub(crate) read: Result<(MatchInfo, Vec<Entry>), StoreError>,
}

/// SQL query for the matches on shared deals and of tournament events that were created after a given time. Deals of events have a name in
/// the same column.
const SHARED: &str = "SELECT rules, deals, shared_deal, created_at FROM matches
     WHERE shared_deal IS NOT NULL AND created_at > $1";

/// Deals of a match on a shared deal or of a tournament event. The match may be unfinished.
pub(crate) struct SharedMatch {
    /// Name of the match's rule set.
    pub(crate) rules: String,
    /// Numbers of the match's deals.
    pub(crate) deals: Vec<u64>,
    /// Name of the shared deal, or the text for the deals of a tournament event.
    pub(crate) name: String,
    /// Time at which the match was created, in seconds since 1970.
    pub(crate) created_at: i64,
}

/// Reads the deals of all matches on shared deals and of tournament events that were created after a Unix time in seconds. Leaves out
/// unreadable rows.
///
/// # Errors
///
/// Returns [`StoreError`] if the database fails.
pub(crate) async fn shared_since(
    connection: &mut Connection,
    since: i64,
) -> Result<Vec<SharedMatch>, StoreError> {
    let rows = statement(SHARED).bind(since).rows(connection).await.map_err(store_error)?;
    Ok(rows.iter().filter_map(|row| shared_match(row).unwrap_or(None)).collect())
}

fn shared_match(row: &Row) -> Result<Option<SharedMatch>, StoreError> {
    let name = MatchInfo::shared_deal_of_column(column(row, "shared_deal")?);
    let (rules, deals) = (column(row, "rules")?, deals_of(row)?);
    let created_at = column(row, "created_at")?;
    Ok(name.map(|name| SharedMatch { rules, deals, name, created_at }))
}

/// Reads the next batch of finished matches with their logs, from the first match whose id follows `after`. Returns `None` after the last
/// match.
///
/// # Errors
///
/// Returns [`StoreError`] if the database fails. A match with unreadable rows is not a failure of
/// the database.
pub(crate) async fn finished(
    connection: &mut Connection,
    after: &str,
) -> Result<Option<Batch>, StoreError> {
    let rows = statement(NEXT).bind(after).bind(BATCH).rows(&mut *connection).await;
    let mut ids: Vec<String> = Vec::new();
    let mut total = 0_i64;
    for row in rows.map_err(store_error)? {
        total = total.saturating_add(column(&row, "entries")?);
        if total > BATCH_ENTRIES && !ids.is_empty() {
            break;
        }
        ids.push(column(&row, "id")?);
    }
    let Some(last) = ids.last().cloned() else { return Ok(None) };
    // The function reads the logs of the matches before it reads the seats. A match that is erased between the two reads is thus left out.
    // In the other order, the match would be found without a log, as if its data were damaged.
    let logs = statement(LOGS).bind(ids.clone()).rows(&mut *connection).await;
    let mut logs = by_match(logs.map_err(store_error)?, "match_id")?;
    let seats = statement(MATCHES).bind(ids.clone()).rows(connection).await;
    let mut seats = by_match(seats.map_err(store_error)?, "id")?;
    let matches = ids.into_iter().filter_map(|id| {
        let read = read(&id, &seats.remove(&id)?, &logs.remove(&id).unwrap_or_default());
        Some(Finished { id, read })
    });
    Ok(Some(Batch { last, matches: matches.collect() }))
}

/// Groups database rows by match, and preserves the order of the rows in each group. The column `name` holds the id of the match.
fn by_match(rows: Vec<Row>, name: &str) -> Result<HashMap<String, Vec<Row>>, StoreError> {
    let mut found: HashMap<String, Vec<Row>> = HashMap::new();
    for row in rows {
        found.entry(column(&row, name)?).or_default().push(row);
    }
    Ok(found)
}

fn read(id: &str, seats: &[Row], log: &[Row]) -> Result<(MatchInfo, Vec<Entry>), StoreError> {
    let info = info_of(id, seats)?;
    let entries: Result<Vec<_>, _> = log.iter().map(entries_of).collect();
    let entries = entries?.concat();
    if entries.is_empty() {
        return Err(unreadable("a finished match without a log"));
    }
    Ok((info, entries))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;
    use crate::store::connection::inspect;
    use crate::store::{SqlStore, Store as _};

    #[tokio::test]
    async fn a_batch_ends_before_the_match_with_too_many_entries() {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = Settings::new(folder.path().to_owned());
        let store = SqlStore::open(&settings).await.expect("a store");
        let matches = [("1", 1), ("2", BATCH_ENTRIES - 1), ("3", 1), ("4", 3 * BATCH_ENTRIES)];
        let mut connection = inspect::connect_to(&settings.database).await.expect("a connection");
        for (digit, entries) in matches {
            let info =
                MatchInfo { id: digit.repeat(32), watch: digit.to_owned(), ..MatchInfo::sample() };
            store.create(info, None).await.expect("a write");
            let insert = "INSERT INTO log (match_id, sequence, player, kind, client_id, at) VALUES ($1, $2, 'a', 'resign', 'request', 0)";
            let insert = statement(insert).bind(digit.repeat(32)).bind(entries);
            insert.execute(&mut connection).await.expect("a write");
        }
        statement("UPDATE matches SET ended_at = 1")
            .execute(&mut connection)
            .await
            .expect("a write");
        let mut batches: Vec<Vec<String>> = Vec::new();
        let mut after = String::new();
        while let Some(batch) = finished(&mut connection, &after).await.expect("a read") {
            assert!(batch.matches.iter().all(|found| found.read.is_ok()));
            batches.push(batch.matches.iter().map(|found| found.id[..1].to_owned()).collect());
            after = batch.last;
        }
        let expected: [Vec<String>; 3] = [&["1", "2"][..], &["3"], &["4"]]
            .map(|ids| ids.iter().copied().map(str::to_owned).collect());
        assert_eq!(batches, expected);
        connection.close().await.expect("the end");
        store.close().await;
    }
}
