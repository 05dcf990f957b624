//! Manages the data folder of a server: file permissions, atomic file replacement, and the lock that excludes a restore while a server
//! runs.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// Returns the path of the database file in a data folder.
pub(crate) fn database(folder: &Path) -> PathBuf {
    folder.join("overmate.sqlite")
}

/// Reason why a data folder has no database that this process can use.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoDatabase {
    /// There is no file at the path of the database.
    #[error("there is no database at {}: give the folder of `overmate serve --data`", .0.display())]
    Missing(PathBuf),
    /// The operating system refuses access to the path of the database.
    #[error("cannot look at the database {}: run the command as the user of the server, or as root", file.display())]
    Hidden {
        /// Path of the database file.
        file: PathBuf,
        /// Error from the operating system.
        source: io::Error,
    },
}

/// Returns the path of the existing database file in a data folder.
pub(crate) fn existing_database(folder: &Path) -> Result<PathBuf, NoDatabase> {
    let file = database(folder);
    match fs::metadata(&file) {
        Ok(found) if found.is_file() => Ok(file),
        Err(source) if source.kind() == io::ErrorKind::PermissionDenied => {
            Err(NoDatabase::Hidden { file, source })
        }
        Ok(_) | Err(_) => Err(NoDatabase::Missing(file)),
    }
}

/// Returns the path of a file that SQLite keeps beside a database, such as its write-ahead log. The
/// write-ahead log, for example, has the suffix `-wal`.
pub(crate) fn beside(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Suffixes of the names of the write-ahead log and the shared-memory file, which SQLite keeps beside a database.
pub(crate) const LOG_SUFFIXES: [&str; 2] = ["-wal", "-shm"];

/// Reason why a command must not write its file to a path, whether or not it may replace existing files.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TargetFault {
    /// The path is a symbolic link without a target.
    #[error("{} is a symbolic link whose target does not exist: remove the link, or choose another path", .0.display())]
    DanglingLink(PathBuf),
    /// The path belongs to a folder, a device, a named pipe or another file that is not a regular file.
    #[error("{} is not a regular file: choose another path", .0.display())]
    Irregular(PathBuf),
    /// The path belongs to the database, to a file that SQLite keeps beside the database, or to a lock file of the data folder.
    #[error("{} is the database file itself, its write-ahead log or a lock file of its folder: choose another path", .0.display())]
    InUse(PathBuf),
    /// The operating system does not tell which file the path names.
    #[error("cannot look at the file {}", file.display())]
    Hidden {
        /// Path of the file.
        file: PathBuf,
        /// Error from the operating system.
        source: io::Error,
    },
}

/// Target file of a command that writes a complete new file.
#[derive(Debug)]
pub(crate) struct Target {
    /// Path of the file itself, which is not a symbolic link.
    pub(crate) path: PathBuf,
    /// Whether a regular file exists at the path.
    pub(crate) exists: bool,
}

impl Target {
    /// Checks that a command may write a new file to a path, and follows symbolic links to the real file. The new file must not replace
    /// a file that is not a regular file, and no file that belongs to the database in the folder `data`.
    pub(crate) fn new(path: &Path, data: Option<&Path>) -> Result<Self, TargetFault> {
        let hidden = |source| TargetFault::Hidden { file: path.to_owned(), source };
        let exists = fs::symlink_metadata(path).is_ok();
        let real = if exists {
            fs::canonicalize(path).map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => TargetFault::DanglingLink(path.to_owned()),
                _ => hidden(error),
            })?
        } else {
            real_path(path)
        };
        if exists && !fs::metadata(&real).map_err(hidden)?.is_file() {
            return Err(TargetFault::Irregular(path.to_owned()));
        }
        if data.is_some_and(|data| files_in_use(data).contains(&real)) {
            return Err(TargetFault::InUse(path.to_owned()));
        }
        Ok(Self { path: real, exists })
    }
}

