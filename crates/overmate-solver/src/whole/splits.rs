//! Assigns numbers to the ways to divide a set of cards between both hands, and computes offsets of solved values.

use crate::deal::subsets::{BINOMIALS, binomial, bits, elements, next_set};

/// Returns the indices of the set bits in consecutive 64-bit words. The last word may have set bits
/// past the end of the row. Callers must ignore the indices of these bits.
pub(crate) fn lanes(words: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
    words.enumerate().flat_map(|(word, set)| bits(set).map(move |bit| word * 64 + bit))
}

/// Numbering of all ways to divide `live` cards between both hands, with `held` cards for the
/// leader. The numbers follow the numeric order of the bit masks of the leader's cards. The number
/// of a division is its lane in a row.
pub(crate) struct Splits {
    lanes: usize,
    words: usize,
    /// Bit mask for each card, with one bit for each way to divide the cards between both hands. A bit is set if the leader then holds the
    /// card.
    holding: Vec<u64>,
}

impl Splits {
    /// Assigns numbers to all ways to divide `live` cards between both hands, with `held` cards for the leader.
    pub(crate) fn new(live: usize, held: usize) -> Self {
        let lanes = binomial(live, held);
        let words = lanes.div_ceil(64);
        let mut holding = vec![0; live * words];
        let mut set = (1 << held) - 1;
        for lane in 0..lanes {
            if lane > 0 {
                set = next_set(set);
            }
            for place in elements(set) {
                holding[place * words + lane / 64] |= 1 << (lane % 64);
            }
        }
        Self { lanes, words, holding }
    }

    /// Returns the number of ways to divide the cards between both hands.
    pub(crate) fn lanes(&self) -> usize {
        self.lanes
    }

    /// Returns the number of 64-bit words in a bit mask with one bit for each way to divide the cards between both hands.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// Returns the bit mask of all ways to divide the cards between both hands such that the leader holds the card with the index `place`.
    pub(crate) fn holding(&self, place: usize) -> &[u64] {
        &self.holding[place * self.words..(place + 1) * self.words]
    }
}

/// Table of memory offsets of solved values: one offset for each set of cards that remains when two cards leave a given set.
///
/// The offset of a set is its colexicographic rank times the length of a row. If two elements leave a set, the rank of the rest has three
/// parts: Σ C(eᵢ, i) below the lower element, Σ C(eᵢ, i − 1) between both elements, and Σ C(eᵢ, i − 2) above. The rank is therefore the sum
/// of a number for the lower and a number for the higher element.
#[derive(Clone, Copy)]
pub(crate) struct Shrunk {
    low: [u32; 32],
    high: [u32; 32],
    /// Number that is added to an entry of `low` and an entry of `high` to give a memory offset.
    all: u32,
}

impl Shrunk {
    /// Computes the memory offsets of the solved values for all sets of cards that result from removing two cards from `set`. The values of
    /// each resulting set take `row` bytes, and the first values begin at the offset `from`.
    pub(crate) fn new(set: u32, row: u32, from: u32) -> Self {
        let (mut low, mut high) = ([0; 32], [0; 32]);
        let (mut none, mut one, mut two) = (0u32, 0u32, 0u32);
        for (place, element) in elements(set).enumerate() {
            let ranks = &BINOMIALS[element];
            let (none_below, one_below) = (none, one);
            none += ranks[place + 1];
            one += ranks[place];
            two += if place == 0 { 0 } else { ranks[place - 1] };
            // An entry of `low` or `high` may be negative, and is then stored modulo 2^32. The sum of an entry of `low`, an entry of `high`
            // and `all` wraps around to the right offset.
            low[element] = none_below.wrapping_sub(one).wrapping_mul(row);
            high[element] = one_below.wrapping_sub(two).wrapping_mul(row);
        }
        Self { low, high, all: two * row + from }
    }

    /// Returns the memory offset of the solved values for the set of cards that results from removing the cards `low` and `high`. Both
    /// cards are removed from the set that was given to [`new`](Self::new). The offset is meaningless unless this set contains both cards.
    #[inline]
    pub(crate) fn without(&self, [low, high]: [u8; 2]) -> u32 {
        // `low` and `high` are at most 31, so the operation `% 32` does not change them. It only lets the compiler omit the checks of the
        // indices.
        let [low, high] = [self.low[usize::from(low % 32)], self.high[usize::from(high % 32)]];
        self.all.wrapping_add(low).wrapping_add(high)
    }
}
