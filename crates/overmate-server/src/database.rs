//! Defines the address of a server's database: a folder with an SQLite file, or a PostgreSQL
//! database.

use std::fmt::{self, Debug, Display, Formatter};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use sqlx::postgres::PgConnectOptions;

/// Database in which a server keeps its matches.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Database {
    /// Folder that contains an SQLite database file. A missing folder is created.
    Sqlite(PathBuf),
    /// Address of a PostgreSQL database, which several servers may share.
    Postgres(PostgresAddress),
}

/// Address of a PostgreSQL database, with user and password. The password never appears in formatted text.
#[derive(Clone)]
pub struct PostgresAddress(Box<PgConnectOptions>);

/// Parse error: the string is not the address of a database.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AddressFault {
    /// The database address does not begin with a known scheme, or names no folder.
    #[error(
        "the address of the database is not valid: write sqlite:DIR or postgres://USER@HOST/DATABASE"
    )]
    Scheme,
    /// The PostgreSQL address is incomplete or not valid.
    #[error("the address of PostgreSQL is not valid: write postgres://USER@HOST:PORT/DATABASE")]
    Postgres(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Database {
    /// Returns the folder of an SQLite database, or `None` for PostgreSQL.
    pub(crate) fn folder(&self) -> Option<&Path> {
        match self {
            Self::Sqlite(folder) => Some(folder),
            Self::Postgres(_) => None,
        }
    }
}

impl PostgresAddress {
    pub(crate) fn options(&self) -> &PgConnectOptions {
        &self.0
    }
}

impl From<PathBuf> for Database {
    fn from(folder: PathBuf) -> Self {
        Self::Sqlite(folder)
    }
}

impl FromStr for Database {
    type Err = AddressFault;

    /// Parses a database address in the form `sqlite:DIR` or `postgres://USER@HOST:PORT/DATABASE`. Missing parts of a PostgreSQL
    /// address come from the variables of `psql`, such as `PGPASSWORD`, and from `~/.pgpass`.
    fn from_str(text: &str) -> Result<Self, AddressFault> {
        if let Some(folder) = text.strip_prefix("sqlite:") {
            if folder.is_empty() {
                return Err(AddressFault::Scheme);
            }
            return Ok(Self::Sqlite(folder.into()));
        }
        if !text.starts_with("postgres://") && !text.starts_with("postgresql://") {
            return Err(AddressFault::Scheme);
        }
        let options: PgConnectOptions =
            text.parse().map_err(|error: sqlx::Error| AddressFault::Postgres(error.into()))?;
        Ok(Self::Postgres(PostgresAddress(Box::new(options))))
    }
}

impl Display for Database {
    /// Formats the PostgreSQL address without the password.
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(folder) => write!(formatter, "sqlite:{}", folder.display()),
            Self::Postgres(address) => Display::fmt(address, formatter),
        }
    }
}

impl Display for PostgresAddress {
    /// Formats the PostgreSQL address without the password.
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let options = &self.0;
        let user = options.get_username();
        let name = options.get_database().unwrap_or(user);
        if let Some(folder) = options.get_socket() {
            return write!(formatter, "postgres://{user}@/{name}?host={}", folder.display());
        }
        let (host, port) = (options.get_host(), options.get_port());
        write!(formatter, "postgres://{user}@{host}:{port}/{name}")
    }
}

impl Debug for PostgresAddress {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shown_address_has_no_password() {
        let database: Database =
            "postgres://anna:secret@db.example:5433/mate".parse().expect("an address");
        assert_eq!(format!("{database:?}"), "Postgres(postgres://anna@db.example:5433/mate)");
        let database: Database =
            "postgres://anna:secret@localhost/mate?host=/run/mate".parse().expect("an address");
        assert_eq!(format!("{database:?}"), "Postgres(postgres://anna@/mate?host=/run/mate)");
    }

    #[test]
    fn an_address_needs_a_known_scheme() {
        let folder: Database = "sqlite:/var/lib/overmate".parse().expect("an address");
        assert_eq!(folder.folder(), Some(Path::new("/var/lib/overmate")));
        let refused = ["", "sqlite:", "mysql://host/name", "/var/lib/overmate", "postgres:/host"];
        for text in refused {
            assert!(Database::from_str(text).is_err(), "{text}");
        }
        assert!(matches!(
            Database::from_str("postgres://host:port/mate"),
            Err(AddressFault::Postgres(_))
        ));
    }
}
