//! Classifies database errors as temporary or permanent, and recognises closed connections.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use sqlx::Error;
use sqlx::error::DatabaseError;
use sqlx::postgres::PgDatabaseError;
use tokio::time::timeout;

use crate::store::interface::outcome::{Cause, StoreError};

/// Primary result codes of SQLite for temporary errors. A full disk counts as temporary, because an
/// operator can free space.
const BUSY_SQLITE: [i32; 4] =
    [5 /* busy */, 6 /* locked */, 10 /* input or output */, 13 /* full */];

/// Prefixes of PostgreSQL's SQLSTATE codes for temporary errors. Failures that an operator can
/// repair count as temporary.
const BUSY_POSTGRES: [&str; 7] = [
    "08",    // connection
    "25006", // read-only, as a standby is
    "25P03", // idle in a transaction for too long
    "40",    // deadlock
    "53",    // disk, memory or connections used up
    "55P03", // lock not available
    "57",    // operator's intervention, such as a stop
];

/// Prefix of the SQLSTATE codes that PostgreSQL reports when the database server stops, crashes or starts.
const POSTGRES_STOPS: &str = "57P";

/// Converts a database error to a store error.
pub(crate) fn store_error(error: Error) -> StoreError {
    let is_busy = match &error {
        Error::Database(fault) => is_temporary(&**fault),
        // The library sqlx reports a protocol error if a new connection breaks before PostgreSQL has answered the question about
        // encryption. This error is temporary.
        Error::Protocol(_)
        | Error::Io(_)
        | Error::PoolTimedOut
        | Error::PoolClosed
        | Error::WorkerCrashed => true,
        _ => false,
    };
    let cause: Cause = Arc::new(error);
    if is_busy { StoreError::Busy(cause) } else { StoreError::Failed(cause) }
}

fn is_temporary(fault: &(dyn DatabaseError + 'static)) -> bool {
    let code = fault.code().unwrap_or_default();
    if fault.try_downcast_ref::<PgDatabaseError>().is_some() {
        return BUSY_POSTGRES.iter().any(|busy| code.starts_with(busy));
    }
    code.parse::<i32>().is_ok_and(|code| BUSY_SQLITE.contains(&(code & 0xff)))
}

/// Returns whether a database error means that the database has closed the connection, for example because PostgreSQL has restarted.
pub(crate) fn is_closed(error: &Error) -> bool {
    match error {
        // A timeout does not mean that the connection is closed: a connection without an answer may still be open.
        Error::Io(error) => error.kind() != io::ErrorKind::TimedOut,
        Error::Database(error) => error.code().is_some_and(|code| code.starts_with(POSTGRES_STOPS)),
        _ => false,
    }
}

/// Returns the error for a PostgreSQL connection that does not answer.
fn no_answer() -> Error {
    Error::Io(io::Error::new(io::ErrorKind::TimedOut, "PostgreSQL does not answer"))
}

/// Waits for an answer of PostgreSQL, and returns an error if the answer takes longer than the given time.
pub(crate) async fn answered<T>(
    time: Duration,
    answer: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    timeout(time, answer).await.unwrap_or_else(|_| Err(no_answer()))
}

/// Returns the error for a database that does not answer.
pub(crate) fn lost() -> StoreError {
    StoreError::Busy(cause("the database does not answer"))
}

/// Returns the error for stored data in a format that this server version cannot read.
pub(crate) fn unreadable(what: &str) -> StoreError {
    StoreError::Failed(cause(format!("the database holds {what} that this version cannot read")))
}

/// Wraps an error or an error text as the cause of a failed store operation.
pub(crate) fn cause(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Cause {
    Arc::from(error.into())
}
