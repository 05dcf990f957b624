//! Defines the results and failures of store operations.

use std::sync::Arc;

use futures_util::future::BoxFuture;

/// Future that resolves to the result of a store operation.
pub(crate) type StoreFuture<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

/// Result of a database write that caused no database error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Appended {
    /// The database write was committed.
    Stored,
    /// The database write changed nothing, because of a concurrent write, or because the stored data did not permit the
    /// change.
    Conflict,
    /// The database write would exceed a quota. Nothing was written.
    Full(Quota),
}

impl Appended {
    /// Returns the result of a write that changes nothing in case of a conflict. `is_stored` tells whether the write changed something.
    pub(crate) const fn stored_if(is_stored: bool) -> Self {
        if is_stored { Self::Stored } else { Self::Conflict }
    }

    /// Returns `error` unless the write was committed.
    pub(crate) fn ok_or<E>(self, error: E) -> Result<(), E> {
        if self == Self::Stored { Ok(()) } else { Err(error) }
    }
}

/// Kind of quota on the number of matches, match offers, relations between persons, reports, tournament events or chat messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Quota {
    /// Maximum number of unfinished matches of a person.
    Unfinished,
    /// Maximum number of all matches of a person, unfinished and finished ones together.
    Kept,
    /// Maximum number of open match offers of a person.
    Offers,
    /// Maximum number of open match offers from one IP network of clients (address prefix).
    OffersOfNetwork,
    /// Maximum number of open challenges to matches that are addressed to one handle.
    Challenges,
    /// Maximum number of open match offers of all persons together.
    Lobby,
    /// Maximum number of relations of one kind (favourites, mutes or blocks) of an account.
    Relations,
    /// Maximum number of reports about players within a day, by one person or from one client network. The next report is possible after
    /// the given number of seconds, at least 1.
    Reports { seconds: u64 },
    /// Maximum number of unfinished tournament events that an account has created.
    Events,
    /// Maximum number of unfinished tournament events that were created from one IP network of clients (address prefix).
    EventsOfNetwork,
    /// Maximum number of unfinished tournament events of all accounts together.
    AllEvents,
    /// Maximum number of players of a tournament event.
    EventPlayers,
    /// Maximum number of rated matches that two persons begin with each other within a day.
    RatedPair,
    /// Maximum number of chat messages in a match.
    Talk,
    /// Maximum number of chat messages of a player within a minute.
    TalkInPeriod,
}

/// Error of a store operation, with the cause that the server logs.
///
/// The operation changed nothing, with one exception: if the connection to PostgreSQL was lost during a commit, the write may or
/// may not have been stored. A repeated request with the same client id then reveals the result.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum StoreError {
    /// Temporary error of the database, such as a locked database or a full disk.
    #[error("the database cannot carry out the operation now: try again soon")]
    Busy(#[source] Cause),
    /// Permanent error of the database, such as a damaged file.
    #[error("the database reported an error")]
    Failed(#[source] Cause),
}

/// Cause of a failed store operation. All operations of a failed transaction share one cause.
pub(crate) type Cause = Arc<dyn std::error::Error + Send + Sync>;
