//! Writes and restores backups of the database. A backup is a consistent copy. The server may run while a backup is written, but
//! not during a restore.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::clock;
use crate::data_folder::{
    self, LockedFolder, NoDatabase, Target, TargetFault, folder_of, give_to_owner, new_file,
    sync_folder,
};
use crate::store::connection::inspect::{self, Contents, Unsound};
use crate::store::connection::sql::{Connection, statement};

/// Result of a successful backup or restore. The written file has been verified.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Backup {
    /// Path of the file that the backup or restore has written.
    pub file: PathBuf,
    /// Numbers of matches and log entries in the backup file.
    pub contents: Contents,
    /// Size of the backup file in bytes.
    pub bytes: u64,
}

/// Reason why a backup was not written or not restored. No existing file was changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BackupError {
    /// The data folder has no database that this process can use.
    #[error(transparent)]
    NoDatabase(#[from] NoDatabase),
    /// No backup file exists at the given path.
    #[error("there is no backup at {}: give the path of a backup file", .0.display())]
    NoBackup(PathBuf),
    /// The target file of the backup exists already, and the caller has not permitted its replacement.
    #[error("the file {} exists already: give --force to replace the file", .0.display())]
    Exists(PathBuf),
    /// The target file of the backup or restore may not be replaced, even with the caller's permission.
    #[error(transparent)]
    Target(#[from] TargetFault),
    /// The backup to restore is the database file itself.
    #[error("{} is the database file itself: choose another file for the backup", .0.display())]
    SameFile(PathBuf),
    /// The folder for the backup does not exist.
    #[error("the folder {} does not exist: create the folder, or choose another place for the backup", .0.display())]
    NoFolder(PathBuf),
    /// The path of the folder for the backup is not valid UTF-8. SQLite needs a path in UTF-8.
    #[error("the name of the folder {} is not UTF-8: choose another place for the backup", .0.display())]
    Name(PathBuf),
    /// The file given as a backup is incomplete, because a write-ahead log stands beside the file.
    #[error(
        "{} is the database of a server and not a backup, because a write-ahead log lies beside the file: make a backup with `overmate backup`",
        .0.display()
    )]
    Live(PathBuf),
    /// A server or another command of Overmate, such as a second restore, uses the data folder.
    #[error("{}", data_folder::in_use(.0))]
    InUse(PathBuf),
    /// The database file or backup file is damaged, or is not a database.
    #[error("the file {} cannot be used as a database of matches", file.display())]
    Unsound {
        /// Path of the unusable database file or backup file.
        file: PathBuf,
        /// Reason why the file is not usable as a database.
        source: Unsound,
    },
    /// The backup is incomplete: its schema version, or its number of matches or log entries, differs from that of the database. No process
    /// changed the database during the backup.
    #[error(
        "the backup is incomplete: the backup has schema version {}, {} matches and {} log entries, but the database has schema version {}, {} matches and {} log entries; make the backup again",
        copied.schema, copied.matches, copied.entries, stored.schema, stored.matches, stored.entries
    )]
    Incomplete {
        /// Numbers of matches and log entries in the backup.
        copied: Contents,
        /// Numbers of matches and log entries in the database.
        stored: Contents,
    },
    /// The target file of the backup or restore cannot be written.
    #[error("cannot write the copy of the database to {}", file.display())]
    Write {
        /// Path of the target file of the backup or restore.
        file: PathBuf,
        /// Error from the operating system or from SQLite.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl BackupError {
    /// Returns a function that wraps an error from the operating system or SQLite in a
    /// [`BackupError`].
    fn writing<E>(file: &Path) -> impl Fn(E) -> Self + Copy
    where
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        move |source| Self::Write { file: file.to_owned(), source: source.into() }
    }
}

/// Writes a consistent and verified copy of a data folder's database to a backup file. A server may use the database meanwhile.
///
/// The function replaces an existing file only with `force`, and only a regular file. If the target is a symbolic link, the function
/// replaces the file to which the link points. In an existing folder, the copy gets an unused name with the date. The copy gets its name
/// only when it is complete, and only its owner may read the copy.
///
/// # Errors
///
/// Returns [`BackupError`] if the database does not exist, if the copy cannot be written, or if the
/// copy is damaged or incomplete.
pub async fn back_up(data: &Path, target: &Path, force: bool) -> Result<Backup, BackupError> {
    let database = data_folder::existing_database(data)?;
    let names_itself = target.is_dir();
    let file = if names_itself {
        None
    } else {
        let file = Target::new(target, Some(data))?;
        if file.exists && !force {
            return Err(BackupError::Exists(target.to_owned()));
        }
        Some(file.path)
    };
    let folder = file.as_deref().map_or(target, folder_of);
    let new = new_file(folder).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => BackupError::NoFolder(folder.to_owned()),
        _ => BackupError::writing(target)(error),
    })?;
    let name = new.path().to_str().ok_or_else(|| BackupError::Name(folder.to_owned()))?.to_owned();
    let unsound = |source| BackupError::Unsound { file: database.clone(), source };
    let mut source = inspect::connect(&database).await.map_err(|error| unsound(error.into()))?;
    let version = data_version(&mut source).await.map_err(|error| unsound(error.into()))?;
    let stored = inspect::contents(&mut source).await.map_err(unsound)?;
    statement("VACUUM INTO $1")
        .bind(name)
        .execute(&mut source)
        .await
        .map_err(BackupError::writing(target))?;
    let is_unchanged = data_version(&mut source).await.is_ok_and(|now| now == version);
    source.close().await.map_err(|error| unsound(error.into()))?;
    let copied = inspect::inspect_file(new.path())
        .await
        .map_err(|source| BackupError::Unsound { file: new.path().to_owned(), source })?;
    // The numbers of matches and log entries in the copy are checked only if no server wrote to the database during the copying.
    if is_unchanged && copied != stored {
        return Err(BackupError::Incomplete { copied, stored });
    }
    let file = match &file {
        Some(file) => {
            place(new, file, force)?;
            target.to_owned()
        }
        None => place_with_date(new, folder)?,
    };
    report(file, copied)
}

