//! The SSE4.1 kernel: 16 lanes at once.

#![allow(unsafe_code, reason = "vector instructions: each block states why it is sound")]

use core::arch::x86_64::{
    __m128i, _mm_and_si128, _mm_blendv_epi8, _mm_castpd_si128, _mm_castsi128_pd, _mm_cmpeq_epi8,
    _mm_loadh_pd, _mm_loadl_epi64, _mm_loadu_si128, _mm_max_epi8, _mm_min_epi8, _mm_or_si128,
    _mm_set_epi64x, _mm_set1_epi8, _mm_set1_epi16, _mm_set1_epi64x, _mm_setzero_si128,
    _mm_shuffle_epi8, _mm_storeu_si128, _mm_sub_epi8, _mm_subs_epi8, _mm_xor_si128,
};

use super::{fetch, holding, words};
use crate::whole::job::{ABSENT, ALWAYS, Job, MAX_LEADS, MAX_MASKS, NEVER, OF_GROUPS};
use crate::whole::mirror::{FAR, Mirror, NEAR};

pub(super) fn supported() -> bool {
    is_x86_feature_detected!("ssse3")
        && is_x86_feature_detected!("sse4.1")
        && is_x86_feature_detected!("popcnt")
}

/// Works out both sides of a mirror.
pub(super) fn sides(
    scratch: &mut Scratch,
    job: &mut Job<'_>,
    mirror: &Mirror,
    out: &mut [&mut [i8]; 2],
) {
    assert!(supported(), "the caller has asked whether the processor can do it");
    // SAFETY: the processor has the instructions, as has just been asserted.
    unsafe { sides_here(scratch, job, mirror, out) }
}

/// Registers to a word of 64 lanes.
const PARTS: usize = 4;

/// A word of 64 lanes.
type Word = [__m128i; PARTS];

/// The most pairs of words that are worked out at once.
const MOST: usize = 4;

/// Room for what is worked out at once.
pub(super) struct Scratch {
    /// For each lead of the deck the greatest over the sources in which its card loses, where it is the other's: on both sides.
    turned: Vec<[[Word; MOST]; 2]>,
    /// By side: what a value is raised to where the mask lets it not through.
    masks: Vec<[[Word; MOST]; 2]>,
}

impl Scratch {
    pub(super) fn new() -> Self {
        // SAFETY: any bytes make a register.
        let all = |byte: i8| unsafe { core::mem::transmute::<[i8; 16], __m128i>([byte; 16]) };
        let mut masks = vec![[[[all(i8::MAX); PARTS]; MOST]; 2]; MAX_MASKS];
        masks[usize::from(ALWAYS)] = [[[all(i8::MIN); PARTS]; MOST]; 2];
        masks[usize::from(NEVER)] = [[[all(i8::MAX); PARTS]; MOST]; 2];
        Self { turned: vec![[[[all(-ABSENT); PARTS]; MOST]; 2]; MAX_LEADS + 1], masks }
    }
}

/// By a number of lanes that come before and a mask of eight lanes: for each lane that is set how many set ones come before it, for
/// others a byte with the highest bit set.
static BELOW: [[u64; 256]; 9] = {
    let mut table = [[0; 256]; 9];
    let mut at = 0;
    while at < 9 * 256 {
        let (before, mask) = (at / 256, at % 256);
        let (mut lane, mut below) = (0, before as u64);
        while lane < 8 {
            let byte = if mask >> lane & 1 == 1 { below } else { 0x80 };
            table[before][mask] |= byte << (lane * 8);
            below += (mask >> lane & 1) as u64;
            lane += 1;
        }
        at += 1;
    }
    table
};

