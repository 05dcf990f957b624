//! Implements the solver's inner loops with AVX2 instructions, for 32 positions at once.
//!
//! The loops hold values as unsigned bytes. With 128 added to each score code, the bytes have the order of the codes. The byte 0 marks a
//! lane without a value, and never changes a maximum. Before the loops take a minimum, they subtract 1 from each byte. A lane without a
//! value then has the byte 255, and never changes a minimum.

#![allow(unsafe_code, reason = "vector instructions: each block states why it is sound")]

mod expansion;

use core::arch::x86_64::{
    __m256i, _mm256_add_epi8, _mm256_and_si256, _mm256_andnot_si256, _mm256_blendv_epi8,
    _mm256_cmpeq_epi8, _mm256_max_epu8, _mm256_min_epu8, _mm256_or_si256, _mm256_permute4x64_epi64,
    _mm256_set_epi64x, _mm256_set1_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8,
    _mm256_storeu_si256, _mm256_xor_si256,
};

use super::words::{fetch, holding, words};
use crate::kernel::Kernel;
use crate::whole::job::{ALWAYS, Job, MAX_LEADS, MAX_MASKS, NEVER, OF_GROUPS};
use crate::whole::mirror::{FAR, Mirror, NEAR};
pub(super) use expansion::Expansions;
use expansion::{OwnShuffles, PARTS, Shuffles, Word, spread};

/// Computes the values of all positions whose hands together hold a given set of cards, with AVX2 instructions. Each step computes 64
/// positions and the 64 positions with exchanged hands.
pub(super) fn sides(
    scratch: &mut Scratch,
    expansions: Option<&Expansions>,
    job: &mut Job<'_>,
    mirror: &Mirror,
    out: &mut [&mut [i8]; 2],
) {
    assert!(Kernel::Avx2.is_supported(), "the caller must check the processor first");
    // SAFETY: the assertion above ensures that the processor supports AVX2 and POPCNT.
    unsafe { sides_here(scratch, expansions, job, mirror, out) }
}

/// Maximum number of word pairs (64 positions and the 64 positions with exchanged hands) that the AVX2 loops solve at once.
const MOST: usize = 9;

/// Buffers that the AVX2 loops reuse, for up to [`MOST`] pairs of words (64 positions and the 64
/// positions with exchanged hands).
pub(super) struct Scratch {
    /// Value of the follower's best answer that wins the move, with 128 added, for each lead and each position. The indices are the lead,
    /// the half of the layer ([`NEAR`] or [`FAR`]) and the word of 64 positions.
    swapped: Vec<[[Word; MOST]; 2]>,
    /// Byte masks of the positions in which the evaluation of a lead ignores a solved value. The indices are the mask number, the half of
    /// the layer ([`NEAR`] or [`FAR`]) and the word of 64 positions.
    barred: Vec<[[Word; MOST]; 2]>,
}

impl Scratch {
    pub(super) fn new() -> Self {
        // SAFETY: all bit patterns are valid vector registers.
        let all = |byte: u8| unsafe { core::mem::transmute::<[u8; 32], __m256i>([byte; 32]) };
        let mut barred = vec![[[[all(u8::MAX); PARTS]; MOST]; 2]; MAX_MASKS];
        barred[usize::from(ALWAYS)] = [[[all(0); PARTS]; MOST]; 2];
        barred[usize::from(NEVER)] = [[[all(u8::MAX); PARTS]; MOST]; 2];
        Self { swapped: vec![[[[all(0); PARTS]; MOST]; 2]; MAX_LEADS + 1], barred }
    }
}

#[target_feature(enable = "avx2,popcnt")]
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

#[target_feature(enable = "avx2,popcnt")]
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
        first += match (pairs - first, mirror.has_middle()) {
            (0, false) => return,
            (0, true) => return chunk::<1, 0, MADE>(scratch, expansions, job, mirror, first, out),
            (7, true) => return chunk::<8, 7, MADE>(scratch, expansions, job, mirror, first, out),
            (9 | 18 | 27, false) => {
                chunk::<9, 9, MADE>(scratch, expansions, job, mirror, first, out);
                9
            }
            (8.., _) => {
                chunk::<8, 8, MADE>(scratch, expansions, job, mirror, first, out);
                8
            }
            (4.., _) => {
                chunk::<4, 4, MADE>(scratch, expansions, job, mirror, first, out);
                4
            }
            (2.., _) => {
                chunk::<2, 2, MADE>(scratch, expansions, job, mirror, first, out);
                2
            }
            _ => {
                chunk::<1, 1, MADE>(scratch, expansions, job, mirror, first, out);
                1
            }
        };
    }
}

