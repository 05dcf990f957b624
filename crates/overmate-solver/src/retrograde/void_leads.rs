//! Computes the values of leads in a suit that the follower does not hold, for all positions of a block.
//!
//! The follower answers in another suit, so a move changes the parts of two suits in the index of a position. Positions that differ only in
//! suits after these two suits stay neighbours. Where the runs of such neighbours are short, a byte window moves several runs at once.

use super::byte_windows::ByteWindows;
use super::grid::{HIGHEST, LOWEST};
use super::suit_hands::PairRun;
use super::suit_moves::{AfterMove, LANES, SuitShape};

/// Initialises the values of a lead in all positions of a block: [`HIGHEST`] where the lead is possible, and [`LOWEST`] elsewhere. The
/// values are stored in `worst`.
pub(super) fn start_lead(worst: &mut [u8], shape: SuitShape, runs: &[PairRun]) {
    let SuitShape { pairs, inner, .. } = shape;
    let mut pattern = vec![LOWEST; pairs * inner];
    for run in runs {
        pattern[run.before * inner..][..run.pairs * inner].fill(HIGHEST);
    }
    for worst in worst.chunks_exact_mut(pairs * inner) {
        worst.copy_from_slice(&pattern);
    }
}

/// Raises the value of each position in a block to the value of a lead of one given card, if the lead's value is higher. `worst` holds the
/// values after the worst answers, and `mate` is the value of a lead that cannot be answered.
#[multiversion::multiversion(targets("x86_64+avx2"))]
pub(super) fn finish_lead(values: &mut [u8], worst: &[u8], mate: u8) {
    for (value, worst) in values.iter_mut().zip(worst) {
        *value = (*value).max(if *worst == HIGHEST { mate } else { *worst });
    }
}

/// Numbers of ways in which the two hands in a block can hold their cards of one or more suits. The lead and the answer of a move are cards
/// of two suits. `outer`, `middle` and `inner` count the ways for the suits numbered below, between and above these two suits.
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
    pub(super) inner: usize,
}

/// Updates `worst`, which holds the value of a void lead in each position, with the values after one answer to the lead. The lower of both
/// values stays. The answer is in another suit than the led suit.
///
/// `early` and `late` list how the move changes the pairs of hands in its two suits. If `next` is `None`, all positions after the answer
/// are draws, with the value `draw`.
pub(super) fn answer_in_other_suit(
    worst: &mut [u8],
    shape: TwoSuits,
    (early, late): (&[PairRun], &[PairRun]),
    next: Option<AfterMove<'_>>,
    wins: bool,
    draw: u8,
) {
    let inner = shape.inner;
    // The lead and the answer are cards of two different suits. The positions of a row differ only in the higher-numbered of these two
    // suits, and in the suits numbered above this suit.
    let (row, next_row) = (shape.late.0 * inner, shape.late.1 * inner);
    // Each item of `groups` stands for a range of adjacent rows of position values that stay adjacent after the lead and its answer. An
    // item has the index of the first row before the move, the index of the first row after the move, and the number of rows.
    let groups = (0..shape.outer).flat_map(|o| {
        early.iter().map(move |run| {
            let before = (o * shape.early.0 + run.before) * shape.middle;
            let after = (o * shape.early.1 + run.after) * shape.middle;
            (before, after, run.pairs * shape.middle)
        })
    });
    let Some(next) = next else {
        for (before, _, rows) in groups {
            for target in worst[before * row..][..rows * row].chunks_exact_mut(row) {
                lower_to_draws(target, late, inner, draw);
            }
        }
        return;
    };
    let (values, flip) = next.values(wins);
    if inner >= LANES || !ByteWindows::are_fast() {
        for (before, after, rows) in groups {
            let targets = worst[before * row..][..rows * row].chunks_exact_mut(row);
            let sources = values[after * next_row..][..rows * next_row].chunks_exact(next_row);
            for (target, source) in targets.zip(sources) {
                lower_to_values(target, source, late, inner, flip);
            }
        }
        return;
    }
    // The byte permutation `windows` moves the position values of `joined` adjacent rows at once. Every group of rows has at least `joined`
    // rows. In larger groups the permutation is applied several times, and some rows may be computed twice.
    let fewest = early.iter().map(|run| run.pairs * shape.middle).min().unwrap_or(1);
    let joined = JOINED_BYTES.div_ceil(row).min(fewest);
    let windows = ByteWindows::new((0..joined).flat_map(|i| {
        late.iter().map(move |run| {
            (i * row + run.before * inner, i * next_row + run.after * inner, run.pairs * inner)
        })
    }));
    let starts = groups.flat_map(|(before, after, rows)| {
        let firsts = (0..rows).step_by(joined).map(move |i| i.min(rows - joined));
        firsts.map(move |i| ((before + i) * row, (after + i) * next_row))
    });
    windows.lower(worst, values, starts, flip);
}

/// Minimum total size, in bytes, of the adjacent rows of position values that one byte permutation covers. If too few adjacent rows exist,
/// the permutation covers fewer bytes.
const JOINED_BYTES: usize = 256;

/// Lowers the values of a row to `draw`, in all positions in which a given answer results in a draw.
#[multiversion::multiversion(targets("x86_64+avx2"))]
fn lower_to_draws(row: &mut [u8], runs: &[PairRun], inner: usize, draw: u8) {
    for run in runs {
        for worst in &mut row[run.before * inner..][..run.pairs * inner] {
            *worst = (*worst).min(draw);
        }
    }
}

/// Lowers the values of a row to the values after a given answer, wherever the values after the answer are lower.
#[multiversion::multiversion(targets("x86_64+avx2"))]
fn lower_to_values(row: &mut [u8], next: &[u8], runs: &[PairRun], inner: usize, flip: u8) {
    for run in runs {
        let codes = &next[run.after * inner..][..run.pairs * inner];
        for (worst, code) in row[run.before * inner..].iter_mut().zip(codes) {
            *worst = (*worst).min(*code ^ flip);
        }
    }
}
