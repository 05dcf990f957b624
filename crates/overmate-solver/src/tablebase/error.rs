//! Errors of writing, reading and verifying tablebase files.

use core::fmt;
use std::io;

use super::version::VERSION;
use crate::progress::Stopped;

/// Error of writing, reading or verifying a tablebase.
#[derive(Debug)]
#[non_exhaustive]
pub enum TablebaseError {
    /// Input or output error that the operating system reported.
    Io(io::Error),
    /// File that does not begin with the signature bytes of a tablebase.
    NotATablebase,
    /// Tablebase file in a format version that this program cannot read.
    OtherVersion {
        /// Format version that the head of the file states.
        found: u32,
    },
    /// Tablebase file with fewer bytes than its head states.
    CutOff {
        /// Smallest number of bytes that the complete file could have.
        expected: u64,
        /// Number of bytes that the file actually has.
        found: u64,
    },
    /// Tablebase file whose checksums or contents contradict each other.
    Damaged {
        /// Description of the damaged part of the file.
        what: String,
    },
    /// Tablebase file for another rule set than the caller requested.
    OtherRules {
        /// Name of the rule set whose tablebase the caller requested.
        expected: String,
        /// Name of the rule set whose values the file holds.
        found: String,
    },
    /// Tablebase file with right checksums but with a wrong value for a position.
    Wrong {
        /// Description of the position, with the stored value and the right value.
        what: String,
    },
    /// Writing or verification of a tablebase that the caller cancelled.
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
                "the file is not a tablebase: its first bytes are not the signature of a tablebase",
            ),
            Self::OtherVersion { found } => write!(
                f,
                "the tablebase has format version {found}, but this program reads version {VERSION}: build the tablebase again"
            ),
            Self::CutOff { expected, found } => {
                write!(
                    f,
                    "the tablebase is cut off: the file has {found} bytes, but a complete file has at least {expected}"
                )
            }
            Self::Damaged { what } => write!(f, "the tablebase is damaged: {what}"),
            Self::OtherRules { expected, found } => {
                write!(f, "the tablebase is of the rule set {found}, not of ")?;
                if expected == found {
                    write!(f, "the requested rule set of this name, which has other rules")
                } else {
                    write!(f, "the requested rule set {expected}")
                }
            }
            Self::Wrong { what } => write!(f, "the tablebase holds a wrong value: {what}"),
            Self::Stopped => Stopped.fmt(f),
        }
    }
}

impl core::error::Error for TablebaseError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            // The message of this error is already the message of the system's error.
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
