//! Finds the blocks of positions that can arise from the requested positions. The rule set must require an answer in suit.
//!
//! A *block* holds all positions with given numbers of cards of each suit in each hand. An answer in suit takes one card
//! of the same suit from both hands, so it keeps the difference between the hands in every suit. The difference changes
//! only when the follower has no card of the led suit. Few of all pairs of hands can therefore arise: about one in fifty in a whole deal of
//! 40 cards.
//!
//! A block in which both hands hold equally many cards of each suit is a draw (see `EvenSuits` of the search), and so are
//! all positions that arise from the block. Such blocks are not stored.

use overmate_rules::{BySeat, Seat};

use super::suit_hands::{MOST_SUITS, SuitHands};

/// Number of cards of each suit in each hand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct SuitCounts {
    first: [u8; MOST_SUITS],
    second: [u8; MOST_SUITS],
}

impl SuitCounts {
    /// Counts the cards of each suit in two hands.
    pub(super) fn of(suits: &[SuitHands], held: BySeat<u64>) -> Self {
        let mut counts = Self { first: [0; MOST_SUITS], second: [0; MOST_SUITS] };
        for (i, suit) in suits.iter().enumerate() {
            let count = |seat: Seat| u8::try_from(suit.held(seat, held[seat])).unwrap_or_default();
            (counts.first[i], counts.second[i]) = (count(Seat::First), count(Seat::Second));
        }
        counts
    }

    /// Returns the number of cards of one suit in each hand.
    pub(super) fn sizes(self, suit: usize) -> BySeat<usize> {
        BySeat { first: self.first[suit].into(), second: self.second[suit].into() }
    }

    /// Returns whether both hands hold the same number of cards of each suit.
    pub(super) fn are_even(self) -> bool {
        self.first == self.second
    }

    /// Returns whether a seat can lead a card of a suit that the other seat does not hold.
    fn have_void_lead(self) -> bool {
        self.first.iter().zip(self.second).any(|(first, second)| (*first == 0) != (second == 0))
    }

    /// Returns the number of cards in the hand of seat *first*.
    fn hand_size(self) -> usize {
        self.first.iter().map(|count| usize::from(*count)).sum()
    }

    /// Returns the suit counts after `seat` has played a card of the suit `own`, and the opponent a
    /// card of the suit `other`. Each seat must hold a card of the suit that it plays.
    pub(super) fn after(mut self, seat: Seat, own: usize, other: usize) -> Self {
        let (first, second) = match seat {
            Seat::First => (own, other),
            Seat::Second => (other, own),
        };
        self.first[first] -= 1;
        self.second[second] -= 1;
        self
    }

    /// Adds to `next`, for each legal move, the number of cards of each suit in each hand after the move. Several moves may lead to the
    /// same counts.
    fn add_successors(self, suits: &[SuitHands], next: &mut Vec<Self>) {
        for (suit, hands) in suits.iter().enumerate() {
            let sizes = self.sizes(suit);
            if sizes.first > 0 && sizes.second > 0 {
                next.push(self.after(Seat::First, suit, suit));
                continue;
            }
            for leader in Seat::BOTH {
                if sizes[leader] > 0 {
                    let leads = hands.void_leads(leader).iter();
                    let answers = leads.flat_map(|lead| &lead.answers).map(|answer| answer.suit);
                    let held = answers.filter(|&other| self.sizes(other)[!leader] > 0);
                    next.extend(held.map(|other| self.after(leader, suit, other)));
                }
            }
        }
    }
}

/// Block of positions: all positions with given numbers of cards of each suit in each hand. The index of a position is (p₁·n₂ + p₂)·n₃ + p₃
/// …, where pᵢ numbers the pair of hands in suit i, and nᵢ is the number of such pairs. The last of these numbers is rounded up to whole
/// bytes, so that the positions that differ only in the last suit start with a byte.
pub(super) struct Block {
    pub(super) counts: SuitCounts,
    /// Index of the first position of the block among all positions of the layer.
    start: usize,
    pub(super) positions: usize,
    /// Number of positions whose values one byte holds.
    positions_a_byte: usize,
}