#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn sides_here(scratch: &mut Scratch, job: &mut Job<'_>, mirror: &Mirror, out: &mut [&mut [i8]; 2]) {
    let pairs = mirror.pairs();
    for first in (0..pairs - pairs % 4).step_by(4) {
        chunk::<4, 4>(scratch, job, mirror, first, out);
    }
    for first in pairs - pairs % 4..pairs {
        chunk::<1, 1>(scratch, job, mirror, first, out);
    }
    if mirror.has_middle() {
        chunk::<1, 0>(scratch, job, mirror, pairs, out);
    }
}

/// Works out some words of the near side and those opposite to them; if there is one more of the former, that is the one that
/// is opposite to itself.
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn chunk<const NEARS: usize, const FARS: usize>(
    scratch: &mut Scratch,
    job: &mut Job<'_>,
    mirror: &Mirror,
    first: usize,
    out: &mut [&mut [i8]; 2],
) {
    let (absent, none) = (_mm_set1_epi8(ABSENT), _mm_set1_epi8(-ABSENT));
    let Scratch { turned, masks } = scratch;
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
                let [turned_near, turned_far] = &mut turned[usize::from(source.met.turned)];
                let loser = (near_words(source.met.loser), far_words(source.met.loser));
                let masks = source.met.masks.map(|mask| &masks[usize::from(mask)]);
                for word in 0..NEARS {
                    let mut lanes = winner.0[word] & !loser.0[word];
                    for part in 0..PARTS {
                        // SAFETY: over all words of a row the counts add up to its length after the move, so this place
                        // stays in the row, and `begin` has seen that there are 64 bytes after it in the layer.
                        let (mut values, count) = unsafe { read(near, source.up, lanes) };
                        source.up += count;
                        lanes >>= 16;
                        if run > 0 {
                            values = masked(values, masks.map(|mask| mask[NEAR][word][part]));
                        }
                        let (kept, turned) =
                            (&mut kept_near[word][part], &mut turned_near[word][part]);
                        *kept = _mm_min_epi8(*kept, values[0]);
                        *turned = _mm_max_epi8(*turned, values[1]);
                    }
                }
                for word in 0..FARS {
                    let mut lanes = winner.1[word] & !loser.1[word];
                    source.down -= lanes.count_ones();
                    let mut at = source.down;
                    for part in 0..PARTS {
                        // SAFETY: as above.
                        let (mut values, count) = unsafe { read(far, at, lanes) };
                        at += count;
                        lanes >>= 16;
                        if run > 0 {
                            values = masked(values, masks.map(|mask| mask[FAR][word][part]));
                        }
                        let (kept, turned) =
                            (&mut kept_far[word][part], &mut turned_far[word][part]);
                        *kept = _mm_min_epi8(*kept, values[0]);
                        *turned = _mm_max_epi8(*turned, values[1]);
                    }
                }
                if FARS == MOST {
                    // What the next words need is on its way while the other sources are read.
                    fetch(near, source.up.wrapping_add(128));
                    fetch(far, source.down.wrapping_sub(128));
                }
            }
            from = end;
        }
        let [turned_near, turned_far] = &mut turned[usize::from(lead.number)];
        for word in 0..NEARS {
            let turned = if word < FARS { &mut turned_far[word] } else { &mut turned_near[word] };
            settle(&mut best_near[word], winner.0[word], lead.mates[NEAR], kept_near[word], turned);
        }
        for word in 0..FARS {
            let turned = &mut turned_near[word];
            settle(&mut best_far[word], winner.1[word], lead.mates[FAR], kept_far[word], turned);
        }
    }
    for (word, best) in best_near.into_iter().enumerate() {
        store(out[NEAR], mirror.lane(NEAR, first + word), best);
    }
    for (word, best) in best_far.into_iter().enumerate() {
        store(out[FAR], mirror.lane(FAR, first + word), best);
    }
}

