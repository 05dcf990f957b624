//! Defines rows of values, with one byte for each hand of seat *second*.

use core::ops::RangeInclusive;

use overmate_rules::{BySeat, Seat};

use super::lanes::{LANES, Lanes};
use crate::deal::cards::{LeadKind, MAX_TABLE_HAND};

/// Row of values, one for each possible hand of seat *second*, in the order of the hands' bit masks.
///
/// A value is 128 less its score code, so that seat *second* prefers higher bytes and every value is above [`UNKNOWN`].
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Row(pub(super) [u8; LANES]);

impl Default for Row {
    /// Returns a row in which every value is a draw.
    fn default() -> Self {
        Self([byte_of(0); LANES])
    }
}

/// Byte that marks a missing value in a row, below the bytes of all values. Byte shuffles write it to lanes without a source.
pub(super) const UNKNOWN: u8 = 0;

/// Encodes a score code as a byte of a row.
pub(super) const fn byte_of(code: i8) -> u8 {
    128u8.wrapping_sub(code.cast_unsigned())
}

/// Decodes a byte of a row to a score code.
const fn code_of(byte: u8) -> i8 {
    128u8.wrapping_sub(byte).cast_signed()
}

/// Kind of lead, with the points of a mate as row bytes, indexed by the number of cards that *first* holds.
pub(super) struct CodedLead {
    pub(super) kind: LeadKind,
    pub(super) mates: [u8; MAX_TABLE_HAND as usize + 1],
}

/// Relation of the two hand sizes: equal, or one seat holds one card less. A seat that alone foreplaces a card holds one card less from
/// then on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Balance {
    /// Both seats hold equally many cards.
    Equal,
    /// The given seat holds one card less than the other seat.
    Less(Seat),
}

impl Balance {
    /// Returns the hand size of seat *second* if seat *first* holds `first` cards, at least 1.
    pub(super) fn second_size(self, first: usize) -> usize {
        match self {
            Self::Equal => first,
            Self::Less(Seat::First) => first + 1,
            Self::Less(Seat::Second) => first - 1,
        }
    }

    /// Returns the possible hand sizes of seat *first* at this relation, from the smallest solved size to the largest.
    pub(super) fn first_sizes(self, hand_size: usize) -> RangeInclusive<usize> {
        match self {
            Self::Equal => 0..=hand_size,
            Self::Less(Seat::First) => 1..=hand_size - 1,
            Self::Less(Seat::Second) => 2..=hand_size,
        }
    }
}

/// Rows of values for all positions that can arise from two hands of equal size, with one relation of the hand sizes.
#[derive(Clone, Debug)]
pub(super) struct RowSets {
    pub(super) hand_size: usize,
    pub(super) balance: Balance,
    pub(super) lanes: &'static Lanes,
    pub(super) rows: Vec<Row>,
}

impl RowSets {
    /// Creates an empty collection of rows for dealt hands of `hand_size` cards.
    pub(super) fn new(hand_size: usize, balance: Balance) -> Self {
        Self { hand_size, balance, lanes: Lanes::of_hand(hand_size), rows: Vec::new() }
    }

    /// Returns the index of the row for positions in which seat *first* holds the cards `first_holds`.
    pub(super) fn index(&self, free: bool, first_holds: usize, leader: Seat) -> usize {
        (usize::from(free) << self.hand_size | first_holds) << 1 | leader as usize
    }

    /// Returns the score code of a position, given both hands and the leader.
    pub(super) fn get(&self, free: bool, held: BySeat<usize>, leader: Seat) -> i8 {
        code_of(self.rows[self.index(free, held.first, leader)].0[self.lane(held.second)])
    }

    /// Sets the score code of a position, given both hands and the leader.
    pub(super) fn set(&mut self, free: bool, held: BySeat<usize>, leader: Seat, code: i8) {
        let (index, lane) = (self.index(free, held.first, leader), self.lane(held.second));
        self.rows[index].0[lane] = byte_of(code);
    }

    fn lane(&self, second_holds: usize) -> usize {
        self.lanes.lane_of[second_holds].into()
    }
}