/// Returns the number of places for the pairs of hands in the suit `suit`, in the index of a position.
fn places(suits: &[SuitHands], suit: usize, counts: SuitCounts, positions_a_byte: usize) -> usize {
    let pairs = suits[suit].pairs(counts.sizes(suit));
    if suit + 1 == suits.len() { pairs.next_multiple_of(positions_a_byte) } else { pairs }
}

impl Block {
    /// Returns the index of a position of the block among all positions of the layer.
    pub(super) fn index(&self, suits: &[SuitHands], held: BySeat<u64>) -> usize {
        let within = suits.iter().enumerate().fold(0, |index, (i, suit)| {
            index * places(suits, i, self.counts, self.positions_a_byte) + suit.pair(held)
        });
        self.start + within
    }

    /// Returns the range of the bytes with the values of all positions in the block.
    pub(super) fn bytes(&self) -> core::ops::Range<usize> {
        let start = self.start / self.positions_a_byte;
        start..start + self.positions / self.positions_a_byte
    }
}

/// Layer: the blocks of one hand size that are reachable from the requested positions. Blocks whose positions are all draws are left out.
#[derive(Default)]
pub(super) struct BlockLayer {
    /// Blocks of the layer, in ascending order of their suit counts. The indices of the positions have the same order.
    pub(super) blocks: Vec<Block>,
}

impl BlockLayer {
    /// Creates a layer with one block for each entry of a sorted list of suit counts. Entries in which both hands hold
    /// the same number of cards of each suit get no block, because their positions are draws. Returns `None` if there
    /// are too many positions to number.
    fn new(suits: &[SuitHands], all: &[SuitCounts], positions_a_byte: usize) -> Option<Self> {
        let mut layer = Self::default();
        let mut start = 0usize;
        for &counts in all.iter().filter(|counts| !counts.are_even()) {
            let places = (0..suits.len()).map(|i| places(suits, i, counts, positions_a_byte));
            let positions = places.into_iter().try_fold(1usize, usize::checked_mul)?;
            layer.blocks.push(Block { counts, start, positions, positions_a_byte });
            start = start.checked_add(positions)?;
        }
        Some(layer)
    }

    /// Returns the block with given suit counts, or `None` if all positions of the block are draws.
    pub(super) fn block(&self, counts: SuitCounts) -> Option<&Block> {
        let found = self.blocks.binary_search_by_key(&counts, |block| block.counts);
        found.ok().map(|i| &self.blocks[i])
    }

    /// Returns the number of positions in all blocks of the layer; two positions that differ only in the leader count as one.
    pub(super) fn positions(&self) -> usize {
        self.blocks.last().map_or(0, |block| block.start + block.positions)
    }

    /// Returns the number of bytes for the values of the largest block in which a seat can lead a card of a suit that the other seat does
    /// not hold.
    pub(super) fn bytes_of_void_leads(&self) -> usize {
        let void = self.blocks.iter().filter(|block| block.counts.have_void_lead());
        void.map(|block| block.bytes().len()).max().unwrap_or_default()
    }

    /// Returns the number of bytes for the values of all positions of the layer with one leader.
    pub(super) fn bytes(&self) -> usize {
        self.blocks.last().map_or(0, |block| block.bytes().end)
    }
}

/// Returns the layers of all positions that can arise from the requested positions, in ascending order of the hand size. `wanted` has the
/// number of cards of each suit in each hand, for each requested position. One byte holds the values of `positions_a_byte` positions.
/// Returns `None` if there are too many positions to number.
pub(super) fn layers(
    suits: &[SuitHands],
    wanted: &[SuitCounts],
    positions_a_byte: usize,
) -> Option<Vec<BlockLayer>> {
    let largest = wanted.iter().map(|counts| counts.hand_size()).max()?;
    let mut layers = Vec::new();
    let mut reached: Vec<SuitCounts> = Vec::new();
    for size in (0..=largest).rev() {
        reached.extend(wanted.iter().filter(|counts| counts.hand_size() == size));
        reached.sort_unstable();
        reached.dedup();
        layers.push(BlockLayer::new(suits, &reached, positions_a_byte)?);
        let mut next = Vec::new();
        for counts in reached.iter().filter(|counts| !counts.are_even()) {
            counts.add_successors(suits, &mut next);
        }
        reached = next;
    }
    layers.reverse();
    Some(layers)
}
