//! Implements the inner loops with SSE4.1 instructions, for 16 positions at once.

#![allow(unsafe_code, reason = "vector instructions: each block states why it is sound")]

mod expansion;

use core::arch::x86_64::{
    __m128i, _mm_blendv_epi8, _mm_cmpeq_epi8, _mm_max_epi8, _mm_min_epi8, _mm_set_epi64x,
    _mm_set1_epi8, _mm_setzero_si128, _mm_shuffle_epi8, _mm_storeu_si128, _mm_sub_epi8,
    _mm_xor_si128,
};

use super::words::{fetch, holding, words};
use crate::whole::job::{ABSENT, ALWAYS, Job, MAX_LEADS, MAX_MASKS, NEVER, OF_GROUPS};
use crate::whole::mirror::{FAR, Mirror, NEAR};
pub(super) use expansion::Expansions;
pub(super) use expansion::supported;
use expansion::{Expansion, PARTS, Word, barred, expansions_of};

/// Computes the values of all positions whose hands together hold the same cards. Each step
/// computes 64 positions and the 64 positions with exchanged hands.
pub(super) fn sides(
    scratch: &mut Scratch,
    expansions: Option<&Expansions>,
    job: &mut Job<'_>,
    mirror: &Mirror,
    out: &mut [&mut [i8]; 2],
) {
    assert!(supported(), "the caller must check `supported` first");
    // SAFETY: the processor has the instructions, as has just been asserted.
    unsafe { sides_here(scratch, expansions, job, mirror, out) }
}

/// Maximum number of pairs of words (64 positions each) that the SSE4.1 loops solve at once. A pair
/// is 64 positions and the 64 positions with exchanged hands.
const MOST: usize = 4;

/// Buffers that the SSE4.1 inner loops reuse for up to [`MOST`] pairs of words (64 positions each).
pub(super) struct Scratch {
    /// Best encoded value for the follower among winning answers, by lead, half ([`NEAR`] or
    /// [`FAR`]) and word of 64 positions.
    swapped: Vec<[[Word; MOST]; 2]>,
    /// Byte masks, with −128 for positions that use a solved value and 127 for others, by mask
    /// number, half and word.
    masks: Vec<[[Word; MOST]; 2]>,
}

impl Scratch {
    pub(super) fn new() -> Self {
        // SAFETY: all bit patterns are valid vector registers.
        let all = |byte: i8| unsafe { core::mem::transmute::<[i8; 16], __m128i>([byte; 16]) };
        let mut masks = vec![[[[all(i8::MAX); PARTS]; MOST]; 2]; MAX_MASKS];
        masks[usize::from(ALWAYS)] = [[[all(i8::MIN); PARTS]; MOST]; 2];
        masks[usize::from(NEVER)] = [[[all(i8::MAX); PARTS]; MOST]; 2];
        Self { swapped: vec![[[[all(-ABSENT); PARTS]; MOST]; 2]; MAX_LEADS + 1], masks }
    }
}

#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn sides_here(
    scratch: &mut Scratch,
    expansions: Option<&Expansions>,
    job: &mut Job<'_>,
    mirror: &Mirror,
    out: &mut [&mut [i8]; 2],
) {
    if expansions.is_some() {
        words_here::<true>(scratch, expansions, job, mirror, out);
    } else {
        words_here::<false>(scratch, expansions, job, mirror, out);
    }
}

#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn words_here<const MADE: bool>(
    scratch: &mut Scratch,
    expansions: Option<&Expansions>,
    job: &mut Job<'_>,
    mirror: &Mirror,
    out: &mut [&mut [i8]; 2],
) {
    let pairs = mirror.pairs();
    let mut first = 0;
    loop {
        match (pairs - first, mirror.has_middle()) {
            (0, false) => return,
            (0, true) => return chunk::<1, 0, MADE>(scratch, expansions, job, mirror, first, out),
            (3, true) => return chunk::<4, 3, MADE>(scratch, expansions, job, mirror, first, out),
            (4.., _) => chunk::<4, 4, MADE>(scratch, expansions, job, mirror, first, out),
            (3, false) => return chunk::<3, 3, MADE>(scratch, expansions, job, mirror, first, out),
            (2, false) => return chunk::<2, 2, MADE>(scratch, expansions, job, mirror, first, out),
            _ => {
                chunk::<1, 1, MADE>(scratch, expansions, job, mirror, first, out);
                first += 1;
                continue;
            }
        }
        first += 4;
    }
}

