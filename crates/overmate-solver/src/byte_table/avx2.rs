//! Implements the vector operations with AVX2 instructions, for 32 bytes at once.

#![allow(unsafe_code, reason = "vector instructions: each block states why it is sound")]
#![allow(
    clippy::inline_always,
    reason = "inlined functions are compiled for the caller's instructions"
)]

use core::arch::x86_64::{
    __m256i, _mm_loadu_si128, _mm256_and_si256, _mm256_blendv_epi8, _mm256_castsi128_si256,
    _mm256_cmpeq_epi8, _mm256_inserti128_si256, _mm256_loadu_si256, _mm256_max_epu8,
    _mm256_min_epu8, _mm256_set1_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8,
    _mm256_storeu_si256,
};

use overmate_rules::BySeat;

use super::lanes::{BLOCK, Permutation};
use super::row_solver::{Vectors, solve_rows};
use super::rows::{CodedLead, Row, RowSets};
use crate::deal::subsets::binomial;
use crate::kernel::Kernel;

/// Solves the positions in which seat *first* holds exactly the cards `first_holds`, with AVX2 instructions. The rows of all subsets must
/// be solved. `values` has a row for each kind of lead of seat *second*, which is overwritten.
pub(super) fn rows(
    sets: &mut RowSets,
    leads: &BySeat<Vec<CodedLead>>,
    values: &mut [Row],
    (free, first_holds): (bool, usize),
) {
    assert!(Kernel::Avx2.is_supported(), "the caller must check the processor first");
    // SAFETY: the processor has the instructions, as has just been asserted.
    unsafe { rows_here(sets, leads, values, (free, first_holds)) }
}

#[target_feature(enable = "avx2")]
fn rows_here(
    sets: &mut RowSets,
    leads: &BySeat<Vec<CodedLead>>,
    values: &mut [Row],
    (free, first_holds): (bool, usize),
) {
    let size = sets.balance.second_size(first_holds.count_ones() as usize);
    let is_long = |size: usize| binomial(sets.hand_size, size) > 128;
    let with = match (is_long(size), is_long(size - 1), free) {
        (false, false, false) => rows_of::<4, 4, false>,
        (false, false, true) => rows_of::<4, 4, true>,
        (false, true, false) => rows_of::<4, 8, false>,
        (false, true, true) => rows_of::<4, 8, true>,
        (true, false, false) => rows_of::<8, 4, false>,
        (true, false, true) => rows_of::<8, 4, true>,
        (true, true, false) => rows_of::<8, 8, false>,
        (true, true, true) => rows_of::<8, 8, true>,
    };
    with(sets, leads, values, first_holds);
}

#[target_feature(enable = "avx2")]
fn rows_of<const PARTS: usize, const FROM: usize, const FREE: bool>(
    sets: &mut RowSets,
    leads: &BySeat<Vec<CodedLead>>,
    values: &mut [Row],
    first_holds: usize,
) {
    solve_rows::<Avx2, PARTS, FROM, FREE>(Avx2(()), sets, leads, values, first_holds);
}

/// Vector operations with AVX2 instructions on registers of 32 bytes. A value exists only in functions with these instructions.
#[derive(Clone, Copy)]
struct Avx2(());

impl Vectors for Avx2 {
    type Lanes = __m256i;

    #[inline(always)]
    fn splat(self, byte: u8) -> __m256i {
        // SAFETY: the processor has the instructions, as `self` shows.
        unsafe { _mm256_set1_epi8(byte.cast_signed()) }
    }

    #[inline(always)]
    fn load(self, row: &Row, part: usize) -> __m256i {
        let part = &row.0.as_chunks::<BLOCK>().0[part];
        // SAFETY: the processor has the instructions, the source has 32 bytes, and the load needs no alignment.
        unsafe { _mm256_loadu_si256(part.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, row: &mut Row, part: usize, lanes: __m256i) {
        let part = &mut row.0.as_chunks_mut::<BLOCK>().0[part];
        // SAFETY: the processor has the instructions, the target has 32 bytes, and the store needs no alignment.
        unsafe { _mm256_storeu_si256(part.as_mut_ptr().cast(), lanes) }
    }

    #[inline(always)]
    fn min(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the processor has the instructions, as `self` shows.
        unsafe { _mm256_min_epu8(a, b) }
    }

    #[inline(always)]
    fn max(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the processor has the instructions, as `self` shows.
        unsafe { _mm256_max_epu8(a, b) }
    }

    #[inline(always)]
    fn choose(self, tested: __m256i, full: __m256i, empty: __m256i) -> __m256i {
        // SAFETY: the processor has the instructions, as `self` shows.
        unsafe {
            let is_empty = _mm256_cmpeq_epi8(tested, _mm256_setzero_si256());
            _mm256_blendv_epi8(full, empty, is_empty)
        }
    }

    #[inline(always)]
    fn raise<const PARTS: usize, const FROM: usize>(
        self,
        most: &mut [__m256i; PARTS],
        row: &Row,
        permutation: &Permutation,
    ) {
        for (places, target) in permutation.moves.iter() {
            let [low, high] = target.windows().map(|start| {
                // SAFETY: 16 bytes of the row follow the start of a window, and the load needs no alignment.
                unsafe { _mm_loadu_si128(row.0.as_ptr().add(start).cast()) }
            });
            // The number of the block is below `PARTS`, a power of two.
            let most = &mut most[usize::from(target.block) % PARTS];
            // SAFETY: the processor has the instructions, the places have 32 bytes, and the load needs no alignment.
            *most = unsafe {
                let values = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high);
                let places = _mm256_loadu_si256(places.0.as_ptr().cast());
                // Lanes without a source become zero.
                _mm256_max_epu8(*most, _mm256_shuffle_epi8(values, places))
            };
        }
    }

    #[inline(always)]
    fn raise_or_write<const PARTS: usize, const FROM: usize>(
        self,
        _: &mut [__m256i; PARTS],
        values: [__m256i; FROM],
        _: &Permutation,
        later: &mut Row,
    ) -> bool {
        // The windows must be read from memory.
        for (part, lanes) in values.into_iter().enumerate() {
            self.store(later, part, lanes);
        }
        false
    }

    #[inline(always)]
    fn raise_all<const PARTS: usize>(
        self,
        most: &mut [__m256i; PARTS],
        value: u8,
        permutation: &Permutation,
    ) {
        let value = self.splat(value);
        let holding = &permutation.holding_bytes.as_chunks::<BLOCK>().0[..PARTS];
        for (most, holding) in most.iter_mut().zip(holding) {
            // SAFETY: the processor has the instructions, the source has 32 bytes, and the load needs no alignment.
            *most = unsafe {
                let holding = _mm256_loadu_si256(holding.as_ptr().cast());
                _mm256_max_epu8(*most, _mm256_and_si256(value, holding))
            };
        }
    }
}
