//! Opens databases in PostgreSQL.

use std::time::Duration;

use sqlx::migrate::Migrator;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use sqlx::{ConnectOptions as _, Connection as _, Error};

use super::sql::{Connection, Pool};
use crate::database::PostgresAddress;

/// Schema migrations that this version of the server knows, in order.
pub(super) static MIGRATIONS: Migrator = sqlx::migrate!("./migrations/postgres");

/// Settings of each session. A server that is frozen during a transaction must not keep its locks from the other servers.
const SESSION: [(&str, &str); 3] = [
    ("idle_in_transaction_session_timeout", "5s"),
    ("lock_timeout", "5s"),
    ("statement_timeout", "30s"),
];

/// Name of the sessions of servers and of operators' commands.
pub(super) const APPLICATION: &str = "overmate";

/// Largest number of connections for reads.
const READERS: u32 = 8;

fn options(address: &PostgresAddress) -> PgConnectOptions {
    address.options().clone().application_name(APPLICATION).options(SESSION)
}

/// Opens a connection for writes.
pub(crate) async fn connect(address: &PostgresAddress) -> Result<Connection, Error> {
    options(address).connect().await.map(Connection::Postgres)
}

/// Opens a connection for work on the whole database, whose statements may take long.
pub(crate) async fn connect_for_copy(address: &PostgresAddress) -> Result<PgConnection, Error> {
    let options = address.options().clone().application_name("overmate database copy");
    options.options([("lock_timeout", "10s")]).connect().await
}

/// Opens the connections for notices between servers: one that listens, and one that tells.
pub(crate) async fn notice_pool(address: &PostgresAddress) -> Result<PgPool, Error> {
    PgPoolOptions::new().max_connections(2).connect_with(options(address)).await
}

/// Opens connections for writes and for reads, and migrates the tables to the current schema. Of several servers that start together, one migrates, and
/// the others wait for it.
pub(super) async fn open(
    address: &PostgresAddress,
    read_timeout: Duration,
) -> Result<(Connection, Pool), Error> {
    // A migration may take longer than the statements of a session.
    let mut migrating = address.options().connect().await?;
    MIGRATIONS.run(&mut migrating).await?;
    migrating.close().await?;
    let readers = PgPoolOptions::new()
        .max_connections(READERS)
        .acquire_timeout(read_timeout)
        .connect_with(options(address))
        .await?;
    Ok((connect(address).await?, Pool::Postgres(readers)))
}
