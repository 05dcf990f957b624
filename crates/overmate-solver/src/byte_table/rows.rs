//! Defines rows of values, one byte for each hand of seat *second*, and permutations of the rows.

use core::ops::RangeInclusive;
use std::sync::OnceLock;

use overmate_rules::{BySeat, Seat};

use crate::deal::cards::{LeadKind, MAX_TABLE_HAND};

/// Number of bytes in a row, enough for C(10, 5) = 252 sets of cards.
pub(super) const LANES: usize = 256;

/// Row of score codes, one for each possible hand of seat *second*, in numeric order.
pub(super) type Row = [i8; LANES];

/// Marker of a missing value in a row. The marker is greater than every value.
pub(super) const ABSENT: i8 = i8::MAX;

/// Permutation of a row that moves the value of each set of cards to the set with a given card
/// added.
#[derive(Debug)]
pub(super) struct Permutation {
    /// Source index of each set's value: the set without the added card.
    pub(super) from: [u8; LANES],
    /// Bit mask of the sets that contain the added card.
    pub(super) holding: [u64; LANES / 64],
    /// Bit mask of the sets whose source is in the upper half of the row.
    pub(super) from_upper: [u64; LANES / 64],
}

/// Kind of lead, with the encoded points of a mate, indexed by the hand size of *first*.
pub(super) struct CodedLead {
    pub(super) kind: LeadKind,
    pub(super) mates: [i8; MAX_TABLE_HAND as usize + 1],
}

/// Lanes of all sets of at most ten cards, with the permutations of rows. They depend on the number of cards only.
#[derive(Debug)]
pub(super) struct Lanes {
    /// Permutations that add a card to each set, by size of the resulting sets and by card.
    pub(super) permutations: Vec<Vec<Permutation>>,
    /// Lane of each set of cards among the sets of its size, in numeric order.
    lane_of: Vec<u8>,
}

impl Lanes {
    /// Returns the lanes of the sets of `hand_size` cards, which are computed once.
    fn of_hand(hand_size: usize) -> &'static Self {
        static OF_HANDS: [OnceLock<Lanes>; MAX_TABLE_HAND as usize + 1] =
            [const { OnceLock::new() }; MAX_TABLE_HAND as usize + 1];
        OF_HANDS[hand_size].get_or_init(|| Self::new(hand_size))
    }

    fn new(hand_size: usize) -> Self {
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
        Self { permutations, lane_of }
    }
}

/// Difference between the hand sizes of both seats. A seat that alone foreplaces a card holds one card less from then on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Balance {
    /// Both seats hold equally many cards.
    Equal,
    /// The given seat holds one card less than the other seat.
    Less(Seat),
}

impl Balance {
    /// Returns the number of cards of *second* if *first* holds `first` cards, at least 1.
    pub(super) fn second_size(self, first: usize) -> usize {
        match self {
            Self::Equal => first,
            Self::Less(Seat::First) => first + 1,
            Self::Less(Seat::Second) => first - 1,
        }
    }

    /// Returns the numbers of cards of *first* in the rows, from the rows that follow from no other row to the largest.
    pub(super) fn first_sizes(self, hand_size: usize) -> RangeInclusive<usize> {
        match self {
            Self::Equal => 0..=hand_size,
            Self::Less(Seat::First) => 1..=hand_size - 1,
            Self::Less(Seat::Second) => 2..=hand_size,
        }
    }
}

/// Values of all positions that follow from two hands of equal size, with a given balance of the hands.
#[derive(Clone, Debug)]
pub(super) struct RowSets {
    pub(super) hand_size: usize,
    pub(super) balance: Balance,
    pub(super) lanes: &'static Lanes,
    pub(super) rows: Vec<Row>,
}

impl RowSets {
    /// Creates the sets of rows, without any row.
    pub(super) fn new(hand_size: usize, balance: Balance) -> Self {
        Self { hand_size, balance, lanes: Lanes::of_hand(hand_size), rows: Vec::new() }
    }

    /// Returns the index of the row of positions in which seat *first* holds the set `first_holds`.
    pub(super) fn index(&self, free: bool, first_holds: usize, leader: Seat) -> usize {
        (usize::from(free) << self.hand_size | first_holds) << 1 | leader as usize
    }

    /// Returns the score code of a position.
    pub(super) fn get(&self, free: bool, held: BySeat<usize>, leader: Seat) -> i8 {
        self.rows[self.index(free, held.first, leader)][self.lane(held.second)]
    }

    /// Writes the score code of a position.
    pub(super) fn set(&mut self, free: bool, held: BySeat<usize>, leader: Seat, code: i8) {
        let (index, lane) = (self.index(free, held.first, leader), self.lane(held.second));
        self.rows[index][lane] = code;
    }

    fn lane(&self, second_holds: usize) -> usize {
        self.lanes.lane_of[second_holds].into()
    }
}
