//! All positions of equal hands under one pair of hands, a byte each, with AVX-512: the fast way to one value.
//!
//! When both hold equally many cards, *second*'s sets of `k` cards are at most C(10, 5) = 252: a row of bytes
//! that four registers hold. An answer takes its card out of the set, so the row after it is the earlier
//! one with its lanes rearranged, and the rearrangement depends on the card and `k` only. Scores are few: a
//! byte holds the place of a score among those that are possible, with its sign.

use overmate_rules::{BySeat, RuleSet, Seat};

use crate::deal::cards::{DealCards, LeadKind};
use crate::deal::last_moves::mate_points_for_first;
use crate::table::MAX_TABLE_HAND;

/// Lanes of a row: no more sets of the same size are there than C(10, 5).
const LANES: usize = 256;

/// A byte for each set of cards of *second* of one size, in numeric order of the sets.
type Row = [i8; LANES];

/// What stands where there is no value.
const ABSENT: i8 = i8::MAX;

/// How taking a card out rearranges the sets of one size.
struct Rearrangement {
    /// For the set of each lane: the lane, one size smaller, of the set without the card.
    from: [u8; LANES],
    /// The lanes of sets that hold the card.
    holding: [u64; LANES / 64],
    /// Those whose source is in the upper half of the lanes.
    from_upper: [u64; LANES / 64],
}

/// The sets of a hand of one size, and how they are rearranged: the same for all deals.
pub(crate) struct Sets {
    hand_size: usize,
    /// By the size of the set, then by the card.
    rearrangements: Vec<Vec<Rearrangement>>,
    rows: Vec<Row>,
}

/// Ways to lead a card, with the byte of a mate for each number of cards held.
struct CodedLead {
    kind: LeadKind,
    mates: [i8; MAX_TABLE_HAND as usize + 1],
}

impl Sets {
    /// Prepares for hands of this size, at most [`MAX_TABLE_HAND`].
    pub(crate) fn new(hand_size: usize) -> Self {
        let of_size = |size: usize| {
            (0..1usize << hand_size).filter(move |set| set.count_ones() as usize == size)
        };
        let mut lane_of = vec![0u8; 1 << hand_size];
        for size in 0..=hand_size {
            for (lane, set) in (0..=u8::MAX).zip(of_size(size)) {
                lane_of[set] = lane;
            }
        }
        let rearrangement = |size: usize, card: usize| {
            let mut rearrangement =
                Rearrangement { from: [0; LANES], holding: [0; 4], from_upper: [0; 4] };
            for (lane, set) in of_size(size).enumerate().filter(|(_, set)| set >> card & 1 == 1) {
                let from = lane_of[set & !(1 << card)];
                let (word, bit) = (lane / 64, 1 << (lane % 64));
                rearrangement.from[lane] = from;
                rearrangement.holding[word] |= bit;
                rearrangement.from_upper[word] |= if from >= 128 { bit } else { 0 };
            }
            rearrangement
        };
        let rearrangements = (0..=hand_size)
            .map(|size| (0..hand_size).map(|card| rearrangement(size, card)).collect())
            .collect();
        Self { hand_size, rearrangements, rows: Vec::new() }
    }

    /// Whether this processor has the instructions for it.
    pub(crate) fn supported() -> bool {
        #[cfg(target_arch = "x86_64")]
        return is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vbmi");
        #[cfg(not(target_arch = "x86_64"))]
        return false;
    }

