//! Bytes of a tablebase file, which are memory-mapped from the disk or held in allocated memory.

use core::ops::Deref;
use std::fs::{self, File};
use std::io;
use std::path::Path;

use memmap2::Mmap;

use super::error::TablebaseError;

/// Bytes of a tablebase file, which are memory-mapped from the disk or held in allocated memory.
pub(super) enum Bytes {
    Mapped(Mmap),
    Owned(Vec<u8>),
}

impl Bytes {
    /// Maps the bytes of a tablebase file into memory.
    #[allow(unsafe_code, reason = "a file is mapped, which others could change meanwhile")]
    pub(super) fn map(path: &Path) -> Result<Self, TablebaseError> {
        // The file type is checked before opening, as opening a pipe would wait for a writer.
        if !fs::metadata(path)?.is_file() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "the path is not a regular file",
            )
            .into());
        }
        let file = File::open(path)?;
        if file.metadata()?.len() == 0 {
            return Err(TablebaseError::NotATablebase);
        }
        // SAFETY: the bytes may not change while they are borrowed. This program never changes a tablebase, but
        // replaces the file. `Tablebase::open` requires that no other program changes it either. Everything that is
        // read is checked and never trusted, so a change between two reads is reported as damage.
        Ok(Self::Mapped(unsafe { Mmap::map(&file) }?))
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(bytes) => bytes,
            Self::Owned(bytes) => bytes,
        }
    }
}
