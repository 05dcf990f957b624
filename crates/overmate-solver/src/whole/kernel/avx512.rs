//! The AVX-512 kernel: 64 lanes at once.

#![allow(unsafe_code, reason = "vector instructions: each block states why it is sound")]

use core::arch::x86_64::{
    __m512i, _mm512_cmpeq_epi8_mask, _mm512_loadu_epi8, _mm512_mask_blend_epi8,
    _mm512_mask_expand_epi8, _mm512_mask_storeu_epi8, _mm512_max_epi8, _mm512_min_epi8,
    _mm512_permutexvar_epi8, _mm512_set1_epi8, _mm512_setzero_si512, _mm512_storeu_epi8,
    _mm512_sub_epi8,
};

use core::ops::Range;

use super::begin;
use crate::whole::geometry::Splits;
use crate::whole::job::{ABSENT, Job, Source};

pub(super) fn supported() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("bmi1")
}

/// Works out a row.
pub(super) fn row(
    scratch: &mut Scratch<CHUNK>,
    job: &mut Job<'_>,
    splits: &Splits,
    out: &mut [i8],
) {
    assert!(supported(), "the caller has asked whether the processor can do it");
    begin(job, splits, out);
    // SAFETY: the processor has the instructions, as has just been asserted.
    unsafe { row_here(scratch, job, splits, out) }
}

/// The most words that are worked out at once: what they need stays in the nearest cache.
pub(super) const CHUNK: usize = 64;

/// Room for the words that are worked out at once.
pub(super) struct Scratch<const SIZE: usize> {
    best: [__m512i; SIZE],
    /// The least over the answers that come first, over those that come after, and over the free moves.
    classes: [[__m512i; SIZE]; 3],
}