    /// The points for *first* when both still hold all these cards and the leader leads; `None` if the
    /// possible scores are too many for a byte.
    pub(crate) fn points_for_first(
        &mut self,
        rules: &RuleSet,
        cards: &DealCards,
        free: bool,
        leader: Seat,
    ) -> Option<i32> {
        let sizes = 1..=self.hand_size;
        let mate = |value: u16, size: usize, seat: Seat| {
            let counts = BySeat { first: size, second: size };
            mate_points_for_first(rules, value, counts, seat).unwrap_or_default()
        };
        let leads = Seat::BOTH.into_iter().flat_map(|seat| cards.leads[seat].iter());
        let mut scores: Vec<i32> = leads
            .flat_map(|lead| sizes.clone().map(move |size| (lead.value, size)))
            .map(|(value, size)| mate(value, size, Seat::First))
            .collect();
        scores.sort_unstable();
        scores.dedup();
        // Codes 1 to 126 for scores; 0 is a draw.
        if scores.len() > 126 {
            return None;
        }
        let code = |points: i32| {
            let place = scores.binary_search(&points.abs()).map_or(0, |place| place + 1);
            let code = i8::try_from(place).unwrap_or_default();
            if points < 0 { -code } else { code }
        };
        let coded = BySeat::new_with(|seat| {
            let leads = cards.leads[seat].iter().map(|&kind| {
                let mut mates = [0; MAX_TABLE_HAND as usize + 1];
                for size in sizes.clone() {
                    mates[size] = code(mate(kind.value, size, seat));
                }
                CodedLead { kind, mates }
            });
            leads.collect::<Vec<_>>()
        });
        let halves = if free { 2 } else { 1 };
        // Rows without cards are draws; the others are written before they are read.
        self.rows.resize(halves << (self.hand_size + 1), [0; LANES]);
        for free in [false, true].into_iter().take(halves) {
            for leader in Seat::BOTH {
                let row = row_index(self.hand_size, free, 0, leader);
                self.rows[row] = [0; LANES];
            }
            for first_holds in 1..1usize << self.hand_size {
                kernel::rows(self, &coded, free, first_holds);
            }
        }
        let all = (1 << self.hand_size) - 1;
        let value = self.rows[row_index(self.hand_size, free, all, leader)][0];
        let points = match value {
            0 => 0,
            code => scores[usize::from(code.unsigned_abs()) - 1] * i32::from(code.signum()),
        };
        Some(points)
    }
}

const fn row_index(hand_size: usize, free: bool, first_holds: usize, leader: Seat) -> usize {
    ((free as usize) << hand_size | first_holds) << 1 | leader as usize
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "vector instructions: each block states why it is sound")]
mod kernel {
    //! The rows of one set of cards of *first*, in AVX-512 registers.

    use core::arch::x86_64::{
        __m512i, _mm512_cmpeq_epi8_mask, _mm512_loadu_epi8, _mm512_mask_blend_epi8,
        _mm512_mask_min_epi8, _mm512_max_epi8, _mm512_min_epi8, _mm512_permutex2var_epi8,
        _mm512_set1_epi8, _mm512_storeu_epi8,
    };

    use super::{ABSENT, BySeat, CodedLead, LANES, LeadKind, Row, Seat, Sets, row_index};
    use crate::deal::subsets::binomial;

    pub(super) fn rows(
        sets: &mut Sets,
        leads: &BySeat<Vec<CodedLead>>,
        free: bool,
        first_holds: usize,
    ) {
        assert!(Sets::supported(), "the caller has asked");
        // SAFETY: the processor has the instructions, as has just been asserted.
        unsafe { rows_here(sets, leads, free, first_holds) }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn rows_here(sets: &mut Sets, leads: &BySeat<Vec<CodedLead>>, free: bool, first_holds: usize) {
        let size = first_holds.count_ones() as usize;
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
        sets: &mut Sets,
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
        sets: &mut Sets,
        free: bool,
        first_holds: usize,
        leader: Seat,
        row: &[__m512i; PARTS],
    ) {
        let target = &mut sets.rows[row_index(sets.hand_size, free, first_holds, leader)];
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

    /// The row after a lead and its answer, before it is rearranged.
    #[inline]
    fn next<'s>(
        sets: &'s Sets,
        free: bool,
        rest: usize,
        (lead, leader): (&LeadKind, Seat),
        answer: usize,
    ) -> &'s Row {
        let wins = lead.meets.beaten >> answer & 1 == 1;
        &sets.rows[row_index(sets.hand_size, free, rest, if wins { leader } else { !leader })]
    }

