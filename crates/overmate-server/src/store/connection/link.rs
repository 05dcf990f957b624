//! Holds the write connection to the database, and reopens the connection after a network failure.

use std::time::Duration;

use super::fault::{lost, store_error};
use super::postgres;
use super::sql::{Connection, POSTGRES_PATIENCE};
use crate::database::PostgresAddress;
use crate::store::interface::outcome::StoreError;

/// Write connection to the database. The link reconnects after a failure.
pub(crate) struct Link {
    /// Idle write connection to the database. `None` while a transaction uses the connection, or after the connection was lost.
    connection: Option<Connection>,
    /// Address for reconnecting to a PostgreSQL database; `None` for SQLite, whose connection cannot be lost.
    address: Option<PostgresAddress>,
}

impl Link {
    pub(crate) fn new(connection: Connection, address: Option<PostgresAddress>) -> Self {
        Self { connection: Some(connection), address }
    }

    /// Returns the timeout of a write transaction, or `None` for SQLite, which needs no timeout.
    pub(crate) fn patience(&self) -> Option<Duration> {
        self.address.as_ref().map(|_| POSTGRES_PATIENCE)
    }

    /// Takes the write connection to the database for a transaction, and reconnects if the connection was lost. A connection that
    /// is not [put back](Self::put) counts as lost.
    pub(crate) async fn take(&mut self) -> Result<Connection, StoreError> {
        match (self.connection.take(), &self.address) {
            (Some(connection), _) => Ok(connection),
            (None, Some(address)) => postgres::connect(address).await.map_err(store_error),
            (None, None) => Err(lost()),
        }
    }

    /// Puts the write connection to the database back after a transaction, for the next transaction. If the transaction failed and cannot
    /// be rolled back, a PostgreSQL connection is dropped instead.
    pub(crate) async fn put(&mut self, mut connection: Connection, is_committed: bool) {
        // A failed rollback is ignored for SQLite, because SQLite may already have rolled back the transaction.
        if is_committed || connection.roll_back().await.is_ok() || self.address.is_none() {
            self.connection = Some(connection);
        }
    }

    /// Returns the open write connection to the database, or `None` if the connection is lost.
    pub(crate) fn into_connection(self) -> Option<Connection> {
        self.connection
    }
}
