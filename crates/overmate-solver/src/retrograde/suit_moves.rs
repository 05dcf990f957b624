//! Computes the values of the leads in one suit for all positions of a block.
//!
//! The index of a position in a block has one part for each suit. A move in which both seats play one suit changes only the part of that
//! suit. Positions that differ only in later suits therefore stay neighbours. The values of a run of such positions follow from runs of
//! equal length, without any permutation.

use overmate_rules::{BySeat, Seat};

use super::cells::Cells;
use super::grid::{HIGHEST, LOWEST};
use super::suit_hands::PairMoves;

/// Solved values of the positions after a move, in a separate list for each possible winner of the move. Each value is from the view of the
/// player who leads next. `own_lead` has the values if the leader leads again, and `other_lead` has the values if the follower leads next.
#[derive(Clone, Copy)]
pub(super) struct AfterMove<'a> {
    pub(super) own_lead: &'a [u8],
    pub(super) other_lead: &'a [u8],
}

impl<'a> AfterMove<'a> {
    /// Takes the values of the positions after a move of `leader`, given the values for each leader of the next move.
    #[inline]
    pub(super) fn led_by(leader: Seat, next: BySeat<&'a [u8]>) -> Self {
        Self { own_lead: next[leader], other_lead: next[!leader] }
    }

    /// Returns the values of the positions after a move, and a byte that converts the values to the view of the move's leader. The
    /// conversion is an exclusive or of each value with the byte. `wins` means that the leader wins the move.
    #[inline]
    pub(super) fn values(self, wins: bool) -> (&'a [u8], u8) {
        if wins { (self.own_lead, 0) } else { (self.other_lead, u8::MAX) }
    }
}

/// Numbers of ways in which the two hands in a block can hold their cards of one or more suits. The number of bytes with the values of a
/// block is the product of `outer`, `pairs` and `inner`.
#[derive(Clone, Copy)]
pub(super) struct SuitShape {
    /// Number of ways in which the two hands in a block can hold their cards of the suits numbered below the led suit.
    pub(super) outer: usize,
    /// Number of ways in which the two hands in a block can hold their cards of the led suit.
    pub(super) pairs: usize,
    /// Number of ways in which the two hands can hold their cards of the led suit after each has played a card of this suit.
    pub(super) next_pairs: usize,
    /// Number of bytes for the positions that differ only in the suits numbered above the led suit.
    pub(super) inner: usize,
}

/// Raises the value of each position in a block to the value of the best lead in one suit, if the lead's value is
/// higher. The follower also holds cards of this suit.
#[multiversion::multiversion(targets("x86_64+avx2"))]
pub(super) fn lead_in_suit<C: Cells>(
    values: &mut [u8],
    shape: SuitShape,
    moves: &PairMoves,
    next: AfterMove<'_>,
) {
    let SuitShape { outer, pairs, next_pairs, inner } = shape;
    if inner < LANES {
        return lead_in_short_runs::<C>(values, shape, moves, next);
    }
    for o in 0..outer {
        let runs = values[o * pairs * inner..][..pairs * inner].chunks_exact_mut(inner);
        for (pair, run) in runs.enumerate() {
            match inner {
                LONG_RUN.. => best_of_run::<C, LONG_RUN>(run, moves, pair, o * next_pairs, next),
                _ => best_of_run::<C, LANES>(run, moves, pair, o * next_pairs, next),
            }
        }
    }
}

