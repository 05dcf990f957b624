//! Reads finished matches with their logs, for the archive.

use super::fault::store_error;
use super::rows::{column, entries_of, info_of};
use super::sql::{Connection, Sql, statement};
use super::types::{Entry, MatchInfo, StoreError};

/// SQL query for a batch of the finished matches, in the order of their ids.
const MATCHES: &str = "SELECT id, rules, deals, watch, invitation, created_at, shared_deal, deal_chosen, player, name, holder, bot, seed, deleted_at
     FROM (SELECT * FROM matches WHERE ended_at IS NOT NULL AND id > $1 ORDER BY id LIMIT $2) AS chosen
     JOIN seats ON seats.match_id = id ORDER BY id, player";

/// SQL query for the logs of the matches in a list.
const LOGS: Sql = Sql::Each {
    sqlite: "SELECT match_id, sequence, player, kind, detail, client_id, at FROM log
         WHERE match_id IN (SELECT value FROM json_each($1)) ORDER BY match_id, sequence",
    postgres: "SELECT match_id, sequence, player, kind, detail, client_id, at FROM log
         WHERE match_id = ANY($1) ORDER BY match_id, sequence",
};

/// Returns a batch of the finished matches after an id, in the order of their ids, each with its log.
pub(crate) async fn finished(
    connection: &mut Connection,
    after: &str,
    limit: u32,
) -> Result<Vec<(MatchInfo, Vec<Entry>)>, StoreError> {
    let rows = statement(MATCHES).bind(after).bind(limit).rows(&mut *connection).await;
    let mut found: Vec<(MatchInfo, Vec<Entry>)> = Vec::new();
    // The two rows of a match's seats are adjacent.
    for rows in rows.map_err(store_error)?.chunks(2) {
        if let [first, _] = rows {
            let id: String = column(first, "id")?;
            found.push((info_of(&id, rows)?, Vec::new()));
        }
    }
    let ids: Vec<String> = found.iter().map(|(info, _)| info.id.clone()).collect();
    let rows = statement(LOGS).bind(ids).rows(connection).await.map_err(store_error)?;
    let mut matches = found.iter_mut().peekable();
    for row in &rows {
        let id: String = column(row, "match_id")?;
        // Matches and rows stand in the order of the ids.
        while matches.next_if(|(info, _)| info.id != id).is_some() {}
        if let Some((_, entries)) = matches.peek_mut() {
            entries.extend(entries_of(row)?);
        }
    }
    Ok(found)
}
