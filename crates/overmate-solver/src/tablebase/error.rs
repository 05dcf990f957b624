//! Defines the errors that occur while tablebase files are written, read or verified.

use core::fmt;
use std::io;

use super::version::VERSION;
use crate::progress::Stopped;

/// Error that occurs while a tablebase is written, read or verified.
#[derive(Debug)]
#[non_exhaustive]
pub enum TablebaseError {
    /// The operating system reports an I/O error.
    Io(io::Error),
    /// The file does not begin with the signature bytes of a tablebase.
    NotATablebase,
    /// The tablebase file has an unsupported format version.
    OtherVersion {
        /// Format version in the header of the tablebase file.
        found: u32,
    },
    /// The file is truncated: the file has fewer bytes than its header declares.
    CutOff {
        /// Minimum length of the complete tablebase file, in bytes.
        expected: u64,
        /// Length of the incomplete tablebase file, in bytes.
        found: u64,
    },
    /// The checksums or the contents of the tablebase file are inconsistent.
    Damaged {
        /// Description, in words, of the damage to the tablebase file.
        what: String,
    },
    /// The tablebase file holds the values of another rule set than the requested rule set.
    OtherRules {
        /// Name of the requested rule set.
        expected: String,
        /// Name of the rule set whose values the tablebase file holds.
        found: String,
    },
    /// The tablebase file has correct checksums, but holds a wrong value.
    Wrong {
        /// Description of the position, with the stored and the correct value.
        what: String,
    },
    /// The caller has cancelled the writing or verification of the tablebase.
    Stopped,
}

impl TablebaseError {
    pub(crate) fn damaged(what: impl Into<String>) -> Self {
        Self::Damaged { what: what.into() }
    }
}

impl fmt::Display for TablebaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::NotATablebase => f.write_str(
                "the file is not a tablebase, because its first bytes are not the signature of a tablebase: choose another file",
            ),
            Self::OtherVersion { found } => write!(
                f,
                "the tablebase has format version {found}, but this program reads version {VERSION}: build the tablebase again"
            ),
            Self::CutOff { expected, found } => {
                write!(
                    f,
                    "the tablebase is truncated: the file has {found} bytes, but a complete file has at least {expected}: build the tablebase again"
                )
            }
            Self::Damaged { what } => {
                write!(f, "the tablebase is damaged: {what}: build the tablebase again")
            }
            Self::OtherRules { expected, found } => {
                write!(f, "the tablebase is of the rule set {found}, not of ")?;
                if expected == found {
                    write!(f, "the requested rule set of this name, which has other rules: choose another tablebase or rule set")
                } else {
                    write!(f, "the requested rule set {expected}: choose another tablebase or rule set")
                }
            }
            Self::Wrong { what } => {
                write!(f, "the tablebase holds a wrong value: {what}: build the tablebase again")
            }
            Self::Stopped => Stopped.fmt(f),
        }
    }
}

impl core::error::Error for TablebaseError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            // The variant `Io` and the I/O error inside the variant have the same message. The function `distinct_causes` removes the
            // repetition.
            Self::Io(error) => Some(error),
            Self::NotATablebase
            | Self::OtherVersion { .. }
            | Self::CutOff { .. }
            | Self::Damaged { .. }
            | Self::OtherRules { .. }
            | Self::Wrong { .. }
            | Self::Stopped => None,
        }
    }
}

impl From<io::Error> for TablebaseError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Stopped> for TablebaseError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}
