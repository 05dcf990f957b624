//! Executes SQL statements on SQLite and PostgreSQL, with one statement text where the SQL dialects agree.
//!
//! Parameters are written as `$1`, which both databases accept. Where the dialects differ, a
//! statement has one text for each database.

#[cfg(test)]
use std::panic::Location;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::stream::{BoxStream, StreamExt as _};
use serde_json::json;
use sqlx::postgres::{PgArguments, PgConnection, PgRow};
use sqlx::query::Query;
use sqlx::sqlite::{SqliteArguments, SqliteConnection, SqliteRow};
use sqlx::{Connection as _, Decode, Error, Postgres, Row as _, Sqlite, Type};

use super::connection_pool::ConnectionPool;
#[cfg(test)]
use super::statement_coverage;
use crate::store::interface::holder::Holder;

/// Timeout of a PostgreSQL read or transaction. Without this timeout, a server would wait forever for an answer that the network lost.
///
/// This limit is longer than the time limits of a session. PostgreSQL therefore ends a long statement first, with a more precise error.
pub(crate) const POSTGRES_PATIENCE: Duration = Duration::from_secs(40);

/// Maximum time for which a stopping server waits for its running PostgreSQL reads, and then for its last writes.
const CLOSE_TIME: Duration = Duration::from_secs(2);

/// Text of an SQL statement for SQLite and PostgreSQL.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sql {
    /// SQL text for both SQLite and PostgreSQL.
    Both(&'static str),
    /// Separate SQL texts for SQLite and PostgreSQL, with the same meaning.
    Each { sqlite: &'static str, postgres: &'static str },
}

impl From<&'static str> for Sql {
    fn from(text: &'static str) -> Self {
        Self::Both(text)
    }
}

/// Builds the texts of an SQL statement for SQLite and for PostgreSQL from a list of parts.
///
/// `NOW` stands for the time of the database in milliseconds since 1970, and `BEGUN` for the beginning of the transaction. In
/// PostgreSQL, `SKIP_LOCKED` locks the selected rows, and skips rows that other transactions have locked.
macro_rules! sql {
    (@sqlite NOW) => {
        "CAST(unixepoch('subsec') * 1000 AS INTEGER)"
    };
    (@postgres NOW) => {
        "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)"
    };
    (@sqlite BEGUN) => {
        "CAST(unixepoch('subsec') * 1000 AS INTEGER)"
    };
    (@postgres BEGUN) => {
        "CAST(extract(epoch FROM transaction_timestamp()) * 1000 AS BIGINT)"
    };
    (@sqlite SKIP_LOCKED) => {
        ""
    };
    (@postgres SKIP_LOCKED) => {
        " FOR UPDATE SKIP LOCKED"
    };
    (@$dialect:ident $text:literal) => {
        $text
    };
    ($($part:tt),+) => {
        $crate::store::connection::sql::Sql::Each {
            sqlite: concat!($(sql!(@sqlite $part)),+),
            postgres: concat!($(sql!(@postgres $part)),+),
        }
    };
}
pub(crate) use sql;

/// Value of an SQL parameter.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Text(Option<String>),
    Integer(Option<i64>),
    Bytes(Option<Vec<u8>>),
    Real(f64),
    Flag(bool),
    /// List of texts, bound as an array in PostgreSQL and as a JSON text in SQLite.
    Texts(Vec<String>),
    /// List of integers, bound as an array in PostgreSQL and as a JSON text in SQLite.
    Integers(Vec<i64>),
}

/// Implements the conversion of a Rust type to an SQL parameter.
macro_rules! value {
    ($($from:ty: $value:ident => $to:expr;)*) => {
        $(impl From<$from> for Value {
            fn from($value: $from) -> Self {
                $to
            }
        })*
    };
}

