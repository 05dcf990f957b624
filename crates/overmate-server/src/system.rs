//! Queries the operating system for free disk space and for the limit on open files. Only Unix systems report these numbers.

use std::path::Path;

/// Returns the free space of a path's file system, in bytes, without the space that is reserved for the administrator. Returns
/// `None` if the system call fails.
#[cfg(unix)]
pub(crate) fn free_bytes(path: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(path).ok()?;
    Some(found.f_bavail.saturating_mul(found.f_frsize))
}

/// Returns `None`, because the server cannot query the free disk space on this operating system.
#[cfg(not(unix))]
pub(crate) fn free_bytes(_: &Path) -> Option<u64> {
    None
}

/// Returns the process's limit on open file descriptors (files and connections), or `None` if there is no limit.
#[cfg(unix)]
pub(crate) fn open_files() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Nofile).current
}

/// Returns `None`, because the server cannot query the limit on open files on this operating system.
#[cfg(not(unix))]
pub(crate) fn open_files() -> Option<u64> {
    None
}
