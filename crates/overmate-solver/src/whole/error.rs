//! Errors of solving a whole game.

use core::fmt;
use std::io;

use super::kernel::Kernel;
use super::layers::MAX_WHOLE_DECK;
use crate::progress::Stopped;

/// Why a whole game could not be worked out.
#[derive(Debug)]
#[non_exhaustive]
pub enum WholeError {
    /// The deck has more than [`MAX_WHOLE_DECK`] cards.
    TooManyCards {
        /// How many it has.
        cards: usize,
    },
    /// More different scores are possible than fit in a byte.
    TooManyScores,
    /// The processor lacks the instructions of the kernel.
    Unsupported(Kernel),
    /// The system did not give the memory.
    Memory {
        /// How many bytes are needed in all.
        needed: u64,
        /// What the system said.
        error: io::Error,
    },
    /// The work was stopped.
    Stopped,
}

impl fmt::Display for WholeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyCards { cards } => {
                write!(
                    f,
                    "the whole game is solved for at most {MAX_WHOLE_DECK} cards, not {cards}"
                )
            }
            Self::TooManyScores => f.write_str("this rule set has more than 126 different scores"),
            Self::Unsupported(kernel) => {
                write!(f, "this processor lacks the instructions of the kernel {kernel}")
            }
            Self::Memory { needed, .. } => {
                write!(f, "the system did not give the memory, {} MB in all", needed / 1_000_000)
            }
            Self::Stopped => Stopped.fmt(f),
        }
    }
}

impl core::error::Error for WholeError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Memory { error, .. } => Some(error),
            _ => None,
        }
    }
}
