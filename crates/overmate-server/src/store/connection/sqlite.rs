//! Opens SQLite databases, and checkpoints their write-ahead logs.

use std::path::Path;
use std::time::Duration;

use sqlx::ConnectOptions as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};

use super::connection_pool::{ConnectionPool, PoolLimits};
use super::inspect::MIGRATIONS;
use super::sql::{Connection, Pool};
use crate::data_folder;

/// Maximum number of read connections to an SQLite database.
const READERS: u32 = 4;

/// Opens an SQLite database file for writing and reading, and migrates its tables to the current schema. A missing file is
/// created.
pub(crate) async fn open(
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
    let limits = PoolLimits {
        connections: READERS,
        wait: read_timeout,
        // An SQLite statement needs no timeout. SQLite runs in the process of the server, so that no network can lose the result of a
        // statement.
        statement: Duration::MAX,
        test: Duration::MAX,
    };
    let options = options.read_only(true).create_if_missing(false);
    let readers = ConnectionPool::open(options, limits).await?;
    Ok((Connection::Sqlite(connection), Pool::Sqlite(readers)))
}

/// Creates a new SQLite database file with all tables. SQLite writes no other file into the folder. The writes are not
/// synchronised to the disk: the caller must synchronise the file.
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

/// Checkpoints SQLite's write-ahead log: copies the log into the database file. If another process uses the file, the log may remain.
pub(crate) async fn checkpoint(connection: &mut SqliteConnection) {
    match empty_log(connection).await {
        Ok(true) => {}
        Ok(false) => tracing::warn!(
            "another process uses the database, so that the write-ahead log stays beside the database file: end that process, \
             or copy the file that ends in -wal together with the database file"
        ),
        Err(error) => tracing::warn!(
            %error,
            "the write-ahead log cannot be copied into the database file: copy the file that ends in -wal together with the database \
             file"
        ),
    }
}

/// Checkpoints and truncates SQLite's write-ahead log. Returns whether the log is empty.
async fn empty_log(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    // If other connections block the checkpoint, `PRAGMA wal_checkpoint` does not fail, but returns 1 in the first column of its result.
    let (busy, _, _): (i64, i64, i64) =
        sqlx::query_as("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(connection).await?;
    Ok(busy == 0)
}

#[cfg(test)]
mod tests {
    use sqlx::Connection as _;

    use super::*;

    #[tokio::test]
    async fn a_checkpoint_that_a_reader_blocks_is_noticed() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = data_folder::database(folder.path());
        let patience = Duration::from_millis(50);
        let (writer, readers) = open(&file, patience, patience).await.expect("a database");
        let Connection::Sqlite(mut writer) = writer else { panic!("the database is SQLite") };
        let options = SqliteConnectOptions::new().filename(&file);
        let mut reader = options.connect().await.expect("a connection");
        let mut read = reader.begin().await.expect("a transaction");
        let read_rows = "SELECT count(*) FROM beats";
        let _: i64 = sqlx::query_scalar(read_rows).fetch_one(&mut *read).await.expect("a count");
        let change = "UPDATE beats SET at = at + 1";
        sqlx::query(change).execute(&mut writer).await.expect("a change");
        assert!(!empty_log(&mut writer).await.expect("a checkpoint"));
        read.rollback().await.expect("the end of the transaction");
        assert!(empty_log(&mut writer).await.expect("a checkpoint"));
        let log = data_folder::beside(&file, "-wal");
        assert_eq!(std::fs::metadata(log).expect("a log").len(), 0);
        drop(readers);
    }
}
