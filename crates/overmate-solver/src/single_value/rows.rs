//! Rows of value codes, one code (lane) for each card set of *second*, and the permutations that add a card to each
//! set.

use crate::deal::cards::LeadKind;
use crate::table::build::MAX_TABLE_HAND;
use overmate_rules::Seat;

/// Number of codes in a row; there are at most C(10, 5) = 252 sets of one size.
pub(super) const LANES: usize = 256;

/// Value codes of all sets of one size of *second*'s cards, in numeric order of the sets.
pub(super) type Row = [i8; LANES];

/// Marker of an entry without a value, above every value code.
pub(super) const ABSENT: i8 = i8::MAX;

/// Permutation that maps each card set of one size to the set without a given card.
pub(super) struct Permutation {
    /// For each set, the lane of the set without the card, among the sets with one card less.
    pub(super) from: [u8; LANES],
    /// Bit mask of the sets that hold the card.
    pub(super) holding: [u64; LANES / 64],
    /// Bit mask of the sets whose value comes from the upper half of the source row.
    pub(super) from_upper: [u64; LANES / 64],
}

/// Way to lead a card, with the value code of a mate for each number of cards that the leader holds.
pub(super) struct CodedLead {
    pub(super) kind: LeadKind,
    pub(super) mates: [i8; MAX_TABLE_HAND as usize + 1],
}

/// Rows of value codes for all equal hands of one size, with the permutations that all deals share.
pub(super) struct RowSets {
    pub(super) hand_size: usize,
    /// Permutations that add a card to each set, indexed by the size of the set and by the card.
    pub(super) permutations: Vec<Vec<Permutation>>,
    pub(super) rows: Vec<Row>,
}

impl RowSets {
    /// Computes the permutations for hands of `hand_size` cards, at most [`MAX_TABLE_HAND`].
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

    /// Returns the index of the row in which *first* holds these cards and `leader` is to lead.
    pub(super) fn index(&self, free: bool, first_holds: usize, leader: Seat) -> usize {
        (usize::from(free) << self.hand_size | first_holds) << 1 | leader as usize
    }
}
