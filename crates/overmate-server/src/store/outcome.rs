//! Defines the results and failures of store operations.

use std::sync::Arc;

use futures_util::future::BoxFuture;

/// Future that resolves to the result of a store operation.
pub(crate) type StoreFuture<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

/// Result of a write to the store that caused no error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Appended {
    /// The write is committed to the database.
    Stored,
    /// Nothing is written: the sequence number, the client id or the seat is taken, or the match does not exist.
    Conflict,
    /// Nothing is written: a browser holds seats in as many matches as the quota permits.
    Full(Quota),
}

/// Kind of matches whose number is limited for each browser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Quota {
    /// Unfinished matches of the browser.
    Unfinished,
    /// Unfinished and finished matches of the browser.
    Kept,
}

/// Failure of a store operation, with the cause for the log. The operation changed nothing, unless the connection to PostgreSQL was lost during its commit:
/// then a repeated request, which has the same client id, finds out.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum StoreError {
    /// Temporary failure, such as a locked database or a full disk.
    #[error("the database is busy")]
    Busy(#[source] Cause),
    /// Permanent failure, such as a damaged database file.
    #[error("the database reported an error")]
    Failed(#[source] Cause),
}

/// Cause of a failed store operation, shared by all operations of a failed transaction.
pub(crate) type Cause = Arc<dyn std::error::Error + Send + Sync>;
