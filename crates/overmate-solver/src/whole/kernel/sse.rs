//! The SSE4.1 kernel: 16 lanes at once.

#![allow(unsafe_code, reason = "vector instructions: each block states why it is sound")]

use core::arch::x86_64::{
    __m128i, _mm_blendv_epi8, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_max_epi8, _mm_min_epi8,
    _mm_set_epi64x, _mm_set1_epi8, _mm_setzero_si128, _mm_shuffle_epi8, _mm_storeu_si128,
    _mm_sub_epi8,
};

use super::begin;
use crate::whole::geometry::Splits;
use crate::whole::job::{ABSENT, Job, Source};

pub(super) fn supported() -> bool {
    is_x86_feature_detected!("ssse3")
        && is_x86_feature_detected!("sse4.1")
        && is_x86_feature_detected!("popcnt")
}

/// Works out a row.
pub(super) fn row(job: &mut Job<'_>, splits: &Splits, out: &mut [i8]) {
    assert!(supported(), "the caller has asked whether the processor can do it");
    begin(job, splits, out);
    // SAFETY: the processor has the instructions, as has just been asserted.
    unsafe { row_here(job, splits, out) }
}

/// The most words that are worked out at once.
const CHUNK: usize = 16;

/// Registers to a word of 64 lanes.
const PARTS: usize = 4;

/// For a mask of eight lanes: for each lane that is set how many set ones are below it, for others a byte with the
/// highest bit set.
static BELOW: [u64; 256] = {
    let mut table = [0; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut lane, mut below) = (0, 0);
        while lane < 8 {
            if mask >> lane & 1 == 1 {
                table[mask] |= below << (lane * 8);
                below += 1;
            } else {
                table[mask] |= 0x80 << (lane * 8);
            }
            lane += 1;
        }
        mask += 1;
    }
    table
};

#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn row_here(job: &mut Job<'_>, splits: &Splits, out: &mut [i8]) {
    for first in (0..splits.words()).step_by(CHUNK) {
        let len = CHUNK.min(splits.words() - first);
        chunk(job, splits, first, len, &mut out[first * 64..]);
    }
}

/// Works out `len` words of a row, beginning with the word `first`.
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn chunk(job: &mut Job<'_>, splits: &Splits, first: usize, len: usize, out: &mut [i8]) {
    let absent = _mm_set1_epi8(ABSENT);
    let mut best = [_mm_set1_epi8(-ABSENT); CHUNK * PARTS];
    let mut classes = [[absent; CHUNK * PARTS]; 3];
    let mut from = 0;
    for lead in &job.leads {
        let held = &splits.holding(lead.card)[first..first + len];
        let has_free = lead.ends[5] > lead.ends[3];
        for class in classes.iter_mut().take(if has_free { 3 } else { 2 }) {
            class[..len * PARTS].fill(absent);
        }
        for (run, to) in lead.ends.into_iter().enumerate() {
            let class = &mut classes[run / 2];
            for source in &mut job.sources[from..to] {
                let lacked = &splits.holding(source.answer)[first..first + len];
                if run % 2 == 1 {
                    least::<true>(source, held, lacked, class);
                } else {
                    least::<false>(source, held, lacked, class);
                }
            }
            from = to;
        }
        let [before, after, free] = &classes;
        let mate = _mm_set1_epi8(lead.mate);
        for (word, &held) in held.iter().enumerate() {
            for part in 0..PARTS {
                let at = word * PARTS + part;
                let no_after = _mm_cmpeq_epi8(after[at], absent);
                let otherwise = _mm_blendv_epi8(after[at], mate, no_after);
                let no_before = _mm_cmpeq_epi8(before[at], absent);
                // A free move is one more answer for one who could answer first.
                let usual = if has_free { _mm_min_epi8(before[at], free[at]) } else { before[at] };
                let value = _mm_blendv_epi8(usual, otherwise, no_before);
                let (below, _) = below(held >> (part * 16));
                let value = _mm_blendv_epi8(value, best[at], below);
                best[at] = _mm_max_epi8(best[at], value);
            }
        }
    }
    let end = out.len().min(len * 64);
    for (out, best) in out[..end].chunks_mut(16).zip(&best) {
        let mut bytes = [0i8; 16];
        // SAFETY: the target has 16 bytes, and the store needs no alignment.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), *best) }
        out.copy_from_slice(&bytes[..out.len()]);
    }
}

/// For the lowest 16 lanes: how many set ones are below each that is set (others have the highest bit set), and how many are set.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn below(lanes: u64) -> (__m128i, usize) {
    let [low, high, ..] = lanes.to_le_bytes();
    let low_count = low.count_ones();
    // No byte overflows: at most 7 + 8, or the highest bit and 8.
    let high_below = BELOW[usize::from(high)] + u64::from(low_count) * 0x0101_0101_0101_0101;
    let below = _mm_set_epi64x(high_below.cast_signed(), BELOW[usize::from(low)].cast_signed());
    (below, (low_count + high.count_ones()) as usize)
}

/// Takes the least of a source and what is there, in the lanes in which the leader holds the lead and lacks the answer.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn least<const TURNED: bool>(
    source: &mut Source<'_>,
    held: &[u64],
    by_leader: &[u64],
    least: &mut [__m128i; CHUNK * PARTS],
) {
    let (absent, zero) = (_mm_set1_epi8(ABSENT), _mm_setzero_si128());
    let last = _mm_set1_epi8(15);
    let bytes = source.layer.as_ptr();
    let mut at = source.start;
    let words = least.as_chunks_mut::<PARTS>().0.iter_mut();
    for ((least, held), by_leader) in words.zip(held).zip(by_leader) {
        let lanes = held & !by_leader;
        for (part, least) in least.iter_mut().enumerate() {
            let (below, count) = below(lanes >> (part * 16));
            // Over all words of a row the counts add up to its length after the move, so `at` stays in the
            // row, and `begin` has seen that 64 bytes before and after it are in the layer.
            let values = if TURNED {
                // SAFETY: see above.
                let values = unsafe { _mm_loadu_si128(bytes.add(at - 16).cast()) };
                at -= count;
                // The highest bit stays set where it is.
                _mm_sub_epi8(zero, _mm_shuffle_epi8(values, _mm_sub_epi8(last, below)))
            } else {
                // SAFETY: see above.
                let values = unsafe { _mm_loadu_si128(bytes.add(at).cast()) };
                at += count;
                _mm_shuffle_epi8(values, below)
            };
            *least = _mm_min_epi8(*least, _mm_blendv_epi8(values, absent, below));
        }
    }
    source.start = at;
}
