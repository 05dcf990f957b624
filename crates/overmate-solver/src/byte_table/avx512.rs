//! Solves rows of positions by AVX-512 loops.

#[cfg(target_arch = "x86_64")]
pub(super) use vector::{rows, supported};

#[cfg(not(target_arch = "x86_64"))]
pub(super) use absent::{rows, supported};

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "vector instructions: each block states why it is sound")]
mod vector {
    use core::arch::x86_64::{
        __m512i, _mm512_cmpeq_epi8_mask, _mm512_loadu_epi8, _mm512_mask_blend_epi8,
        _mm512_mask_min_epi8, _mm512_max_epi8, _mm512_min_epi8, _mm512_permutex2var_epi8,
        _mm512_set1_epi8, _mm512_storeu_epi8,
    };

    use overmate_rules::{BySeat, Seat};

    use super::super::rows::{ABSENT, CodedLead, LANES, Row, RowSets};
    use crate::deal::cards::LeadKind;
    use crate::deal::subsets::binomial;

    /// Returns whether this processor has the AVX-512 instructions that this module uses.
    pub(crate) fn supported() -> bool {
        is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vbmi")
    }

    /// Solves the row of positions in which seat *first* holds the cards `first_holds`. The rows of
    /// all subsets must be solved.
    pub(crate) fn rows(
        sets: &mut RowSets,
        leads: &BySeat<Vec<CodedLead>>,
        free: bool,
        first_holds: usize,
    ) {
        assert!(supported(), "the caller must check `supported` first");
        // SAFETY: the processor has the instructions, as has just been asserted.
        unsafe { rows_here(sets, leads, free, first_holds) }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn rows_here(
        sets: &mut RowSets,
        leads: &BySeat<Vec<CodedLead>>,
        free: bool,
        first_holds: usize,
    ) {
        let size = sets.balance.second_size(first_holds.count_ones() as usize);
        let lanes = |size: usize| binomial(sets.hand_size, size);
        let with = match (lanes(size).div_ceil(64), lanes(size - 1) > 128, free) {
            (1, false, false) => both_rows::<1, false, false>,
            (1, false, true) => both_rows::<1, false, true>,
            (1, true, false) => both_rows::<1, true, false>,
            (1, true, true) => both_rows::<1, true, true>,
            (2, false, false) => both_rows::<2, false, false>,
            (2, false, true) => both_rows::<2, false, true>,
            (2, true, false) => both_rows::<2, true, false>,
            (2, true, true) => both_rows::<2, true, true>,
            (_, false, false) => both_rows::<4, false, false>,
            (_, false, true) => both_rows::<4, false, true>,
            (_, true, false) => both_rows::<4, true, false>,
            (_, true, true) => both_rows::<4, true, true>,
        };
        with(sets, leads, first_holds);
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn both_rows<const PARTS: usize, const WIDE: bool, const FREE: bool>(
        sets: &mut RowSets,
        leads: &BySeat<Vec<CodedLead>>,
        first_holds: usize,
    ) {
        let row = first_leads::<PARTS, WIDE, FREE>(sets, &leads.first, first_holds);
        store(sets, FREE, first_holds, Seat::First, &row);
        let row = second_leads::<PARTS, WIDE, FREE>(sets, &leads.second, first_holds);
        store(sets, FREE, first_holds, Seat::Second, &row);
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    fn store<const PARTS: usize>(
        sets: &mut RowSets,
        free: bool,
        first_holds: usize,
        leader: Seat,
        row: &[__m512i; PARTS],
    ) {
        let index = sets.index(free, first_holds, leader);
        let target = &mut sets.rows[index];
        for (target, part) in target.as_chunks_mut::<64>().0.iter_mut().zip(row) {
            // SAFETY: the target has 64 bytes, and the store needs no alignment.
            unsafe { _mm512_storeu_epi8(target.as_mut_ptr(), *part) }
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn load(bytes: &[i8; LANES], part: usize) -> __m512i {
        let part: &[i8; 64] = &bytes.as_chunks::<64>().0[part];
        // SAFETY: the source has 64 bytes, and the load needs no alignment.
        unsafe { _mm512_loadu_epi8(part.as_ptr()) }
    }

    /// Returns the row of solved values after a lead and its answer.
    #[inline]
    fn next<'s>(
        sets: &'s RowSets,
        free: bool,
        rest: usize,
        (lead, leader): (&LeadKind, Seat),
        answer: usize,
    ) -> &'s Row {
        let wins = lead.masks.wins_over(answer);
        &sets.rows[sets.index(free, rest, if wins { leader } else { !leader })]
    }

    /// Moves the value of each set of cards to the set with `card` added. All other values of the
    /// result are undefined.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn permuted<const PARTS: usize, const WIDE: bool>(
        row: &[__m512i; 4],
        sets: &RowSets,
        size: usize,
        card: usize,
    ) -> [__m512i; PARTS] {
        let permutation = &sets.lanes.permutations[size][card];
        core::array::from_fn(|part| {
            let from: &[u8; 64] = &permutation.from.as_chunks::<64>().0[part];
            // SAFETY: the source has 64 bytes, and the load needs no alignment.
            let from = unsafe { _mm512_loadu_epi8(from.as_ptr().cast()) };
            let lower = _mm512_permutex2var_epi8(row[0], from, row[1]);
            if !WIDE {
                return lower;
            }
            let upper = _mm512_permutex2var_epi8(row[2], from, row[3]);
            _mm512_mask_blend_epi8(permutation.from_upper[part], lower, upper)
        })
    }

    /// Returns the minimum of `least` and the values after all legal answers, for each set of cards
    /// of seat *second*.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn least_answer<const PARTS: usize, const WIDE: bool>(
        sets: &RowSets,
        size: usize,
        (lead, rest): (&LeadKind, usize),
        (free, mut answers): (bool, u64),
        mut least: [__m512i; PARTS],
    ) -> [__m512i; PARTS] {
        while answers != 0 {
            let answer = answers.trailing_zeros() as usize;
            answers &= answers - 1;
            let row = next(sets, free, rest, (lead, Seat::First), answer);
            let row = [load(row, 0), load(row, 1), load(row, 2), load(row, 3)];
            let row = permuted::<PARTS, WIDE>(&row, sets, size, answer);
            let holding = &sets.lanes.permutations[size][answer].holding;
            for part in 0..PARTS {
                least[part] =
                    _mm512_mask_min_epi8(least[part], holding[part], least[part], row[part]);
            }
        }
        least
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn first_leads<const PARTS: usize, const WIDE: bool, const FREE: bool>(
        sets: &RowSets,
        leads: &[CodedLead],
        first_holds: usize,
    ) -> [__m512i; PARTS] {
        let first_size = first_holds.count_ones() as usize;
        let size = sets.balance.second_size(first_size);
        let absent = _mm512_set1_epi8(ABSENT);
        let mut best = [_mm512_set1_epi8(-ABSENT); PARTS];
        for CodedLead { kind: lead, mates } in leads {
            if first_holds >> lead.card & 1 == 0 {
                continue;
            }
            let rest = first_holds & !(1 << lead.card);
            // The loop goes from the last tier to the first, with the value if all earlier tiers are empty, and
            // the minimum of later answers by the free move.
            let mut value = [_mm512_set1_epi8(mates[first_size]); PARTS];
            let mut later = [absent; PARTS];
            for &answers in lead.masks.tiers().iter().rev() {
                if answers == 0 {
                    continue;
                }
                let least = |answers: (bool, u64), least: [__m512i; PARTS]| {
                    least_answer::<PARTS, WIDE>(sets, size, (lead, rest), answers, least)
                };
                let forced = least((FREE, answers), [absent; PARTS]);
                for part in 0..PARTS {
                    let is_empty = _mm512_cmpeq_epi8_mask(forced[part], absent);
                    let with_free = _mm512_min_epi8(forced[part], later[part]);
                    value[part] = _mm512_mask_blend_epi8(is_empty, with_free, value[part]);
                }
                if FREE {
                    later = least((false, answers & lead.masks.opened()), later);
                }
            }
            for part in 0..PARTS {
                best[part] = _mm512_max_epi8(best[part], value[part]);
            }
        }
        best
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn second_leads<const PARTS: usize, const WIDE: bool, const FREE: bool>(
        sets: &RowSets,
        leads: &[CodedLead],
        first_holds: usize,
    ) -> [__m512i; PARTS] {
        let first_size = first_holds.count_ones() as usize;
        let size = sets.balance.second_size(first_size);
        let mut best = [_mm512_set1_epi8(ABSENT); PARTS];
        for CodedLead { kind: lead, mates } in leads {
            // *First* has the same legal answers against every set of cards of *second*.
            let forced = lead.masks.forced(first_holds as u64);
            let by_free_move = if FREE { lead.masks.by_free_move(first_holds as u64) } else { 0 };
            let mut value = [_mm512_set1_epi8(mates[first_size]); PARTS];
            if forced != 0 {
                let mut most = [_mm512_set1_epi8(-ABSENT); 4];
                for (free, mut answers) in [(FREE, forced), (false, by_free_move)] {
                    while answers != 0 {
                        let answer = answers.trailing_zeros() as usize;
                        answers &= answers - 1;
                        let rest = first_holds & !(1 << answer);
                        let row = next(sets, free, rest, (lead, Seat::Second), answer);
                        let parts = if WIDE { 4 } else { 2 };
                        for (part, most) in most.iter_mut().enumerate().take(parts) {
                            *most = _mm512_max_epi8(*most, load(row, part));
                        }
                    }
                }
                value = permuted::<PARTS, WIDE>(&most, sets, size, lead.card);
            }
            let holding = &sets.lanes.permutations[size][lead.card].holding;
            for part in 0..PARTS {
                best[part] =
                    _mm512_mask_min_epi8(best[part], holding[part], best[part], value[part]);
            }
        }
        best
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod absent {
    //! Stub of the AVX-512 loops for processors other than x86-64. The function `supported` returns
    //! `false` here.

    use overmate_rules::BySeat;

    use super::super::rows::{CodedLead, RowSets};

    pub(crate) fn supported() -> bool {
        false
    }

    pub(crate) fn rows(_: &mut RowSets, _: &BySeat<Vec<CodedLead>>, _: bool, _: usize) {
        unreachable!("the caller must check `supported` first");
    }
}
