//! Defines the errors that occur while all positions of a rule set are solved.

use core::fmt;
use std::io;

use super::layers::MAX_WHOLE_DECK;
use crate::kernel::Kernel;
use crate::progress::Stopped;

/// Error that occurs while all positions of a rule set are solved.
#[derive(Debug)]
#[non_exhaustive]
pub enum WholeError {
    /// The deck of the rule set has more than [`MAX_WHOLE_DECK`] cards.
    TooManyCards {
        /// Number of cards in the deck of the rule set.
        cards: usize,
    },
    /// The rule set has more different scores than one byte can encode.
    TooManyScores,
    /// The processor lacks the vector instructions of the given kernel (implementation of the inner loops).
    Unsupported(Kernel),
    /// The operating system has refused to allocate the required memory.
    Memory {
        /// Number of bytes of memory that the computation requires.
        needed: u64,
        /// Error from the operating system.
        error: io::Error,
    },
    /// The caller has cancelled the computation.
    Stopped,
}

impl fmt::Display for WholeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyCards { cards } => {
                write!(
                    f,
                    "the values of all positions can be computed for at most {MAX_WHOLE_DECK} cards, but the deck has {cards}: \
                     choose a rule set with a smaller deck"
                )
            }
            Self::TooManyScores => f.write_str(
                "the rule set has more than 126 different scores, the limit of a tablebase: choose another rule set",
            ),
            Self::Unsupported(kernel) => {
                write!(f, "this processor lacks the instructions of the kernel {kernel}: choose another kernel")
            }
            Self::Memory { needed, .. } => {
                write!(
                    f,
                    "the system refused the {} MB of memory that the values of all positions need: close other programs, or \
                     use a machine with more memory",
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
