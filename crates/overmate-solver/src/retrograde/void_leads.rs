//! Computes the values of leads in a suit that the follower does not hold, for all positions of a block.
//!
//! The follower answers in another suit, so a move changes the parts of two suits in the index of a position. Positions that differ only in
//! suits after these two suits stay neighbours. Where the runs of such neighbours are short, a window of bytes or bits moves several runs
//! at once.

use super::bit_windows::BitWindows;
use super::byte_windows::ByteWindows;
use super::cells::Cells;
use super::grid::{HIGHEST, LOWEST};
use super::hand_sets::Run;
use super::suit_moves::{AfterMove, LANES};

/// Memory for the positions that differ only in the suits numbered above a played suit.
#[derive(Clone, Copy)]
pub(super) enum Inner {
    /// Number of bytes for all these positions.
    Bytes(usize),
    /// One bit: the played suit is the last one, and a byte holds the values of several positions. A row of such bits fills whole bytes.
    Bit,
}

impl Inner {
    /// Returns the number of bytes of a row that holds the positions of `pairs` pairs of hands in the played suit.
    fn row(self, pairs: usize) -> usize {
        match self {
            Self::Bytes(inner) => pairs * inner,
            Self::Bit => pairs.div_ceil(8),
        }
    }

    /// Sets the values of all positions in the runs of a row to the byte `value`, which is [`LOWEST`] or [`HIGHEST`] for bits.
    fn fill(self, row: &mut [u8], runs: &[Run], value: u8) {
        for run in runs {
            match self {
                Self::Bytes(inner) => row[run.before * inner..][..run.len * inner].fill(value),
                Self::Bit => {
                    for bit in run.before..run.before + run.len {
                        row[bit / 8] = row[bit / 8] & !(1 << (bit % 8)) | value & 1 << (bit % 8);
                    }
                }
            }
        }
    }
}

/// Suit that a seat plays, in a block. `pairs` counts the ways in which the two hands in the block can hold their cards of the suit.
#[derive(Clone, Copy)]
pub(super) struct PlayedSuit<'a> {
    pub(super) pairs: usize,
    pub(super) inner: Inner,
    /// Pairs of hands in which the seat can play a given card.
    pub(super) runs: &'a [Run],
}

impl PlayedSuit<'_> {
    /// Returns a row of the values of all pairs of hands: `value` where the seat can play the card, and `otherwise` elsewhere.
    fn row(self, value: u8, otherwise: u8) -> Vec<u8> {
        let mut row = vec![otherwise; self.inner.row(self.pairs)];
        self.inner.fill(&mut row, self.runs, value);
        row
    }
}

/// Initialises the values of a lead in all positions of a block: [`HIGHEST`] where the lead is possible, and [`LOWEST`] elsewhere. The
/// values are stored in `worst`.
pub(super) fn start_lead(worst: &mut [u8], lead: PlayedSuit<'_>) {
    let row = lead.row(HIGHEST, LOWEST);
    for worst in worst.chunks_exact_mut(row.len()) {
        worst.copy_from_slice(&row);
    }
}

/// Raises the bytes of `answered` to [`HIGHEST`] in all positions in which the follower holds a given answer.
#[multiversion::multiversion(targets("x86_64+avx2"))]
pub(super) fn mark_answered<C: Cells>(answered: &mut [u8], answer: PlayedSuit<'_>) {
    let row = answer.row(HIGHEST, LOWEST);
    for answered in answered.chunks_exact_mut(row.len()) {
        for (answered, possible) in answered.iter_mut().zip(&row) {
            *answered = C::higher(*answered, *possible);
        }
    }
}

/// Lowers each value of `worst` to the value of `other` in the same position.
#[multiversion::multiversion(targets("x86_64+avx2"))]
pub(super) fn lower_all<C: Cells>(worst: &mut [u8], other: &[u8]) {
    for (worst, other) in worst.iter_mut().zip(other) {
        *worst = C::lower(*worst, *other);
    }
}

/// Raises the value of each position in a block to the value of a lead of one given card, if the lead's value is higher. `worst` holds the
/// values after the worst answers, and [`HIGHEST`] is replaced by `mate`, the value of a lead that cannot be answered.
#[multiversion::multiversion(targets("x86_64+avx2"))]
pub(super) fn finish_lead<C: Cells>(values: &mut [u8], worst: &[u8], mate: u8) {
    for (value, worst) in values.iter_mut().zip(worst) {
        *value = C::higher(*value, if *worst == HIGHEST { mate } else { *worst });
    }
}

