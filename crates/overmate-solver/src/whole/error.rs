//! Errors of computing the values of all positions of a rule set.

use core::fmt;
use std::io;

use super::kernel::Kernel;
use super::layers::MAX_WHOLE_DECK;
use crate::progress::Stopped;

/// Error of computing the values of all positions of a rule set.
#[derive(Debug)]
#[non_exhaustive]
pub enum WholeError {
    /// Rule set whose deck has more than [`MAX_WHOLE_DECK`] cards, the most that can be solved.
    TooManyCards {
        /// Number of cards in the deck of the rule set.
        cards: usize,
    },
    /// Rule set with more different final scores than a byte can encode.
    TooManyScores,
    /// Kernel (implementation of the inner loops) whose vector instructions the processor lacks.
    Unsupported(Kernel),
    /// Allocation of memory that the operating system refused.
    Memory {
        /// Number of bytes of memory that computing the values of all positions needs.
        needed: u64,
        /// Error that the operating system reported for the allocation.
        error: io::Error,
    },
    /// Computation of all values that the caller cancelled before its end.
    Stopped,
}

impl fmt::Display for WholeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyCards { cards } => {
                write!(
                    f,
                    "the values of all positions can be computed for at most {MAX_WHOLE_DECK} cards, but the deck has {cards}"
                )
            }
            Self::TooManyScores => f.write_str(
                "this rule set has more than 126 different scores, too many for one byte per position",
            ),
            Self::Unsupported(kernel) => {
                write!(f, "this processor lacks the instructions of the kernel {kernel}: choose another kernel")
            }
            Self::Memory { needed, .. } => {
                write!(
                    f,
                    "the system refused the {} MB of memory that the values of all positions need",
                    needed / 1_000_000
                )
            }
            Self::Stopped => Stopped.fmt(f),
        }
    }
}

impl core::error::Error for WholeError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Memory { error, .. } => Some(error),
            Self::TooManyCards { .. }
            | Self::TooManyScores
            | Self::Unsupported(_)
            | Self::Stopped => None,
        }
    }
}
