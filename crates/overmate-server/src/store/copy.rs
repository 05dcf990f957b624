//! Copies all rows of a database into an empty database, and compares the rows of both databases.

use std::fmt::Write as _;
use std::time::Duration;

use futures_util::TryStreamExt as _;
use sha2::{Digest as _, Sha256};
use sqlx::postgres::PgConnection;
use sqlx::{Connection as _, Error};

use super::connection::inspect::{self, Contents, Unsound};
use super::connection::postgres;
use super::connection::sql::{Connection, On, Value, statement};
use super::tables::{TABLES, Table};

/// Maximum number of checks whether other sessions still use the source or target database of a copy. If the last check still finds
/// sessions, the copy is refused.
const SESSION_CHECKS: u32 = 30;
const SESSION_PAUSE: Duration = Duration::from_millis(100);

/// Number of bytes in one `COPY` message to PostgreSQL.
const CHUNK: usize = 64 * 1_024;

/// Number of written or compared rows between two progress reports of a database copy.
const STEP: u64 = 1_000;

/// Tables that contain rows even in the database of a new server, with the SQL statements that empty these tables.
const WITHOUT_DATA: [(&str, &str); 4] = [
    ("secrets", "DELETE FROM secrets"),
    ("leases", "DELETE FROM leases"),
    ("beats", "DELETE FROM beats"),
    ("versions", "DELETE FROM versions"),
];

/// Name of a copied database table, with the number and the digest of its rows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CopiedTable {
    /// Name of the copied table.
    pub name: &'static str,
    /// Number of copied rows in the table.
    pub rows: u64,
    /// Digest of all rows of the copied table, in 32 hexadecimal digits.
    pub digest: String,
}

/// Reason why a database could not be copied.
#[derive(Debug)]
pub(crate) enum CopyFault {
    /// The database from which the rows are to be copied cannot be read, or is damaged.
    Source(Unsound),
    /// The database to which the rows are to be copied cannot be written, or is damaged.
    Target(Unsound),
    /// A table of the target database already contains rows.
    HoldsData(&'static str),
    /// The rows of a table differ between the source and the target database.
    Differs(&'static str),
    /// Servers, or commands of operators, are connected to the database from which the rows are to be copied. The number counts their
    /// sessions.
    SourceInUse(i64),
    /// Servers, or commands of operators, are connected to the database to which the rows are to be copied. The number counts their
    /// sessions.
    TargetInUse(i64),
}

fn source(error: impl Into<Unsound>) -> CopyFault {
    CopyFault::Source(error.into())
}

fn target(error: impl Into<Unsound>) -> CopyFault {
    CopyFault::Target(error.into())
}

/// Counter of processed rows, which reports the progress of a database copy. Each row counts twice: for writing and
/// for the comparison.
struct Progress<'a> {
    tell: &'a mut (dyn FnMut(u64, u64) + Send),
    done: u64,
    total: u64,
}

impl Progress<'_> {
    fn add_row(&mut self) {
        self.done += 1;
        if self.done.is_multiple_of(STEP) || self.done == self.total {
            (self.tell)(self.done, self.total);
        }
    }
}

/// Digest of a database table: the number of rows, and the sum of the row hashes. The sum does not depend on the order of the rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Digest {
    rows: u64,
    sum: u128,
}

impl Digest {
    fn add(&mut self, values: &[Value]) {
        let mut hash = Sha256::new();
        for value in values {
            // A type tag and the length precede each value in the input of the hash, so that different rows never give the same input.
            let mut feed = |tag: u8, bytes: &[u8]| {
                hash.update([tag]);
                hash.update((bytes.len() as u64).to_le_bytes());
                hash.update(bytes);
            };
            match value {
                Value::Text(None) | Value::Integer(None) | Value::Bytes(None) => feed(0, &[]),
                Value::Text(Some(text)) => feed(1, text.as_bytes()),
                Value::Integer(Some(number)) => feed(2, &number.to_le_bytes()),
                Value::Bytes(Some(bytes)) => feed(3, bytes),
                Value::Real(number) => feed(4, &number.to_bits().to_le_bytes()),
                Value::Flag(flag) => feed(5, &[u8::from(*flag)]),
                Value::Texts(_) | Value::Integers(_) => {
                    unreachable!("no column holds a list")
                }
            }
        }
        let hash: [u8; 32] = hash.finalize().into();
        let (half, _) = hash.split_first_chunk().expect("a hash has 32 bytes");
        self.sum = self.sum.wrapping_add(u128::from_be_bytes(*half));
        self.rows += 1;
    }
}

