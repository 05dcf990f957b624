//! Implements the solver's vector operations with AVX2 instructions, for 32 bytes at once.

#![allow(unsafe_code, reason = "vector instructions: each block states why it is sound")]
#![allow(
    clippy::inline_always,
    reason = "inlined functions are compiled for the caller's instructions"
)]

use core::arch::x86_64::{
    __m256i, _mm_loadu_si128, _mm256_castsi128_si256, _mm256_inserti128_si256, _mm256_loadu_si256,
    _mm256_max_epu8, _mm256_min_epu8, _mm256_set1_epi8, _mm256_shuffle_epi8, _mm256_storeu_si256,
    _mm256_unpackhi_epi8, _mm256_unpacklo_epi8,
};

use super::lanes::{Lanes, Shuffle};
use super::row_solver::{Vectors, solve_rows};
use super::rows::{CardRows, CodedLead, Layer, Row, RowSets};
use crate::deal::subsets::binomial;
use crate::kernel::Kernel;

/// Solves a layer (all positions with given hand sizes and a given leader) with AVX2 instructions. The layers with one card less in each
/// hand must have been solved.
pub(super) fn layer(sets: &mut RowSets, leads: &[CodedLead], layer: Layer) {
    assert!(Kernel::Avx2.is_supported(), "the caller must check the processor first");
    // SAFETY: the function `layer` has asserted that the processor supports AVX2.
    unsafe { layer_here(sets, leads, layer) }
}

#[target_feature(enable = "avx2")]
fn layer_here(sets: &mut RowSets, leads: &[CodedLead], layer: Layer) {
    let lanes = binomial(sets.hand_size, layer.sizes[layer.leader] - 1);
    let with = match lanes.div_ceil(BLOCK) {
        0..=2 => solve::<2>,
        3..=4 => solve::<4>,
        5..=7 => solve::<7>,
        _ => solve::<8>,
    };
    with(sets, leads, layer);
}

#[target_feature(enable = "avx2")]
fn solve<const PARTS: usize>(sets: &mut RowSets, leads: &[CodedLead], layer: Layer) {
    solve_rows::<Avx2, PARTS>(Avx2(()), sets, leads, layer);
}

/// Number of bytes in an AVX2 register.
const BLOCK: usize = 32;

/// Vector operations with AVX2 instructions on registers of 32 bytes. A value of this type exists only in functions that are compiled for
/// AVX2.
#[derive(Clone, Copy)]
struct Avx2(());

impl Vectors for Avx2 {
    type Lanes = __m256i;

    #[inline(always)]
    fn splat(self, byte: u8) -> __m256i {
        // SAFETY: a value of `Avx2` exists only where the processor supports AVX2.
        unsafe { _mm256_set1_epi8(byte.cast_signed()) }
    }

    #[inline(always)]
    fn load(self, row: &Row, part: usize) -> __m256i {
        let part = &row.0.as_chunks::<BLOCK>().0[part];
        // SAFETY: the processor supports AVX2, the source has 32 bytes, and the load needs no alignment.
        unsafe { _mm256_loadu_si256(part.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, row: &mut Row, part: usize, lanes: __m256i) {
        let part = &mut row.0.as_chunks_mut::<BLOCK>().0[part];
        // SAFETY: the processor supports AVX2, the target has 32 bytes, and the store needs no alignment.
        unsafe { _mm256_storeu_si256(part.as_mut_ptr().cast(), lanes) }
    }

    #[inline(always)]
    fn min(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: a value of `Avx2` exists only where the processor supports AVX2.
        unsafe { _mm256_min_epu8(a, b) }
    }

    #[inline(always)]
    fn max(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: a value of `Avx2` exists only where the processor supports AVX2.
        unsafe { _mm256_max_epu8(a, b) }
    }

    #[inline(always)]
    fn interleave(self, a: __m256i, b: __m256i) -> [__m256i; 2] {
        // SAFETY: a value of `Avx2` exists only where the processor supports AVX2.
        unsafe { [_mm256_unpacklo_epi8(a, b), _mm256_unpackhi_epi8(a, b)] }
    }

    #[inline(always)]
    fn best_cards(self, values: &CardRows, lanes: &Lanes, size: usize, best: &mut Row) {
        let values = values.0.as_ptr().cast::<u8>();
        for (part, shuffles) in lanes.blocks_of_32[size].iter().enumerate() {
            let mut most = self.splat(0);
            for Shuffle { places, starts } in shuffles {
                let [low, high] = starts.map(|start| {
                    // SAFETY: `values` has at least 16 bytes from the start of each window on, and the load needs no alignment.
                    unsafe { _mm_loadu_si128(values.add(start.into()).cast()) }
                });
                // SAFETY: the processor supports AVX2, `places` has 32 bytes, and the load needs no alignment.
                let values = unsafe {
                    let values = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high);
                    _mm256_shuffle_epi8(values, _mm256_loadu_si256(places.as_ptr().cast()))
                };
                // The intrinsic `_mm256_shuffle_epi8` sets each byte without a source byte to 0. This is below every position value, so
                // that these bytes do not change the maximum.
                most = self.max(most, values);
            }
            self.store(best, part, most);
        }
    }
}