value! {
    &str: text => Self::Text(Some(text.to_owned()));
    &String: text => Self::Text(Some(text.clone()));
    String: text => Self::Text(Some(text));
    Option<&str>: text => Self::Text(text.map(str::to_owned));
    Option<String>: text => Self::Text(text);
    i64: number => Self::Integer(Some(number));
    u32: number => Self::Integer(Some(number.into()));
    Option<i64>: number => Self::Integer(number);
    f64: number => Self::Real(number);
    bool: flag => Self::Flag(flag);
    Holder: holder => Self::Bytes(Some(holder.0.to_vec()));
    Option<Holder>: holder => Self::Bytes(holder.map(|holder| holder.0.to_vec()));
    &[u8]: bytes => Self::Bytes(Some(bytes.to_vec()));
    Vec<String>: texts => Self::Texts(texts);
    Vec<i64>: numbers => Self::Integers(numbers);
}

/// SQL statement with its bound parameters.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    sql: Sql,
    values: Vec<Value>,
    /// Source location of the SQL statement, by which a test lists the statements that were never executed.
    #[cfg(test)]
    place: &'static Location<'static>,
}

/// Creates an SQL statement to which no parameters are bound yet.
#[cfg_attr(test, track_caller)]
pub(crate) fn statement(sql: impl Into<Sql>) -> Statement {
    Statement {
        sql: sql.into(),
        values: Vec::new(),
        #[cfg(test)]
        place: Location::caller(),
    }
}

impl Statement {
    /// Binds the next parameter of the SQL statement.
    pub(crate) fn bind(mut self, value: impl Into<Value>) -> Self {
        self.values.push(value.into());
        self
    }

    /// Executes the SQL statement, and returns the number of changed rows.
    pub(crate) async fn execute(self, on: impl Into<On<'_>>) -> Result<u64, Error> {
        Ok(match on.into() {
            On::Pool(Pool::Sqlite(pool)) => {
                pool.run(|lent| self.sqlite().execute(lent).boxed()).await?.rows_affected()
            }
            On::Pool(Pool::Postgres(pool)) => {
                pool.run(|lent| self.postgres().execute(lent).boxed()).await?.rows_affected()
            }
            On::Sqlite(connection) => self.sqlite().execute(connection).await?.rows_affected(),
            On::Postgres(connection) => self.postgres().execute(connection).await?.rows_affected(),
        })
    }

    /// Executes the SQL statement, and returns all rows of the result.
    pub(crate) async fn rows(self, on: impl Into<On<'_>>) -> Result<Vec<Row>, Error> {
        let sqlite = |rows: Vec<_>| rows.into_iter().map(Row::Sqlite).collect();
        let postgres = |rows: Vec<_>| rows.into_iter().map(Row::Postgres).collect();
        Ok(match on.into() {
            On::Pool(Pool::Sqlite(pool)) => {
                sqlite(pool.run(|lent| self.sqlite().fetch_all(lent).boxed()).await?)
            }
            On::Pool(Pool::Postgres(pool)) => {
                postgres(pool.run(|lent| self.postgres().fetch_all(lent).boxed()).await?)
            }
            On::Sqlite(connection) => sqlite(self.sqlite().fetch_all(connection).await?),
            On::Postgres(connection) => postgres(self.postgres().fetch_all(connection).await?),
        })
    }

    /// Executes the SQL statement, and returns the first row of the result, or `None` for an empty result.
    pub(crate) async fn row(self, on: impl Into<On<'_>>) -> Result<Option<Row>, Error> {
        Ok(match on.into() {
            On::Pool(Pool::Sqlite(pool)) => {
                let read = pool.run(|lent| self.sqlite().fetch_optional(lent).boxed());
                read.await?.map(Row::Sqlite)
            }
            On::Pool(Pool::Postgres(pool)) => {
                let read = pool.run(|lent| self.postgres().fetch_optional(lent).boxed());
                read.await?.map(Row::Postgres)
            }
            On::Sqlite(connection) => {
                self.sqlite().fetch_optional(connection).await?.map(Row::Sqlite)
            }
            On::Postgres(connection) => {
                self.postgres().fetch_optional(connection).await?.map(Row::Postgres)
            }
        })
    }

