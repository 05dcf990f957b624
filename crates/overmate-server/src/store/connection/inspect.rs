//! Examines a database: its structure, its schema version, and the completeness of the data of each match.

use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use sqlx::ConnectOptions as _;
use sqlx::migrate::Migrator;
use sqlx::sqlite::SqliteConnectOptions;
use tokio_util::sync::CancellationToken;

use super::sql::{Connection, Sql, statement};
use super::{migrations, postgres};
use crate::data_folder;
use crate::database::Database;

/// Migrations that create and update the schema of an SQLite database in this server version, in order.
pub(crate) static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(migrations::for_sqlite);

/// SQLite busy timeout for the examination of a database that another process has locked.
const PATIENCE: Duration = Duration::from_secs(30);

/// Interval, in SQLite virtual-machine instructions, at which [`quick_check`] tests whether its caller has cancelled the check.
const PROGRESS: i32 = 10_000;

/// SQL queries that find matches with inconsistent data, each with a description of the fault.
const FAULTS: [(&str, &str); 4] = [
    (
        // The row of a folded log stands for all entries up to the row's sequence number.
        "SELECT match_id FROM log GROUP BY match_id
         HAVING count(*) + coalesce(max(CASE WHEN kind = 'fold' THEN sequence END), 1) - 1 != max(sequence) LIMIT 1",
        "lacks log entries",
    ),
    (
        // A folded log has a line for each entry.
        "SELECT match_id FROM log
         WHERE kind = 'fold' AND sequence != length(detail) - length(replace(detail, '\n', '')) LIMIT 1",
        "has a folded log that lacks entries",
    ),
    (
        "SELECT id FROM matches WHERE 2 != (SELECT count(*) FROM seats WHERE match_id = id) LIMIT 1",
        "lacks a seat",
    ),
    (
        "SELECT match_id FROM log WHERE match_id NOT IN (SELECT id FROM matches) LIMIT 1",
        "has a log, but no deals",
    ),
];

/// SQL query for the number of Overmate's main tables that a database contains.
const TABLES: Sql = Sql::Each {
    sqlite: "SELECT count(*) FROM sqlite_schema WHERE type = 'table'
         AND name IN ('_sqlx_migrations', 'matches', 'seats', 'log')",
    postgres: "SELECT count(*) FROM pg_catalog.pg_tables
         WHERE schemaname = ANY(current_schemas(FALSE)) AND tablename IN ('_sqlx_migrations', 'matches', 'seats', 'log')",
};

/// Schema version of an undamaged database, with the counts of its matches and log entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contents {
    /// Version of the database schema: the number of the last applied migration.
    pub schema: i64,
    /// Number of matches in the database.
    pub matches: u64,
    /// Number of log entries of all matches together.
    pub entries: u64,
}

/// Reason why a database is not usable by this version of Overmate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unsound {
    /// The database cannot be read or written, because a database operation failed.
    #[error(
        "the database cannot be read or written: remove the cause of this error, or choose an intact database of Overmate"
    )]
    Unreadable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The database does not contain the tables of Overmate.
    #[error("the database has no tables of Overmate: choose a database of Overmate")]
    Foreign,
    /// A later version of Overmate has migrated the database schema.
    #[error(
        "the database needs a later version of Overmate: the database has schema version {found}, but this program knows schema versions up to {known}"
    )]
    Later {
        /// Schema version of the database.
        found: i64,
        /// Latest schema version that this version of Overmate knows.
        known: i64,
    },
    /// The database has the schema of an earlier version.
    #[error(
        "the schema of the database is version {found}, but this program needs version {known}: start `overmate serve` of this program once, to migrate the schema"
    )]
    Earlier {
        /// Schema version of the database.
        found: i64,
        /// Schema version that this version of Overmate writes.
        known: i64,
    },
    /// The database is damaged, or contains a match with missing or inconsistent data.
    #[error("the database is damaged: {0}")]
    Damaged(String),
}

impl From<sqlx::Error> for Unsound {
    fn from(error: sqlx::Error) -> Self {
        Self::Unreadable(error.into())
    }
}

/// Connects to an existing SQLite database file. A server may use the database at the same time.
pub(crate) async fn connect(file: &Path) -> Result<Connection, sqlx::Error> {
    let options = SqliteConnectOptions::new();
    let options = options.filename(file).create_if_missing(false).busy_timeout(PATIENCE);
    options.connect().await.map(Connection::Sqlite)
}

/// Opens a connection to a database for short statements. A server may use the database at the same time.
pub(crate) async fn connect_to(database: &Database) -> Result<Connection, sqlx::Error> {
    match database {
        Database::Sqlite(folder) => connect(&data_folder::database(folder)).await,
        Database::Postgres(address) => postgres::connect(address).await,
    }
}

