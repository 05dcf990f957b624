//! Creates files and folders that only the user may read, regardless of the process's umask.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

/// Sets the options for opening a file so that a new file is private: only the user may read and write the file.
#[cfg_attr(not(unix), allow(clippy::missing_const_for_fn, reason = "other systems have no modes"))]
pub fn options(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Restricts the permissions of an open regular file, so that only the user may read and write the file. A
/// device or a pipe stays unchanged. Errors are ignored, because a file system without modes refuses the
/// change.
#[cfg_attr(not(unix), allow(unused_variables, reason = "other systems have no modes"))]
pub fn restrict(file: &File) {
    #[cfg(unix)]
    if file.metadata().is_ok_and(|found| found.is_file()) {
        use std::os::unix::fs::PermissionsExt as _;
        let _ = file.set_permissions(fs::Permissions::from_mode(0o600));
    }
}

/// Creates a folder if it is missing, and permits access only to the user. Other users cannot write to parent folders that
/// are created on the way.
///
/// # Errors
///
/// Returns an error if the folder cannot be created.
pub fn create_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o755);
    builder.recursive(true).create(folder)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // A failed change of the permissions is ignored, because a file system without permissions refuses the change.
        let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
    }
    Ok(())
}