/// Solves `NEARS` words of 64 positions, and `FARS` words of 64 positions with exchanged hands. With one near word more
/// than far words, the last near word is opposite to itself.
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn chunk<const NEARS: usize, const FARS: usize, const MADE: bool>(
    scratch: &mut Scratch,
    expansions: Option<&Expansions>,
    job: &mut Job<'_>,
    mirror: &Mirror,
    first: usize,
    out: &mut [&mut [i8]; 2],
) {
    let expansions = if MADE { expansions } else { None };
    let (absent, none) = (_mm_set1_epi8(ABSENT), _mm_set1_epi8(-ABSENT));
    let Scratch { swapped, masks } = scratch;
    let groups = masks[OF_GROUPS.into()..].as_chunks_mut::<4>().0;
    for (masks, &group) in groups.iter_mut().zip(&job.groups) {
        let [all, some] = holding::<NEARS>(mirror, NEAR, first, group);
        for word in 0..NEARS {
            [masks[0][NEAR][word], masks[2][NEAR][word]] = [barred(all[word]), barred(!some[word])];
        }
        let [all, some] = holding::<FARS>(mirror, FAR, first, group);
        for word in 0..FARS {
            [masks[0][FAR][word], masks[2][FAR][word]] = [barred(all[word]), barred(!some[word])];
        }
        if job.has_free {
            masks[1] = masks[0].map(|side| side.map(|word| word.map(|part| opposed(part))));
            masks[3] = masks[2].map(|side| side.map(|word| word.map(|part| opposed(part))));
        }
    }
    let mut best_near = [[none; PARTS]; NEARS];
    let mut best_far = [[none; PARTS]; FARS];
    let near_words = |place: u8| words::<NEARS>(mirror.held(NEAR, place.into()), first);
    let far_words = |place: u8| words::<FARS>(mirror.held(FAR, place.into()), first);
    let mut from = 0;
    for lead in &job.leads {
        let winner = (near_words(lead.card), far_words(lead.card));
        let mut kept_near = [[absent; PARTS]; NEARS];
        let mut kept_far = [[absent; PARTS]; FARS];
        for (run, end) in lead.ends.into_iter().enumerate() {
            let [near, far] = job.layers[usize::from(run == 2)].map(<[i8]>::as_ptr);
            for source in &mut job.sources[from..end] {
                let [swapped_near, swapped_far] = &mut swapped[usize::from(source.pairing.swapped)];
                let masks = source.pairing.masks.map(|mask| &masks[usize::from(mask)]);
                let (made_near, made_far);
                let (near_from, far_from, near_expansions, far_expansions) = if let Some(made) =
                    expansions
                {
                    let pair = [lead.card, source.pairing.loser];
                    let (near, far) = (made.of(NEAR, pair, first), made.of(FAR, pair, first));
                    (source.up, source.up, near, far)
                } else {
                    let loser = (near_words(source.pairing.loser), far_words(source.pairing.loser));
                    let lanes = |word: usize| winner.0[word] & !loser.0[word];
                    let (made, count) = expansions_of((0..NEARS).map(lanes));
                    made_near = made;
                    let near_from = source.up;
                    source.up += count;
                    // The second half of the positions stands in memory in reverse order.
                    let lanes = |word: usize| winner.1[FARS - 1 - word] & !loser.1[FARS - 1 - word];
                    let (mut made, count) = expansions_of((0..FARS).map(lanes));
                    made.reverse();
                    made_far = made;
                    source.down -= count;
                    (near_from, source.down, &made_near, &made_far)
                };
                let near = near.wrapping_add(near_from as usize);
                let far = far.wrapping_add(far_from as usize);
                let near_masks = (run > 0).then(|| masks.map(|mask| &mask[NEAR]));
                let far_masks = (run > 0).then(|| masks.map(|mask| &mask[FAR]));
                // SAFETY: over all words of a row the counts add up to its length after the move, so what is read begins in
                // the row, and `begin` has seen that there are 64 bytes after it in the layer.
                unsafe {
                    read(near, near_expansions, near_masks, &mut kept_near, swapped_near);
                    read(far, far_expansions, far_masks, &mut kept_far, swapped_far);
                }
                if FARS == MOST {
                    // The next words of a source are prefetched while the other sources are read.
                    let [.., last] = near_expansions[NEARS - 1].starts;
                    fetch(near, u32::from(last) + 160);
                    let [first, ..] = far_expansions[FARS - 1].starts;
                    fetch(far.wrapping_sub(128), u32::from(first));
                }
            }
            from = end;
        }
        let [swapped_near, swapped_far] = &mut swapped[usize::from(lead.number)];
        let (made_near, made_far);
        let (held_near, held_far) = if let Some(made) = expansions {
            (made.held(NEAR, lead.card, first), made.held(FAR, lead.card, first))
        } else {
            made_near = winner.0.map(|lanes| barred(!lanes));
            made_far = winner.1.map(|lanes| barred(!lanes));
            (&made_near, &made_far)
        };
        for word in 0..NEARS {
            let swapped =
                if word < FARS { &mut swapped_far[word] } else { &mut swapped_near[word] };
            let mate = lead.mates[NEAR];
            settle(&mut best_near[word], &held_near[word], mate, kept_near[word], swapped);
        }
        for word in 0..FARS {
            let swapped = &mut swapped_near[word];
            settle(&mut best_far[word], &held_far[word], lead.mates[FAR], kept_far[word], swapped);
        }
    }
    for (word, best) in best_near.into_iter().enumerate() {
        store(out[NEAR], mirror.lane(NEAR, first + word), best);
    }
    for (word, best) in best_far.into_iter().enumerate() {
        store(out[FAR], mirror.lane(FAR, first + word), best);
    }
}

