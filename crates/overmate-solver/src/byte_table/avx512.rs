//! Implements the solver's vector operations with AVX-512 instructions, for 64 bytes at once.

#![allow(unsafe_code, reason = "vector instructions: each block states why it is sound")]
#![allow(
    clippy::inline_always,
    reason = "inlined functions are compiled for the caller's instructions"
)]

use core::arch::x86_64::{
    __m512i, _mm512_loadu_epi8, _mm512_mask_max_epu8, _mm512_max_epu8, _mm512_min_epu8,
    _mm512_movepi8_mask, _mm512_permutexvar_epi8, _mm512_set1_epi8, _mm512_storeu_epi8,
    _mm512_unpackhi_epi8, _mm512_unpacklo_epi8,
};

use super::lanes::{Lanes, Shuffle};
use super::row_solver::{Vectors, solve_rows};
use super::rows::{CardRows, CodedLead, Layer, Row, RowSets};
use crate::deal::subsets::binomial;
use crate::kernel::Kernel;

/// Solves a layer (all positions with given hand sizes and a given leader) with AVX-512 instructions. The layers with one card less in each
/// hand must have been solved.
pub(super) fn layer(sets: &mut RowSets, leads: &[CodedLead], layer: Layer) {
    assert!(Kernel::Avx512.is_supported(), "the caller must check the processor first");
    // SAFETY: the assertion above ensures that the processor supports all instructions that the called function uses.
    unsafe { layer_here(sets, leads, layer) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn layer_here(sets: &mut RowSets, leads: &[CodedLead], layer: Layer) {
    let lanes = binomial(sets.hand_size, layer.sizes[layer.leader] - 1);
    let with = match lanes.div_ceil(BLOCK) {
        0..=1 => solve::<1>,
        2 => solve::<2>,
        _ => solve::<4>,
    };
    with(sets, leads, layer);
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn solve<const PARTS: usize>(sets: &mut RowSets, leads: &[CodedLead], layer: Layer) {
    solve_rows::<Avx512, PARTS>(Avx512(()), sets, leads, layer);
}

/// Number of bytes in an AVX-512 register.
const BLOCK: usize = 64;

/// Vector operations with AVX-512 instructions on registers of 64 bytes. A value of this type exists only in functions that are compiled
/// for AVX-512.
#[derive(Clone, Copy)]
struct Avx512(());

impl Vectors for Avx512 {
    type Lanes = __m512i;

    #[inline(always)]
    fn splat(self, byte: u8) -> __m512i {
        // SAFETY: a value of `Avx512` exists only where the processor supports the AVX-512 kernel.
        unsafe { _mm512_set1_epi8(byte.cast_signed()) }
    }

    #[inline(always)]
    fn load(self, row: &Row, part: usize) -> __m512i {
        let part = &row.0.as_chunks::<64>().0[part];
        // SAFETY: the processor supports AVX-512, the source has 64 bytes, and the load needs no alignment.
        unsafe { _mm512_loadu_epi8(part.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, row: &mut Row, part: usize, lanes: __m512i) {
        let part = &mut row.0.as_chunks_mut::<64>().0[part];
        // SAFETY: the processor supports AVX-512, the target has 64 bytes, and the store needs no alignment.
        unsafe { _mm512_storeu_epi8(part.as_mut_ptr().cast(), lanes) }
    }

    #[inline(always)]
    fn min(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: a value of `Avx512` exists only where the processor supports the AVX-512 kernel.
        unsafe { _mm512_min_epu8(a, b) }
    }

    #[inline(always)]
    fn max(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: a value of `Avx512` exists only where the processor supports the AVX-512 kernel.
        unsafe { _mm512_max_epu8(a, b) }
    }

    #[inline(always)]
    fn interleave(self, a: __m512i, b: __m512i) -> [__m512i; 2] {
        // SAFETY: a value of `Avx512` exists only where the processor supports the AVX-512 kernel.
        unsafe { [_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b)] }
    }

    #[inline(always)]
    fn best_cards(self, values: &CardRows, lanes: &Lanes, size: usize, best: &mut Row) {
        let values = values.0.as_ptr().cast::<i8>();
        for (part, shuffles) in lanes.blocks_of_64[size].iter().enumerate() {
            let mut most = self.splat(0);
            for Shuffle { places, starts: [start] } in shuffles {
                // SAFETY: the processor supports AVX-512, and the loads need no alignment. `places` has 64 bytes, and the row of the card
                // has at least 64 bytes after the start of each window.
                most = unsafe {
                    let values = _mm512_loadu_epi8(values.add(usize::from(*start)));
                    let places = _mm512_loadu_epi8(places.as_ptr().cast());
                    let sources = !_mm512_movepi8_mask(places);
                    let values = _mm512_permutexvar_epi8(places, values);
                    _mm512_mask_max_epu8(most, sources, most, values)
                };
            }
            self.store(best, part, most);
        }
    }
}
