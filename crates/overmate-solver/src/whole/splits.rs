//! Ways to split the live cards between both hands, numbered as lanes; and where smaller rows begin.

use crate::deal::subsets::{BINOMIALS, binomial, bits, elements, next_set};

/// The lanes that are set, 64 to a word. Lanes past the last are left out by who has fewer values for them.
pub(crate) fn lanes(words: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
    words.enumerate().flat_map(|(word, set)| bits(set).map(move |bit| word * 64 + bit))
}

/// The splits of `live` cards of which the leader holds `held`: a lane for each, in numeric order of the set
/// of places that he holds.
pub(crate) struct Splits {
    live: usize,
    lanes: usize,
    words: usize,
    after_move: usize,
    /// By the place of a live card, [`words`](Self::words) each: the lanes in which the leader holds it.
    holding: Vec<u64>,
}

impl Splits {
    /// # Panics
    ///
    /// If not both players hold a card.
    pub(crate) fn new(live: usize, held: usize) -> Self {
        assert!(held > 0 && held < live, "both hold a card");
        let lanes = binomial(live, held);
        let words = lanes.div_ceil(64);
        let mut holding = vec![0; live * words];
        let mut set = (1 << held) - 1;
        for lane in 0..lanes {
            for place in elements(set) {
                holding[place * words + lane / 64] |= 1 << (lane % 64);
            }
            set = next_set(set);
        }
        Self { live, lanes, words, after_move: binomial(live - 2, held - 1), holding }
    }

    /// How many cards are live.
    pub(crate) fn live(&self) -> usize {
        self.live
    }

    /// How many splits there are.
    pub(crate) fn lanes(&self) -> usize {
        self.lanes
    }

    /// The lanes in words of 64.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// The lanes of a row after a move: as many as there are lanes here in which the leader holds one
    /// given card and the other another.
    pub(crate) fn after_move(&self) -> usize {
        self.after_move
    }

    /// The lanes in which the leader holds the card of a place, 64 to a word.
    pub(crate) fn holding(&self, place: usize) -> &[u64] {
        &self.holding[place * self.words..(place + 1) * self.words]
    }
}

/// Where the rows of a set without two of its elements begin, from sums over its parts.
///
/// The rank of the rest is Σ C(eᵢ, i) below the lower one, Σ C(eᵢ, i − 1) between them and Σ C(eᵢ, i − 2) above: a
/// number for the lower one and a number for the higher one, added up.
#[derive(Clone, Copy)]
pub(crate) struct Shrunk {
    low: [u32; 32],
    high: [u32; 32],
}

impl Shrunk {
    /// The rows have `row` bytes, and the first one begins at `from`.
    pub(crate) fn new(set: u32, row: u32, from: u32) -> Self {
        let (mut low, mut high) = ([0; 32], [0; 32]);
        let (mut none, mut one, mut two) = (0u32, 0u32, 0u32);
        for (place, element) in elements(set).enumerate() {
            let row = &BINOMIALS[element];
            low[element] = none;
            high[element] = one;
            none += row[place + 1];
            one += row[place];
            two += if place == 0 { 0 } else { row[place - 1] };
            low[element] = low[element].wrapping_sub(one);
            high[element] = high[element].wrapping_sub(two);
        }
        // What is below zero comes right when the two are added.
        for element in 0..32 {
            low[element] = low[element].wrapping_mul(row);
            high[element] = high[element].wrapping_add(two).wrapping_mul(row).wrapping_add(from);
        }
        Self { low, high }
    }

    /// Where the row without the two elements begins, the lower of them first. Of no meaning if not both are in the set.
    #[inline]
    pub(crate) fn without(&self, [low, high]: [u8; 2]) -> u32 {
        // No number is above 31, which the compiler cannot know.
        self.low[usize::from(low % 32)].wrapping_add(self.high[usize::from(high % 32)])
    }
}