/// Verifies a backup, and replaces the database in a data folder with the backup. No server may use
/// the folder.
///
/// The function replaces an existing database only with `force`. The database changes only after
/// the whole backup was copied and verified.
///
/// # Errors
///
/// Returns [`BackupError`] if the backup is missing, damaged, or of a later version, if a server
/// uses the folder, or if the folder cannot be written.
pub async fn restore(backup: &Path, data: &Path, force: bool) -> Result<Backup, BackupError> {
    if !backup.is_file() {
        return Err(BackupError::NoBackup(backup.to_owned()));
    }
    let database = data_folder::database(data);
    let failed = BackupError::writing::<io::Error>(&database);
    let folder = LockedFolder::create(data).map_err(failed)?;
    let _folder = folder.ok_or_else(|| BackupError::InUse(data.to_owned()))?;
    replace(&database, backup, data, force).await
}

/// Replaces the database in a locked data folder with a verified copy of a backup.
async fn replace(
    database: &Path,
    backup: &Path,
    data: &Path,
    force: bool,
) -> Result<Backup, BackupError> {
    let failed = BackupError::writing::<io::Error>(database);
    let target = Target::new(database, None)?;
    if fs::canonicalize(backup).is_ok_and(|backup| backup == target.path) {
        return Err(BackupError::SameFile(database.to_owned()));
    }
    if target.exists && !force {
        return Err(BackupError::Exists(database.to_owned()));
    }
    let log = data_folder::beside(backup, "-wal");
    if log.metadata().is_ok_and(|log| log.len() > 0) {
        return Err(BackupError::Live(backup.to_owned()));
    }
    let unsound = |source| BackupError::Unsound { file: backup.to_owned(), source };
    let mut new = new_file(folder_of(&target.path)).map_err(failed)?;
    let copied = File::open(backup).and_then(|mut from| io::copy(&mut from, new.as_file_mut()));
    copied.map_err(failed)?;
    let contents = inspect::inspect_file(new.path()).await.map_err(unsound)?;
    give_to_owner(new.as_file(), data).map_err(failed)?;
    end_old(&target.path).await.map_err(failed)?;
    place(new, &target.path, force)?;
    report(database.to_owned(), contents)
}

/// Returns SQLite's `data_version` of a connection, a number that changes when another connection
/// commits.
async fn data_version(connection: &mut Connection) -> Result<i64, sqlx::Error> {
    statement("PRAGMA data_version").scalar(connection).await
}

/// Checkpoints the write-ahead log of an SQLite database, and removes the log. Otherwise SQLite would apply the old log to the new
/// database.
pub(crate) async fn end_old(database: &Path) -> io::Result<()> {
    if database.is_file()
        && let Ok(mut old) = inspect::connect(database).await
    {
        // A failure to checkpoint the write-ahead log is ignored, because a restore must also work if the old database is damaged.
        let _ = statement("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut old).await;
        let _ = old.close().await;
    }
    for suffix in data_folder::LOG_SUFFIXES {
        match fs::remove_file(data_folder::beside(database, suffix)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
    }
    Ok(())
}

/// Renames a complete temporary file to its final name.
fn place(new: NamedTempFile, target: &Path, replace: bool) -> Result<(), BackupError> {
    data_folder::place(new, target, replace).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => BackupError::Exists(target.to_owned()),
        _ => BackupError::writing(target)(error),
    })
}

/// Renames a complete temporary file to the first unused dated name, such as
/// `overmate-2026-11-20-1.sqlite`. Returns the path.
fn place_with_date(mut new: NamedTempFile, folder: &Path) -> Result<PathBuf, BackupError> {
    let failed = BackupError::writing::<io::Error>(folder);
    new.as_file().sync_all().map_err(failed)?;
    let day = clock::day(clock::now());
    for number in 1_u32.. {
        let file = folder.join(format!("overmate-{day}-{number}.sqlite"));
        match new.persist_noclobber(&file) {
            Ok(_) => {
                sync_folder(folder).map_err(failed)?;
                return Ok(file);
            }
            Err(taken) if taken.error.kind() == io::ErrorKind::AlreadyExists => new = taken.file,
            Err(error) => return Err(failed(error.error)),
        }
    }
    Err(BackupError::Exists(folder.to_owned()))
}

fn report(file: PathBuf, contents: Contents) -> Result<Backup, BackupError> {
    let bytes = fs::metadata(&file).map_err(BackupError::writing::<io::Error>(&file))?.len();
    Ok(Backup { file, contents, bytes })
}
