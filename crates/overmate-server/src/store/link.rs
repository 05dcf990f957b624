//! Holds the connection for writes, and opens it again after a failure of the network.

use std::time::Duration;

use super::fault::{lost, store_error};
use super::postgres;
use super::sql::Connection;
use super::types::StoreError;
use crate::database::PostgresAddress;

/// Longest time for which PostgreSQL may keep a transaction waiting. It is longer than the limits of a session, whose errors say more.
const PATIENCE: Duration = Duration::from_secs(40);

/// Connection for writes.
pub(super) struct Link {
    /// Connection; `None` while a transaction uses it or while it is lost.
    connection: Option<Connection>,
    /// Address at which a lost connection is opened again; `None` for SQLite, whose connection cannot be lost.
    address: Option<PostgresAddress>,
}

impl Link {
    pub(super) fn new(connection: Connection, address: Option<PostgresAddress>) -> Self {
        Self { connection: Some(connection), address }
    }

    /// Returns the longest time for which a transaction may wait; `None` without a limit.
    pub(super) fn patience(&self) -> Option<Duration> {
        self.address.as_ref().map(|_| PATIENCE)
    }

    /// Takes the connection for a transaction, and opens a lost connection again. A connection that is not [put back](Self::put) is lost.
    pub(super) async fn take(&mut self) -> Result<Connection, StoreError> {
        match (self.connection.take(), &self.address) {
            (Some(connection), _) => Ok(connection),
            (None, Some(address)) => postgres::connect(address).await.map_err(store_error),
            (None, None) => Err(lost()),
        }
    }

    /// Puts the connection back after a transaction. Gives up a connection to PostgreSQL if the transaction failed and cannot be undone.
    pub(super) async fn put(&mut self, mut connection: Connection, is_committed: bool) {
        // An error is ignored, because SQLite may have rolled the transaction back already.
        if is_committed || connection.roll_back().await.is_ok() || self.address.is_none() {
            self.connection = Some(connection);
        }
    }

    /// Returns the connection, unless it is lost.
    pub(super) fn into_connection(self) -> Option<Connection> {
        self.connection
    }
}