/// Computes the values of `NEARS` words of 64 positions, and of `FARS` words of the positions with exchanged hands. If there is one near
/// word more than far words, the last near word contains its own mirror images.
#[target_feature(enable = "avx2,popcnt")]
fn chunk<const NEARS: usize, const FARS: usize, const MADE: bool>(
    scratch: &mut Scratch,
    expansions: Option<&Expansions>,
    job: &mut Job<'_>,
    mirror: &Mirror,
    first: usize,
    out: &mut [&mut [i8]; 2],
) {
    let expansions = if MADE { expansions } else { None };
    let Scratch { swapped, barred } = scratch;
    fill_masks::<NEARS, FARS>(barred, job, mirror, first);
    let (none, all) = (_mm256_setzero_si256(), _mm256_set1_epi8(-1));
    let mut best_near = [[none; PARTS]; NEARS];
    let mut best_far = [[none; PARTS]; FARS];
    let near_words = |place: u8| words::<NEARS>(mirror.held(NEAR, place.into()), first);
    let far_words = |place: u8| words::<FARS>(mirror.held(FAR, place.into()), first);
    let mut from = 0;
    for lead in &job.leads {
        let winner = (near_words(lead.card), far_words(lead.card));
        let mut kept_near = [[all; PARTS]; NEARS];
        let mut kept_far = [[all; PARTS]; FARS];
        for (run, end) in lead.ends.into_iter().enumerate() {
            let [near, far] = job.layers[usize::from(run == 2)].map(<[i8]>::as_ptr);
            for source in &mut job.sources[from..end] {
                let [swapped_near, swapped_far] = &mut swapped[usize::from(source.pairing.swapped)];
                let barred = source.pairing.masks.map(|mask| &barred[usize::from(mask)]);
                let (own_near, own_far);
                let (near_from, far_from, of_near, of_far) = if let Some(made) = expansions {
                    let pair = [lead.card, source.pairing.loser];
                    let (near, far) = (made.of(NEAR, pair, first), made.of(FAR, pair, first));
                    (source.up, source.up, near, far)
                } else {
                    let loser = (near_words(source.pairing.loser), far_words(source.pairing.loser));
                    let lanes = |word: usize| winner.0[word] & !loser.0[word];
                    own_near = OwnShuffles::new(core::array::from_fn(lanes), false);
                    let near_from = source.up;
                    source.up += own_near.count;
                    // The half `FAR` reads its solved values downwards from the end of the row.
                    let lanes = |word: usize| winner.1[word] & !loser.1[word];
                    own_far = OwnShuffles::new(core::array::from_fn(lanes), true);
                    source.down -= own_far.count;
                    (near_from, source.down, own_near.as_shuffles(), own_far.as_shuffles())
                };
                let near = near.wrapping_add(near_from as usize);
                let far = far.wrapping_add(far_from as usize);
                let near_barred = (run > 0).then(|| barred.map(|mask| &mask[NEAR]));
                let far_barred = (run > 0).then(|| barred.map(|mask| &mask[FAR]));
                // SAFETY: the numbers of values that all words read add up to the length of the row of solved values, so that every read
                // begins inside the row. The function `begin` has checked that 64 bytes follow the row in its layer.
                unsafe {
                    read(near, of_near, near_barred, &mut kept_near, swapped_near);
                    read(far, of_far, far_barred, &mut kept_far, swapped_far);
                }
                if FARS >= 4 {
                    // While the loop reads the other sources, the processor prefetches the values that the next words need from this
                    // source.
                    let [.., last] = of_near.starts[NEARS - 1];
                    fetch(near, u32::from(last) + 160);
                    let [first, ..] = of_far.starts[FARS - 1];
                    fetch(far.wrapping_sub(128), u32::from(first));
                }
            }
            from = end;
        }
        let [swapped_near, swapped_far] = &mut swapped[usize::from(lead.number)];
        let (own_near, own_far);
        let (held_near, held_far) = if let Some(made) = expansions {
            (made.held(NEAR, lead.card, first), made.held(FAR, lead.card, first))
        } else {
            own_near = winner.0.map(|lanes| spread(lanes));
            own_far = winner.1.map(|lanes| spread(lanes));
            (&own_near, &own_far)
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

/// Computes, for each group of cards, byte masks of the positions in which the evaluation of a lead ignores a solved value.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn fill_masks<const NEARS: usize, const FARS: usize>(
    barred: &mut [[[Word; MOST]; 2]],
    job: &Job<'_>,
    mirror: &Mirror,
    first: usize,
) {
    let groups = barred[OF_GROUPS.into()..].as_chunks_mut::<4>().0;
    for (barred, &group) in groups.iter_mut().zip(&job.groups) {
        let [all, some] = holding::<NEARS>(mirror, NEAR, first, group);
        for word in 0..NEARS {
            barred[0][NEAR][word] = spread(!all[word]);
            barred[2][NEAR][word] = spread(some[word]);
        }
        let [all, some] = holding::<FARS>(mirror, FAR, first, group);
        for word in 0..FARS {
            barred[0][FAR][word] = spread(!all[word]);
            barred[2][FAR][word] = spread(some[word]);
        }
        if job.has_free {
            barred[1] = barred[0].map(|side| side.map(|word| word.map(|part| complement(part))));
            barred[3] = barred[2].map(|side| side.map(|word| word.map(|part| complement(part))));
        }
    }
}

/// Reads solved values for `WORDS` words of 64 positions, and updates `kept` and `swapped` with the values. `kept` holds the lowest values
/// after the lead. `swapped` holds the highest values for the positions with exchanged hands.
///
/// # Safety
///
/// There must be 16 readable bytes at each offset where a shuffle begins.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
unsafe fn read<const WORDS: usize>(
    row: *const i8,
    shuffles: Shuffles<'_, WORDS>,
    barred: Option<[&[Word; MOST]; 2]>,
    kept: &mut [Word; WORDS],
    swapped: &mut [Word; MOST],
) {
    if let Some([keep, turn]) = barred {
        for word in 0..WORDS {
            for part in 0..PARTS {
                // SAFETY: the caller guarantees 16 readable bytes at each offset where a shuffle begins.
                let values = unsafe { shuffles.read(row, word, part) };
                let low = _mm256_or_si256(one_less(values), keep[word][part]);
                let high = _mm256_andnot_si256(turn[word][part], values);
                kept[word][part] = _mm256_min_epu8(kept[word][part], low);
                swapped[word][part] = _mm256_max_epu8(swapped[word][part], high);
            }
        }
    } else {
        for word in 0..WORDS {
            for part in 0..PARTS {
                // SAFETY: the caller guarantees 16 readable bytes at each offset where a shuffle begins.
                let values = unsafe { shuffles.read(row, word, part) };
                kept[word][part] = _mm256_min_epu8(kept[word][part], one_less(values));
                swapped[word][part] = _mm256_max_epu8(swapped[word][part], values);
            }
        }
    }
}

/// Subtracts one from each byte of a register. A byte 0 becomes 255.
#[inline]
#[target_feature(enable = "avx2")]
fn one_less(values: __m256i) -> __m256i {
    _mm256_add_epi8(values, _mm256_set1_epi8(-1))
}

/// Inverts all bits of a register.
#[inline]
#[target_feature(enable = "avx2")]
fn complement(bits: __m256i) -> __m256i {
    _mm256_xor_si256(bits, _mm256_set1_epi8(-1))
}

/// Reverses the order of the 32 bytes of a register.
#[inline]
#[target_feature(enable = "avx2")]
fn reversed(bytes: __m256i) -> __m256i {
    let (upper, lower) = (0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f);
    let halves = _mm256_shuffle_epi8(bytes, _mm256_set_epi64x(upper, lower, upper, lower));
    _mm256_permute4x64_epi64::<0b01_00_11_10>(halves)
}

/// Raises the leader's best values to the value of a lead, wherever that value is higher, and clears the buffer `swapped` (values for
/// positions with exchanged hands).
#[inline]
#[target_feature(enable = "avx2")]
fn settle(best: &mut Word, held: &Word, mate: i8, kept: Word, swapped: &mut Word) {
    // A byte of `swapped` is a value with 128 added. A byte of `kept`, of `mate` and of the best values is a value with 127 added.
    let mate = _mm256_set1_epi8(mate.wrapping_add(i8::MAX));
    for part in 0..PARTS {
        // The complement of a value with 128 added is the negated value with 127 added.
        let opposite = complement(reversed(swapped[PARTS - 1 - part]));
        let value = _mm256_min_epu8(kept[part], opposite);
        // The byte 255 marks a position without an answer. Positions in which the leader does not hold the card have this byte too, and
        // `held` turns it into 0.
        let unanswered = _mm256_cmpeq_epi8(value, _mm256_set1_epi8(-1));
        let value = _mm256_blendv_epi8(value, _mm256_and_si256(held[part], mate), unanswered);
        best[part] = _mm256_max_epu8(best[part], value);
    }
    *swapped = [_mm256_setzero_si256(); PARTS];
}

/// Subtracts 127 from each of 64 bytes, and writes the results to `out` from the index `lane` on.
/// Results whose index is outside `out` are dropped.
#[inline]
#[target_feature(enable = "avx2")]
fn store(out: &mut [i8], lane: isize, values: Word) {
    let values = values.map(|part| _mm256_add_epi8(part, _mm256_set1_epi8(-i8::MAX)));
    if let Ok(start) = usize::try_from(lane)
        && let Some(out) = out.get_mut(start..start + 64)
    {
        for (out, values) in out.as_chunks_mut::<32>().0.iter_mut().zip(values) {
            // SAFETY: the target has 32 bytes, and the store needs no alignment.
            unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), values) }
        }
        return;
    }
    let mut bytes = [0i8; 64];
    for (bytes, values) in bytes.as_chunks_mut::<32>().0.iter_mut().zip(values) {
        // SAFETY: the target has 32 bytes, and the store needs no alignment.
        unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), values) }
    }
    let skipped = usize::try_from(-lane).unwrap_or_default().min(64);
    let start = usize::try_from(lane).unwrap_or_default().min(out.len());
    let out = &mut out[start..];
    let len = out.len().min(64 - skipped);
    out[..len].copy_from_slice(&bytes[skipped..skipped + len]);
}
