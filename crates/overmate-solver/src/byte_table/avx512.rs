//! Implements the vector operations with AVX-512 instructions, for 64 bytes at once.

#![allow(unsafe_code, reason = "vector instructions: each block states why it is sound")]
#![allow(
    clippy::inline_always,
    reason = "inlined functions are compiled for the caller's instructions"
)]

use core::arch::x86_64::{
    __m512i, _mm512_loadu_epi8, _mm512_mask_blend_epi8, _mm512_mask_max_epu8, _mm512_max_epu8,
    _mm512_min_epu8, _mm512_permutex2var_epi8, _mm512_set1_epi8, _mm512_storeu_epi8,
    _mm512_test_epi8_mask,
};

use overmate_rules::BySeat;

use super::lanes::Permutation;
use super::row_solver::{Vectors, solve_rows};
use super::rows::{CodedLead, Row, RowSets};
use crate::deal::subsets::binomial;
use crate::kernel::Kernel;

/// Solves the positions in which seat *first* holds exactly the cards `first_holds`, with AVX-512 instructions. The rows of all subsets
/// must be solved. `values` has a row for each kind of lead of seat *second*, which is overwritten.
pub(super) fn rows(
    sets: &mut RowSets,
    leads: &BySeat<Vec<CodedLead>>,
    values: &mut [Row],
    (free, first_holds): (bool, usize),
) {
    assert!(Kernel::Avx512.is_supported(), "the caller must check the processor first");
    // SAFETY: the processor has the instructions, as has just been asserted.
    unsafe { rows_here(sets, leads, values, (free, first_holds)) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn rows_here(
    sets: &mut RowSets,
    leads: &BySeat<Vec<CodedLead>>,
    values: &mut [Row],
    (free, first_holds): (bool, usize),
) {
    let size = sets.balance.second_size(first_holds.count_ones() as usize);
    let lanes = |size: usize| binomial(sets.hand_size, size);
    let with = match (lanes(size).div_ceil(64), lanes(size - 1) > 128, free) {
        (1, false, false) => rows_of::<1, 2, false>,
        (1, false, true) => rows_of::<1, 2, true>,
        (1, true, false) => rows_of::<1, 4, false>,
        (1, true, true) => rows_of::<1, 4, true>,
        (2, false, false) => rows_of::<2, 2, false>,
        (2, false, true) => rows_of::<2, 2, true>,
        (2, true, false) => rows_of::<2, 4, false>,
        (2, true, true) => rows_of::<2, 4, true>,
        (_, false, false) => rows_of::<4, 2, false>,
        (_, false, true) => rows_of::<4, 2, true>,
        (_, true, false) => rows_of::<4, 4, false>,
        (_, true, true) => rows_of::<4, 4, true>,
    };
    with(sets, leads, values, first_holds);
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn rows_of<const PARTS: usize, const FROM: usize, const FREE: bool>(
    sets: &mut RowSets,
    leads: &BySeat<Vec<CodedLead>>,
    values: &mut [Row],
    first_holds: usize,
) {
    solve_rows::<Avx512, PARTS, FROM, FREE>(Avx512(()), sets, leads, values, first_holds);
}

/// Vector operations with AVX-512 instructions on registers of 64 bytes. A value exists only in functions with these instructions.
#[derive(Clone, Copy)]
struct Avx512(());

impl Avx512 {
    /// Replaces each byte of `most` by the maximum of that byte and the permuted value of a row.
    #[allow(clippy::unused_self, reason = "`self` shows that the processor has the instructions")]
    #[inline(always)]
    fn raise_registers<const PARTS: usize, const FROM: usize>(
        self,
        most: &mut [__m512i; PARTS],
        values: [__m512i; FROM],
        permutation: &Permutation,
    ) {
        for (part, most) in most.iter_mut().enumerate() {
            let from = &permutation.from.as_chunks::<64>().0[part];
            // SAFETY: the processor has the instructions, the source has 64 bytes, and the load needs no alignment.
            *most = unsafe {
                let from = _mm512_loadu_epi8(from.as_ptr().cast());
                let mut permuted = _mm512_permutex2var_epi8(values[0], from, values[1]);
                if FROM > 2 {
                    let upper = _mm512_permutex2var_epi8(values[FROM - 2], from, values[FROM - 1]);
                    let from_upper = permutation.from_upper[part];
                    permuted = _mm512_mask_blend_epi8(from_upper, permuted, upper);
                }
                _mm512_mask_max_epu8(*most, permutation.holding[part], *most, permuted)
            };
        }
    }
}

impl Vectors for Avx512 {
    type Lanes = __m512i;

    #[inline(always)]
    fn splat(self, byte: u8) -> __m512i {
        // SAFETY: the processor has the instructions, as `self` shows.
        unsafe { _mm512_set1_epi8(byte.cast_signed()) }
    }

    #[inline(always)]
    fn load(self, row: &Row, part: usize) -> __m512i {
        let part = &row.0.as_chunks::<64>().0[part];
        // SAFETY: the processor has the instructions, the source has 64 bytes, and the load needs no alignment.
        unsafe { _mm512_loadu_epi8(part.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, row: &mut Row, part: usize, lanes: __m512i) {
        let part = &mut row.0.as_chunks_mut::<64>().0[part];
        // SAFETY: the processor has the instructions, the target has 64 bytes, and the store needs no alignment.
        unsafe { _mm512_storeu_epi8(part.as_mut_ptr().cast(), lanes) }
    }

    #[inline(always)]
    fn min(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the processor has the instructions, as `self` shows.
        unsafe { _mm512_min_epu8(a, b) }
    }

    #[inline(always)]
    fn max(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the processor has the instructions, as `self` shows.
        unsafe { _mm512_max_epu8(a, b) }
    }

    #[inline(always)]
    fn choose(self, tested: __m512i, full: __m512i, empty: __m512i) -> __m512i {
        // SAFETY: the processor has the instructions, as `self` shows.
        unsafe { _mm512_mask_blend_epi8(_mm512_test_epi8_mask(tested, tested), empty, full) }
    }

    #[inline(always)]
    fn raise<const PARTS: usize, const FROM: usize>(
        self,
        most: &mut [__m512i; PARTS],
        row: &Row,
        permutation: &Permutation,
    ) {
        let values: [__m512i; FROM] = core::array::from_fn(|part| self.load(row, part));
        self.raise_registers(most, values, permutation);
    }

    #[inline(always)]
    fn raise_or_write<const PARTS: usize, const FROM: usize>(
        self,
        most: &mut [__m512i; PARTS],
        values: [__m512i; FROM],
        permutation: &Permutation,
        _: &mut Row,
    ) -> bool {
        self.raise_registers(most, values, permutation);
        true
    }

    #[inline(always)]
    fn raise_all<const PARTS: usize>(
        self,
        most: &mut [__m512i; PARTS],
        value: u8,
        permutation: &Permutation,
    ) {
        let value = self.splat(value);
        for (most, holding) in most.iter_mut().zip(permutation.holding) {
            // SAFETY: the processor has the instructions, as `self` shows.
            *most = unsafe { _mm512_mask_max_epu8(*most, holding, *most, value) };
        }
    }
}
