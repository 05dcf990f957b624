//! Defines grids: byte tables with the values of all positions that have given hand sizes and a given leader.

use crate::budget::BudgetExhausted;
use crate::memory::{self, Memory};
use crate::parallel::for_each_piece;

/// Byte that encodes the value of a draw. Higher bytes are points for the player from whose view
/// the grid is stored, and lower bytes are points for the opponent.
///
/// The complement of a code is the code from the other player's view, so that 127 is a draw too.
pub(super) const DRAW: u8 = 128;
/// Initial value of a position before any lead has been evaluated: a byte lower than the codes of all position values. With a bit for each
/// position, it stands for eight times *no*.
pub(super) const LOWEST: u8 = 0;
/// Initial value of a lead before any answer to the lead has been evaluated: a byte higher than the codes of all position values. With a
/// bit for each position, it stands for eight times *yes*.
pub(super) const HIGHEST: u8 = u8::MAX;

/// Number of adjacent bytes in a row of position values that are computed together.
pub(super) const BLOCK: usize = 64;

/// Converts a signed [score code](crate::deal::score_codes::ScoreCodes) to the unsigned byte that a [`Grid`] (byte table of position
/// values) stores.
pub(super) fn grid_code(score_code: i8) -> u8 {
    let code = DRAW + score_code.unsigned_abs();
    if score_code < 0 { !code } else { code }
}

/// Converts the unsigned byte that encodes a position's value in a [`Grid`] to a signed score code.
pub(super) fn score_code(code: u8) -> i8 {
    let above = |code: u8| i8::try_from(code - DRAW).unwrap_or_default();
    if code < DRAW { -above(!code) } else { above(code) }
}

/// Grid: byte table with the values of all positions that have given hand sizes and a given leader.
/// The grid has a row for each hand of the follower and a column for each hand of the leader.
pub(super) struct Grid {
    rows: usize,
    lanes: usize,
    /// Distance in bytes between the starts of neighbouring rows of the byte table, a multiple of [`BLOCK`].
    stride: usize,
    codes: Memory,
}

/// Memory pool for tables of position values ([`Grid`]): blocks of equal size that later tables reuse.
pub(super) struct Pool {
    bytes: usize,
    spare: Vec<Memory>,
}

impl Pool {
    /// Creates a memory pool for grids of at most `rows` rows and `lanes` columns.
    pub(super) fn new(rows: usize, lanes: usize) -> Self {
        Self { bytes: rows * lanes.next_multiple_of(BLOCK), spare: Vec::new() }
    }

    /// Allocates a table of position values ([`Grid`]), if possible in the memory of an earlier table that is no longer used. The values in
    /// the table are undefined. If the operating system refuses memory, the budget counts as exhausted.
    pub(super) fn take(&mut self, rows: usize, lanes: usize) -> Result<Grid, BudgetExhausted> {
        let stride = lanes.next_multiple_of(BLOCK);
        let codes = match self.spare.pop() {
            Some(codes) => codes,
            None => memory::zeros(self.bytes).map_err(|_| BudgetExhausted)?,
        };
        Ok(Grid { rows, lanes, stride, codes })
    }

    /// Takes back the memory of unused tables of position values, so that later tables can reuse the memory.
    pub(super) fn give_back(&mut self, grids: impl IntoIterator<Item = Grid>) {
        self.spare.extend(grids.into_iter().map(|grid| grid.codes));
    }
}

impl Grid {
    /// Returns all rows of this table of position values as one mutable slice of bytes.
    pub(super) fn codes_mut(&mut self) -> &mut [u8] {
        &mut self.codes[..self.rows * self.stride]
    }

    pub(super) fn row(&self, row: usize) -> &[u8] {
        &self.codes[row * self.stride..(row + 1) * self.stride]
    }

    /// Returns the distance in bytes between the starts of neighbouring rows in this table of position values.
    pub(super) fn stride(&self) -> usize {
        self.stride
    }

    pub(super) fn get(&self, row: usize, lane: usize) -> u8 {
        self.codes[row * self.stride + lane]
    }

    pub(super) fn set(&mut self, row: usize, lane: usize, code: u8) {
        self.codes[row * self.stride + lane] = code;
    }

    /// Returns a transposed copy of this table of position values, in which each value is converted to the opponent's view. The conversion
    /// complements each byte.
    pub(super) fn transposed(
        &self,
        threads: usize,
        pool: &mut Pool,
    ) -> Result<Self, BudgetExhausted> {
        let mut result = pool.take(self.lanes, self.rows)?;
        let stride = result.stride;
        let pieces = result.codes_mut().chunks_mut(BLOCK * stride).enumerate();
        for_each_piece(
            threads,
            pieces,
            || (),
            |(), (block, target)| {
                for first_row in (0..self.rows).step_by(BLOCK) {
                    for (i, lanes) in target.chunks_mut(SIDE * stride).enumerate() {
                        for row in (first_row..self.rows.min(first_row + BLOCK)).step_by(SIDE) {
                            self.transpose_square(lanes, stride, row, block * BLOCK + i * SIDE);
                        }
                    }
                }
                Ok(())
            },
        )?;
        Ok(result)
    }

    /// Transposes and complements the square of 8×8 bytes that starts at a row and a column, and
    /// writes the result to `target`.
    fn transpose_square(&self, target: &mut [u8], stride: usize, row: usize, lane: usize) {
        let square = core::array::from_fn(|i| {
            let lanes = self.codes.get((row + i) * self.stride + lane..);
            lanes.and_then(<[u8]>::first_chunk).map_or(0, |lanes| u64::from_le_bytes(*lanes))
        });
        for (codes, target) in transposed(square).into_iter().zip(target.chunks_mut(stride)) {
            if let Some(target) = target[row..].first_chunk_mut() {
                *target = (!codes).to_le_bytes();
            }
        }
    }
}

/// Transposes a square of 8×8 bytes, given as eight integers of eight bytes each.
fn transposed(mut rows: [u64; SIDE]) -> [u64; SIDE] {
    for (shift, distance, low) in [
        (8, 1, 0x00ff_00ff_00ff_00ff),
        (16, 2, 0x0000_ffff_0000_ffff),
        (32, 4, 0x0000_0000_ffff_ffff),
    ] {
        for i in 0..SIDE {
            if i & distance == 0 {
                let (a, b) = (rows[i], rows[i + distance]);
                rows[i] = a & low | (b & low) << shift;
                rows[i + distance] = a >> shift & low | b & !low;
            }
        }
    }
    rows
}

/// Side length, in bytes, of the squares into which a grid is divided for its transposition.
pub(super) const SIDE: usize = 8;
