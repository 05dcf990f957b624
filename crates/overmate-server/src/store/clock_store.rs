//! Implements the store of deadlines on a database.

use futures_util::{FutureExt as _, TryFutureExt as _};

use super::clocks::ClockWrite;
use super::fault::store_error;
use super::rows::column;
use super::sql::{Pool, sql, statement};
use super::sql_store::SqlStore;
use super::types::{Appended, Clocks, Deadline, StoreFuture};
use super::writer::Write;

impl Clocks for SqlStore {
    fn now_ms(&self) -> StoreFuture<'_, Option<i64>> {
        async move {
            if let Pool::Sqlite(_) = self.readers {
                return Ok(None);
            }
            let now = statement(sql!("SELECT ", NOW)).scalar(&self.readers).await;
            now.map(Some).map_err(store_error)
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
        // The condition equals the condition of the index.
        statement(
            "SELECT id FROM matches WHERE deadline IS NOT NULL AND clock NOT IN ('1d', '2d', '3d', '7d') LIMIT $1",
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

    fn last_beat(&self) -> StoreFuture<'_, i64> {
        statement("SELECT at FROM beats WHERE name = 'clocks'")
            .scalar(&self.readers)
            .map_err(store_error)
            .boxed()
    }

    fn beat(&self, at_ms: i64) -> StoreFuture<'_, Appended> {
        self.write(Write::Clock(ClockWrite::Beat { at_ms })).boxed()
    }
}