impl<const SIZE: usize> Scratch<SIZE> {
    #[inline]
    pub(super) fn new() -> Self {
        // SAFETY: any bytes make a register.
        let none = unsafe { core::mem::transmute::<[i8; 64], __m512i>([ABSENT; 64]) };
        Self { best: [none; SIZE], classes: [[none; SIZE]; 3] }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt,bmi1")]
fn row_here(scratch: &mut Scratch<CHUNK>, job: &mut Job<'_>, splits: &Splits, out: &mut [i8]) {
    // Of the rows of 4 to 12 cards the compiler knows the sizes: they are many, and each is short.
    match splits.words() {
        1 => chunk::<1, true>(&mut Scratch::new(), job, splits, 0..1, out),
        2 => chunk::<2, true>(&mut Scratch::new(), job, splits, 0..2, out),
        4 => chunk::<4, true>(&mut Scratch::new(), job, splits, 0..4, out),
        8 => chunk::<8, true>(&mut Scratch::new(), job, splits, 0..8, out),
        15 => chunk::<15, true>(&mut Scratch::new(), job, splits, 0..15, out),
        words => {
            for first in (0..words).step_by(CHUNK) {
                let end = words.min(first + CHUNK);
                chunk::<CHUNK, false>(scratch, job, splits, first..end, &mut out[first * 64..]);
            }
        }
    }
}

/// Works out some words of a row; `out` begins with the first of them.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt,bmi1")]
fn chunk<const SIZE: usize, const FULL: bool>(
    scratch: &mut Scratch<SIZE>,
    job: &mut Job<'_>,
    splits: &Splits,
    words: Range<usize>,
    out: &mut [i8],
) {
    let len = if FULL { SIZE } else { words.len().min(SIZE) };
    let absent = _mm512_set1_epi8(ABSENT);
    let Scratch { best, classes } = scratch;
    best[..len].fill(_mm512_set1_epi8(-ABSENT));
    let mut from = 0;
    for lead in &job.leads {
        let held = &splits.holding(lead.card)[words.start..words.start + len];
        let has_free = lead.ends[5] > lead.ends[3];
        let mut started = [false; 3];
        for (run, to) in lead.ends.into_iter().enumerate() {
            let class = &mut classes[run / 2];
            for source in &mut job.sources[from..to] {
                let by_leader = &splits.holding(source.answer)[words.start..words.start + len];
                // The first source of a class writes over what an earlier lead left there.
                let started = core::mem::replace(&mut started[run / 2], true);
                match (run % 2 == 1, started) {
                    (false, false) => least::<false, false, SIZE>(source, held, by_leader, class),
                    (false, true) => least::<false, true, SIZE>(source, held, by_leader, class),
                    (true, false) => least::<true, false, SIZE>(source, held, by_leader, class),
                    (true, true) => least::<true, true, SIZE>(source, held, by_leader, class),
                }
            }
            from = to;
        }
        for (class, started) in classes.iter_mut().zip(started) {
            if !started {
                class[..len].fill(absent);
            }
        }
        let [before, after, free] = &*classes;
        let mate = _mm512_set1_epi8(lead.mate);
        for (word, &held) in held.iter().enumerate() {
            let no_after = _mm512_cmpeq_epi8_mask(after[word], absent);
            let otherwise = _mm512_mask_blend_epi8(no_after, after[word], mate);
            let no_before = _mm512_cmpeq_epi8_mask(before[word], absent);
            // A free move is one more answer for one who could answer first.
            let usual =
                if has_free { _mm512_min_epi8(before[word], free[word]) } else { before[word] };
            let value = _mm512_mask_blend_epi8(no_before, usual, otherwise);
            let value = _mm512_mask_blend_epi8(held, best[word], value);
            best[word] = _mm512_max_epi8(best[word], value);
        }
    }
    let end = out.len().min(len * 64);
    let (whole, rest) = out[..end].as_chunks_mut::<64>();
    for (out, best) in whole.iter_mut().zip(&*best) {
        // SAFETY: the target has 64 bytes, and the store needs no alignment.
        unsafe { _mm512_storeu_epi8(out.as_mut_ptr(), *best) }
    }
    if !rest.is_empty() {
        let there = (1 << rest.len()) - 1;
        // SAFETY: the mask lets through as many bytes as there are.
        unsafe { _mm512_mask_storeu_epi8(rest.as_mut_ptr(), there, best[whole.len()]) }
    }
}

/// The lanes from last to first.
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

/// Takes the least of a source and, if the class has been started, of what is there; in the lanes in which the leader
/// holds the lead and lacks the answer.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt,bmi1")]
fn least<const TURNED: bool, const STARTED: bool, const SIZE: usize>(
    source: &mut Source<'_>,
    held: &[u64],
    by_leader: &[u64],
    least: &mut [__m512i; SIZE],
) {
    let (absent, zero) = (_mm512_set1_epi8(ABSENT), _mm512_setzero_si512());
    // SAFETY: the constant has 64 bytes.
    let backwards = unsafe { _mm512_loadu_epi8(BACKWARDS.as_ptr()) };
    let bytes = source.layer.as_ptr();
    let mut at = source.start;
    for ((least, held), by_leader) in least.iter_mut().zip(held).zip(by_leader) {
        let lanes = held & !by_leader;
        let count = lanes.count_ones() as usize;
        // Over all words of a row the counts add up to its length after the move, so `at` stays in the
        // row, and `begin` has seen that 64 bytes before and after it are in the layer.
        let values = if TURNED {
            // SAFETY: see above.
            let values = unsafe { _mm512_loadu_epi8(bytes.add(at - 64)) };
            at -= count;
            _mm512_sub_epi8(zero, _mm512_permutexvar_epi8(backwards, values))
        } else {
            // SAFETY: see above.
            let values = unsafe { _mm512_loadu_epi8(bytes.add(at)) };
            at += count;
            values
        };
        let values = _mm512_mask_expand_epi8(absent, lanes, values);
        *least = if STARTED { _mm512_min_epi8(*least, values) } else { values };
    }
    source.start = at;
}
