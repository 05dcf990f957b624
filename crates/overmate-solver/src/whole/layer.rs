//! Memory of one layer of the whole game, the values of all positions that share hand sizes and free move.

use std::io;

use memmap2::MmapMut;

use crate::deal::subsets::{binomial, places_of, rank};
use crate::memory;

/// Comparison of the hand sizes of the leader and the follower.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum HandBalance {
    /// Hands of equal size, where no seat or both seats foreplaced.
    Equal,
    /// Hands where the leader holds one card less, and so foreplaced alone.
    LeaderFewer,
    /// Hands where the leader holds one card more, so that the follower foreplaced alone.
    LeaderMore,
}

impl HandBalance {
    /// Returns the number of cards that the leader holds if both hands have `live` cards together.
    pub(crate) const fn held(self, live: usize) -> usize {
        match self {
            Self::Equal | Self::LeaderFewer => live / 2,
            Self::LeaderMore => live / 2 + 1,
        }
    }

    /// Returns the possible total numbers of cards in both hands when a card is to be led.
    ///
    /// Unequal hands have at least three live cards: before one card against none is played, the foreplaced card
    /// returns.
    pub(crate) fn live_counts(self, deck: usize) -> impl Iterator<Item = usize> {
        let least = if self == Self::Equal { 0 } else { 3 };
        (least..=deck).step_by(2)
    }
}

/// Number of padding bytes before and after the rows of a layer, so that a vector register can be filled past either
/// end.
pub(crate) const PAD: usize = 64;

/// Values of a layer: for each set of cards still held, in numeric order, a row with one byte for each split between
/// the hands.
pub(crate) struct Layer {
    memory: MmapMut,
    row: usize,
}

impl Layer {
    /// Returns the number of bytes of all values of a layer.
    pub(crate) fn size(deck: usize, live: usize, hands: HandBalance) -> usize {
        binomial(deck, live) * binomial(live, hands.held(live))
    }

    /// Allocates a layer in which every position is a draw.
    ///
    /// # Errors
    ///
    /// The error of the system, if it refuses the memory.
    pub(crate) fn new(deck: usize, live: usize, hands: HandBalance) -> io::Result<Self> {
        let memory = memory::zeros(Self::size(deck, live, hands) + 2 * PAD)?;
        Ok(Self { memory, row: binomial(live, hands.held(live)) })
    }

    /// Returns the value bytes of all positions in the layer, with the padding before and after them.
    pub(crate) fn padded(&self) -> &[i8] {
        bytemuck::cast_slice(&self.memory)
    }

    /// Returns the value bytes of all positions in the layer, one row (the positions with the same held cards) after
    /// the other.
    pub(crate) fn rows(&self) -> &[i8] {
        &self.padded()[PAD..self.memory.len() - PAD]
    }

    /// Returns the value bytes of all positions in the layer for writing.
    pub(crate) fn rows_mut(&mut self) -> &mut [i8] {
        let end = self.memory.len() - PAD;
        bytemuck::cast_slice_mut(&mut self.memory[PAD..end])
    }

    /// Returns the number of bytes of a row, which is the number of splits of the held cards between the hands.
    pub(crate) fn row_len(&self) -> usize {
        self.row
    }

    /// Returns the value bytes of the positions in which exactly the cards `live` are still held.
    pub(crate) fn row(&self, live: u32) -> &[i8] {
        let start = rank(live) * self.row;
        &self.rows()[start..start + self.row]
    }

    /// Returns the value code of the position in which the leader holds `held` of the cards `live`.
    pub(crate) fn get(&self, live: u32, held: u32) -> i8 {
        self.row(live)[rank(places_of(held, live))]
    }
}