    /// Executes the SQL statement, and streams the rows of the result.
    pub(crate) fn stream(self, connection: &mut Connection) -> BoxStream<'_, Result<Row, Error>> {
        match connection {
            Connection::Sqlite(connection) => {
                self.sqlite().fetch(connection).map(|row| row.map(Row::Sqlite)).boxed()
            }
            Connection::Postgres(connection) => {
                self.postgres().fetch(connection).map(|row| row.map(Row::Postgres)).boxed()
            }
        }
    }

    /// Executes the SQL statement, and returns the first column of the first row of the result.
    ///
    /// # Errors
    ///
    /// Returns [`Error::RowNotFound`] if the result has no row.
    pub(crate) async fn scalar<T: Column>(self, on: impl Into<On<'_>>) -> Result<T, Error> {
        self.optional_scalar(on).await?.ok_or(Error::RowNotFound)
    }

    /// Executes the SQL statement, and returns the first column of the first row, or `None` for an empty result.
    pub(crate) async fn optional_scalar<T: Column>(
        self,
        on: impl Into<On<'_>>,
    ) -> Result<Option<T>, Error> {
        self.row(on).await?.as_ref().map(Row::first).transpose()
    }

    /// Executes the SQL statement, and returns the first column of all rows of the result.
    pub(crate) async fn scalars<T: Column>(self, on: impl Into<On<'_>>) -> Result<Vec<T>, Error> {
        self.rows(on).await?.iter().map(Row::first).collect()
    }

    fn sqlite(&self) -> Query<'static, Sqlite, SqliteArguments> {
        let (Sql::Both(text) | Sql::Each { sqlite: text, .. }) = self.sql;
        self.values.iter().cloned().fold(sqlx::query(text), |query, value| match value {
            Value::Text(text) => query.bind(text),
            Value::Integer(number) => query.bind(number),
            Value::Bytes(bytes) => query.bind(bytes),
            Value::Real(number) => query.bind(number),
            Value::Flag(flag) => query.bind(flag),
            Value::Texts(texts) => query.bind(json!(texts).to_string()),
            Value::Integers(numbers) => query.bind(json!(numbers).to_string()),
        })
    }

    fn postgres(&self) -> Query<'static, Postgres, PgArguments> {
        #[cfg(test)]
        statement_coverage::record(self.place);
        let (Sql::Both(text) | Sql::Each { postgres: text, .. }) = self.sql;
        self.values.iter().cloned().fold(sqlx::query(text), |query, value| match value {
            Value::Text(text) => query.bind(text),
            Value::Integer(number) => query.bind(number),
            Value::Bytes(bytes) => query.bind(bytes),
            Value::Real(number) => query.bind(number),
            Value::Flag(flag) => query.bind(flag),
            Value::Texts(texts) => query.bind(texts),
            Value::Integers(numbers) => query.bind(numbers),
        })
    }
}

/// Rust type to which a column of a query result can be converted, in SQLite and PostgreSQL.
pub(crate) trait Column:
    for<'r> Decode<'r, Sqlite> + Type<Sqlite> + for<'r> Decode<'r, Postgres> + Type<Postgres>
{
}

impl<T> Column for T where
    T: for<'r> Decode<'r, Sqlite> + Type<Sqlite> + for<'r> Decode<'r, Postgres> + Type<Postgres>
{
}

/// Row of an SQL query result.
pub(crate) enum Row {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

impl Row {
    /// Returns the value of a row's column with a given name.
    pub(crate) fn get<T: Column>(&self, name: &str) -> Result<T, Error> {
        match self {
            Self::Sqlite(row) => row.try_get(name),
            Self::Postgres(row) => row.try_get(name),
        }
    }