    /// A row of sets that lack a card, as the row of the sets with it. Other lanes hold anything.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn rearranged<const PARTS: usize, const WIDE: bool>(
        row: &[__m512i; 4],
        sets: &Sets,
        size: usize,
        card: usize,
    ) -> [__m512i; PARTS] {
        let how = &sets.rearrangements[size][card];
        core::array::from_fn(|part| {
            let from: &[u8; 64] = &how.from.as_chunks::<64>().0[part];
            // SAFETY: the source has 64 bytes, and the load needs no alignment.
            let from = unsafe { _mm512_loadu_epi8(from.as_ptr().cast()) };
            let lower = _mm512_permutex2var_epi8(row[0], from, row[1]);
            if !WIDE {
                return lower;
            }
            let upper = _mm512_permutex2var_epi8(row[2], from, row[3]);
            _mm512_mask_blend_epi8(how.from_upper[part], lower, upper)
        })
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn first_leads<const PARTS: usize, const WIDE: bool, const FREE: bool>(
        sets: &Sets,
        leads: &[CodedLead],
        first_holds: usize,
    ) -> [__m512i; PARTS] {
        let size = first_holds.count_ones() as usize;
        let absent = _mm512_set1_epi8(ABSENT);
        let mut best = [_mm512_set1_epi8(-ABSENT); PARTS];
        for CodedLead { kind: lead, mates } in leads {
            if first_holds >> lead.card & 1 == 0 {
                continue;
            }
            let rest = first_holds & !(1 << lead.card);
            let mut least = [[absent; PARTS]; 3];
            let meets = [lead.meets.before, lead.meets.after];
            let by_free_move = if FREE { lead.meets.after & !lead.meets.before } else { 0 };
            for (free, class, mut answers) in
                [(FREE, 0, meets[0]), (FREE, 1, meets[1]), (false, 2, by_free_move)]
            {
                if class == 2 && !FREE {
                    continue;
                }
                while answers != 0 {
                    let answer = answers.trailing_zeros() as usize;
                    answers &= answers - 1;
                    let row = next(sets, free, rest, (lead, Seat::First), answer);
                    let row = [load(row, 0), load(row, 1), load(row, 2), load(row, 3)];
                    let row = rearranged::<PARTS, WIDE>(&row, sets, size, answer);
                    let holding = &sets.rearrangements[size][answer].holding;
                    let least = &mut least[class];
                    for part in 0..PARTS {
                        least[part] = _mm512_mask_min_epi8(
                            least[part],
                            holding[part],
                            least[part],
                            row[part],
                        );
                    }
                }
            }
            let [before, after, by_free_move] = least;
            let mate = _mm512_set1_epi8(mates[size]);
            for part in 0..PARTS {
                let no_after = _mm512_cmpeq_epi8_mask(after[part], absent);
                let otherwise = _mm512_mask_blend_epi8(no_after, after[part], mate);
                let no_before = _mm512_cmpeq_epi8_mask(before[part], absent);
                // A free move is one more answer for a hand that could answer first.
                let usual = _mm512_min_epi8(before[part], by_free_move[part]);
                let value = _mm512_mask_blend_epi8(no_before, usual, otherwise);
                best[part] = _mm512_max_epi8(best[part], value);
            }
        }
        best
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn second_leads<const PARTS: usize, const WIDE: bool, const FREE: bool>(
        sets: &Sets,
        leads: &[CodedLead],
        first_holds: usize,
    ) -> [__m512i; PARTS] {
        let size = first_holds.count_ones() as usize;
        let mut best = [_mm512_set1_epi8(ABSENT); PARTS];
        for CodedLead { kind: lead, mates } in leads {
            // The same cards of first answer in every lane.
            let forced = lead.meets.forced(first_holds as u64);
            let by_free_move = if FREE { lead.meets.by_free_move(first_holds as u64) } else { 0 };
            let mut value = [_mm512_set1_epi8(mates[size]); PARTS];
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
                value = rearranged::<PARTS, WIDE>(&most, sets, size, lead.card);
            }
            let holding = &sets.rearrangements[size][lead.card].holding;
            for part in 0..PARTS {
                best[part] =
                    _mm512_mask_min_epi8(best[part], holding[part], best[part], value[part]);
            }
        }
        best
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod kernel {
    //! Nothing: [`Sets::supported`](super::Sets::supported) says no.

    use super::{BySeat, CodedLead, Sets};

    pub(super) fn rows(_: &mut Sets, _: &BySeat<Vec<CodedLead>>, _: bool, _: usize) {
        unreachable!("the caller has asked whether it is supported");
    }
}
