//! Reads the bytes of a tablebase from a file or from memory.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use super::error::TablebaseError;

/// Source of the bytes of a tablebase: an open file, or a copy in memory.
///
/// The file is read rather than mapped into memory. If another program truncates the file, a read
/// returns an error. With a mapped file, the operating system would end this program by a signal.
pub(super) enum Bytes {
    File(File),
    Owned(Vec<u8>),
}

impl Bytes {
    /// Opens a tablebase file for reading.
    pub(super) fn open(path: &Path) -> Result<Self, TablebaseError> {
        // The file type is checked before opening, as opening a pipe would wait for a writer.
        if !fs::metadata(path)?.is_file() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "the path is not a regular file: choose another path",
            )
            .into());
        }
        Ok(Self::File(File::open(path)?))
    }

    /// Returns the number of bytes of the tablebase.
    pub(super) fn len(&self) -> io::Result<u64> {
        match self {
            Self::File(file) => Ok(file.metadata()?.len()),
            Self::Owned(bytes) => Ok(bytes.len() as u64),
        }
    }

    /// Reads the bytes of the tablebase at the offset `at` into `out`.
    ///
    /// The error kind is `UnexpectedEof` if the file has too few bytes.
    pub(super) fn read_at(&self, at: u64, out: &mut [u8]) -> io::Result<()> {
        match self {
            Self::File(file) => read_file_at(file, at, out),
            Self::Owned(bytes) => {
                let from = usize::try_from(at).ok().and_then(|at| bytes.get(at..));
                let found = from.and_then(|bytes| bytes.get(..out.len()));
                out.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
                Ok(())
            }
        }
    }
}

#[cfg(unix)]
fn read_file_at(file: &File, at: u64, out: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, out, at)
}

#[cfg(windows)]
fn read_file_at(file: &File, mut at: u64, mut out: &mut [u8]) -> io::Result<()> {
    while !out.is_empty() {
        let count = std::os::windows::fs::FileExt::seek_read(file, out, at)?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        out = &mut out[count..];
        at += count as u64;
    }
    Ok(())
}