    /// Returns the value of a row's column with a given index, from 0.
    pub(crate) fn at<T: Column>(&self, index: usize) -> Result<T, Error> {
        match self {
            Self::Sqlite(row) => row.try_get(index),
            Self::Postgres(row) => row.try_get(index),
        }
    }

    /// Returns the value of the first column of a row.
    fn first<T: Column>(&self) -> Result<T, Error> {
        self.at(0)
    }
}

/// Connection to an SQLite or PostgreSQL database.
#[derive(Debug)]
pub(crate) enum Connection {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

impl Connection {
    /// Takes the PostgreSQL advisory lock with a given key until the end of the transaction. In SQLite, the transaction itself
    /// keeps other writers away.
    pub(crate) async fn lock(&mut self, key: i64) -> Result<(), Error> {
        if let Self::Sqlite(_) = self {
            return Ok(());
        }
        statement("SELECT pg_advisory_xact_lock($1)").bind(key).execute(self).await.map(drop)
    }

    /// Begins a database transaction for writes. In SQLite, no other connection can write until the transaction ends.
    pub(crate) async fn begin(&mut self) -> Result<(), Error> {
        let begin = Sql::Each { sqlite: "BEGIN IMMEDIATE", postgres: "BEGIN" };
        statement(begin).execute(self).await.map(drop)
    }

    /// Commits the current database transaction.
    pub(crate) async fn commit(&mut self) -> Result<(), Error> {
        statement("COMMIT").execute(self).await.map(drop)
    }

    /// Commits the current database transaction if `done` is a success, or rolls the transaction back if `done` is an error.
    pub(crate) async fn end<T, E: From<Error>>(&mut self, done: Result<T, E>) -> Result<T, E> {
        match done {
            Ok(done) => {
                self.commit().await?;
                Ok(done)
            }
            Err(error) => {
                // The caller gets the error of the failed operation, even if the rollback also fails. The first error is more informative.
                let _ = self.roll_back().await;
                Err(error)
            }
        }
    }

    /// Rolls back the current database transaction.
    pub(crate) async fn roll_back(&mut self) -> Result<(), Error> {
        statement("ROLLBACK").execute(self).await.map(drop)
    }

    /// Closes the database connection.
    pub(crate) async fn close(self) -> Result<(), Error> {
        match self {
            Self::Sqlite(connection) => connection.close().await,
            Self::Postgres(connection) => connection.close().await,
        }
    }
}

/// Pool of read connections to a database.
#[derive(Clone)]
pub(crate) enum Pool {
    Sqlite(ConnectionPool<Sqlite>),
    Postgres(ConnectionPool<Postgres>),
}

impl Pool {
    /// Closes the connections of the pool after the running reads have ended, or after the [closing time](Self::close_time).
    pub(crate) async fn close(&self) {
        let time = self.close_time();
        match self {
            Self::Sqlite(pool) => pool.close(time).await,
            Self::Postgres(pool) => pool.close(time).await,
        }
    }

    /// Returns the maximum time for which a stopping server waits for the database. The wait for PostgreSQL is short, because PostgreSQL
    /// might never answer.
    pub(crate) fn close_time(&self) -> Duration {
        match self {
            Self::Sqlite(_) => Duration::MAX,
            Self::Postgres(_) => CLOSE_TIME,
        }
    }
}

/// Target on which an SQL statement is executed: a pool or a connection.
pub(crate) enum On<'a> {
    Pool(&'a Pool),
    Sqlite(&'a mut SqliteConnection),
    Postgres(&'a mut PgConnection),
}

impl<'a> From<&'a Pool> for On<'a> {
    fn from(pool: &'a Pool) -> Self {
        Self::Pool(pool)
    }
}

impl<'a> From<&'a mut Connection> for On<'a> {
    fn from(connection: &'a mut Connection) -> Self {
        match connection {
            Connection::Sqlite(connection) => Self::Sqlite(connection),
            Connection::Postgres(connection) => Self::Postgres(connection),
        }
    }
}