/// Returns the number of sessions of servers and operators' commands in a PostgreSQL database, or 0 for SQLite.
///
/// The folder of an SQLite database has a lock instead. On PostgreSQL, the function waits some seconds for the sessions of a
/// server that just stopped, because PostgreSQL ends such sessions a little later.
async fn sessions(connection: &mut Connection) -> Result<i64, Error> {
    if let Connection::Sqlite(_) = connection {
        return Ok(0);
    }
    let mut sessions = 0;
    for _ in 0..SESSION_CHECKS {
        // Within a transaction, PostgreSQL shows the same list of sessions in `pg_stat_activity` until `pg_stat_clear_snapshot` discards
        // the list.
        statement("SELECT pg_stat_clear_snapshot()").execute(&mut *connection).await?;
        let query = statement(
            "SELECT count(*) FROM pg_stat_activity
             WHERE datname = current_database() AND application_name = $1 AND pid != pg_backend_pid()",
        );
        sessions = query.bind(postgres::APPLICATION).scalar(&mut *connection).await?;
        if sessions == 0 {
            break;
        }
        tokio::time::sleep(SESSION_PAUSE).await;
    }
    Ok(sessions)
}

/// Checks that no server and no operator's command has a session in the database of `connection`, apart from `connection` itself.
/// `unreadable` converts the error of a failed check, and `in_use` converts the number of found sessions.
async fn check_unused(
    connection: &mut Connection,
    unreadable: fn(Error) -> CopyFault,
    in_use: fn(i64) -> CopyFault,
) -> Result<(), CopyFault> {
    match sessions(connection).await.map_err(unreadable)? {
        0 => Ok(()),
        sessions => Err(in_use(sessions)),
    }
}

/// Begins a transaction on the database from which all rows are to be copied. The transaction shows one state of all tables, and prevents
/// writes. No server may use the database.
pub(crate) async fn begin_source(connection: &mut Connection) -> Result<(), CopyFault> {
    check_unused(connection, source, CopyFault::SourceInUse).await?;
    inspect::check_schema(connection).await.map_err(CopyFault::Source)?;
    match connection {
        Connection::Sqlite(_) => connection.begin().await.map_err(source),
        Connection::Postgres(_) => {
            // The first query after `BEGIN` fixes the state of the database that the transaction sees. The locks wait for running writes,
            // and do not count as queries.
            let begin = statement("BEGIN ISOLATION LEVEL REPEATABLE READ");
            begin.execute(&mut *connection).await.map_err(source)?;
            lock_all(connection).await.map_err(source)?;
            // A server may have connected to the source database since the first check for other sessions.
            check_unused(connection, source, CopyFault::SourceInUse).await
        }
    }
}

