//! Defines rows of values, one byte for each hand of seat *second*, and permutations of the rows.

use crate::deal::cards::LeadKind;
use crate::table::build::MAX_TABLE_HAND;
use overmate_rules::Seat;

/// Number of bytes in a row, enough for C(10, 5) = 252 sets of cards.
pub(super) const LANES: usize = 256;

/// Row of score codes, one for each possible hand of seat *second*, in numeric order.
pub(super) type Row = [i8; LANES];

/// Marker of a missing value in a row. The marker is greater than every value.
pub(super) const ABSENT: i8 = i8::MAX;

/// Permutation of a row that moves the value of each set of cards to the set with a given card
/// added.
pub(super) struct Permutation {
    /// Source index of each set's value: the set without the added card.
    pub(super) from: [u8; LANES],
    /// Bit mask of the sets that contain the added card.
    pub(super) holding: [u64; LANES / 64],
    /// Bit mask of the sets whose source is in the upper half of the row.
    pub(super) from_upper: [u64; LANES / 64],
}

/// Kind of lead, with the encoded points of a mate for each hand size.
pub(super) struct CodedLead {
    pub(super) kind: LeadKind,
    pub(super) mates: [i8; MAX_TABLE_HAND as usize + 1],
}

/// Values of all positions that follow from two hands of equal size, with the reusable
/// permutations.
pub(super) struct RowSets {
    pub(super) hand_size: usize,
    /// Permutations that add a card to each set, by size of the resulting sets and by card.
    pub(super) permutations: Vec<Vec<Permutation>>,
    pub(super) rows: Vec<Row>,
}

impl RowSets {
    /// Computes the permutations for all sets of at most `hand_size` cards.
    pub(super) fn new(hand_size: usize) -> Self {
        let of_size = |size: usize| {
            (0..1usize << hand_size).filter(move |set| set.count_ones() as usize == size)
        };
        let mut lane_of = vec![0u8; 1 << hand_size];
        for size in 0..=hand_size {
            for (lane, set) in (0..=u8::MAX).zip(of_size(size)) {
                lane_of[set] = lane;
            }
        }
        let permutation = |size: usize, card: usize| {
            let mut permutation =
                Permutation { from: [0; LANES], holding: [0; 4], from_upper: [0; 4] };
            for (lane, set) in of_size(size).enumerate().filter(|(_, set)| set >> card & 1 == 1) {
                let from = lane_of[set & !(1 << card)];
                let (word, bit) = (lane / 64, 1 << (lane % 64));
                permutation.from[lane] = from;
                permutation.holding[word] |= bit;
                permutation.from_upper[word] |= if from >= 128 { bit } else { 0 };
            }
            permutation
        };
        let permutations = (0..=hand_size)
            .map(|size| (0..hand_size).map(|card| permutation(size, card)).collect())
            .collect();
        Self { hand_size, permutations, rows: Vec::new() }
    }

    /// Returns the index of the row of positions in which seat *first* holds the set `first_holds`.
    pub(super) fn index(&self, free: bool, first_holds: usize, leader: Seat) -> usize {
        (usize::from(free) << self.hand_size | first_holds) << 1 | leader as usize
    }
}