/// Returns the path of a missing file without symbolic links. The path of a file in a missing folder stays unchanged.
fn real_path(path: &Path) -> PathBuf {
    match (fs::canonicalize(folder_of(path)), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

/// Returns the real paths of the database in a data folder, of the files that SQLite keeps beside the database, and of the lock files.
fn files_in_use(data: &Path) -> Vec<PathBuf> {
    let database = database(data);
    let database = fs::canonicalize(&database).unwrap_or_else(|_| real_path(&database));
    let locks = [lock_file(data), first_server_file(data)].map(|file| real_path(&file));
    let logs = LOG_SUFFIXES.map(|suffix| beside(&database, suffix));
    logs.into_iter().chain(locks).chain([database]).collect()
}

/// Returns the error text for a data folder that another process has locked.
pub(crate) fn in_use(folder: &Path) -> String {
    format!(
        "a server or another command of Overmate is using the data folder {}: stop the server, or wait until the command has ended",
        folder.display()
    )
}

/// Returns the path of the lock file in a data folder. Servers lock the file shared; a restore locks the file exclusively.
pub(crate) fn lock_file(folder: &Path) -> PathBuf {
    folder.join("overmate.lock")
}

/// Returns the path of the lock file with which a server checks that no other server uses the data folder.
fn first_server_file(folder: &Path) -> PathBuf {
    folder.join("overmate-server.lock")
}

/// Purpose of a lock on the data folder. The purpose decides whether other processes may lock the folder at the same time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    /// The process uses the database, and permits other processes to use the database too.
    Serve,
    /// The server checks whether it is the only server on the database. Only one server can hold this lock.
    FirstServer,
    /// A restore replaces the database and needs exclusive access. No other process may use the database.
    Replace,
}

/// Locks a data folder until the returned lock file is closed. Returns `None` if the lock of
/// another process excludes this use.
///
/// The owner of the folder also owns the lock file, so that the server can open a lock file that
/// root created. On a file system without locks, the lock has no effect.
pub(crate) fn lock(folder: &Path, purpose: Use) -> io::Result<Option<File>> {
    // The function refuses a symbolic link in place of a lock file. A process that runs as root would otherwise give the target of the link
    // to the owner of the data folder.
    let path = match purpose {
        Use::Serve | Use::Replace => lock_file(folder),
        Use::FirstServer => first_server_file(folder),
    };
    let file = private_file(&path, Links::Refuse)?;
    give_to_owner(&file, folder)?;
    let locked = match purpose {
        Use::Serve => file.try_lock_shared(),
        Use::Replace | Use::FirstServer => file.try_lock(),
    };
    match locked {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
            if purpose != Use::FirstServer {
                tracing::warn!(
                    "the file system of the data folder does not support locks, so that a running server cannot be detected: stop the server before you restore a backup"
                );
            }
            Ok(Some(file))
        }
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Fault of a data folder that other users may access and that holds files of other programs, with advice to the operator. [`is_shared`]
/// detects this fault.
#[cfg(unix)]
pub(crate) const SHARED: &str = "other users may use the folder, and it holds files of other programs: choose a folder for Overmate alone";

/// Creates a data folder if the folder is missing. Only the owner of the folder gets access, and only
/// the owner may write to the parent folders that are created, regardless of the process's umask.
///
/// An existing folder that other users may use is refused if it holds no database, but files of other programs. The restriction to the
/// owner would lock these users out.
pub(crate) fn create(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        builder.mode(0o755).create(folder_of(folder))?;
        builder.mode(0o700).create(folder)?;
        if is_shared(folder)? {
            return Err(io::Error::other(SHARED));
        }
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    }
    #[cfg(not(unix))]
    fs::create_dir_all(folder)?;
    Ok(())
}

/// Returns whether a folder is unfit as a data folder: other users may access it, and it holds files of other programs but no database.
#[cfg(unix)]
pub(crate) fn is_shared(folder: &Path) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt as _;
    let is_open = fs::metadata(folder)?.permissions().mode() & 0o077 != 0;
    Ok(is_open && !database(folder).exists() && holds_other_files(folder)?)
}

/// Returns whether a folder holds files that do not come from Overmate. Hidden files and the folder `lost+found` of a file system do not
/// count.
#[cfg(unix)]
fn holds_other_files(folder: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        let own = [".", "lost+found", "overmate.", "overmate-"].map(str::as_bytes);
        if !own.iter().any(|own| name.as_encoded_bytes().starts_with(own)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Data folder that a command has locked in order to write the database of the folder. If the folder gets no database, the command removes
/// the folders that it has created for the data folder.
pub(crate) struct LockedFolder<'a> {
    /// Newly created folders: the data folder first, and then its parent folders.
    created: Vec<&'a Path>,
    /// Lock of the data folder, or `None` before the folder is locked.
    lock: Option<File>,
}

impl<'a> LockedFolder<'a> {
    /// Creates a data folder if the folder is missing, and locks the folder so that the caller can replace the database. Returns `None` if
    /// another process uses the folder.
    pub(crate) fn create(folder: &'a Path) -> io::Result<Option<Self>> {
        let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
        let created = folder.ancestors().take_while(is_missing).collect();
        let mut new = Self { created, lock: None };
        create(folder)?;
        new.lock = lock(folder, Use::Replace)?;
        Ok(new.lock.is_some().then_some(new))
    }
}

impl Drop for LockedFolder<'_> {
    fn drop(&mut self) {
        let Some(folder) = self.created.first().filter(|folder| !database(folder).exists()) else {
            return;
        };
        // Errors are ignored: a folder cannot be removed if another process has put a file into the folder.
        if self.lock.is_some() {
            let _ = fs::remove_file(lock_file(folder));
        }
        for folder in &self.created {
            let _ = fs::remove_dir(folder);
        }
    }
}

