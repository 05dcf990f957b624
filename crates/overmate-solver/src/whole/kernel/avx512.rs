//! Implements the solver's inner loops with AVX-512 instructions, for 64 positions at once.

#![allow(unsafe_code, reason = "vector instructions: each block states why it is sound")]

use core::arch::asm;
use core::arch::x86_64::{
    __m512i, _mm512_cmpeq_epi8_mask, _mm512_loadu_epi8, _mm512_mask_max_epi8, _mm512_mask_min_epi8,
    _mm512_mask_mov_epi8, _mm512_mask_storeu_epi8, _mm512_max_epi8, _mm512_min_epi8,
    _mm512_permutexvar_epi8, _mm512_set1_epi8, _mm512_setzero_si512, _mm512_storeu_epi8,
    _mm512_sub_epi8,
};

use super::words::{fetch, holding, words};
use crate::kernel::Kernel;
use crate::whole::job::{ABSENT, ALWAYS, Job, MAX_LEADS, MAX_MASKS, NEVER, OF_GROUPS, SourceRange};
use crate::whole::mirror::{FAR, Mirror, NEAR};

/// Computes the values of all positions whose hands together hold a given set of cards, with AVX-512 instructions. Each step computes 64
/// positions and the 64 positions with exchanged hands.
pub(super) fn sides(
    scratch: &mut Scratch,
    job: &mut Job<'_>,
    mirror: &Mirror,
    out: &mut [&mut [i8]; 2],
) {
    assert!(Kernel::Avx512.is_supported(), "the caller must check the processor first");
    // SAFETY: the assertion above ensures that the processor supports all instructions that the called function uses.
    unsafe { sides_here(scratch, job, mirror, out) }
}

/// Maximum number of word pairs (64 positions and the 64 positions with exchanged hands) that the AVX-512 loops solve at once. With more
/// pairs, the buffers would not fit into an L1 cache of 32 kB together with the solved values.
const MOST: usize = 5;

/// Buffers that the AVX-512 loops reuse, for up to [`MOST`] pairs of words (64 positions and the 64
/// positions with exchanged hands).
pub(super) struct Scratch {
    /// Value of the follower's best answer that wins the move, for each lead and each position. The indices are the lead, the half of the
    /// layer ([`NEAR`] or [`FAR`]) and the word of 64 positions.
    swapped: Vec<[[__m512i; MOST]; 2]>,
    /// Bit masks of the positions in which the evaluation of a lead uses a solved value. The indices are the mask number, the half of the
    /// layer ([`NEAR`] or [`FAR`]) and the word of 64 positions.
    masks: Vec<[[u64; MOST]; 2]>,
}

