//! Rows of score codes for equal hands, and the lane permutations between them.

use crate::deal::cards::LeadKind;
use crate::table::build::MAX_TABLE_HAND;
use overmate_rules::Seat;

/// Number of lanes of a row: the sets of one size number at most C(10, 5) = 252.
pub(super) const LANES: usize = 256;

/// A code for each set of cards of *second* of one size, in numeric order of the sets.
pub(super) type Row = [i8; LANES];

/// Marker of a lane without a value, above every code.
pub(super) const ABSENT: i8 = i8::MAX;

/// Permutation of the lanes of one size that takes one card out of each set.
pub(super) struct Permutation {
    /// Source of each lane: the lane, one size smaller, of the set without the card.
    pub(super) from: [u8; LANES],
    /// Lanes of sets that hold the card.
    pub(super) holding: [u64; LANES / 64],
    /// Lanes whose source is in the upper half of the lanes.
    pub(super) from_upper: [u64; LANES / 64],
}

/// A way to lead a card, with the code of a mate for each number of cards held.
pub(super) struct CodedLead {
    pub(super) kind: LeadKind,
    pub(super) mates: [i8; MAX_TABLE_HAND as usize + 1],
}

/// Rows of all equal hands of one size, and the permutations between them, which are the same for all deals.
pub(super) struct RowSets {
    pub(super) hand_size: usize,
    /// Permutations, indexed by the size of the set, then by the card.
    pub(super) permutations: Vec<Vec<Permutation>>,
    pub(super) rows: Vec<Row>,
}

impl RowSets {
    /// Computes the permutations for hands of this size, at most [`MAX_TABLE_HAND`].
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

    /// Returns the index of the row in which *first* holds these cards.
    pub(super) fn index(&self, free: bool, first_holds: usize, leader: Seat) -> usize {
        (usize::from(free) << self.hand_size | first_holds) << 1 | leader as usize
    }
}
