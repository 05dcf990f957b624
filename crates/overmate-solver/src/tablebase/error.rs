//! What can be wrong with a tablebase file.

use core::fmt;
use std::io;

use super::format::VERSION;
use crate::progress::Stopped;

/// Why a tablebase cannot be written, read or trusted.
#[derive(Debug)]
#[non_exhaustive]
pub enum TablebaseError {
    /// The system failed to read or write.
    Io(io::Error),
    /// The file does not begin like a tablebase.
    NotATablebase,
    /// The file is of another version of the format.
    OtherVersion {
        /// Which.
        found: u32,
    },
    /// The file ends too early.
    CutOff {
        /// How many bytes it should have at least.
        expected: u64,
        /// How many it has.
        found: u64,
    },
    /// The file is damaged.
    Damaged {
        /// Where, in words.
        what: String,
    },
    /// The file is of another rule set than was asked for.
    OtherRules {
        /// The name of the rule set that was asked for.
        expected: String,
        /// The name of the rule set of the file.
        found: String,
    },
    /// The bytes are those that were written, but a value is wrong.
    Wrong {
        /// The position and both values, in words.
        what: String,
    },
    /// The work was stopped.
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
            Self::NotATablebase => f.write_str("it is not a tablebase"),
            Self::OtherVersion { found } => write!(
                f,
                "it is a tablebase of version {found}, and this program reads version {VERSION}: build it anew"
            ),
            Self::CutOff { expected, found } => {
                write!(f, "it is cut off: {found} bytes are there, of at least {expected}")
            }
            Self::Damaged { what } => write!(f, "it is damaged: {what}"),
            Self::OtherRules { expected, found } => {
                let same =
                    if expected == found { " that differs from the one asked for" } else { "" };
                write!(f, "it is of the rule set {found}{same}, not of {expected}")
            }
            Self::Wrong { what } => write!(f, "it holds a wrong value: {what}"),
            Self::Stopped => Stopped.fmt(f),
        }
    }
}

impl core::error::Error for TablebaseError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            // The error itself is what is shown already.
            Self::Io(error) => error.source(),
            _ => None,
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
