//! Opens SQLite databases.

use std::path::Path;
use std::time::Duration;

use sqlx::ConnectOptions as _;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous,
};

use super::inspect::MIGRATIONS;
use super::sql::{Connection, Pool};
use crate::data_folder;

/// Maximum number of read connections.
const READERS: u32 = 4;

/// Opens a database file for writing and reading, and migrates its tables to the current schema. A
/// missing file is created.
pub(super) async fn open(
    file: &Path,
    patience: Duration,
    read_timeout: Duration,
) -> Result<(Connection, Pool), sqlx::Error> {
    data_folder::restrict(file)?;
    // With `synchronous = FULL`, a commit returns only when the disk holds the data. The writer lets many writes share one
    // commit.
    let options = SqliteConnectOptions::new()
        .filename(file)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        // With `secure_delete`, SQLite overwrites erased data in the file with zeros.
        .pragma("secure_delete", "ON")
        .foreign_keys(true)
        .busy_timeout(patience);
    let mut connection = options.connect().await?;
    MIGRATIONS.run(&mut connection).await?;
    let readers = SqlitePoolOptions::new()
        .max_connections(READERS)
        .acquire_timeout(read_timeout)
        .connect_with(options.read_only(true).create_if_missing(false))
        .await?;
    Ok((Connection::Sqlite(connection), Pool::Sqlite(readers)))
}

/// Creates a new database file with all tables. No file beside it is written. The caller must wait
/// for the disk.
pub(crate) async fn create(file: &Path) -> Result<SqliteConnection, sqlx::Error> {
    let options = SqliteConnectOptions::new()
        .filename(file)
        .journal_mode(SqliteJournalMode::Memory)
        .synchronous(SqliteSynchronous::Off)
        .foreign_keys(true);
    let mut connection = options.connect().await?;
    MIGRATIONS.run(&mut connection).await?;
    Ok(connection)
}

/// Copies the write-ahead log into the database file, so that the file alone is a complete backup.
/// If another process uses the file, the log may remain.
pub(super) async fn checkpoint(connection: &mut SqliteConnection) {
    let checkpointed = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(connection).await;
    if let Err(error) = checkpointed {
        tracing::warn!(%error, "the write-ahead log stays beside the database file");
    }
}
