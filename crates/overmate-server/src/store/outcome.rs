//! Defines the results and failures of store operations.

use std::sync::Arc;

use futures_util::future::BoxFuture;

/// Future that resolves to the result of a store operation.
pub(crate) type StoreFuture<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

/// Result of a write without a database error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Appended {
    /// The write has been committed to the database.
    Stored,
    /// The write has conflicted with another write, or the match does not exist, so that nothing
    /// was written.
    Conflict,
    /// The write would exceed a quota, so that nothing was written.
    Full(Quota),
}

/// Quota on the number of matches, offers, relations or texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Quota {
    /// Quota of a browser's unfinished matches.
    Unfinished,
    /// Quota of a browser's unfinished and finished matches.
    Kept,
    /// Quota of a person's open offers.
    Offers,
    /// Quota of the open offers from one client network (address prefix).
    OffersOfNetwork,
    /// Quota of open challenges to a handle.
    Challenges,
    /// Quota for the number of open offers of all persons together.
    Lobby,
    /// Quota of an account's relations of one kind.
    Relations,
    /// Quota of the reports of a person or a client network within a period.
    Reports,
    /// Quota of an account's open events.
    Events,
    /// Quota of the open events of all accounts together.
    AllEvents,
    /// Quota of the players of an event.
    EventPlayers,
    /// Quota of the rated matches that two persons begin with each other within a day.
    RatedPair,
    /// Quota of free texts in a match.
    Talk,
    /// Quota of a player's free texts within a period.
    TalkInPeriod,
}

/// Error of a store operation, with the cause for the log. The operation changed nothing, with one
/// exception: if the connection to PostgreSQL was lost during a commit, the result is unknown. A
/// repeated request with the same client id then reveals the result.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum StoreError {
    /// Temporary error, such as a locked database or a full disk.
    #[error("the database is busy")]
    Busy(#[source] Cause),
    /// Permanent error, such as a damaged database file.
    #[error("the database reported an error")]
    Failed(#[source] Cause),
}

/// Cause of a failed store operation. All operations of a failed transaction share the cause.
pub(crate) type Cause = Arc<dyn std::error::Error + Send + Sync>;
