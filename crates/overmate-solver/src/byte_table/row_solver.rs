//! Solves rows of values by vector operations that each instruction set implements.

#![allow(
    clippy::inline_always,
    reason = "inlined functions are compiled for the caller's instructions"
)]

use overmate_rules::{BySeat, Seat};

use super::lanes::Permutation;
use super::rows::{CodedLead, Row, RowSets, UNKNOWN};
use crate::deal::cards::LeadKind;
use crate::deal::subsets::bits;

/// Vector operations of an instruction set on unsigned bytes. A value of the implementing type shows that the processor has
/// the instructions.
pub(super) trait Vectors: Copy {
    /// Vector register of unsigned bytes.
    type Lanes: Copy;

    /// Returns a register in which every byte is `byte`.
    fn splat(self, byte: u8) -> Self::Lanes;

    /// Loads the register-sized part of a row with the index `part`.
    fn load(self, row: &Row, part: usize) -> Self::Lanes;

    /// Stores a register as the part of a row with the index `part`.
    fn store(self, row: &mut Row, part: usize, lanes: Self::Lanes);

    /// Returns the bytewise minimum of two registers.
    fn min(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes;

    /// Returns the bytewise maximum of two registers.
    fn max(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes;

    /// Returns the bytes of `empty` where `tested` is zero, and the bytes of `full` elsewhere.
    fn choose(self, tested: Self::Lanes, full: Self::Lanes, empty: Self::Lanes) -> Self::Lanes;

    /// Replaces each byte of `most` by the maximum of that byte and the permuted value of a row. The values fill the first `FROM` registers
    /// of the row.
    fn raise<const PARTS: usize, const FROM: usize>(
        self,
        most: &mut [Self::Lanes; PARTS],
        row: &Row,
        permutation: &Permutation,
    );

    /// Takes the bytewise maximum of `most` and the permuted `values`, or postpones this work. The function returns `true` if `most` holds
    /// the maximum. If writing is faster, it stores the values in `later` and returns `false`.
    fn raise_or_write<const PARTS: usize, const FROM: usize>(
        self,
        most: &mut [Self::Lanes; PARTS],
        values: [Self::Lanes; FROM],
        permutation: &Permutation,
        later: &mut Row,
    ) -> bool;

    /// Raises the bytes of `most` to at least `value` for all sets that contain the card of the permutation.
    fn raise_all<const PARTS: usize>(
        self,
        most: &mut [Self::Lanes; PARTS],
        value: u8,
        permutation: &Permutation,
    );
}

/// Solves the positions in which seat *first* holds the cards `first_holds`, for each of the two leaders. The rows have `PARTS` registers,
/// and the rows after a move `FROM` registers. `values` has a row for each kind of lead of seat *second*, which is overwritten.
#[inline(always)]
pub(super) fn solve_rows<V: Vectors, const PARTS: usize, const FROM: usize, const FREE: bool>(
    vectors: V,
    sets: &mut RowSets,
    leads: &BySeat<Vec<CodedLead>>,
    values: &mut [Row],
    first_holds: usize,
) {
    let best = first_leads::<V, PARTS, FROM, FREE>(vectors, sets, &leads.first, first_holds);
    store(vectors, sets, FREE, first_holds, Seat::First, &best);
    let best =
        second_leads::<V, PARTS, FROM, FREE>(vectors, sets, &leads.second, values, first_holds);
    store(vectors, sets, FREE, first_holds, Seat::Second, &best);
}

#[inline(always)]
fn store<V: Vectors, const PARTS: usize>(
    vectors: V,
    sets: &mut RowSets,
    free: bool,
    first_holds: usize,
    leader: Seat,
    best: &[V::Lanes; PARTS],
) {
    let index = sets.index(free, first_holds, leader);
    for (part, lanes) in best.iter().enumerate() {
        vectors.store(&mut sets.rows[index], part, *lanes);
    }
}

/// Returns the row with the solved values of the positions after a lead and its answer.
#[inline(always)]
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

/// Raises each byte of `most` to the highest value after a legal answer. Each byte stands for a set of cards of seat *second*.
#[inline(always)]
fn raise_to_answers<V: Vectors, const PARTS: usize, const FROM: usize>(
    vectors: V,
    sets: &RowSets,
    size: usize,
    (lead, rest): (&LeadKind, usize),
    (free, answers): (bool, u64),
    most: &mut [V::Lanes; PARTS],
) {
    for answer in bits(answers) {
        let row = next(sets, free, rest, (lead, Seat::First), answer);
        vectors.raise::<PARTS, FROM>(most, row, &sets.lanes.permutations[size][answer]);
    }
}

#[inline(always)]
fn first_leads<V: Vectors, const PARTS: usize, const FROM: usize, const FREE: bool>(
    vectors: V,
    sets: &RowSets,
    leads: &[CodedLead],
    first_holds: usize,
) -> [V::Lanes; PARTS] {
    let first_size = first_holds.count_ones() as usize;
    let size = sets.balance.second_size(first_size);
    let unknown = vectors.splat(UNKNOWN);
    // *First* prefers lower bytes.
    let mut best = [vectors.splat(u8::MAX); PARTS];
    for CodedLead { kind: lead, mates } in leads {
        if first_holds >> lead.card & 1 == 0 {
            continue;
        }
        let rest = first_holds & !(1 << lead.card);
        // The loop goes from the last tier to the first, with the value if all earlier tiers are empty, and
        // the maximum of later answers by the free move.
        let mut value = [vectors.splat(mates[first_size]); PARTS];
        let mut later = [unknown; PARTS];
        for &answers in lead.masks.tiers().iter().rev() {
            if answers == 0 {
                continue;
            }
            let mut forced = [unknown; PARTS];
            let source = (lead, rest);
            raise_to_answers::<V, PARTS, FROM>(
                vectors,
                sets,
                size,
                source,
                (FREE, answers),
                &mut forced,
            );
            for part in 0..PARTS {
                let with_free =
                    if FREE { vectors.max(forced[part], later[part]) } else { forced[part] };
                value[part] = vectors.choose(forced[part], with_free, value[part]);
            }
            if FREE {
                let opened = (false, answers & lead.masks.opened());
                raise_to_answers::<V, PARTS, FROM>(vectors, sets, size, source, opened, &mut later);
            }
        }
        for part in 0..PARTS {
            best[part] = vectors.min(best[part], value[part]);
        }
    }
    best
}

#[inline(always)]
fn second_leads<V: Vectors, const PARTS: usize, const FROM: usize, const FREE: bool>(
    vectors: V,
    sets: &RowSets,
    leads: &[CodedLead],
    values: &mut [Row],
    first_holds: usize,
) -> [V::Lanes; PARTS] {
    let first_size = first_holds.count_ones() as usize;
    let size = sets.balance.second_size(first_size);
    let permutations = &sets.lanes.permutations[size];
    // If values are written, then all before the first is permuted, because reads across two writes wait for them.
    let mut written = 0_u64;
    let mut best = [vectors.splat(UNKNOWN); PARTS];
    for (number, CodedLead { kind: lead, mates }) in leads.iter().enumerate() {
        // *First* has the same legal answers against every set of cards of *second*.
        let forced = lead.masks.forced(first_holds as u64);
        if forced == 0 {
            vectors.raise_all(&mut best, mates[first_size], &permutations[lead.card]);
            continue;
        }
        let by_free_move = if FREE { lead.masks.by_free_move(first_holds as u64) } else { 0 };
        let mut least = [vectors.splat(u8::MAX); FROM];
        for (free, answers) in [(FREE, forced), (false, by_free_move)] {
            for answer in bits(answers) {
                let rest = first_holds & !(1 << answer);
                let row = next(sets, free, rest, (lead, Seat::Second), answer);
                for (part, least) in least.iter_mut().enumerate() {
                    *least = vectors.min(*least, vectors.load(row, part));
                }
            }
        }
        let permutation = &permutations[lead.card];
        let later = &mut values[number];
        let raised = vectors.raise_or_write::<PARTS, FROM>(&mut best, least, permutation, later);
        written |= u64::from(!raised) << number;
    }
    for number in bits(written) {
        let permutation = &permutations[leads[number].kind.card];
        vectors.raise::<PARTS, FROM>(&mut best, &values[number], permutation);
    }
    best
}