/// Restricts the access to a database file to its owner, and creates the file if the file is missing. The process's
/// umask has no effect. SQLite gives the write-ahead log the permissions of the database file.
pub(crate) fn restrict(file: &Path) -> io::Result<()> {
    private_file(file, Links::Follow)?;
    for suffix in LOG_SUFFIXES {
        match private(&beside(file, suffix)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
    }
    Ok(())
}

/// Policy for a file path that is a symbolic link: to follow or to refuse the link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Links {
    Follow,
    Refuse,
}

/// Opens or creates a file that only its owner may read and write.
#[cfg_attr(not(unix), allow(unused_variables, reason = "other systems have no such links"))]
fn private_file(path: &Path, links: Links) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
        if links == Links::Refuse {
            options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
        }
    }
    let file = options.open(path)?;
    private(path)?;
    Ok(file)
}

/// Restricts the permissions of a file to its owner.
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

/// Creates an empty temporary file that only its owner can read. Without a later rename, the file
/// is deleted.
pub(crate) fn new_file(folder: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new().prefix(".overmate-").suffix(".tmp").tempfile_in(folder)
}

/// Renames a complete temporary file to its final name. Returns when the disk holds both the file
/// and the name.
///
/// # Errors
///
/// Returns [`AlreadyExists`](io::ErrorKind::AlreadyExists) if another file has the name and must
/// not be replaced, and other errors of the operating system.
pub(crate) fn place(new: NamedTempFile, target: &Path, replace: bool) -> io::Result<()> {
    new.as_file().sync_all()?;
    let placed = if replace { new.persist(target) } else { new.persist_noclobber(target) };
    placed.map_err(|error| error.error)?;
    sync_folder(folder_of(target))
}

/// Changes the owner of a file to the owner of a folder. The server can then open a database that
/// root restored.
#[cfg_attr(
    not(unix),
    allow(
        unused_variables,
        clippy::unnecessary_wraps,
        reason = "other systems have no such owners"
    )
)]
pub(crate) fn give_to_owner(file: &File, folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, fchown};
        let (folder, own) = (fs::metadata(folder)?, file.metadata()?);
        // Another group alone is no reason to change the file: only root may give a file to any group.
        if folder.uid() != own.uid() {
            fchown(file, Some(folder.uid()), Some(folder.gid()))?;
        }
    }
    Ok(())
}

/// Flushes the directory entries of a folder to the disk.
#[cfg_attr(
    not(unix),
    allow(
        unused_variables,
        clippy::unnecessary_wraps,
        reason = "other systems cannot open folders"
    )
)]
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    Ok(())
}

