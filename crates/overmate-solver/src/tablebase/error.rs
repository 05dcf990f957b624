//! Errors of tablebase files.

use core::fmt;
use std::io;

use super::version::VERSION;
use crate::progress::Stopped;

/// Error of writing, reading or verifying a tablebase.
#[derive(Debug)]
#[non_exhaustive]
pub enum TablebaseError {
    /// Error of the system while reading or writing.
    Io(io::Error),
    /// File that does not begin like a tablebase.
    NotATablebase,
    /// File with another version of the format.
    OtherVersion {
        /// Version of the file.
        found: u32,
    },
    /// File that ends too early.
    CutOff {
        /// Smallest number of bytes that the file should have.
        expected: u64,
        /// Number of bytes that the file has.
        found: u64,
    },
    /// Damaged file.
    Damaged {
        /// Description of the damaged part.
        what: String,
    },
    /// File of another rule set than requested.
    OtherRules {
        /// Name of the requested rule set.
        expected: String,
        /// Name of the rule set of the file.
        found: String,
    },
    /// Undamaged file with a wrong value.
    Wrong {
        /// Position, stored value and right value, in words.
        what: String,
    },
    /// Work cancelled by the caller.
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
            Self::NotATablebase => f.write_str("the file is not a tablebase"),
            Self::OtherVersion { found } => write!(
                f,
                "the tablebase has format version {found}, but this program reads version {VERSION}: build the tablebase again"
            ),
            Self::CutOff { expected, found } => {
                write!(f, "the tablebase is cut off: it has {found} bytes of at least {expected}")
            }
            Self::Damaged { what } => write!(f, "the tablebase is damaged: {what}"),
            Self::OtherRules { expected, found } => {
                let same =
                    if expected == found { " that differs from the one asked for" } else { "" };
                write!(f, "the tablebase is of the rule set {found}{same}, not of {expected}")
            }
            Self::Wrong { what } => write!(f, "the tablebase holds a wrong value: {what}"),
            Self::Stopped => Stopped.fmt(f),
        }
    }
}

impl core::error::Error for TablebaseError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            // The display of this error is already the display of the system's error.
            Self::Io(error) => error.source(),
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