/// For the lowest 16 lanes: how many set ones are below each that is set (others have the highest bit set), and how many are set.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn below(lanes: u64) -> (__m128i, u32) {
    let [low, high, ..] = lanes.to_le_bytes();
    let low_below = &BELOW[0][usize::from(low)];
    let high_below = &BELOW[low.count_ones() as usize][usize::from(high)];
    // SAFETY: the sources have 8 bytes each, and the loads need no alignment.
    let below = unsafe {
        let below = _mm_castsi128_pd(_mm_loadl_epi64((&raw const *low_below).cast()));
        _mm_castpd_si128(_mm_loadh_pd(below, (&raw const *high_below).cast()))
    };
    (below, u16::from_le_bytes([low, high]).count_ones())
}

/// Reads 16 lanes of a source. Where there are none, the first is as high as can be and the second as low; tells how many
/// there are.
///
/// # Safety
///
/// There are 16 bytes at this place of the layer.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
unsafe fn read(layer: *const i8, at: u32, lanes: u64) -> ([__m128i; 2], u32) {
    let (below, count) = below(lanes);
    // SAFETY: the caller knows that the bytes are there.
    let values = unsafe { _mm_loadu_si128(layer.add(at as usize).cast()) };
    // What is not there becomes zero, and then as high or as low as can be.
    let values = _mm_shuffle_epi8(values, below);
    let lacking = _mm_and_si128(below, _mm_set1_epi8(i8::MIN));
    ([_mm_subs_epi8(values, lacking), _mm_or_si128(values, lacking)], count)
}

/// Leaves out what a mask of the kept and one of the turned values bar.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn masked([high, low]: [__m128i; 2], [keep, turn]: [__m128i; 2]) -> [__m128i; 2] {
    [_mm_max_epi8(high, keep), _mm_min_epi8(low, opposed(turn))]
}

/// The highest byte in lanes that are not set, the lowest in others.
#[inline]
#[target_feature(enable = "ssse3,sse4.1")]
fn barred(lanes: u64) -> Word {
    core::array::from_fn(|part| {
        let [low, high, ..] = (lanes >> (part * 16)).to_le_bytes();
        let bytes = _mm_set1_epi16(i16::from_le_bytes([low, high]));
        let bytes = _mm_shuffle_epi8(bytes, _mm_set_epi64x(0x0101_0101_0101_0101, 0));
        let bits = _mm_set1_epi64x(0x8040_2010_0804_0201_u64.cast_signed());
        let set = _mm_cmpeq_epi8(_mm_and_si128(bytes, bits), bits);
        _mm_xor_si128(set, _mm_set1_epi8(i8::MAX))
    })
}

/// The highest byte for the lowest, and the other way round.
#[inline]
#[target_feature(enable = "ssse3,sse4.1")]
fn opposed(barred: __m128i) -> __m128i {
    _mm_xor_si128(barred, _mm_set1_epi8(-1))
}

/// Takes the values of a lead, and leaves no trace of what belongs to it.
#[inline]
#[target_feature(enable = "ssse3,sse4.1")]
fn settle(best: &mut Word, held: u64, mate: i8, kept: Word, turned: &mut Word) {
    let (absent, mate) = (_mm_set1_epi8(ABSENT), _mm_set1_epi8(mate));
    let backwards = _mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f);
    let barred = barred(held);
    for part in 0..PARTS {
        let opposite = _mm_shuffle_epi8(turned[PARTS - 1 - part], backwards);
        let value = _mm_min_epi8(kept[part], _mm_sub_epi8(_mm_setzero_si128(), opposite));
        let value = _mm_blendv_epi8(value, mate, _mm_cmpeq_epi8(value, absent));
        let value = _mm_min_epi8(value, opposed(barred[part]));
        best[part] = _mm_max_epi8(best[part], value);
    }
    *turned = [_mm_set1_epi8(-ABSENT); PARTS];
}

/// Writes 64 lanes, but none before the start or after the end.
#[inline]
#[target_feature(enable = "ssse3,sse4.1")]
fn store(out: &mut [i8], lane: isize, values: Word) {
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