/// Begins a transaction on the target database of a copy, and creates missing tables in this transaction. No server may use the
/// database.
pub(crate) async fn begin_target(connection: PgConnection) -> Result<Connection, CopyFault> {
    let mut connection = Connection::Postgres(connection);
    check_unused(&mut connection, target, CopyFault::TargetInUse).await?;
    let Connection::Postgres(session) = &mut connection else {
        unreachable!("the connection was made above")
    };
    // The library `sqlx` begins the transaction, so that `sqlx` runs each schema migration in a savepoint of this transaction. Without
    // `forget`, the drop of the transaction handle would roll the transaction back.
    std::mem::forget(session.begin().await.map_err(target)?);
    let is_new: bool = statement("SELECT to_regclass('_sqlx_migrations') IS NULL")
        .scalar(On::Postgres(&mut *session))
        .await
        .map_err(target)?;
    if is_new {
        let foreign: bool = statement(
            "SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_tables
             WHERE schemaname = ANY(current_schemas(FALSE)) AND tablename = 'matches')",
        )
        .scalar(On::Postgres(&mut *session))
        .await
        .map_err(target)?;
        if foreign {
            return Err(CopyFault::Target(Unsound::Foreign));
        }
        let migrated = postgres::MIGRATIONS.run(&mut *session).await;
        migrated.map_err(|error| target(Error::from(error)))?;
    }
    inspect::check_schema(&mut connection).await.map_err(CopyFault::Target)?;
    // A server may have written to the target database of the copy before this function locks the database's tables. The function therefore
    // checks under the lock that the target database is unused and contains no data.
    lock_all(&mut connection).await.map_err(target)?;
    check_unused(&mut connection, target, CopyFault::TargetInUse).await?;
    check_empty(&mut connection).await?;
    Ok(connection)
}

