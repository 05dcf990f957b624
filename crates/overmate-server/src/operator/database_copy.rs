//! Copies the data of a server to another database. A copy from SQLite to PostgreSQL, or back, is
//! one transaction of the target.

use std::fs;
use std::io;
use std::path::PathBuf;

use super::backup;
use crate::data_folder::{self, LockedFolder, NoDatabase, Use};
use crate::database::Database;
use crate::store::connection::inspect::{self, Contents, Unsound};
use crate::store::connection::sql::Connection;
use crate::store::connection::{postgres, sqlite};
use crate::store::copy::{self, CopiedTable, CopyFault};

/// PostgreSQL application name of the sessions of the command `overmate database copy`.
const APPLICATION: &str = "overmate database copy";

/// Result of a database copy whose rows were compared with the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Copied {
    /// Schema version and row counts, which are equal in the source and the target database.
    pub contents: Contents,
    /// Tables whose rows were copied, in the order in which they were copied.
    pub tables: Vec<CopiedTable>,
}

/// Reason why a database was not copied. The target is unchanged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CopyError {
    /// The source and the target are the same database.
    #[error("the database {0} is both the source and the target: name another target")]
    Same(Database),
    /// The data folder has no database that this process can use.
    #[error(transparent)]
    NoDatabase(#[from] NoDatabase),
    /// A server or another command of Overmate uses the data folder at the given path.
    #[error("{}", data_folder::in_use(.0))]
    InUse(PathBuf),
    /// Servers or operators' commands are connected to the source or the target database.
    #[error(
        "servers or other commands of Overmate are using the database {database} with {sessions} sessions: stop the servers, or wait until the commands have ended"
    )]
    Sessions {
        /// Database that servers or operators' commands are still using: the source or the target of a database copy.
        database: Database,
        /// Number of sessions that servers and operators' commands have open with the database.
        sessions: i64,
    },
    /// The target database already contains rows.
    #[error(
        "the target {database} holds data already, in the table `{table}`: name an empty database"
    )]
    HoldsData {
        /// Target database, into which the rows are copied.
        database: Database,
        /// Name of the first table with rows in the target database of the copy, which must be empty.
        table: &'static str,
    },
    /// The source database is damaged, or has the schema of another version.
    #[error("the source {database} cannot be copied")]
    Source {
        /// Source database, whose rows are copied.
        database: Database,
        /// Reason why the source database is not usable.
        source: Unsound,
    },
    /// The target database is not writable, or has the schema of another version.
    #[error("the target {database} cannot be written")]
    Target {
        /// Target database, into which the rows are copied.
        database: Database,
        /// Reason why the target database is not usable.
        source: Unsound,
    },
    /// The copied rows differ from the source rows.
    #[error(
        "the copied rows of the table `{0}` differ from the rows of the source: copy the database again; the target is unchanged"
    )]
    Differs(&'static str),
    /// The data folder of the source or target database cannot be locked, or the target's data folder cannot be written.
    #[error("cannot lock or write the data folder {}", folder.display())]
    Folder {
        /// Data folder of the source or the target database.
        folder: PathBuf,
        /// Error from the operating system.
        source: io::Error,
    },
}

/// Copies a database into an empty database, and compares all rows before the commit. No server may
/// use either database. The function reports its progress to `tell`: the number of processed rows,
/// and the total number. Each row counts twice, for the copy and for the comparison.
///
/// # Errors
///
/// Returns [`CopyError`] if a server uses one of the databases, if the target has data, if the
/// source is damaged or has another schema than this version, or if a database cannot be read or
/// written. The target is then unchanged, also if the future is dropped.
pub async fn copy_database(
    from: &Database,
    to: &Database,
    tell: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<Copied, CopyError> {
    if is_same(from, to) {
        return Err(CopyError::Same(from.clone()));
    }
    let fault = |fault| match fault {
        CopyFault::Source(source) => CopyError::Source { database: from.clone(), source },
        CopyFault::Target(source) => CopyError::Target { database: to.clone(), source },
        CopyFault::HoldsData(table) => CopyError::HoldsData { database: to.clone(), table },
        CopyFault::Differs(table) => CopyError::Differs(table),
        CopyFault::SourceInUse(sessions) => {
            CopyError::Sessions { database: from.clone(), sessions }
        }
        CopyFault::TargetInUse(sessions) => CopyError::Sessions { database: to.clone(), sessions },
    };
    let unreadable = |error: sqlx::Error| fault(CopyFault::Source(error.into()));
    let unwritable = |error: sqlx::Error| fault(CopyFault::Target(error.into()));
    let _lock = match from {
        Database::Sqlite(folder) => {
            data_folder::existing_database(folder)?;
            let failed = |source| CopyError::Folder { folder: folder.clone(), source };
            let lock = data_folder::lock(folder, Use::Replace).map_err(failed)?;
            Some(lock.ok_or_else(|| CopyError::InUse(folder.clone()))?)
        }
        Database::Postgres(_) => None,
    };
    let source = inspect::connect_for_all(from, APPLICATION).await;
    let mut source = source.map_err(unreadable)?;
    copy::begin_source(&mut source).await.map_err(fault)?;
    match to {
        Database::Postgres(address) => {
            let connection = postgres::connect_for_all(address, APPLICATION).await;
            let connection = connection.map_err(unwritable)?;
            let mut target = copy::begin_target(connection).await.map_err(fault)?;
            let copied = copy::copy(&mut source, &mut target, tell).await.map_err(fault)?;
            target.commit().await.map_err(unwritable)?;
            // An error while disconnecting from the target database is ignored, because the copied rows are already committed.
            let _ = target.close().await;
            Ok(Copied { contents: copied.0, tables: copied.1 })
        }
        Database::Sqlite(folder) => {
            let failed = |source| CopyError::Folder { folder: folder.clone(), source };
            let locked = LockedFolder::create(folder).map_err(failed)?;
            let _locked = locked.ok_or_else(|| CopyError::InUse(folder.clone()))?;
            let file = data_folder::database(folder);
            let exists = file.exists();
            if exists {
                let mut old = inspect::connect(&file).await.map_err(unwritable)?;
                copy::check_empty(&mut old).await.map_err(fault)?;
                old.close().await.map_err(unwritable)?;
            }
            let new = data_folder::new_file(folder).map_err(failed)?;
            let target = sqlite::create(new.path()).await.map_err(unwritable)?;
            let mut target = Connection::Sqlite(target);
            target.begin().await.map_err(unwritable)?;
            let copied = copy::copy(&mut source, &mut target, tell).await.map_err(fault)?;
            target.commit().await.map_err(unwritable)?;
            target.close().await.map_err(unwritable)?;
            data_folder::give_to_owner(new.as_file(), folder).map_err(failed)?;
            if exists {
                backup::end_old(&file).await.map_err(failed)?;
            }
            data_folder::place(new, &file, exists).map_err(failed)?;
            Ok(Copied { contents: copied.0, tables: copied.1 })
        }
    }
}

/// Returns whether two addresses name the same database. If two addresses of one PostgreSQL database differ, the copy fails
/// later, because its target has data.
fn is_same(from: &Database, to: &Database) -> bool {
    match (from, to) {
        (Database::Sqlite(from), Database::Sqlite(to)) => {
            let [from, to] = [from, to].map(fs::canonicalize);
            from.is_ok_and(|from| to.is_ok_and(|to| from == to))
        }
        (Database::Postgres(from), Database::Postgres(to)) => from.to_string() == to.to_string(),
        _ => false,
    }
}
