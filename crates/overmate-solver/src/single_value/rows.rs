//! Rows that have one value (a byte) for each set of cards of seat *second*, and permutations that move each value to the set with one card added.

use crate::deal::cards::LeadKind;
use crate::table::build::MAX_TABLE_HAND;
use overmate_rules::Seat;

/// Number of bytes in a row, at least one for each set of cards of equal size: at most C(10, 5) = 252 sets.
pub(super) const LANES: usize = 256;

/// Row of score codes (encoded points), one for each set of cards of one size that seat *second* may hold, in numeric order of the sets.
pub(super) type Row = [i8; LANES];

/// Marker of a missing value in a row of values. The marker is greater than every value.
pub(super) const ABSENT: i8 = i8::MAX;

/// Permutation of a row of values (one for each set of cards), which moves each value to the set with one given card added.
pub(super) struct Permutation {
    /// Index, for each set of cards, of the value that the permutation moves to this set: the value of the set without the added card.
    pub(super) from: [u8; LANES],
    /// Bit mask of the sets of cards that contain the added card.
    pub(super) holding: [u64; LANES / 64],
    /// Bit mask of the sets of cards whose value the permutation takes from the upper 128 bytes of the row.
    pub(super) from_upper: [u64; LANES / 64],
}

/// Way to lead a card, with the encoded points of a mate by that card for each hand size.
pub(super) struct CodedLead {
    pub(super) kind: LeadKind,
    pub(super) mates: [i8; MAX_TABLE_HAND as usize + 1],
}

/// Values of all positions that can follow from two hands of equal size, with the permutations, which are the same for
/// every deal.
pub(super) struct RowSets {
    pub(super) hand_size: usize,
    /// Permutations of rows that add one card to each set, indexed by the size of the resulting sets and by the added
    /// card.
    pub(super) permutations: Vec<Vec<Permutation>>,
    pub(super) rows: Vec<Row>,
}

impl RowSets {
    /// Computes the permutations for all sets of up to `hand_size` cards, which is at most [`MAX_TABLE_HAND`].
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

    /// Returns the index of the row for positions in which seat *first* holds the set `first_holds` and `leader` is to lead.
    pub(super) fn index(&self, free: bool, first_holds: usize, leader: Seat) -> usize {
        (usize::from(free) << self.hand_size | first_holds) << 1 | leader as usize
    }
}
