//! Implements the solver's inner loops for any processor, as the reference for the vector implementations.

#![allow(unsafe_code, reason = "each block states why its reads stay in a layer")]

use super::row::Vectors;
use crate::deal::subsets::bits;
use crate::whole::job::ABSENT;

/// Operations on groups of 64 position values, without vector instructions, for any processor.
#[derive(Clone, Copy)]
pub(super) struct Portable;

/// Values of 64 positions.
type Word = [i8; 64];

/// Mapping from consecutive values of solved positions to the places of their copies in a group of 64 bytes.
pub(super) struct Spread {
    /// Indices, from 0 to 63, of the target bytes to which values are copied. Only the first `count` entries are used.
    lanes: [u8; 64],
    /// Number of bytes that this mapping copies.
    count: usize,
    /// Offset of the first copied byte, counted from the start of a row of position values.
    start: usize,
}

impl Spread {
    /// Creates the mapping that copies consecutive bytes, from the offset `start` on, to the places of the set bits in `lanes`.
    pub(super) fn new(lanes: u64, start: u32) -> Self {
        let mut spread =
            Self { lanes: [0; 64], count: lanes.count_ones() as usize, start: start as usize };
        for (place, lane) in spread.lanes.iter_mut().zip(bits(lanes)) {
            *place = u8::try_from(lane).expect("a word has 64 positions");
        }
        spread
    }

    /// Combines values in `word` with solved values from `row` by the function `collect`. For each place of this mapping, the arguments of
    /// `collect` are the present value in `word` and the solved value. The result is the new value in `word`.
    ///
    /// # Safety
    ///
    /// `row` must have 64 readable bytes from the start of the spread on.
    unsafe fn collect(&self, word: &mut Word, row: *const i8, collect: impl Fn(i8, i8) -> i8) {
        // SAFETY: the caller guarantees that `row` has 64 readable bytes from the offset `start` on.
        let values: &Word = unsafe { &*row.add(self.start).cast() };
        for (lane, value) in self.lanes.iter().zip(values).take(self.count) {
            let kept = &mut word[usize::from(lane % 64)];
            *kept = collect(*kept, *value);
        }
    }
}

impl Vectors for Portable {
    type Word = Word;
    type Spread = Spread;

    fn splat(self, value: i8) -> Word {
        [value; 64]
    }

    fn no_lowest(self) -> Word {
        [ABSENT; 64]
    }

    fn no_highest(self) -> Word {
        [-ABSENT; 64]
    }

    unsafe fn collect_lowest(self, mut lowest: Word, row: *const i8, spread: &Spread) -> Word {
        // SAFETY: the caller guarantees that `row` has 64 readable bytes from the offset `spread.start` on.
        unsafe { spread.collect(&mut lowest, row, i8::min) };
        lowest
    }

    unsafe fn collect_highest(self, mut highest: Word, row: *const i8, spread: &Spread) -> Word {
        // SAFETY: the caller guarantees that `row` has 64 readable bytes from the offset `spread.start` on.
        unsafe { spread.collect(&mut highest, row, i8::max) };
        highest
    }

    fn answered(self, losing: Word, winning: Word) -> Word {
        core::array::from_fn(|lane| losing[lane].min(-winning[63 - lane]))
    }

    fn highest(self, highest: Word) -> Word {
        highest
    }

    fn min(self, a: Word, b: Word) -> Word {
        core::array::from_fn(|lane| a[lane].min(b[lane]))
    }

    fn if_absent(self, test: Word, others: Word, values: Word) -> Word {
        core::array::from_fn(|lane| if test[lane] == ABSENT { others[lane] } else { values[lane] })
    }

    fn store(self, word: Word, out: &mut Word) {
        *out = word;
    }
}