/// Reads the solved values for `WORDS` words of 64 positions, and merges them into the minimum
/// `kept` and the maximum `swapped`.
///
/// # Safety
///
/// There must be 16 readable bytes at each offset where an expansion begins.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
unsafe fn read<const WORDS: usize>(
    row: *const i8,
    expansions: &[Expansion; WORDS],
    masks: Option<[&[Word; MOST]; 2]>,
    kept: &mut [Word; WORDS],
    swapped: &mut [Word; MOST],
) {
    if let Some(masks) = masks {
        for (word, (expansion, kept)) in expansions.iter().zip(kept).enumerate() {
            for part in 0..PARTS {
                // SAFETY: the caller guarantees that the bytes exist.
                let values = unsafe { expansion.read(row, part) };
                let values = masked(values, masks.map(|mask| mask[word][part]));
                keep(values, &mut kept[part], &mut swapped[word][part]);
            }
        }
    } else {
        for ((expansion, kept), swapped) in expansions.iter().zip(kept).zip(swapped) {
            for part in 0..PARTS {
                // SAFETY: the caller guarantees that the bytes exist.
                let values = unsafe { expansion.read(row, part) };
                keep(values, &mut kept[part], &mut swapped[part]);
            }
        }
    }
}

/// Updates the bytewise minimum `kept` and the bytewise maximum `swapped` with new values.
#[inline]
#[target_feature(enable = "ssse3,sse4.1")]
fn keep(values: [__m128i; 2], kept: &mut __m128i, swapped: &mut __m128i) {
    *kept = _mm_min_epi8(*kept, values[0]);
    *swapped = _mm_max_epi8(*swapped, values[1]);
}

/// Replaces the values of excluded positions by the sentinel 127 in the first vector and by −128 in
/// the second.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn masked([high, low]: [__m128i; 2], [keep, turn]: [__m128i; 2]) -> [__m128i; 2] {
    [_mm_max_epi8(high, keep), _mm_min_epi8(low, opposed(turn))]
}

/// Inverts a byte mask, so that 127 becomes −128 and −128 becomes 127.
#[inline]
#[target_feature(enable = "ssse3,sse4.1")]
fn opposed(barred: __m128i) -> __m128i {
    _mm_xor_si128(barred, _mm_set1_epi8(-1))
}

/// Merges the values after a lead into the leader's best values, and resets the buffer `swapped`.
#[inline]
#[target_feature(enable = "ssse3,sse4.1")]
fn settle(best: &mut Word, held: &Word, mate: i8, kept: Word, swapped: &mut Word) {
    let (absent, mate) = (_mm_set1_epi8(ABSENT), _mm_set1_epi8(mate));
    let backwards = _mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f);
    for part in 0..PARTS {
        let opposite = _mm_shuffle_epi8(swapped[PARTS - 1 - part], backwards);
        let value = _mm_min_epi8(kept[part], _mm_sub_epi8(_mm_setzero_si128(), opposite));
        // Positions in which the leader does not hold the card have no answer either.
        let unanswered = _mm_cmpeq_epi8(value, absent);
        let value = _mm_blendv_epi8(value, _mm_min_epi8(held[part], mate), unanswered);
        best[part] = _mm_max_epi8(best[part], value);
    }
    *swapped = [_mm_set1_epi8(-ABSENT); PARTS];
}

/// Writes 64 values to `out` from the index `lane` on, ignoring values outside `out`.
#[inline]
#[target_feature(enable = "ssse3,sse4.1")]
fn store(out: &mut [i8], lane: isize, values: Word) {
    if let Ok(start) = usize::try_from(lane)
        && let Some(out) = out.get_mut(start..start + 64)
    {
        for (out, values) in out.as_chunks_mut::<16>().0.iter_mut().zip(values) {
            // SAFETY: the target has 16 bytes, and the store needs no alignment.
            unsafe { _mm_storeu_si128(out.as_mut_ptr().cast(), values) }
        }
        return;
    }
    let mut bytes = [0i8; 64];
    for (bytes, values) in bytes.as_chunks_mut::<16>().0.iter_mut().zip(values) {
        // SAFETY: the target has 16 bytes, and the store needs no alignment.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), values) }
    }
    let skipped = usize::try_from(-lane).unwrap_or_default().min(64);
    let start = usize::try_from(lane).unwrap_or_default().min(out.len());
    let out = &mut out[start..];
    let len = out.len().min(64 - skipped);
    out[..len].copy_from_slice(&bytes[skipped..skipped + len]);
}