/// Locks all tables of a PostgreSQL database against writes by other connections, until the end of the transaction.
async fn lock_all(connection: &mut Connection) -> Result<(), Error> {
    for table in &TABLES {
        statement(table.lock).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Checks that a database has the current schema version and that its tables contain no data yet.
pub(crate) async fn check_empty(connection: &mut Connection) -> Result<(), CopyFault> {
    inspect::check_schema(connection).await.map_err(CopyFault::Target)?;
    for table in &TABLES {
        let has_data = WITHOUT_DATA.iter().all(|(name, _)| *name != table.name);
        if has_data && has_rows(connection, table).await.map_err(target)? {
            return Err(CopyFault::HoldsData(table.name));
        }
    }
    Ok(())
}

/// Returns whether a table contains a row. SQLite returns the truth value as an integer.
async fn has_rows(connection: &mut Connection, table: &Table) -> Result<bool, Error> {
    statement(table.has_rows).scalar(connection).await
}

/// Copies all rows of a source database to a target database, and compares the rows of both databases. The caller
/// commits the transaction on the target database.
pub(crate) async fn copy(
    from: &mut Connection,
    to: &mut Connection,
    tell: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<(Contents, Vec<CopiedTable>), CopyFault> {
    let contents = inspect::inspect(from).await.map_err(CopyFault::Source)?;
    let mut total = 0;
    for table in &TABLES {
        let rows: i64 = statement(table.count).scalar(&mut *from).await.map_err(source)?;
        total += 2 * rows.cast_unsigned();
    }
    let mut progress = Progress { tell, done: 0, total };
    for (_, delete) in WITHOUT_DATA {
        statement(delete).execute(&mut *to).await.map_err(target)?;
    }
    let mut copied = Vec::with_capacity(TABLES.len());
    for table in &TABLES {
        copied.push(match to {
            Connection::Sqlite(_) => fill(from, to, table, &mut progress).await?,
            Connection::Postgres(to) => stream(from, to, table, &mut progress).await?,
        });
    }
    count_on(to).await.map_err(target)?;
    let mut tables = Vec::with_capacity(TABLES.len());
    for (table, from) in TABLES.iter().zip(copied) {
        if digest(to, table, &mut progress).await.map_err(target)? != from {
            return Err(CopyFault::Differs(table.name));
        }
        let digest = format!("{:032x}", from.sum);
        tables.push(CopiedTable { name: table.name, rows: from.rows, digest });
    }
    inspect::inspect(to).await.map_err(CopyFault::Target)?;
    Ok((contents, tables))
}

/// Fills an SQLite table with rows, one by one.
async fn fill(
    from: &mut Connection,
    to: &mut Connection,
    table: &Table,
    progress: &mut Progress<'_>,
) -> Result<Digest, CopyFault> {
    let mut digest = Digest::default();
    let mut rows = statement(table.select).stream(from);
    while let Some(row) = rows.try_next().await.map_err(source)? {
        let values = table.values(&row).map_err(source)?;
        digest.add(&values);
        let insert = values.into_iter().fold(statement(table.insert), |insert, value| {
            // The values of a row stand in the order of the table's columns.
            insert.bind(value)
        });
        insert.execute(&mut *to).await.map_err(target)?;
        progress.add_row();
    }
    Ok(digest)
}

/// Fills a PostgreSQL table with a stream of rows.
async fn stream(
    from: &mut Connection,
    to: &mut PgConnection,
    table: &Table,
    progress: &mut Progress<'_>,
) -> Result<Digest, CopyFault> {
    let mut digest = Digest::default();
    let mut writer = to.copy_in_raw(table.copy).await.map_err(target)?;
    let mut chunk = String::with_capacity(2 * CHUNK);
    let mut rows = statement(table.select).stream(from);
    while let Some(row) = rows.try_next().await.map_err(source)? {
        let values = table.values(&row).map_err(source)?;
        digest.add(&values);
        write_line(&mut chunk, &values);
        if chunk.len() > CHUNK {
            writer.send(chunk.as_bytes()).await.map_err(target)?;
            chunk.clear();
        }
        progress.add_row();
    }
    writer.send(chunk.as_bytes()).await.map_err(target)?;
    writer.finish().await.map_err(target)?;
    Ok(digest)
}

/// Formats a row for PostgreSQL's `COPY`: values separated by tabs, with escaped texts.
fn write_line(line: &mut String, values: &[Value]) {
    for (index, value) in values.iter().enumerate() {
        if index > 0 {
            line.push('\t');
        }
        // Writing into a string never fails.
        let _ = match value {
            Value::Text(None) | Value::Integer(None) | Value::Bytes(None) => write!(line, "\\N"),
            Value::Text(Some(text)) => {
                for character in text.chars() {
                    match character {
                        '\\' => line.push_str("\\\\"),
                        '\t' => line.push_str("\\t"),
                        '\n' => line.push_str("\\n"),
                        '\r' => line.push_str("\\r"),
                        _ => line.push(character),
                    }
                }
                Ok(())
            }
            Value::Integer(Some(number)) => write!(line, "{number}"),
            Value::Bytes(Some(bytes)) => {
                line.push_str("\\\\x");
                bytes.iter().try_for_each(|byte| write!(line, "{byte:02x}"))
            }
            // Rust writes the shortest decimal number that is read back as the same number.
            Value::Real(number) => write!(line, "{number:?}"),
            Value::Flag(flag) => write!(line, "{flag}"),
            Value::Texts(_) | Value::Integers(_) => unreachable!("no column holds a list"),
        };
    }
    line.push('\n');
}

/// Sets each of PostgreSQL's sequences, which number new rows, to the largest row number in the copied table. SQLite does this itself.
async fn count_on(connection: &mut Connection) -> Result<(), Error> {
    if let Connection::Sqlite(_) = connection {
        return Ok(());
    }
    for sql in [
        "SELECT setval(pg_get_serial_sequence('operator_acts', 'id'), max(id)) FROM operator_acts HAVING max(id) IS NOT NULL",
        "SELECT setval(pg_get_serial_sequence('puzzle_attempts', 'number'), max(number)) FROM puzzle_attempts HAVING max(number) IS NOT NULL",
    ] {
        statement(sql).execute(&mut *connection).await?;
    }
    Ok(())
}

async fn digest(
    connection: &mut Connection,
    table: &Table,
    progress: &mut Progress<'_>,
) -> Result<Digest, Error> {
    let mut digest = Digest::default();
    let mut rows = statement(table.select).stream(connection);
    while let Some(row) = rows.try_next().await? {
        digest.add(&table.values(&row)?);
        progress.add_row();
    }
    Ok(digest)
}
