//! Data folder of a server: the permissions of its files, and the lock that keeps a restore and running servers apart.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// Returns the path of the database file in a data folder.
pub(crate) fn database(folder: &Path) -> PathBuf {
    folder.join("overmate.sqlite")
}

/// Returns the path of a file that SQLite keeps in addition to a database file, such as the
/// write-ahead log with the suffix `-wal`.
pub(crate) fn beside(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Returns the path of the lock file in a data folder. Servers lock the file shared, and a restore locks the file alone.
fn lock_file(folder: &Path) -> PathBuf {
    folder.join("overmate.lock")
}

/// Use of a data folder that the lock file announces to other processes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    /// A server uses the database; other servers may use the database too.
    Serve,
    /// A restore replaces the database, which nobody else may use.
    Replace,
}

/// Locks a data folder for a use until the returned file is closed. Returns `None` if another process has a lock that excludes this use.
///
/// On a file system without locks the returned file protects nothing.
pub(crate) fn lock(folder: &Path, purpose: Use) -> io::Result<Option<File>> {
    let file = private_file(&lock_file(folder))?;
    let locked = match purpose {
        Use::Serve => file.try_lock_shared(),
        Use::Replace => file.try_lock(),
    };
    match locked {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
            tracing::warn!(
                "the file system of the data folder has no locks: do not restore a backup while a server runs"
            );
            Ok(Some(file))
        }
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Creates a folder if it is missing, and permits access only to its owner, regardless of the process's umask.
pub(crate) fn create(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

/// Creates the database file if it is missing, and lets only its owner read it and its write-ahead log, regardless of the process's umask. SQLite
/// gives the write-ahead log the permissions of the database file.
pub(crate) fn restrict(file: &Path) -> io::Result<()> {
    private_file(file)?;
    for suffix in ["-wal", "-shm"] {
        match private(&beside(file, suffix)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
    }
    Ok(())
}

/// Opens a file, which is created if it is missing, and lets only its owner read and write the file.
fn private_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    private(path)?;
    Ok(file)
}

/// Lets only the owner of a file read and write the file.
#[cfg_attr(
    not(unix),
    allow(unused_variables, clippy::unnecessary_wraps, reason = "other systems have no modes")
)]
fn private(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
    }
    Ok(())
}
