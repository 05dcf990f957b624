//! Sets of live cards and the ways to split them, numbered.

use crate::deal::cards::bits;

/// C(n, k) for `n` up to 20 and any `k` up to 21.
pub(crate) static BINOMIALS: [[u32; 22]; 21] = {
    let mut table = [[0; 22]; 21];
    let mut n = 0;
    while n < table.len() {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// C(n, k) for `n` up to 20.
pub(crate) fn binomial(n: usize, k: usize) -> usize {
    BINOMIALS[n][k] as usize
}

/// The colexicographic rank of a set among the sets of its size: Σ C(eᵢ, i) over its elements from low to high.
pub(crate) fn rank(set: u32) -> usize {
    (1..).zip(elements(set)).map(|(i, element)| binomial(element, i)).sum()
}

/// The set of a rank among the sets of `size` of the numbers 0 to 19.
pub(crate) fn unrank(mut rank: usize, size: usize) -> u32 {
    let mut set = 0;
    let mut element = BINOMIALS.len() - 1;
    for i in (1..=size).rev() {
        while binomial(element, i) > rank {
            element -= 1;
        }
        rank -= binomial(element, i);
        set |= 1 << element;
    }
    set
}

/// The next set of the same size in numeric order, which is the order of ranks. The set is not empty.
pub(crate) const fn next_set(set: u32) -> u32 {
    let low = set & set.wrapping_neg();
    let ripple = set + low;
    ripple | (((set ^ ripple) >> 2) / low)
}

/// The elements of a set, from low to high.
pub(crate) fn elements(mut set: u32) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let element = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(element)
    })
}

/// The set of the places, within `live`, of the elements of `held`.
pub(crate) fn places_of(held: u32, live: u32) -> u32 {
    let places = (0..).zip(elements(live)).filter(|(_, element)| held >> element & 1 == 1);
    places.fold(0, |set, (place, _): (u32, usize)| set | 1 << place)
}

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
