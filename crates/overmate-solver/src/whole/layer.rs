//! Stores the values of a layer: all positions with given hand sizes and a given state of the free move.

use std::io;

use memmap2::MmapMut;

use crate::deal::subsets::{binomial, places_of, rank};
use crate::memory;

/// Relation of the leader's hand size to the follower's hand size: equal, one card fewer, or one card more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum HandBalance {
    /// Equal hand sizes, because neither seat or both seats have foreplaced a card.
    Equal,
    /// The leader has one card fewer than the follower, because only the leader has foreplaced a card.
    LeaderFewer,
    /// The leader has one card more than the follower, because only the follower has foreplaced a card.
    LeaderMore,
}

impl HandBalance {
    /// Returns the number of cards in the leader's hand if both hands together hold `live` cards.
    pub(crate) const fn held(self, live: usize) -> usize {
        match self {
            Self::Equal | Self::LeaderFewer => live / 2,
            Self::LeaderMore => live / 2 + 1,
        }
    }

    /// Returns the possible total numbers of cards in both hands before a lead, in ascending order.
    ///
    /// Unequal hands together hold at least three cards at a lead.
    pub(crate) fn live_counts(self, deck: usize) -> impl Iterator<Item = usize> {
        let least = if self == Self::Equal { 0 } else { 3 };
        (least..=deck).step_by(2)
    }
}

/// Number of padding bytes on each side of the stored values. The padding lets a vector register
/// read past the ends of the values.
pub(crate) const PAD: usize = 64;

/// Values of all positions of a layer, with one byte for each position.
pub(crate) struct Layer {
    memory: MmapMut,
    row: usize,
}

impl Layer {
    /// Returns the number of bytes that the values of a layer take, without the padding bytes.
    pub(crate) fn size(deck: usize, live: usize, hands: HandBalance) -> usize {
        binomial(deck, live) * binomial(live, hands.held(live))
    }

    /// Allocates a layer of positions in which every value is a draw.
    ///
    /// # Errors
    ///
    /// Returns the error of the operating system if it refuses the memory.
    pub(crate) fn new(deck: usize, live: usize, hands: HandBalance) -> io::Result<Self> {
        let memory = memory::zeros(Self::size(deck, live, hands) + 2 * PAD)?;
        Ok(Self { memory, row: binomial(live, hands.held(live)) })
    }

    /// Returns the bytes of all stored values, including the padding.
    pub(crate) fn padded(&self) -> &[i8] {
        bytemuck::cast_slice(&self.memory)
    }

    /// Returns the bytes of all stored values without padding, ordered by the cards of both hands.
    pub(crate) fn rows(&self) -> &[i8] {
        &self.padded()[PAD..self.memory.len() - PAD]
    }

    /// Returns the bytes of all stored values without padding, so that the caller can change the values.
    pub(crate) fn rows_mut(&mut self) -> &mut [i8] {
        let end = self.memory.len() - PAD;
        bytemuck::cast_slice_mut(&mut self.memory[PAD..end])
    }

    /// Returns the number of positions in a row of the layer. A row has all positions whose hands
    /// together hold a given set of cards.
    pub(crate) fn row_len(&self) -> usize {
        self.row
    }

    /// Returns the values of all positions whose hands together hold the cards `live`.
    pub(crate) fn row(&self, live: u32) -> &[i8] {
        let start = rank(live) * self.row;
        &self.rows()[start..start + self.row]
    }

    /// Returns the encoded value of the position in which the leader holds the cards `held` and
    /// both hands together hold the cards `live`.
    pub(crate) fn get(&self, live: u32, held: u32) -> i8 {
        self.row(live)[rank(places_of(held, live))]
    }
}
