//! Implements the solver's inner loops with AVX2 instructions, for 32 positions at once.
//!
//! A byte shuffle writes 0 to each position without a value. While values are collected, each value is therefore stored as an unsigned byte
//! above 0, and the loops take maximums. For the highest values, the unsigned bytes have the order of the score codes. For the lowest
//! values, they have the opposite order.

#![allow(unsafe_code, reason = "vector instructions: each block states why it is sound")]
#![allow(
    clippy::inline_always,
    reason = "inlined functions are compiled for the caller's instructions"
)]

use core::arch::x86_64::{
    __m256i, _mm_loadu_si128, _mm256_adds_epi8, _mm256_blendv_epi8, _mm256_castsi128_si256,
    _mm256_cmpeq_epi8, _mm256_inserti128_si256, _mm256_loadu_si256, _mm256_max_epu8,
    _mm256_min_epi8, _mm256_permute4x64_epi64, _mm256_set_epi64x, _mm256_set1_epi8,
    _mm256_shuffle_epi8, _mm256_storeu_si256, _mm256_xor_si256,
};

use super::row::{Vectors, solve_row};
use super::spreads::LayerSpreads;
use crate::whole::job::{ABSENT, Job, SolvedLayers};

/// Computes the values of all positions whose hands together hold the cards of `job`, with AVX2 instructions.
#[target_feature(enable = "avx2")]
pub(super) fn solve(
    spreads: &LayerSpreads<Spread>,
    job: &Job,
    solved: (usize, SolvedLayers<'_>),
    after_leads: &mut Vec<i8>,
    out: &mut [i8],
) {
    solve_row::<Avx2, 2>(Avx2(()), spreads, job, solved, after_leads, out);
}

/// Vector operations with AVX2 instructions. A value of this type exists only in functions that are compiled for AVX2.
#[derive(Clone, Copy)]
struct Avx2(());

/// Values of 64 positions, in two registers of 32 bytes.
type Word = [__m256i; 2];

/// Mapping from consecutive values of solved positions to the places of their copies in a group of 64 bytes. Each of the four parts of 16
/// places takes its values from 16 consecutive bytes.
pub(super) struct Spread {
    /// Indices of the source bytes that are copied to 64 target bytes. Each index counts from the first of the 16 source bytes that a group
    /// of 16 target bytes reads. The highest bit is set for a target byte without a value.
    places: [[u8; 32]; 2],
    /// Offset of the source bytes for each of four groups of 16 adjacent target bytes. Each group reads 16 bytes from its offset in the row
    /// of solved values.
    starts: [u32; 4],
}

impl Spread {
    /// Creates the mapping that copies consecutive bytes, from the offset `start` on, to the places of the set bits in `lanes`.
    pub(super) fn new(lanes: u64, start: u32) -> Self {
        let mut spread = Self { places: [[0x80; 32]; 2], starts: [start; 4] };
        for group in 0..4 {
            let lanes = lanes >> (16 * group) & 0xffff;
            let places =
                spread.places.as_flattened_mut()[16 * group..][..16].iter_mut().enumerate();
            let chosen = places.filter(|(lane, _)| lanes >> lane & 1 == 1);
            for (number, (_, place)) in (0..).zip(chosen) {
                *place = number;
            }
            for later in &mut spread.starts[group + 1..] {
                *later += lanes.count_ones();
            }
        }
        spread
    }

    /// Copies bytes from `row`, a row of solved position values, into two registers. The arrays in `places` give the source byte of each
    /// byte in the registers. The bits `flips` of each copied byte are inverted. All other bytes get the value 0.
    ///
    /// # Safety
    ///
    /// `row` must have 16 readable bytes from the start of each group on.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn read(&self, row: *const i8, flips: i8) -> Word {
        core::array::from_fn(|part| {
            let [low, high] = [2 * part, 2 * part + 1].map(|group| {
                // SAFETY: the caller guarantees that `row` has 16 readable bytes from each offset in `starts` on. The load needs no
                // alignment.
                unsafe { _mm_loadu_si128(row.add(self.starts[group] as usize).cast()) }
            });
            let values = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high);
            let values = _mm256_xor_si256(values, _mm256_set1_epi8(flips));
            let places = &self.places[part];
            // SAFETY: the array `places` has 32 bytes, and the load needs no alignment.
            let places = unsafe { _mm256_loadu_si256(places.as_ptr().cast()) };
            _mm256_shuffle_epi8(values, places)
        })
    }
}

/// Returns the bytewise maximum of `a` and `b`, whose bytes are unsigned.
#[inline]
#[target_feature(enable = "avx2")]
fn higher(a: Word, b: Word) -> Word {
    [_mm256_max_epu8(a[0], b[0]), _mm256_max_epu8(a[1], b[1])]
}