/// Numbers of ways in which the two hands in a block can hold their cards of one or more suits. The lead and the answer of a move are cards
/// of two suits. `outer` and `middle` count the ways for the suits numbered below and between these two suits.
#[derive(Clone, Copy)]
pub(super) struct TwoSuits {
    pub(super) outer: usize,
    /// Numbers of ways in which the two hands can hold their cards of the lower-numbered of the two played suits, before and after the
    /// move.
    pub(super) early: (usize, usize),
    pub(super) middle: usize,
    /// Numbers of ways in which the two hands can hold their cards of the higher-numbered of the two played suits, before and after the
    /// move.
    pub(super) late: (usize, usize),
    /// Memory for the positions that differ only in the suits numbered above the two played suits.
    pub(super) inner: Inner,
}

/// Updates `worst`, which holds the value of a void lead in each position, with the values after one answer to the lead. The lower of both
/// values stays. The answer is in another suit than the led suit.
///
/// `early` and `late` list how the move changes the pairs of hands in its two suits. If `next` is `None`, all positions after the answer
/// are draws, with the value `draw`. `worst` must have seven bytes more than the block.
pub(super) fn answer_in_other_suit<C: Cells>(
    worst: &mut [u8],
    shape: TwoSuits,
    (early, late): (&[Run], &[Run]),
    next: Option<AfterMove<'_>>,
    wins: bool,
    draw: u8,
) {
    // The lead and the answer are cards of two different suits. The positions of a row differ only in the higher-numbered of these two
    // suits, and in the suits numbered above this suit.
    let (row, next_row) = (shape.inner.row(shape.late.0), shape.inner.row(shape.late.1));
    // Each item of `groups` stands for a range of adjacent rows of position values that stay adjacent after the lead and its answer. An
    // item has the index of the first row before the move, the index of the first row after the move, and the number of rows.
    let groups = (0..shape.outer).flat_map(|o| {
        early.iter().map(move |run| {
            let before = (o * shape.early.0 + run.before) * shape.middle;
            let after = (o * shape.early.1 + run.after) * shape.middle;
            (before, after, run.len * shape.middle)
        })
    });
    let Some(next) = next else {
        let draws = PlayedSuit { pairs: shape.late.0, inner: shape.inner, runs: late };
        let draws = draws.row(draw, HIGHEST);
        for (before, _, rows) in groups {
            for target in worst[before * row..][..rows * row].chunks_exact_mut(row) {
                lower_all::<C>(target, &draws);
            }
        }
        return;
    };
    let (values, flip) = next.values(wins);
    // The permutation `windows` moves the position values of `joined` adjacent rows at once. Every group of rows has at least `joined`
    // rows. In larger groups the permutation is applied several times, and some rows may be computed twice.
    let fewest = early.iter().map(|run| run.len * shape.middle).min().unwrap_or(1);
    let joined = JOINED_BYTES.div_ceil(row).min(fewest);
    // Each item of `runs` is a run of values of the joined rows that move together: its start before and after the move, and its length. A
    // byte has `in_byte` values, and each pair of hands has `inner` of them.
    let runs = |in_byte: usize, inner: usize| {
        (0..joined).flat_map(move |i| {
            late.iter().map(move |run| {
                let before = i * row * in_byte + run.before * inner;
                (before, i * next_row * in_byte + run.after * inner, run.len * inner)
            })
        })
    };
    let starts = groups.clone().flat_map(|(before, after, rows)| {
        let firsts = (0..rows).step_by(joined).map(move |i| i.min(rows - joined));
        firsts.map(move |i| ((before + i) * row, (after + i) * next_row))
    });
    match shape.inner {
        Inner::Bit => BitWindows::new(runs(8, 1)).lower(worst, values, starts, flip),
        Inner::Bytes(inner) if inner < LANES && ByteWindows::are_fast() => {
            ByteWindows::new(runs(1, inner)).lower::<C>(worst, values, starts, flip);
        }
        Inner::Bytes(inner) => {
            for (before, after, rows) in groups {
                let targets = worst[before * row..][..rows * row].chunks_exact_mut(row);
                let sources = values[after * next_row..][..rows * next_row].chunks_exact(next_row);
                for (target, source) in targets.zip(sources) {
                    lower_to_values::<C>(target, source, late, inner, flip);
                }
            }
        }
    }
}

/// Minimum total size, in bytes, of the adjacent rows of position values that one permutation covers. If too few adjacent rows exist,
/// the permutation covers fewer bytes.
const JOINED_BYTES: usize = 256;

/// Lowers the values of a row to the values after a given answer, wherever the values after the answer are lower.
#[multiversion::multiversion(targets("x86_64+avx2"))]
fn lower_to_values<C: Cells>(row: &mut [u8], next: &[u8], runs: &[Run], inner: usize, flip: u8) {
    for run in runs {
        let codes = &next[run.after * inner..][..run.len * inner];
        for (worst, code) in row[run.before * inner..].iter_mut().zip(codes) {
            *worst = C::lower(*worst, *code ^ flip);
        }
    }
}