/// Implements [`lead_in_suit`] for short runs of positions. The function joins the short runs of
/// several combinations of the earlier suits into long runs.
#[multiversion::multiversion(targets("x86_64+avx2"))]
fn lead_in_short_runs<C: Cells>(
    values: &mut [u8],
    shape: SuitShape,
    moves: &PairMoves,
    next: AfterMove<'_>,
) {
    let SuitShape { outer, pairs, next_pairs, inner } = shape;
    let joined = LONG_RUN.div_ceil(inner).min(outer);
    let len = joined * inner;
    let [mut own, mut other] = [(); 2].map(|()| vec![0; next_pairs * len]);
    let mut best = vec![LOWEST; pairs * len];
    // The last iteration of this loop may compute the values of some positions a second time, so that every iteration computes equally many
    // values.
    for o in (0..outer).step_by(joined).map(|o| o.min(outer - joined)) {
        for (joined_runs, codes) in [(&mut own, next.own_lead), (&mut other, next.other_lead)] {
            let codes = &codes[o * next_pairs * inner..][..next_pairs * len];
            for (i, codes) in codes.chunks_exact(next_pairs * inner).enumerate() {
                let runs = joined_runs.chunks_exact_mut(len);
                for (run, codes) in runs.zip(codes.chunks_exact(inner)) {
                    copy_run(&mut run[i * inner..][..inner], codes);
                }
            }
        }
        let next = AfterMove { own_lead: &own, other_lead: &other };
        let values = &mut values[o * pairs * inner..][..pairs * len];
        for (i, values) in values.chunks_exact(pairs * inner).enumerate() {
            for (values, run) in values.chunks_exact(inner).zip(best.chunks_exact_mut(len)) {
                copy_run(&mut run[i * inner..][..inner], values);
            }
        }
        for (pair, run) in best.chunks_exact_mut(len).enumerate() {
            match len {
                LONG_RUN.. => best_of_run::<C, LONG_RUN>(run, moves, pair, 0, next),
                LANES..LONG_RUN => best_of_run::<C, LANES>(run, moves, pair, 0, next),
                8..LANES => best_of_run::<C, 8>(run, moves, pair, 0, next),
                0..8 => best_of_run::<C, 1>(run, moves, pair, 0, next),
            }
        }
        for (i, values) in values.chunks_exact_mut(pairs * inner).enumerate() {
            for (values, run) in values.chunks_exact_mut(inner).zip(best.chunks_exact(len)) {
                copy_run(values, &run[i * inner..][..inner]);
            }
        }
    }
}

/// Number of bytes of a long run that are computed together, and least number of bytes of joined short runs.
const LONG_RUN: usize = 128;

/// Number of adjacent bytes that are computed together.
pub(super) const LANES: usize = 32;

/// Copies a run of less than [`LANES`] bytes in at most two parts, which is faster than a call of `memcpy`.
#[inline(always)]
#[allow(clippy::inline_always, reason = "the function is a few moves of registers")]
fn copy_run(target: &mut [u8], source: &[u8]) {
    match target.len() {
        16.. => copy_ends::<16>(target, source),
        8..16 => copy_ends::<8>(target, source),
        4..8 => copy_ends::<4>(target, source),
        2..4 => copy_ends::<2>(target, source),
        _ => copy_ends::<1>(target, source),
    }
}

/// Copies a run of bytes in two parts: its first `N` bytes and its last `N` bytes. The run has `N` to 2 × `N` bytes, so
/// that the parts may overlap.
#[inline(always)]
#[allow(clippy::inline_always, reason = "the function is a few moves of registers")]
fn copy_ends<const N: usize>(target: &mut [u8], source: &[u8]) {
    if let (Some(target), Some(source)) = (target.first_chunk_mut::<N>(), source.first_chunk()) {
        *target = *source;
    }
    if let (Some(target), Some(source)) = (target.last_chunk_mut::<N>(), source.last_chunk()) {
        *target = *source;
    }
}

/// Raises the value of each position in `run` to the value of the position's best lead in one suit, if the lead's value is higher. `run`
/// has at least `N` bytes. The function computes `N` bytes at a time, and may compute the last bytes twice.
#[inline(always)]
#[allow(
    clippy::inline_always,
    reason = "the caller's instruction set applies only to inlined code"
)]
pub(super) fn best_of_run<C: Cells, const N: usize>(
    run: &mut [u8],
    moves: &PairMoves,
    pair: usize,
    first: usize,
    next: AfterMove<'_>,
) {
    let len = run.len();
    let leads = moves.leads(pair);
    for at in (0..len).step_by(N).map(|at| at.min(len - N)) {
        let Some(target) = run[at..].first_chunk_mut::<N>() else { return };
        let mut best = *target;
        for answers in leads.clone() {
            let mut worst = [HIGHEST; N];
            for answer in answers {
                let (values, flip) = next.values(answer.wins);
                let from = (first + answer.next as usize) * len + at;
                let Some(source) = values[from..].first_chunk::<N>() else { return };
                for (worst, code) in worst.iter_mut().zip(source) {
                    *worst = C::lower(*worst, *code ^ flip);
                }
            }
            for (best, worst) in best.iter_mut().zip(&worst) {
                *best = C::higher(*best, *worst);
            }
        }
        *target = best;
    }
}