/// Opens a connection to a database for long statements, such as a check of all matches. A server may use the database at the
/// same time. In PostgreSQL, `application` is the application name of the session.
pub(crate) async fn connect_for_all(
    database: &Database,
    application: &str,
) -> Result<Connection, sqlx::Error> {
    match database {
        Database::Sqlite(folder) => connect(&data_folder::database(folder)).await,
        Database::Postgres(address) => {
            postgres::connect_for_all(address, application).await.map(Connection::Postgres)
        }
    }
}

/// Examines an SQLite database file that no process uses. The function writes no file into the folder of the database.
pub(crate) async fn inspect_file(file: &Path) -> Result<Contents, Unsound> {
    let options = SqliteConnectOptions::new().filename(file).read_only(true).immutable(true);
    let mut connection = Connection::Sqlite(options.connect().await?);
    let contents = inspect(&mut connection).await;
    connection.close().await?;
    contents
}

/// Checks the structure of an SQLite database while a server uses the database. A cancelled token stops the check. Unlike
/// [`inspect`], the check does not compare indexes with tables, and takes about a second for each gigabyte.
pub(crate) async fn quick_check(file: &Path, stop: CancellationToken) -> Result<(), Unsound> {
    let mut connection = connect(file).await?;
    if let Connection::Sqlite(connection) = &mut connection {
        let mut handle = connection.lock_handle().await?;
        handle.set_progress_handler(PROGRESS, move || !stop.is_cancelled());
    }
    let found = statement("PRAGMA quick_check(3)").scalars(&mut connection).await;
    connection.close().await?;
    sound(&found?)
}

/// Converts the result of SQLite's integrity check to an error if the check found damage. For a sound database, the result consists of the
/// single line `ok`.
fn sound(found: &[String]) -> Result<(), Unsound> {
    if found == ["ok"] { Ok(()) } else { Err(Unsound::Damaged(found.join("; "))) }
}

/// Checks the consistency of every match in a database and, for SQLite, every page of the database file.
pub(crate) async fn inspect(connection: &mut Connection) -> Result<Contents, Unsound> {
    let contents = contents(connection).await?;
    if let Connection::Sqlite(_) = connection {
        sound(&statement("PRAGMA integrity_check(3)").scalars(&mut *connection).await?)?;
    }
    for (query, fault) in FAULTS {
        let id: Option<String> = statement(query).optional_scalar(&mut *connection).await?;
        if let Some(id) = id {
            return Err(Unsound::Damaged(format!("the match {id} {fault}")));
        }
    }
    Ok(contents)
}

/// Returns the schema version of a database, or an error if this version of Overmate does not know the schema.
pub(crate) async fn schema(connection: &mut Connection) -> Result<i64, Unsound> {
    let tables: i64 = statement(TABLES).scalar(&mut *connection).await?;
    if tables != 4 {
        return Err(Unsound::Foreign);
    }
    let schema: Option<i64> = statement("SELECT max(version) FROM _sqlx_migrations WHERE success")
        .scalar(&mut *connection)
        .await?;
    let found = schema.ok_or(Unsound::Foreign)?;
    let known = latest_schema();
    if found > known { Err(Unsound::Later { found, known }) } else { Ok(found) }
}

/// Checks that a database has the current schema version.
pub(crate) async fn check_schema(connection: &mut Connection) -> Result<(), Unsound> {
    let found = schema(connection).await?;
    let known = latest_schema();
    if found == known { Ok(()) } else { Err(Unsound::Earlier { found, known }) }
}

/// Returns the schema version and the row counts of a database. Returns an error if this version of Overmate does not know the
/// schema.
pub(crate) async fn contents(connection: &mut Connection) -> Result<Contents, Unsound> {
    let schema = schema(connection).await?;
    let matches: i64 = statement("SELECT count(*) FROM matches").scalar(&mut *connection).await?;
    // A log has no gaps, so that its last sequence number is the number of its entries, folded or not.
    let entries: i64 = statement(
        "SELECT CAST(coalesce(sum(last), 0) AS BIGINT) FROM (SELECT max(sequence) AS last FROM log GROUP BY match_id) AS logs",
    )
    .scalar(&mut *connection)
    .await?;
    Ok(Contents { schema, matches: matches.cast_unsigned(), entries: entries.cast_unsigned() })
}

/// Returns the latest schema version that this version of Overmate knows.
pub(crate) fn latest_schema() -> i64 {
    MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or_default()
}
