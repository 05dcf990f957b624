//! The memory of the whole game: a layer for each number of live cards.

use std::io;

use memmap2::MmapMut;

use crate::deal::subsets::{binomial, places_of, rank};
use crate::memory;

/// Which positions a layer holds, by how the hands compare.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum HandBalance {
    /// Both hold equally many: nobody foreplaced, or both did.
    Equal,
    /// The leader holds one card less: he alone foreplaced.
    LeaderFewer,
    /// The leader holds one card more: the other alone foreplaced.
    LeaderMore,
}

impl HandBalance {
    /// How many of the live cards the leader holds.
    pub(crate) const fn held(self, live: usize) -> usize {
        match self {
            Self::Equal | Self::LeaderFewer => live / 2,
            Self::LeaderMore => live / 2 + 1,
        }
    }

    /// How many live cards such hands can have when a card is to be led. With unequal hands at least three: of one
    /// against none the sole foreplacer's card comes back first.
    pub(crate) fn live_counts(self, deck: usize) -> impl Iterator<Item = usize> {
        let least = if self == Self::Equal { 0 } else { 3 };
        (least..=deck).step_by(2)
    }
}

/// Bytes before and after the rows of a layer, so that a vector register can be filled past either end.
pub(crate) const PAD: usize = 64;

/// The rows of all sets of so many live cards: for each set, in numeric order, a byte for each split.
pub(crate) struct Layer {
    memory: MmapMut,
    row: usize,
}

impl Layer {
    /// How many bytes the rows of a layer take.
    pub(crate) fn size(deck: usize, live: usize, hands: HandBalance) -> usize {
        binomial(deck, live) * binomial(live, hands.held(live))
    }

    /// A layer of draws.
    ///
    /// # Errors
    ///
    /// If the system does not give the memory.
    pub(crate) fn new(deck: usize, live: usize, hands: HandBalance) -> io::Result<Self> {
        let memory = memory::zeros(Self::size(deck, live, hands) + 2 * PAD)?;
        Ok(Self { memory, row: binomial(live, hands.held(live)) })
    }

    /// All rows with the pads around them.
    pub(crate) fn padded(&self) -> &[i8] {
        bytemuck::cast_slice(&self.memory)
    }

    /// The rows, one after the other.
    pub(crate) fn rows(&self) -> &[i8] {
        &self.padded()[PAD..self.memory.len() - PAD]
    }

    /// The rows, to be filled.
    pub(crate) fn rows_mut(&mut self) -> &mut [i8] {
        let end = self.memory.len() - PAD;
        bytemuck::cast_slice_mut(&mut self.memory[PAD..end])
    }

    /// How many bytes a row has.
    pub(crate) fn row_len(&self) -> usize {
        self.row
    }

    /// The row of a set of live cards.
    pub(crate) fn row(&self, live: u32) -> &[i8] {
        let start = rank(live) * self.row;
        &self.rows()[start..start + self.row]
    }

    /// The byte of a position.
    pub(crate) fn get(&self, live: u32, held: u32) -> i8 {
        self.row(live)[rank(places_of(held, live))]
    }
}