/// Returns the parent folder of a file. For a file name without a folder, the result is the current
/// folder.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};
    use std::os::unix::net::UnixListener;

    use super::*;

    /// User id and group id that no person has.
    const NOBODY: u32 = 65_534;

    #[test]
    fn the_lock_file_belongs_to_the_owner_of_the_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        // Only root can give the temporary folder of the test to another user.
        let owner = match chown(folder.path(), Some(NOBODY), Some(NOBODY)) {
            Ok(()) => NOBODY,
            Err(_) => fs::metadata(folder.path()).expect("a folder").uid(),
        };
        for purpose in [Use::Replace, Use::Serve] {
            assert!(lock(folder.path(), purpose).expect("a lock file").is_some());
            assert_eq!(fs::metadata(lock_file(folder.path())).expect("a file").uid(), owner);
        }
    }

    #[test]
    fn a_folder_of_the_same_user_may_have_any_group() {
        let folder = tempfile::tempdir().expect("a folder");
        let group = new_file(folder.path()).and_then(|file| file.as_file().metadata());
        let group = group.expect("a file").gid();
        // Only root can give the temporary folder of the test to a group of which the user is no member.
        let _ = chown(folder.path(), None, Some(NOBODY));
        assert!(lock(folder.path(), Use::Serve).expect("a lock file").is_some());
        assert_eq!(fs::metadata(lock_file(folder.path())).expect("a file").gid(), group);
    }

    #[test]
    fn nobody_else_may_write_to_the_folders_that_are_created() {
        let outer = tempfile::tempdir().expect("a folder");
        let parent = outer.path().join("a");
        let folder = parent.join("b/data");
        let umask = rustix::process::umask(rustix::fs::Mode::empty());
        let created = create(&folder);
        rustix::process::umask(umask);
        created.expect("a data folder");
        let mode = |path: &Path| fs::metadata(path).expect("a folder").mode() & 0o777;
        assert_eq!([mode(&parent), mode(&parent.join("b")), mode(&folder)], [0o755, 0o755, 0o700]);
        create(&folder).expect("the existing folder");
    }

    #[test]
    fn a_shared_folder_of_other_programs_is_refused_and_keeps_its_permissions() {
        let folder = tempfile::tempdir().expect("a folder");
        let mode = || fs::metadata(folder.path()).expect("a folder").mode() & 0o777;
        let shared = || {
            let permissions = fs::Permissions::from_mode(0o755);
            fs::set_permissions(folder.path(), permissions).expect("a mode");
            create(folder.path())
        };
        let add = |name: &str| fs::write(folder.path().join(name), "").expect("a file");
        ["overmate.toml", "overmate-1.sqlite", ".overmate-1.tmp", "lost+found"]
            .into_iter()
            .for_each(add);
        shared().expect("a folder of Overmate");
        assert_eq!(mode(), 0o700);
        add("notes.txt");
        create(folder.path()).expect("a folder that nobody else may use");
        let refused = shared().expect_err("a shared folder").to_string();
        assert!(refused.contains("choose a folder for Overmate alone"), "{refused}");
        assert_eq!(mode(), 0o755);
        add("overmate.sqlite");
        shared().expect("a folder with a database");
        assert_eq!(mode(), 0o700);
    }

    #[test]
    fn one_server_of_a_folder_is_the_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let take = |purpose| lock(folder.path(), purpose).expect("a lock file");
        let (shared, first) = (take(Use::Serve), take(Use::FirstServer));
        assert!(shared.is_some() && first.is_some());
        assert!(take(Use::Serve).is_some() && take(Use::FirstServer).is_none());
        drop(first);
        assert!(take(Use::FirstServer).is_some() && take(Use::Replace).is_none());
    }

    #[test]
    fn a_command_writes_to_no_socket_no_dangling_link_and_no_file_in_use() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let data = at("data");
        create(&data).expect("a data folder");
        for name in ["data/overmate.sqlite", "data/overmate.sqlite-wal", "data/other", "file"] {
            fs::write(at(name), "").expect("a file");
        }
        let _socket = UnixListener::bind(at("socket")).expect("a socket");
        for (target, link) in [
            ("socket", "link-to-socket"),
            ("missing", "dangling"),
            ("data/overmate.sqlite-wal", "link-to-log"),
            ("file", "link"),
            ("data", "link-to-data"),
        ] {
            symlink(at(target), at(link)).expect("a link");
        }
        let target = |name: &str| Target::new(&at(name), Some(&data));
        for name in ["socket", "link-to-socket", "data"] {
            assert!(matches!(target(name), Err(TargetFault::Irregular(_))), "{name}");
        }
        assert!(matches!(target("dangling"), Err(TargetFault::DanglingLink(_))));
        for name in [
            "link-to-log",
            "data/overmate.sqlite",
            "data/overmate.sqlite-wal",
            "data/overmate.sqlite-shm",
            "data/overmate.lock",
            "data/overmate-server.lock",
            "link-to-data/overmate.lock",
        ] {
            assert!(matches!(target(name), Err(TargetFault::InUse(_))), "{name}");
        }
        for (name, real, exists) in [
            ("link", "file", true),
            ("new", "new", false),
            ("data/other", "data/other", true),
            ("link-to-data/new", "data/new", false),
        ] {
            let found = target(name).expect("a target");
            let real = fs::canonicalize(folder_of(&at(real)))
                .expect("a folder")
                .join(at(real).file_name().expect("a name"));
            assert_eq!((found.path, found.exists), (real, exists), "{name}");
        }
    }

    #[test]
    fn a_lock_file_that_is_a_link_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let other = folder.path().join("other");
        symlink(&other, lock_file(folder.path())).expect("a link");
        assert!(lock(folder.path(), Use::Serve).is_err());
        assert!(!other.exists());
    }
}
