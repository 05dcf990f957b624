//! The memory of a layer of the whole game, and the hand sizes of a layer.

use std::io;

use memmap2::MmapMut;

use crate::deal::subsets::{binomial, places_of, rank};
use crate::memory;

/// Hand sizes of the positions in a layer, compared with each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum HandBalance {
    /// Equal hands: no seat foreplaced, or both seats did.
    Equal,
    /// The leader holds one card less, and so foreplaced alone.
    LeaderFewer,
    /// The leader holds one card more: the other seat foreplaced alone.
    LeaderMore,
}

impl HandBalance {
    /// Returns the number of live cards that the leader holds.
    pub(crate) const fn held(self, live: usize) -> usize {
        match self {
            Self::Equal | Self::LeaderFewer => live / 2,
            Self::LeaderMore => live / 2 + 1,
        }
    }

    /// Returns the possible numbers of live cards when a card is to be led.
    ///
    /// Unequal hands have at least three live cards: before one card against none is played, the foreplaced card
    /// returns.
    pub(crate) fn live_counts(self, deck: usize) -> impl Iterator<Item = usize> {
        let least = if self == Self::Equal { 0 } else { 3 };
        (least..=deck).step_by(2)
    }
}

/// Number of bytes before and after the rows of a layer, so that a vector register can be filled past either end.
pub(crate) const PAD: usize = 64;

/// Rows of all sets of a given number of live cards: for each set, in numeric order, a byte for each split.
pub(crate) struct Layer {
    memory: MmapMut,
    row: usize,
}

impl Layer {
    /// Returns the number of bytes of the rows of a layer.
    pub(crate) fn size(deck: usize, live: usize, hands: HandBalance) -> usize {
        binomial(deck, live) * binomial(live, hands.held(live))
    }

    /// Allocates a layer of draws.
    ///
    /// # Errors
    ///
    /// The error of the system, if it refuses the memory.
    pub(crate) fn new(deck: usize, live: usize, hands: HandBalance) -> io::Result<Self> {
        let memory = memory::zeros(Self::size(deck, live, hands) + 2 * PAD)?;
        Ok(Self { memory, row: binomial(live, hands.held(live)) })
    }

    /// Returns all rows with the padding around them.
    pub(crate) fn padded(&self) -> &[i8] {
        bytemuck::cast_slice(&self.memory)
    }

    /// Returns all rows, one after the other.
    pub(crate) fn rows(&self) -> &[i8] {
        &self.padded()[PAD..self.memory.len() - PAD]
    }

    /// Returns all rows for writing.
    pub(crate) fn rows_mut(&mut self) -> &mut [i8] {
        let end = self.memory.len() - PAD;
        bytemuck::cast_slice_mut(&mut self.memory[PAD..end])
    }

    /// Returns the number of bytes of a row.
    pub(crate) fn row_len(&self) -> usize {
        self.row
    }

    /// Returns the row of a set of live cards.
    pub(crate) fn row(&self, live: u32) -> &[i8] {
        let start = rank(live) * self.row;
        &self.rows()[start..start + self.row]
    }

    /// Returns the byte of a position.
    pub(crate) fn get(&self, live: u32, held: u32) -> i8 {
        self.row(live)[rank(places_of(held, live))]
    }
}
