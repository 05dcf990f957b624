//! The bytes of a tablebase: a file read where it lies, or memory.

use core::ops::Deref;
use std::fs::{self, File};
use std::io;
use std::path::Path;

use memmap2::Mmap;

use super::error::TablebaseError;

/// What a tablebase is read from.
pub(super) enum Bytes {
    Mapped(Mmap),
    Owned(Vec<u8>),
}

impl Bytes {
    /// Maps a file into memory.
    #[allow(unsafe_code, reason = "a file is mapped, which others could change meanwhile")]
    pub(super) fn map(path: &Path) -> Result<Self, TablebaseError> {
        // Asked first: to open a pipe would wait for whoever writes to it.
        if !fs::metadata(path)?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a file").into());
        }
        let file = File::open(path)?;
        if file.metadata()?.len() == 0 {
            return Err(TablebaseError::NotATablebase);
        }
        // SAFETY: the bytes may not change while they are borrowed. This program never changes a tablebase, it puts
        // another file in its place; that nobody else does is the condition under which `Tablebase::open` may be
        // called. What is read is checked and never trusted, so a change found between reads is told as damage.
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
