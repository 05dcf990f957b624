//! Memory for the values of all positions with the same hand sizes and the same state of the free move.

use std::io;

use memmap2::MmapMut;

use crate::deal::subsets::{binomial, places_of, rank};
use crate::memory;

/// Comparison of the hand sizes of the leader and the follower.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum HandBalance {
    /// Hands of equal size, which arise if neither seat or both seats set a card aside (foreplaced).
    Equal,
    /// Hands of which the leader's hand is one card smaller, because only the leader set a card aside (foreplaced).
    LeaderFewer,
    /// Hands of which the leader's hand is one card larger, because only the follower set a card aside (foreplaced).
    LeaderMore,
}

impl HandBalance {
    /// Returns the number of cards in the leader's hand if both hands together have `live` cards.
    pub(crate) const fn held(self, live: usize) -> usize {
        match self {
            Self::Equal | Self::LeaderFewer => live / 2,
            Self::LeaderMore => live / 2 + 1,
        }
    }

    /// Returns the possible numbers of cards in both hands together when a card is to be led, in ascending order.
    ///
    /// Unequal hands have at least three live cards: before one card against none is played, the foreplaced card
    /// returns.
    pub(crate) fn live_counts(self, deck: usize) -> impl Iterator<Item = usize> {
        let least = if self == Self::Equal { 0 } else { 3 };
        (least..=deck).step_by(2)
    }
}

/// Number of padding bytes before and after the stored values, so that a vector register can be filled past either end.
pub(crate) const PAD: usize = 64;

/// Values of one layer (positions with the same hand sizes), one byte each, sorted by the cards of both hands and then by the leader's cards.
pub(crate) struct Layer {
    memory: MmapMut,
    row: usize,
}

impl Layer {
    /// Returns the number of bytes for the values of all positions with the given deck size and hand sizes.
    pub(crate) fn size(deck: usize, live: usize, hands: HandBalance) -> usize {
        binomial(deck, live) * binomial(live, hands.held(live))
    }

    /// Allocates memory for the values of all positions with the same hand sizes (a layer), in which every value is a draw.
    ///
    /// # Errors
    ///
    /// Returns the error of the system, if it refuses the memory.
    pub(crate) fn new(deck: usize, live: usize, hands: HandBalance) -> io::Result<Self> {
        let memory = memory::zeros(Self::size(deck, live, hands) + 2 * PAD)?;
        Ok(Self { memory, row: binomial(live, hands.held(live)) })
    }

    /// Returns the bytes of all stored values, with the padding bytes before and after them.
    pub(crate) fn padded(&self) -> &[i8] {
        bytemuck::cast_slice(&self.memory)
    }

    /// Returns the bytes of all stored values without padding, where positions whose hands together hold the same cards are contiguous.
    pub(crate) fn rows(&self) -> &[i8] {
        &self.padded()[PAD..self.memory.len() - PAD]
    }

    /// Returns the bytes of all stored values without padding, for writing.
    pub(crate) fn rows_mut(&mut self) -> &mut [i8] {
        let end = self.memory.len() - PAD;
        bytemuck::cast_slice_mut(&mut self.memory[PAD..end])
    }

    /// Returns the number of positions in which both hands together hold the same given cards, which is also the number of bytes for their values.
    pub(crate) fn row_len(&self) -> usize {
        self.row
    }

    /// Returns the bytes of the values of all positions in which both hands together hold exactly the cards `live`.
    pub(crate) fn row(&self, live: u32) -> &[i8] {
        let start = rank(live) * self.row;
        &self.rows()[start..start + self.row]
    }

    /// Returns the value, encoded as a signed byte, of the position in which the leader holds `held` and both hands together hold `live`.
    pub(crate) fn get(&self, live: u32, held: u32) -> i8 {
        self.row(live)[rank(places_of(held, live))]
    }
}
