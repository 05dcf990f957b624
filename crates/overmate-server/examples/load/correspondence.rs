//! Measures how much time the server needs to find and end the correspondence matches with expired deadlines among many matches. The
//! first measurement covers the search while no deadline has expired. The second measurement covers the end of matches whose deadlines
//! have expired.

use std::path::Path;
use std::time::Duration;

use serde_json::json;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions as _, SqliteConnection};
use tokio::time::{Instant, sleep};

use crate::client::Fault;
use crate::figures::{busy, memory};
use crate::play;
use crate::report::{Report, Target, fact, figure};
use crate::served::Served;

/// Maximum processor time that the server may use for one search for matches with expired deadlines, in milliseconds.
const MOST: Target = Target::AtMost(50.0);

/// Duration of the measurement while all matches are idle.
const REST: Duration = Duration::from_secs(30);

/// Number of times per second that the server searches for matches with expired deadlines.
const SEARCHES: f64 = 2.0;

/// Number of matches whose deadlines the test moves into the past.
const DUE: u32 = 500;

/// Timeout for the server to end all matches with expired deadlines.
const PATIENCE: Duration = Duration::from_mins(1);

/// Database columns whose values are replaced in each copy of a match. Each entry has the column name and the SQL expression for the new
/// value; `n` is the number of the copy.
const CHANGED: [(&str, &str); 5] = [
    ("id", "printf('%032x', n)"),
    ("match_id", "printf('%032x', n)"),
    ("watch", "printf('w%031x', n)"),
    ("invitation", "NULL"),
    ("deadline", "deadline + n"),
];

/// Copies a correspondence match many times in the database of a server, and measures the server while all matches are idle.
/// Then the deadlines of some matches pass, and the test waits until exactly these matches have ended.
pub(crate) async fn run(binary: &Path, matches: u32, report: &mut Report) -> Result<(), Fault> {
    let mut served = Served::start(binary, &["--no-limits"])?;
    let addresses = [served.address.clone(), served.address.clone()];
    let mut pair = play::open(&addresses, 0, &json!({"kind": "days", "days": 3})).await?;
    // No clock runs before both players have taken their first actions.
    for _ in 0..4 {
        pair.act().await?;
    }
    drop(pair);
    let file = served.folder().join("overmate.sqlite");
    let mut database = SqliteConnectOptions::new().filename(file).connect().await?;
    copy(&mut database, matches).await?;
    served.restart()?;
    // The restarted server first checks its database. The pause keeps this check out of the measurement.
    sleep(Duration::from_secs(5)).await;
    let before = busy(served.process())?;
    sleep(REST).await;
    let used = busy(served.process())? - before;
    let resting = count(&mut database, "deadline > 0").await?;
    fact("correspondence matches at rest", resting);
    let each = used * 1e3 / (REST.as_secs_f64() * SEARCHES);
    report.target("processor time of each search", each, "ms", MOST);
    figure("memory of the server", memory(served.process())? / 1e6, "MB");

    expire(&mut database).await?;
    let (begun, before) = (Instant::now(), busy(served.process())?);
    while count(&mut database, "ended_at IS NOT NULL").await? < DUE {
        if begun.elapsed() > PATIENCE {
            return Err("the server has not ended all matches whose deadlines have passed".into());
        }
        sleep(Duration::from_millis(50)).await;
    }
    let (taken, used) = (begun.elapsed(), busy(served.process())? - before);
    // The test waits two seconds to detect a server that also ends matches whose deadlines have not passed.
    sleep(Duration::from_secs(2)).await;
    let ended = count(&mut database, "ended_at IS NOT NULL").await?;
    if ended != DUE {
        return Err(
            format!("{ended} matches have ended, but only {DUE} deadlines had passed").into()
        );
    }
    fact("matches with passed deadlines", DUE);
    figure("time until all have ended", taken.as_secs_f64(), "s");
    figure("processor time of each end", used * 1e3 / f64::from(DUE), "ms");
    Ok(())
}

/// Copies the only match of the database, with its seats and its log, until the database holds a given number of matches.
async fn copy(database: &mut SqliteConnection, matches: u32) -> Result<(), Fault> {
    // The many copies of the load test's only match are written in a single database transaction.
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *database).await?;
    for table in ["matches", "seats", "log"] {
        let columns: Vec<String> = sqlx::query_scalar("SELECT name FROM pragma_table_info($1)")
            .bind(table)
            .fetch_all(&mut *database)
            .await?;
        let values: Vec<&str> = columns
            .iter()
            .map(|column| {
                let changed = CHANGED.iter().find(|(name, _)| name == column);
                changed.map_or(column.as_str(), |(_, value)| value)
            })
            .collect();
        let copy = format!(
            "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $1)
             INSERT INTO {table} ({}) SELECT {} FROM numbers, (SELECT * FROM {table})",
            columns.join(", "),
            values.join(", ")
        );
        sqlx::query(AssertSqlSafe(copy)).bind(matches - 1).execute(&mut *database).await?;
    }
    sqlx::query("COMMIT").execute(&mut *database).await?;
    Ok(())
}

/// Moves the log times and the deadlines of some copied matches into the past, so that the deadlines have passed.
async fn expire(database: &mut SqliteConnection) -> Result<(), Fault> {
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *database).await?;
    for sql in [
        "UPDATE log SET at = at - 10 * 86400, at_ms = at_ms - 10 * 86400000 WHERE match_id BETWEEN printf('%032x', 1) AND printf('%032x', $1)",
        "UPDATE matches SET deadline = deadline - 10 * 86400000 WHERE id BETWEEN printf('%032x', 1) AND printf('%032x', $1)",
    ] {
        sqlx::query(sql).bind(DUE).execute(&mut *database).await?;
    }
    sqlx::query("COMMIT").execute(&mut *database).await?;
    Ok(())
}

/// Returns the number of matches in the database that meet an SQL condition.
async fn count(database: &mut SqliteConnection, condition: &str) -> Result<u32, Fault> {
    let query = format!("SELECT count(*) FROM matches WHERE {condition}");
    Ok(sqlx::query_scalar(AssertSqlSafe(query)).fetch_one(database).await?)
}