impl Scratch {
    pub(super) fn new() -> Self {
        // SAFETY: all bit patterns are valid vector registers.
        let none = unsafe { core::mem::transmute::<[i8; 64], __m512i>([-ABSENT; 64]) };
        let mut masks = vec![[[0; MOST]; 2]; MAX_MASKS];
        masks[usize::from(ALWAYS)] = [[!0; MOST]; 2];
        masks[usize::from(NEVER)] = [[0; MOST]; 2];
        Self { swapped: vec![[[none; MOST]; 2]; MAX_LEADS + 1], masks }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt,bmi1")]
fn sides_here(scratch: &mut Scratch, job: &mut Job<'_>, mirror: &Mirror, out: &mut [&mut [i8]; 2]) {
    let mut first = 0;
    loop {
        first += match (mirror.pairs() - first, mirror.has_middle()) {
            (0, false) => return,
            (0, true) => {
                chunk::<1, 0>(scratch, job, mirror, first, out);
                return;
            }
            (3, true) => {
                chunk::<4, 3>(scratch, job, mirror, first, out);
                return;
            }
            (5.., false) => chunk::<5, 5>(scratch, job, mirror, first, out),
            (4.., _) => chunk::<4, 4>(scratch, job, mirror, first, out),
            (3, false) => chunk::<3, 3>(scratch, job, mirror, first, out),
            (2.., _) => chunk::<2, 2>(scratch, job, mirror, first, out),
            _ => chunk::<1, 1>(scratch, job, mirror, first, out),
        }
    }
}

/// Computes the values of `NEARS` words of 64 positions, and of `FARS` words of the positions with exchanged hands. If there is one near
/// word more than far words, the last near word contains its own mirror images. Returns `FARS`, the number of word pairs.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt,bmi1")]
fn chunk<const NEARS: usize, const FARS: usize>(
    scratch: &mut Scratch,
    job: &mut Job<'_>,
    mirror: &Mirror,
    first: usize,
    out: &mut [&mut [i8]; 2],
) -> usize {
    let Scratch { swapped, masks } = scratch;
    for (masks, &group) in
        masks[OF_GROUPS.into()..].as_chunks_mut::<4>().0.iter_mut().zip(&job.groups)
    {
        let [all, some] = holding::<NEARS>(mirror, NEAR, first, group);
        for word in 0..NEARS {
            [masks[0][NEAR][word], masks[2][NEAR][word]] = [all[word], !some[word]];
        }
        let [all, some] = holding::<FARS>(mirror, FAR, first, group);
        for word in 0..FARS {
            [masks[0][FAR][word], masks[2][FAR][word]] = [all[word], !some[word]];
        }
        if job.has_free {
            masks[1] = masks[0].map(|side| side.map(|lanes| !lanes));
            masks[3] = masks[2].map(|side| side.map(|lanes| !lanes));
        }
    }
    let (absent, none) = (_mm512_set1_epi8(ABSENT), _mm512_set1_epi8(-ABSENT));
    let mut best_near = [none; NEARS];
    let mut best_far = [none; FARS];
    let near_words = |place: u8| words::<NEARS>(mirror.held(NEAR, place.into()), first);
    let far_words = |place: u8| words::<FARS>(mirror.held(FAR, place.into()), first);
    let mut from = 0;
    for lead in &job.leads {
        let winner = (near_words(lead.card), far_words(lead.card));
        let mut kept_near = [absent; NEARS];
        let mut kept_far = [absent; FARS];
        for (run, end) in lead.ends.into_iter().enumerate() {
            let [near, far] = job.layers[usize::from(run == 2)].map(<[i8]>::as_ptr);
            for source in &mut job.sources[from..end] {
                let [swapped_near, swapped_far] = &mut swapped[usize::from(source.pairing.swapped)];
                let loser = (near_words(source.pairing.loser), far_words(source.pairing.loser));
                // Local copies of the offsets stay in registers. The compiler would load and store the fields for each word.
                let SourceRange { mut up, mut down, .. } = *source;
                if run == 0 {
                    for word in 0..NEARS {
                        let lanes = winner.0[word] & !loser.0[word];
                        // SAFETY: the numbers of values that all words read add up to the length of the row of solved values, so that this
                        // offset stays in the row. The function `begin` has checked that 64 bytes follow the row in its layer.
                        let values = unsafe { read(near, up, lanes) };
                        up += lanes.count_ones();
                        keep(&mut kept_near[word], lanes, values);
                        keep_swapped(&mut swapped_near[word], values);
                    }
                    for word in 0..FARS {
                        let lanes = winner.1[word] & !loser.1[word];
                        down -= lanes.count_ones();
                        // SAFETY: the offset stays in the row, as for the first read of this loop.
                        let values = unsafe { read(far, down, lanes) };
                        keep(&mut kept_far[word], lanes, values);
                        keep_swapped(&mut swapped_far[word], values);
                    }
                } else {
                    let masks = source.pairing.masks.map(|mask| &masks[usize::from(mask)]);
                    let [of_winner, of_loser] = masks.map(|mask| &mask[NEAR]);
                    for word in 0..NEARS {
                        let lanes = winner.0[word] & !loser.0[word];
                        // SAFETY: the offset stays in the row, as for the first read of this loop.
                        let values = unsafe { read(near, up, lanes) };
                        up += lanes.count_ones();
                        keep(&mut kept_near[word], lanes & of_winner[word], values);
                        let values = _mm512_mask_mov_epi8(none, of_loser[word], values);
                        keep_swapped(&mut swapped_near[word], values);
                    }
                    let [of_winner, of_loser] = masks.map(|mask| &mask[FAR]);
                    for word in 0..FARS {
                        let lanes = winner.1[word] & !loser.1[word];
                        down -= lanes.count_ones();
                        // SAFETY: the offset stays in the row, as for the first read of this loop.
                        let values = unsafe { read(far, down, lanes) };
                        keep(&mut kept_far[word], lanes & of_winner[word], values);
                        let values = _mm512_mask_mov_epi8(none, of_loser[word], values);
                        keep_swapped(&mut swapped_far[word], values);
                    }
                }
                if FARS == MOST {
                    // While the loop reads the other sources, the processor prefetches the values that the next words need from this
                    // source. The processor itself does not detect the alternating reads of many rows.
                    for ahead in [128, 192] {
                        fetch(near, up.wrapping_add(ahead));
                        fetch(far, down.wrapping_sub(ahead));
                    }
                }
                (source.up, source.down) = (up, down);
            }
            from = end;
        }
        let [swapped_near, swapped_far] = &mut swapped[usize::from(lead.number)];
        let mates = lead.mates.map(|mate| _mm512_set1_epi8(mate));
        for word in 0..NEARS {
            let swapped =
                if word < FARS { &mut swapped_far[word] } else { &mut swapped_near[word] };
            settle(&mut best_near[word], winner.0[word], mates[NEAR], kept_near[word], swapped);
        }
        for word in 0..FARS {
            let swapped = &mut swapped_near[word];
            settle(&mut best_far[word], winner.1[word], mates[FAR], kept_far[word], swapped);
        }
    }
    for (word, best) in best_near.into_iter().enumerate() {
        store(out[NEAR], mirror.lane(NEAR, first + word), best);
    }
    for (word, best) in best_far.into_iter().enumerate() {
        store(out[FAR], mirror.lane(FAR, first + word), best);
    }
    FARS
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn keep(kept: &mut __m512i, lanes: u64, values: __m512i) {
    *kept = _mm512_mask_min_epi8(*kept, lanes, *kept, values);
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn keep_swapped(swapped: &mut __m512i, values: __m512i) {
    *swapped = _mm512_max_epi8(*swapped, values);
}

/// Raises the leader's best values to the value of a lead, wherever that value is higher, and clears the buffer `swapped` (values for
/// positions with exchanged hands).
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt,bmi1")]
fn settle(best: &mut __m512i, held: u64, mate: __m512i, kept: __m512i, swapped: &mut __m512i) {
    let value = _mm512_min_epi8(kept, opposite(*swapped));
    *swapped = _mm512_set1_epi8(-ABSENT);
    let unanswered = _mm512_cmpeq_epi8_mask(value, _mm512_set1_epi8(ABSENT));
    *best = _mm512_mask_max_epi8(*best, held, *best, _mm512_mask_mov_epi8(value, unanswered, mate));
}

/// Reads consecutive solved values into the bytes of a register that the bit mask `lanes` selects.
///
/// # Safety
///
/// The layer must have 64 readable bytes at the offset `at`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
unsafe fn read(layer: *const i8, at: u32, lanes: u64) -> __m512i {
    // SAFETY: the caller guarantees 64 readable bytes at the offset `at`.
    let values = unsafe { _mm512_loadu_epi8(layer.add(at as usize)) };
    expand(lanes, values)
}

/// Moves consecutive bytes of a register to the bytes that the bit mask `lanes` selects. All other
/// bytes get the lowest value.
///
/// The function uses inline assembly in place of the intrinsic function for this instruction. The compiler fuses the
/// intrinsic with the load from memory. Fused loads do not overlap, and the whole kernel then takes a quarter longer.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
fn expand(lanes: u64, values: __m512i) -> __m512i {
    let mut expanded = _mm512_set1_epi8(-ABSENT);
    // SAFETY: the instruction reads and writes only these registers, and this function is only called with VBMI2.
    unsafe {
        asm!(
            "vpexpandb {expanded}{{{lanes}}}, {values}",
            expanded = inlateout(zmm_reg) expanded,
            lanes = in(kreg) lanes,
            values = in(zmm_reg) values,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    expanded
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

/// Converts the values of 64 positions to the values of the positions with exchanged hands: reverses the order and negates each value.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn opposite(values: __m512i) -> __m512i {
    // SAFETY: the constant has 64 bytes.
    let backwards = unsafe { _mm512_loadu_epi8(BACKWARDS.as_ptr()) };
    _mm512_sub_epi8(_mm512_setzero_si512(), _mm512_permutexvar_epi8(backwards, values))
}

/// Writes 64 values to `out` from the index `lane` on. Values whose index is outside `out` are dropped.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn store(out: &mut [i8], lane: isize, values: __m512i) {
    let from = usize::try_from(-lane).unwrap_or_default();
    let to = out.len().cast_signed() - lane;
    let target = out.as_mut_ptr().wrapping_offset(lane);
    if from == 0 && to >= 64 {
        // SAFETY: the target has 64 bytes, and the store needs no alignment.
        unsafe { _mm512_storeu_epi8(target, values) }
    } else {
        let below = if to >= 64 { !0 } else { (1u64 << to.max(0)) - 1 };
        let there = if from >= 64 { 0 } else { below & (!0 << from) };
        // SAFETY: the mask selects only bytes of the target.
        unsafe { _mm512_mask_storeu_epi8(target, there, values) }
    }
}
