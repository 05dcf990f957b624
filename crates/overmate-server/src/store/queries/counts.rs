//! Counts requests in PostgreSQL for rate limits that all servers share.
//!
//! The rate limits use the generic cell rate algorithm (ITU-T I.371), as `governor` does for the limits of one server. Each
//! request moves the time `until` of a rate limit one step into the future. A request that would move the time beyond the window
//! is refused.

use std::time::Duration;

use sqlx::Error;

use crate::store::connection::sql::{Pool, statement};
use crate::store::interface::store::Counted;

/// SQL expression for the database's current Unix time, in microseconds. The value is the same in
/// the whole statement.
macro_rules! now {
    () => {
        "CAST(extract(epoch FROM statement_timestamp()) * 1000000 AS BIGINT)"
    };
}

/// PostgreSQL statement that counts a request against several rate limits, unless the request would exceed a limit.
///
/// The parameters are the keys of the limits, their steps in microseconds, and the window in microseconds. If a limit refuses the
/// request, the statement returns a row with the wait in microseconds.
///
/// The statement locks the rows in the order of their keys, so that statements of different servers cannot deadlock. A time `until`
/// more than two windows ahead comes from a clock that was set back, and does not count. If another server has just replaced such a
/// time, the last part of this statement may still read the replaced time. The statement therefore limits the wait to one step.
const COUNT: &str = concat!(
    "WITH wanted AS (SELECT key, step FROM unnest($1::BIGINT[], $2::BIGINT[]) AS given (key, step)),
     taken AS (
         INSERT INTO counts (key, until)
         SELECT key, step + ",
    now!(),
    " FROM wanted
         WHERE NOT EXISTS (SELECT 1 FROM wanted JOIN counts USING (key) WHERE until - ",
    now!(),
    " BETWEEN $3 - step + 1 AND 2 * $3)
         ORDER BY key
         ON CONFLICT (key) DO UPDATE SET until = CASE
             WHEN counts.until - ",
    now!(),
    " > 2 * $3 THEN excluded.until
             ELSE greatest(excluded.until, counts.until + excluded.until - ",
    now!(),
    ") END
         WHERE counts.until + excluded.until - 2 * ",
    now!(),
    " <= $3 OR counts.until - ",
    now!(),
    " > 2 * $3
         RETURNING key
     )
     SELECT least(coalesce(max(until + step), 0) - $3 - ",
    now!(),
    ", max(step)) FROM wanted LEFT JOIN counts USING (key) HAVING count(*) > (SELECT count(*) FROM taken)"
);

/// Counts a request against several rate limits, unless the request would exceed a limit. If a limit refuses the request, returns
/// the time after which a repeated request may succeed. Otherwise returns `None`.
pub(crate) async fn count(
    pool: &Pool,
    counted: Vec<Counted>,
    window: Duration,
) -> Result<Option<Duration>, Error> {
    if let Pool::Sqlite(_) = pool {
        return Ok(None);
    }
    let (keys, steps): (Vec<i64>, Vec<i64>) =
        counted.into_iter().map(|counted| (counted.key, micros(counted.step))).unzip();
    let count = statement(COUNT).bind(keys).bind(steps).bind(micros(window));
    let wait: Option<i64> = count.optional_scalar(pool).await?;
    // The statement `COUNT` may return a negative waiting time if another server used up the rate limit while the statement ran.
    Ok(wait.map(|wait| Duration::from_micros(wait.max(1).unsigned_abs())))
}

/// Deletes the rate-limit counters that no longer affect any request.
pub(crate) async fn forget(pool: &Pool) -> Result<(), Error> {
    if let Pool::Sqlite(_) = pool {
        return Ok(());
    }
    // The SQL statement skips rate-limit counters that another request has locked. A later call of this function can delete these counters.
    // A deletion that waited for the counters could deadlock with the other request.
    let forget = concat!(
        "DELETE FROM counts WHERE key IN (SELECT key FROM counts WHERE until < ",
        now!(),
        " FOR UPDATE SKIP LOCKED)"
    );
    statement(forget).execute(pool).await.map(drop)
}

fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX / 4)
}
