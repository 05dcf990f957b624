//! Computes the values of leads in the last suit with a bit for each position, by transposing matrices of bits.
//!
//! With a bit for each position, the positions of a block form a matrix of bits: a row has the positions that differ only in the last
//! suit. A move in the last suit permutes the bits of each row. In the transposed matrix it permutes whole rows instead.

#![allow(
    clippy::inline_always,
    reason = "the caller's instruction set applies only to inlined code"
)]

use overmate_rules::{BySeat, Seat};

use super::bit_windows::load;
use super::cells::AnswerBits;
use super::grid::LOWEST;
use super::suit_hands::PairMoves;
use super::suit_moves::{AfterMove, best_of_run};

/// Number of rows that are transposed together: a multiple of 64, so that a transposed row has a whole number of words.
const ROWS: usize = 1024;

/// Number of bytes of a transposed row.
const ROW_BYTES: usize = ROWS / 8;

/// Buffers for transposed matrices, which a thread reuses.
#[derive(Default)]
pub(super) struct BitRows {
    /// Values after a move, for each leader of the next move.
    next: [Vec<u8>; 2],
    best: Vec<u8>,
}

impl BitRows {
    /// Raises the value of each position in a block, for each leader, to the value of the best lead in the last suit, if the lead's value
    /// is higher. Both seats hold cards of this suit.
    ///
    /// `pairs` and `next_pairs` count the ways in which the two hands can hold their cards of the suit before and after the move. A row of
    /// `values` has `pairs` bits, and a row of `next` has `next_pairs` bits, both in whole bytes.
    pub(super) fn lead_in_last_suit(
        &mut self,
        values: &mut BySeat<&mut [u8]>,
        (pairs, next_pairs): (usize, usize),
        moves: BySeat<&PairMoves>,
        next: BySeat<&[u8]>,
    ) {
        let (row, next_row) = (pairs.div_ceil(8), next_pairs.div_ceil(8));
        for buffer in &mut self.next {
            buffer.resize(next_row * 8 * ROW_BYTES, 0);
        }
        self.best.resize(row * 8 * ROW_BYTES, 0);
        let values = values.first.chunks_mut(ROWS * row).zip(values.second.chunks_mut(ROWS * row));
        let next = next.first.chunks(ROWS * next_row).zip(next.second.chunks(ROWS * next_row));
        for ((first, second), next) in values.zip(next) {
            raise(self, BySeat { first, second }, (pairs, row), moves, (next, next_row));
        }
    }
}

/// Implements [`BitRows::lead_in_last_suit`] for at most [`ROWS`] rows.
#[multiversion::multiversion(targets("x86_64+avx2"))]
fn raise(
    buffers: &mut BitRows,
    values: BySeat<&mut [u8]>,
    (pairs, row): (usize, usize),
    moves: BySeat<&PairMoves>,
    ((next_first, next_second), next_row): ((&[u8], &[u8]), usize),
) {
    let [first, second] = &mut buffers.next;
    transpose(next_first, next_row, first);
    transpose(next_second, next_row, second);
    let next = BySeat { first: &**first, second: &**second };
    for (leader, values) in [(Seat::First, values.first), (Seat::Second, values.second)] {
        let next = AfterMove::led_by(leader, next);
        buffers.best.fill(LOWEST);
        for (pair, run) in buffers.best.chunks_exact_mut(ROW_BYTES).take(pairs).enumerate() {
            best_of_run::<AnswerBits, ROW_BYTES>(run, moves[leader], pair, 0, next);
        }
        raise_transposed(values, row, &buffers.best);
    }
}

/// Transposes a matrix of at most [`ROWS`] rows of `row` bytes each. The transposed matrix has a row for each bit of a row.
#[inline(always)]
fn transpose(matrix: &[u8], row: usize, transposed: &mut [u8]) {
    let rows = matrix.len() / row;
    for top in (0..rows).step_by(64) {
        for left in (0..row).step_by(8) {
            let mut tile = [0; 64];
            for (word, start) in tile.iter_mut().zip((top..rows).map(|r| r * row)) {
                // The bits after the end of the row are not used.
                *word = load(&matrix[start + left..]);
            }
            transpose_tile(&mut tile);
            let columns = (row - left).min(8) * 8;
            for (column, word) in tile[..columns].iter().enumerate() {
                let at = (left * 8 + column) * ROW_BYTES + top / 8;
                transposed[at..at + 8].copy_from_slice(&word.to_le_bytes());
            }
        }
    }
}

/// Raises the values of a matrix of at most [`ROWS`] rows of `row` bytes each to the values of a transposed matrix, where those are
/// higher.
#[inline(always)]
fn raise_transposed(matrix: &mut [u8], row: usize, transposed: &[u8]) {
    let rows = matrix.len() / row;
    for top in (0..rows).step_by(64) {
        for left in (0..row).step_by(8) {
            let mut tile = [0; 64];
            let columns = (row - left).min(8) * 8;
            for (column, word) in tile[..columns].iter_mut().enumerate() {
                let at = (left * 8 + column) * ROW_BYTES + top / 8;
                *word = load(&transposed[at..at + 8]);
            }
            transpose_tile(&mut tile);
            for (word, start) in tile.iter().zip((top..rows).map(|r| r * row)) {
                // The bits after the end of the row are 0.
                let target = &mut matrix[start + left..];
                if let Some(chunk) = target.first_chunk_mut::<8>() {
                    *chunk = (u64::from_le_bytes(*chunk) | word).to_le_bytes();
                } else {
                    for (value, best) in target.iter_mut().zip(word.to_le_bytes()) {
                        *value |= best;
                    }
                }
            }
        }
    }
}

/// Transposes a matrix of 64 rows with 64 bits each (Warren, Hacker's Delight, 2nd edition, section 7-3).
#[inline(always)]
fn transpose_tile(tile: &mut [u64; 64]) {
    let mut mask = u64::MAX;
    let mut width = 64;
    while width > 1 {
        width /= 2;
        mask ^= mask << width;
        for rows in tile.chunks_exact_mut(2 * width) {
            let (upper, lower) = rows.split_at_mut(width);
            for (a, b) in upper.iter_mut().zip(lower) {
                let swapped = (*a >> width ^ *b) & mask;
                *b ^= swapped;
                *a ^= swapped << width;
            }
        }
    }
}
