//! Moves the values of leads between tables: from the entry of the leader's hand without the led card to the entry of the hand with this
//! card. A row of such a table has one value for each hand of the leader.

use super::grid::BLOCK;
use super::hand_sets::{HandSets, Run};

/// Permutation of position values that moves the value of each hand without a given card to the place of the hand with this card. The place
/// of a hand in a row of values is its number in [`HandSets`].
pub(super) struct Spread {
    /// Bit mask of the hands to which a given card can be added, as words of 64 bits with one bit for each hand.
    taken: Vec<u64>,
    /// Bit mask of the hands that contain a given card, as words of 64 bits with one bit for each hand. The values of these hands are the
    /// values of the hands in `taken`, in the same order.
    put: Vec<u64>,
    /// Runs of adjacent position values that this permutation moves together. The runs are used on processors that cannot compress bytes.
    runs: Vec<Run>,
}

/// Returns whether the current processor has instructions that compress and expand bytes by bit masks.
pub(super) fn is_fast() -> bool {
    #[cfg(target_arch = "x86_64")]
    return avx512::supported();
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

impl Spread {
    /// Computes the permutation that moves the value of each hand of `size` - 1 cards to the place of the hand with a given card added. The
    /// values are those of leads of this card. `kind` is the index of the card among the different cards of the dealt hand.
    pub(super) fn new(hand: &HandSets, size: usize, kind: usize) -> Self {
        let kind = &hand.kinds[kind];
        let blocks = |size: usize| vec![0; hand.sets(size).len().div_ceil(BLOCK)];
        let (mut taken, mut put) = (blocks(size - 1), blocks(size));
        let mut runs = Vec::new();
        for (with, &set) in hand.sets(size).iter().enumerate() {
            if !HandSets::holds(set, kind) {
                continue;
            }
            let without = hand.number(HandSets::without(set, kind));
            put[with / BLOCK] |= 1 << (with % BLOCK);
            taken[without / BLOCK] |= 1 << (without % BLOCK);
            Run { before: with, after: without, len: 1 }.add_to(&mut runs);
        }
        Self { taken, put, runs }
    }

    /// Returns whether this permutation is empty, so that it moves no position value.
    pub(super) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Raises the value of each position in `row` to the value of a lead of one given card, if the lead's value is higher. The card is the
    /// one for which [`new`](Self::new) computed the permutation. The lead's value is the minimum of `most` and of the permuted `sources`.
    /// `scratch` is overwritten.
    pub(super) fn put(&self, row: &mut [u8], sources: &[&[u8]], most: u8, scratch: &mut Vec<u8>) {
        #[cfg(target_arch = "x86_64")]
        if avx512::supported() {
            return avx512::put(self, row, sources, most, scratch);
        }
        self.put_by_runs(row, sources, most, scratch);
    }

    /// Implements [`put`](Self::put) by loops over runs of adjacent values, without vector instructions.
    pub(super) fn put_by_runs(
        &self,
        row: &mut [u8],
        sources: &[&[u8]],
        most: u8,
        scratch: &mut Vec<u8>,
    ) {
        scratch.resize(self.taken.len() * BLOCK, 0);
        least(scratch, sources, most);
        self.largest(row, scratch);
    }

    fn largest(&self, row: &mut [u8], least: &[u8]) {
        for run in &self.runs {
            let row = &mut row[run.before..run.before + run.len];
            for (code, least) in row.iter_mut().zip(&least[run.after..run.after + run.len]) {
                *code = (*code).max(*least);
            }
        }
    }
}

/// Sets each byte of `least` to the minimum of `most` and of the bytes at the same index in all `sources`.
#[multiversion::multiversion(targets("x86_64+avx2"))]
pub(super) fn least(least: &mut [u8], sources: &[&[u8]], most: u8) {
    for (block, least) in least.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
        let mut lanes = [most; BLOCK];
        for source in sources {
            let source = &source.as_chunks::<BLOCK>().0[block];
            for (lane, code) in lanes.iter_mut().zip(source) {
                *lane = (*lane).min(*code);
            }
        }
        *least = lanes;
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "vector instructions: each block states why it is sound")]
mod avx512 {
    //! Implements the permutation of row values with AVX-512 compress and expand instructions, 64 bytes at a time.

    use core::arch::x86_64::{
        __m512i, _mm512_loadu_epi8, _mm512_maskz_compress_epi8, _mm512_maskz_expand_epi8,
        _mm512_max_epu8, _mm512_min_epu8, _mm512_set1_epi8, _mm512_storeu_epi8,
    };

    use super::{BLOCK, Spread};

    /// Returns whether the current processor has the AVX-512 instructions that compress and expand bytes.
    pub(super) fn supported() -> bool {
        is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("popcnt")
    }

    pub(super) fn put(
        spread: &Spread,
        row: &mut [u8],
        sources: &[&[u8]],
        most: u8,
        scratch: &mut Vec<u8>,
    ) {
        // The buffer has room for one block more than the compressed bytes can fill, because each store writes a whole block of 64 bytes.
        scratch.resize((spread.taken.len() + 1) * BLOCK, 0);
        assert!(supported(), "the caller must check `supported` first");
        // SAFETY: the processor supports the AVX-512 instructions, as has just been asserted.
        unsafe { put_here(spread, row, sources, most, scratch) }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
    fn put_here(spread: &Spread, row: &mut [u8], sources: &[&[u8]], most: u8, scratch: &mut [u8]) {
        let mut end = 0;
        for (block, &taken) in spread.taken.iter().enumerate() {
            if taken == 0 {
                continue;
            }
            let mut least = _mm512_set1_epi8(most.cast_signed());
            for source in sources {
                least = _mm512_min_epu8(least, load(&source.as_chunks::<BLOCK>().0[block]));
            }
            let packed = _mm512_maskz_compress_epi8(taken, least);
            if let Some(scratch) = scratch[end..].first_chunk_mut() {
                store(scratch, packed);
            }
            end += taken.count_ones() as usize;
        }
        let mut begin = 0;
        for (row, &put) in row.as_chunks_mut::<BLOCK>().0.iter_mut().zip(&spread.put) {
            if put == 0 {
                continue;
            }
            if let Some(packed) = scratch[begin..].first_chunk() {
                // The instruction that expands the packed values writes zero for each hand that does not contain the led card. Zero is
                // lower than the code of every value, and therefore leaves `row` unchanged.
                let least = _mm512_maskz_expand_epi8(put, load(packed));
                store(row, _mm512_max_epu8(load(row), least));
            }
            begin += put.count_ones() as usize;
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn load(bytes: &[u8; BLOCK]) -> __m512i {
        // SAFETY: `bytes` has 64 bytes, and the load needs no alignment.
        unsafe { _mm512_loadu_epi8(bytes.as_ptr().cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn store(bytes: &mut [u8; BLOCK], lanes: __m512i) {
        // SAFETY: `bytes` has 64 bytes, and the store needs no alignment.
        unsafe { _mm512_storeu_epi8(bytes.as_mut_ptr().cast(), lanes) }
    }
}
