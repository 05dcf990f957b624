//! Implements the solver's inner loops with AVX-512 instructions, for 64 positions at once.

#![allow(unsafe_code, reason = "vector instructions: each block states why it is sound")]
#![allow(
    clippy::inline_always,
    reason = "inlined functions are compiled for the caller's instructions"
)]

use core::arch::asm;
use core::arch::x86_64::{
    __m512i, _mm512_cmpeq_epi8_mask, _mm512_loadu_epi8, _mm512_mask_mov_epi8, _mm512_max_epi8,
    _mm512_min_epi8, _mm512_permutexvar_epi8, _mm512_set1_epi8, _mm512_setzero_si512,
    _mm512_storeu_epi8, _mm512_sub_epi8,
};

use super::row::{Vectors, solve_row};
use super::spreads::LayerSpreads;
use crate::whole::job::{ABSENT, Job, SolvedLayers};

/// Computes the values of all positions whose hands together hold the cards of `job`, with AVX-512 instructions.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
pub(super) fn solve(
    spreads: &LayerSpreads<Spread>,
    job: &Job,
    solved: (usize, SolvedLayers<'_>),
    after_leads: &mut Vec<i8>,
    out: &mut [i8],
) {
    solve_row::<Avx512, 8>(Avx512(()), spreads, job, solved, after_leads, out);
}

/// Vector operations with AVX-512 instructions. A value of this type exists only in functions that are compiled for AVX-512.
#[derive(Clone, Copy)]
struct Avx512(());

/// Mapping from consecutive values of solved positions to the places of their copies in a group of 64 bytes.
pub(super) struct Spread {
    /// Bit mask with one bit for each of 64 target bytes: a set bit means that a value is copied to this byte.
    lanes: u64,
    /// Offset of the first copied byte, counted from the start of a row of position values.
    start: u32,
}

impl Spread {
    /// Creates the mapping that copies consecutive bytes, from the offset `start` on, to the places of the set bits in `lanes`.
    pub(super) fn new(lanes: u64, start: u32) -> Self {
        Self { lanes, start }
    }

    /// Copies bytes from `row`, a row of solved position values, into a register. The set bits in `lanes` give the places of the copied
    /// bytes. All other bytes get the value `rest`.
    ///
    /// The instruction `vpexpandb` is written as inline assembly, because the compiler fuses its intrinsic function with the load from
    /// memory. Fused loads do not overlap, and the whole kernel then takes a quarter longer.
    ///
    /// # Safety
    ///
    /// `row` must have 64 readable bytes from the start of the spread on.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
    unsafe fn read(&self, row: *const i8, rest: i8) -> __m512i {
        // SAFETY: the caller guarantees that `row` has 64 readable bytes from the offset `start` on. The load needs no alignment.
        let values = unsafe { _mm512_loadu_epi8(row.add(self.start as usize)) };
        let mut spread = _mm512_set1_epi8(rest);
        // SAFETY: the instruction accesses only the operand registers, and this function is only called on processors with VBMI2.
        unsafe {
            asm!(
                "vpexpandb {spread}{{{lanes}}}, {values}",
                spread = inlateout(zmm_reg) spread,
                lanes = in(kreg) self.lanes,
                values = in(zmm_reg) values,
                options(pure, nomem, nostack, preserves_flags),
            );
        }
        spread
    }
}

/// Byte indices of the permutation that reverses the order of 64 bytes.
const BACKWARDS: [i8; 64] = {
    let mut lanes = [0; 64];
    let (mut i, mut lane) = (64, 0);
    while i > 0 {
        i -= 1;
        lanes[i] = lane;
        lane += 1;
    }
    lanes
};

impl Vectors for Avx512 {
    type Word = __m512i;
    type Spread = Spread;

    #[inline(always)]
    fn splat(self, value: i8) -> __m512i {
        // SAFETY: a value of `Avx512` exists only where the processor supports the AVX-512 kernel.
        unsafe { _mm512_set1_epi8(value) }
    }

    #[inline(always)]
    fn no_lowest(self) -> __m512i {
        self.splat(ABSENT)
    }

    #[inline(always)]
    fn no_highest(self) -> __m512i {
        self.splat(-ABSENT)
    }

    #[inline(always)]
    unsafe fn collect_lowest(self, lowest: __m512i, row: *const i8, spread: &Spread) -> __m512i {
        // SAFETY: a value of `Avx512` exists only where the processor supports the AVX-512 kernel. The caller guarantees 64 readable bytes.
        unsafe { _mm512_min_epi8(lowest, spread.read(row, ABSENT)) }
    }

    #[inline(always)]
    unsafe fn collect_highest(self, highest: __m512i, row: *const i8, spread: &Spread) -> __m512i {
        // SAFETY: a value of `Avx512` exists only where the processor supports the AVX-512 kernel. The caller guarantees 64 readable bytes.
        unsafe { _mm512_max_epi8(highest, spread.read(row, -ABSENT)) }
    }

    #[inline(always)]
    fn answered(self, losing: __m512i, winning: __m512i) -> __m512i {
        // SAFETY: a value of `Avx512` exists only where the processor supports the AVX-512 kernel. The constant has 64 bytes.
        unsafe {
            let backwards = _mm512_loadu_epi8(BACKWARDS.as_ptr());
            let winning = _mm512_permutexvar_epi8(backwards, winning);
            _mm512_min_epi8(losing, _mm512_sub_epi8(_mm512_setzero_si512(), winning))
        }
    }

    #[inline(always)]
    fn highest(self, highest: __m512i) -> __m512i {
        highest
    }

    #[inline(always)]
    fn min(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: a value of `Avx512` exists only where the processor supports the AVX-512 kernel.
        unsafe { _mm512_min_epi8(a, b) }
    }

    #[inline(always)]
    fn if_absent(self, test: __m512i, others: __m512i, values: __m512i) -> __m512i {
        // SAFETY: a value of `Avx512` exists only where the processor supports the AVX-512 kernel.
        unsafe {
            let absent = _mm512_cmpeq_epi8_mask(test, _mm512_set1_epi8(ABSENT));
            _mm512_mask_mov_epi8(values, absent, others)
        }
    }

    #[inline(always)]
    fn store(self, word: __m512i, out: &mut [i8; 64]) {
        // SAFETY: the processor supports AVX-512, the array `out` has 64 bytes, and the store instruction needs no alignment.
        unsafe { _mm512_storeu_epi8(out.as_mut_ptr(), word) }
    }
}
