//! Defines the results and failures of store operations.

use std::sync::Arc;

use futures_util::future::BoxFuture;

/// Future that resolves to the result of a store operation.
pub(crate) type StoreFuture<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

/// Result of a write that caused no error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Appended {
    /// The write is committed to the database.
    Stored,
    /// Nothing was written: the sequence number, the client id or the seat is taken, or the match does not exist.
    Conflict,
    /// Nothing is written: as many matches or offers exist as the quota permits.
    Full(Quota),
}

/// Kind of matches or offers whose number is limited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Quota {
    /// Unfinished matches of the browser.
    Unfinished,
    /// Unfinished and finished matches of the browser.
    Kept,
    /// Open offers of the person.
    Offers,
    /// Open offers of the network of the person.
    OffersOfNetwork,
    /// Open offers of all persons.
    Lobby,
}

/// Failure of a store operation, with the cause for the log. The operation changed nothing, with one exception: if the connection
/// to PostgreSQL was lost during a commit, the result is unknown. A repeated request with the same client id then reveals the
/// result.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum StoreError {
    /// Temporary failure, such as a locked database or a full disk.
    #[error("the database is busy")]
    Busy(#[source] Cause),
    /// Permanent failure, such as a damaged database file.
    #[error("the database reported an error")]
    Failed(#[source] Cause),
}

/// Cause of a failed store operation. All operations of a failed transaction share the cause.
pub(crate) type Cause = Arc<dyn std::error::Error + Send + Sync>;