/// Implements [`Vectors::answered`].
#[inline]
#[target_feature(enable = "avx2")]
fn answered(losing: Word, winning: Word) -> Word {
    let (upper, lower) = (0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f);
    let backwards = _mm256_set_epi64x(upper, lower, upper, lower);
    let descending = _mm256_set1_epi8(DESCENDING);
    core::array::from_fn(|part| {
        let winning = _mm256_shuffle_epi8(winning[1 - part], backwards);
        let winning = _mm256_permute4x64_epi64::<0b01_00_11_10>(winning);
        // The next two instructions decode and negate the values in `winning`. A value `v` is stored as `v ^ ASCENDING`, and inverting the
        // bits `DESCENDING` as well gives `!v`, which is −v − 1. The byte 0 of a position without a value becomes `ABSENT`, and the
        // saturating addition keeps `ABSENT`.
        let winning = _mm256_xor_si256(winning, descending);
        let winning = _mm256_adds_epi8(winning, _mm256_set1_epi8(1));
        _mm256_min_epi8(_mm256_xor_si256(losing[part], descending), winning)
    })
}

/// Implements [`Vectors::if_absent`].
#[inline]
#[target_feature(enable = "avx2")]
fn if_absent(test: Word, others: Word, values: Word) -> Word {
    core::array::from_fn(|part| {
        let absent = _mm256_cmpeq_epi8(test[part], _mm256_set1_epi8(ABSENT));
        _mm256_blendv_epi8(values[part], others[part], absent)
    })
}

/// Bits whose inversion turns the order of signed bytes into the order of unsigned bytes.
const ASCENDING: i8 = i8::MIN;

/// Bits whose inversion turns the lowest signed byte into the highest unsigned byte, and the highest signed byte into the lowest unsigned
/// byte. The order of the bytes in between is reversed, too.
const DESCENDING: i8 = i8::MAX;

impl Vectors for Avx2 {
    type Word = Word;
    type Spread = Spread;

    #[inline(always)]
    fn splat(self, value: i8) -> Word {
        // SAFETY: a value of `Avx2` exists only where the processor supports AVX2.
        unsafe { [_mm256_set1_epi8(value); 2] }
    }

    #[inline(always)]
    fn no_lowest(self) -> Word {
        self.splat(0)
    }

    #[inline(always)]
    fn no_highest(self) -> Word {
        self.splat(0)
    }

    #[inline(always)]
    unsafe fn collect_lowest(self, lowest: Word, row: *const i8, spread: &Spread) -> Word {
        // SAFETY: a value of `Avx2` exists only where the processor supports AVX2. The caller guarantees 64 readable
        // bytes from the start of the spread on, and the last group starts at most 48 bytes later.
        unsafe { higher(lowest, spread.read(row, DESCENDING)) }
    }

    #[inline(always)]
    unsafe fn collect_highest(self, highest: Word, row: *const i8, spread: &Spread) -> Word {
        // SAFETY: a value of `Avx2` exists only where the processor supports AVX2. The caller guarantees 64 readable
        // bytes from the start of the spread on, and the last group starts at most 48 bytes later.
        unsafe { higher(highest, spread.read(row, ASCENDING)) }
    }

    #[inline(always)]
    fn answered(self, losing: Word, winning: Word) -> Word {
        // SAFETY: a value of `Avx2` exists only where the processor supports AVX2.
        unsafe { answered(losing, winning) }
    }

    #[inline(always)]
    fn highest(self, [low, high]: Word) -> Word {
        let flips = self.splat(ASCENDING);
        // SAFETY: a value of `Avx2` exists only where the processor supports AVX2.
        unsafe { [_mm256_xor_si256(low, flips[0]), _mm256_xor_si256(high, flips[1])] }
    }

    #[inline(always)]
    fn min(self, a: Word, b: Word) -> Word {
        // SAFETY: a value of `Avx2` exists only where the processor supports AVX2.
        unsafe { [_mm256_min_epi8(a[0], b[0]), _mm256_min_epi8(a[1], b[1])] }
    }

    #[inline(always)]
    fn if_absent(self, test: Word, others: Word, values: Word) -> Word {
        // SAFETY: a value of `Avx2` exists only where the processor supports AVX2.
        unsafe { if_absent(test, others, values) }
    }

    #[inline(always)]
    fn store(self, word: Word, out: &mut [i8; 64]) {
        let (low, high) = out.split_at_mut(32);
        // SAFETY: the processor supports AVX2, `low` and `high` have 32 bytes each, and the store instruction needs no alignment.
        unsafe {
            _mm256_storeu_si256(low.as_mut_ptr().cast(), word[0]);
            _mm256_storeu_si256(high.as_mut_ptr().cast(), word[1]);
        }
    }
}
