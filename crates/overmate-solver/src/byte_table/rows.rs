//! Defines rows of position values, with one byte for each hand of the leader.

use core::ops::RangeInclusive;

use overmate_rules::{BySeat, Seat};

use super::lanes::{HandPlace, LANES, Lanes};
use crate::deal::cards::{LeadKind, MAX_TABLE_HAND};

/// Row of position values: one value for each hand of a given size that a seat can hold, in the order of the hands' bit masks.
///
/// Each byte is 128 plus the score code of a value from the view of that seat. The byte 0 is therefore below all values.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Row(pub(super) [u8; LANES]);

impl Default for Row {
    /// Returns a row in which every value is a draw.
    fn default() -> Self {
        Self([byte_of(0); LANES])
    }
}

/// Values of all possible leads against one hand of the follower: one row for each led card. Each byte of a row belongs to a hand of the
/// leader without the led card.
#[derive(Default)]
pub(super) struct CardRows(pub(super) [Row; MAX_TABLE_HAND as usize]);

/// Converts a score code (signed byte that encodes points for the leader) to the unsigned byte that a row of position values stores.
pub(super) const fn byte_of(code: i8) -> u8 {
    128u8.wrapping_add(code.cast_unsigned())
}

/// Converts an unsigned byte of a row of position values to a score code (signed byte that encodes points for the leader).
const fn code_of(byte: u8) -> i8 {
    byte.wrapping_sub(128).cast_signed()
}

/// Kind of lead (a card, with or without a demand), with the encoded points of a mate by the lead. The points are row bytes from the
/// leader's point of view, indexed by the number of cards that *first* holds.
pub(super) struct CodedLead {
    pub(super) kind: LeadKind,
    pub(super) mates: [u8; MAX_TABLE_HAND as usize + 1],
}

/// Relation of the seats' hand sizes: equal, or one seat holds one card less. A seat that alone
/// foreplaces a card holds one card less from then on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Balance {
    /// Both seats hold the same number of cards.
    Equal,
    /// The given seat holds one card less than the other seat.
    Less(Seat),
}

impl Balance {
    /// Returns the hand size of seat *second*, which equals the hand size `first` of seat *first* or differs from it by one card. `first`
    /// must be at least 1.
    pub(super) fn second_size(self, first: usize) -> usize {
        match self {
            Self::Equal => first,
            Self::Less(Seat::First) => first + 1,
            Self::Less(Seat::Second) => first - 1,
        }
    }

    /// Returns the hand sizes of seat *first* for which positions are solved, from the smallest to the largest.
    pub(super) fn first_sizes(self, hand_size: usize) -> RangeInclusive<usize> {
        match self {
            Self::Equal => 0..=hand_size,
            Self::Less(Seat::First) => 1..=hand_size - 1,
            Self::Less(Seat::Second) => 2..=hand_size,
        }
    }
}

/// Layer: all positions with given hand sizes, a given leader, and the free move either used or unused. `free` means that the free move is
/// unused.
#[derive(Clone, Copy)]
pub(super) struct Layer {
    pub(super) free: bool,
    pub(super) leader: Seat,
    pub(super) sizes: BySeat<usize>,
}

/// Rows with the values of all positions of a deal that have a given [`Balance`] (equal hands, or one seat with one card less).
#[derive(Clone, Debug)]
pub(super) struct RowSets {
    pub(super) hand_size: usize,
    pub(super) balance: Balance,
    pub(super) lanes: &'static Lanes,
    /// Rows of encoded position values, with one byte for each hand that a seat can hold. The list has three kinds of rows, in this order:
    /// solved values, transposed values, and values of mates. The transposed values and the values of mates are needed only during the
    /// computation.
    ///
    /// Solved values have a row for each hand of the follower. Transposed values are the solved values of one layer from the view of the
    /// follower, with a row for each hand of the leader. Values of mates have a row for each kind of lead.
    pub(super) rows: Vec<Row>,
    /// Number of combinations of a leader and a state of the free move: 2, or 4 in rule sets with a free move.
    states: usize,
}

impl RowSets {
    /// Creates an empty table of position values, for dealt hands of `hand_size` cards. The function [`resize`](Self::resize) allocates the
    /// rows.
    pub(super) fn new(hand_size: usize, balance: Balance) -> Self {
        Self { hand_size, balance, lanes: Lanes::of_hand(hand_size), rows: Vec::new(), states: 0 }
    }

    /// Allocates the memory for all rows of position values. Existing rows keep their values.
    pub(super) fn resize(&mut self, has_free_move: bool) {
        self.states = if has_free_move { 4 } else { 2 };
        self.rows.resize(self.mate(Seat::Second, MOST_LEADS), Row::default());
    }

    /// Returns the index of the first row of solved values for positions in which the follower holds `size` cards.
    pub(super) fn solved(&self, free: bool, leader: Seat, size: usize) -> usize {
        (state(free, leader) << self.hand_size) + self.lanes.smaller[size]
    }

    /// Returns the index of the first row of transposed values for positions in which `leader` leads. A transposed row belongs to one hand
    /// of the leader, and has values from the follower's view. `free` means that the free move is unused.
    pub(super) fn turned(&self, free: bool, leader: Seat) -> usize {
        (self.states << self.hand_size) + state(free, leader) * LANES
    }

    /// Returns the index of the row in which every byte is the value of a mate by one lead. `lead` is the index of this lead among all
    /// leads of `leader`.
    pub(super) fn mate(&self, leader: Seat, lead: usize) -> usize {
        (self.states << self.hand_size) + self.states * LANES + leader as usize * MOST_LEADS + lead
    }

    /// Returns the encoded points (score code) for seat *first* in a position, given both hands and the leader.
    pub(super) fn get(&self, free: bool, held: BySeat<usize>, leader: Seat) -> i8 {
        self.get_at(free, self.places(held), leader)
    }

    /// Returns the encoded points (score code) for seat *first* in a position, given the places of both hands and the leader.
    pub(super) fn get_at(&self, free: bool, places: BySeat<HandPlace>, leader: Seat) -> i8 {
        let (row, lane) = self.index(free, places, leader);
        let code = code_of(self.rows[row].0[lane]);
        if leader == Seat::First { code } else { -code }
    }

    /// Stores the encoded points (score code) for seat *first* in a position, given both hands and the leader.
    pub(super) fn set(&mut self, free: bool, held: BySeat<usize>, leader: Seat, code: i8) {
        let (row, lane) = self.index(free, self.places(held), leader);
        self.rows[row].0[lane] = byte_of(if leader == Seat::First { code } else { -code });
    }

    /// Returns the places of two hands in the tables of position values.
    fn places(&self, held: BySeat<usize>) -> BySeat<HandPlace> {
        held.map(|hand| self.lanes.places[hand])
    }

    /// Returns the index of a position's row, and the position's byte index in that row.
    fn index(&self, free: bool, places: BySeat<HandPlace>, leader: Seat) -> (usize, usize) {
        let row = (state(free, leader) << self.hand_size) + usize::from(places[!leader].row);
        (row, places[leader].lane.into())
    }
}

/// Maximum number of kinds of leads from a hand: two for each card, with and without the demand of an answer in rank.
const MOST_LEADS: usize = 2 * MAX_TABLE_HAND as usize;

/// Returns the index of a combination of a leader and a state of the free move.
fn state(free: bool, leader: Seat) -> usize {
    usize::from(free) << 1 | leader as usize
}
