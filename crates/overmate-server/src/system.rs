//! Reads facts from the operating system: free disk space and the limit of open files. Only Unix systems report them.

use std::path::Path;

/// Returns the number of bytes that this user can still write to the file system of a path. Returns `None` if the system call
/// fails.
#[cfg(unix)]
pub(crate) fn free_bytes(path: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(path).ok()?;
    Some(found.f_bavail.saturating_mul(found.f_frsize))
}

/// Returns `None` on a system whose free disk space the server cannot read.
#[cfg(not(unix))]
pub(crate) fn free_bytes(_: &Path) -> Option<u64> {
    None
}

/// Returns the largest number of files and connections that the process may have open at once, or `None` for no limit.
#[cfg(unix)]
pub(crate) fn open_files() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Nofile).current
}

/// Returns `None` on a system without a limit of open files.
#[cfg(not(unix))]
pub(crate) fn open_files() -> Option<u64> {
    None
}
