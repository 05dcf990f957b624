//! Implements the database store of match deadlines.

use futures_util::{FutureExt as _, TryFutureExt as _};
use sqlx::Error;

use super::SqlStore;
use super::writer::Write;
use crate::store::connection::fault::store_error;
use crate::store::connection::sql::{Pool, sql, statement};
use crate::store::interface::outcome::{Appended, StoreFuture};
use crate::store::interface::store::{ClockStatus, Clocks, Deadline};
use crate::store::queries::clocks::ClockWrite;
use crate::store::queries::rows::column;

/// Expands to an SQL query that reads the time of the servers' last heartbeat, and tells whether match clocks or tournament events
/// are running. The argument is the SQL text before the query.
///
/// The transaction begins before the read, so that the reported time is not after the read. The conditions and orders equal those
/// of the indexes, so that the database reads only rows of matches with running clocks.
macro_rules! status {
    ($prefix:literal) => {
        sql!(
            $prefix,
            "SELECT at, ",
            BEGUN,
            " AS now,
             CAST(CASE WHEN (SELECT id FROM matches WHERE deadline IS NOT NULL
                AND clock NOT IN ('1d', '2d', '3d', '7d') ORDER BY id LIMIT 1)
                IS NULL THEN 0 ELSE 1 END AS BIGINT) AS live,
             CAST(CASE WHEN (SELECT deadline FROM matches WHERE deadline IS NOT NULL
                ORDER BY deadline LIMIT 1) IS NULL THEN 0 ELSE 1 END AS BIGINT) AS clocks,
             CAST(CASE WHEN EXISTS (SELECT 1 FROM events WHERE finished_at IS NULL AND state = 'running')
                THEN 1 ELSE 0 END AS BIGINT) AS events
             FROM beats WHERE name = 'clocks'"
        )
    };
}

impl Clocks for SqlStore {
    fn clock_status(&self) -> StoreFuture<'_, ClockStatus> {
        async move {
            let rows = statement(status!("")).rows(&self.readers).await.map_err(store_error)?;
            let row = rows.first().ok_or_else(|| store_error(Error::RowNotFound))?;
            let now = match self.readers {
                Pool::Sqlite(_) => None,
                Pool::Postgres(_) => Some(column(row, "now")?),
            };
            let has = |name| column(row, name).map(|found: i64| found > 0);
            let (has_live, has_any, has_event) = (has("live")?, has("clocks")?, has("events")?);
            Ok(ClockStatus { seen: column(row, "at")?, now, has_live, has_any, has_event })
        }
        .boxed()
    }

    fn deadlines(&self, until: i64, limit: u32) -> StoreFuture<'_, Vec<(String, i64)>> {
        async move {
            let query =
                "SELECT id, deadline FROM matches WHERE deadline IS NOT NULL AND deadline <= $1
                 ORDER BY deadline LIMIT $2";
            let rows = statement(query).bind(until).bind(limit).rows(&self.readers).await;
            let rows = rows.map_err(store_error)?;
            rows.iter().map(|row| Ok((column(row, "id")?, column(row, "deadline")?))).collect()
        }
        .boxed()
    }

    fn live_clocks(&self, limit: u32) -> StoreFuture<'_, Vec<String>> {
        // The condition and the order of the query equal those of an index, so that the database does not scan the table.
        statement(
            "SELECT id FROM matches WHERE deadline IS NOT NULL AND clock NOT IN ('1d', '2d', '3d', '7d') ORDER BY id LIMIT $1",
        )
        .bind(limit)
        .scalars(&self.readers)
        .map_err(store_error)
        .boxed()
    }

    fn set_deadline(
        &self,
        id: String,
        sequence: u64,
        deadline: Deadline,
    ) -> StoreFuture<'_, Appended> {
        self.write(Write::Clock(ClockWrite::Deadline { id, sequence, deadline })).boxed()
    }

    fn beat(&self, at_ms: i64) -> StoreFuture<'_, Appended> {
        self.write(Write::Clock(ClockWrite::Beat { at_ms })).boxed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;

    #[tokio::test]
    async fn correspondence_matches_at_rest_are_not_read_by_the_search_for_live_clocks() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = SqlStore::open(&Settings::new(folder.path().to_owned())).await;
        let store = store.expect("a store");
        let plan = statement(status!("EXPLAIN QUERY PLAN ")).rows(&store.readers).await;
        let plan = plan.expect("a plan");
        let steps = plan.iter().map(|row| column::<String>(row, "detail").expect("a text"));
        let mut steps: Vec<String> = steps.filter(|step| step.contains(" matches ")).collect();
        steps.sort();
        assert_eq!(steps.len(), 2, "{steps:?}");
        assert!(steps[0].ends_with("INDEX matches_with_live_clock"), "{steps:?}");
        assert!(steps[1].contains("INDEX matches_by_deadline"), "{steps:?}");
        crate::store::Store::close(&store).await;
    }
}
