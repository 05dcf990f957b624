//! Computes the values of many positions at once by vector operations. A separate module implements these operations for each instruction
//! set.

#![allow(
    clippy::inline_always,
    reason = "inlined functions are compiled for the caller's instructions"
)]

use super::lanes::{ANSWERS, Lanes, NO_ANSWER};
use super::rows::{CardRows, CodedLead, Layer, Row, RowSets};
use crate::deal::cards::LeadKind;
use crate::deal::subsets::bits;

/// Vector operations of an instruction set on unsigned bytes. A value of an implementing type
/// proves that the processor supports the instruction set.
pub(super) trait Vectors: Copy {
    /// Vector register of unsigned bytes.
    type Lanes: Copy;

    /// Returns a register in which every byte equals `byte`.
    fn splat(self, byte: u8) -> Self::Lanes;

    /// Loads a register with adjacent position values from a table row. The row is divided into register-sized parts, and `part` is the
    /// index of the loaded part.
    fn load(self, row: &Row, part: usize) -> Self::Lanes;

    /// Stores a register as adjacent position values in a table row. The row is divided into register-sized parts, and `part` is the index
    /// of the overwritten part.
    fn store(self, row: &mut Row, part: usize, lanes: Self::Lanes);

    /// Returns the bytewise minimum of two registers.
    fn min(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes;

    /// Returns the bytewise maximum of two registers.
    fn max(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes;

    /// Interleaves the bytes of two registers within groups of 16 bytes. Returns the results for
    /// the lower halves and for the upper halves of the groups.
    fn interleave(self, a: Self::Lanes, b: Self::Lanes) -> [Self::Lanes; 2];

    /// Writes to the row `best`, for each hand of `size` cards, the value of the best lead from the hand. For each card, the row of the
    /// card in `values` has a byte for the hand without that card.
    fn best_cards(self, values: &CardRows, lanes: &Lanes, size: usize, best: &mut Row);
}

/// Solves all positions of a layer (positions with given hand sizes and a given leader) by vector operations. The function first transposes
/// the rows of the smaller layer in which the other player leads. The rows after a lead fill `PARTS` registers.
///
/// The smaller layers of both leaders must be solved. Before a layer with an unused free move, the layer with the used free move must be
/// solved.
#[inline(always)]
pub(super) fn solve_rows<V: Vectors, const PARTS: usize>(
    vectors: V,
    sets: &mut RowSets,
    leads: &[CodedLead],
    layer: Layer,
) {
    let Layer { free, leader, sizes } = layer;
    turn(vectors, sets, Layer { leader: !leader, sizes: sizes.map(|size| size - 1), ..layer });
    let lanes = sets.lanes;
    let leads: Vec<_> = (0..).zip(leads).map(|lead| LayerLead::new(sets, layer, lead)).collect();
    let target = sets.solved(free, leader, sizes[!leader]);
    let mut values = CardRows::default();
    for (row, &held) in (target..).zip(&lanes.hands[sizes[!leader]]) {
        for lead in &leads {
            let least =
                lead.least::<V, PARTS>(vectors, &sets.rows, free, held, &lanes.without[held]);
            let values = &mut values.0[lead.kind.card];
            for (part, least) in least.into_iter().enumerate() {
                // In the list of leads, a lead with a demand follows the lead of the same card without a demand. The card's value is the
                // maximum of both leads.
                let value = if lead.kind.demanded {
                    vectors.max(vectors.load(values, part), least)
                } else {
                    least
                };
                vectors.store(values, part, value);
            }
        }
        vectors.best_cards(&values, lanes, sizes[leader], &mut sets.rows[row]);
    }
}

/// Kind of lead (a card, with or without a demand), with the places where the values of the positions after each answer are stored. A
/// place is the index, in [`RowSets::rows`], of the first row with these values.
struct LayerLead<'a> {
    kind: &'a LeadKind,
    forced: RowsAfter,
    by_free_move: RowsAfter,
}

impl<'a> LayerLead<'a> {
    fn new(sets: &RowSets, layer: Layer, (number, lead): (usize, &'a CodedLead)) -> Self {
        let (kind, Layer { leader, sizes, .. }) = (&lead.kind, layer);
        let rows_after = |free: bool| {
            // If the leader wins the move, the same player leads again, and the stored values of the next positions are already from this
            // player's view. If the follower wins the move, the follower leads next, and the values are read from a transposed and negated
            // copy.
            let won = sets.solved(free, leader, sizes[!leader] - 1);
            let lost = sets.turned(free, !leader);
            let mut rows = [lost; ANSWERS];
            for answer in bits(kind.masks.beaten()) {
                rows[answer] = won;
            }
            rows[NO_ANSWER] = sets.mate(leader, number);
            RowsAfter(rows)
        };
        Self { kind, forced: rows_after(layer.free), by_free_move: rows_after(false) }
    }

    /// Returns, for each hand of the leader, the minimum of the position values after all legal answers
    /// of a follower who holds the cards `held`. The follower has the same legal answers against every hand of the leader.
    #[inline(always)]
    fn least<V: Vectors, const PARTS: usize>(
        &self,
        vectors: V,
        rows: &[Row],
        free: bool,
        held: usize,
        without: &[u8; ANSWERS],
    ) -> [V::Lanes; PARTS] {
        let forced = match self.kind.masks.forced(held as u64) {
            0 => 1 << NO_ANSWER,
            forced => forced,
        };
        let others = forced & (forced - 1);
        // The processor would often mispredict a branch on the number of answers. The loop therefore reads two rows even if there is only
        // one answer.
        let two = [forced, if others == 0 { forced } else { others }]
            .map(|answers| &rows[self.forced.after(answers.trailing_zeros() as usize, without)]);
        let mut least = core::array::from_fn(|part| vectors.load(two[0], part));
        lower::<V, PARTS>(vectors, &mut least, two[1]);
        for answer in bits(others & others.wrapping_sub(1)) {
            lower(vectors, &mut least, &rows[self.forced.after(answer, without)]);
        }
        if free {
            for answer in bits(self.kind.masks.by_free_move(held as u64)) {
                lower(vectors, &mut least, &rows[self.by_free_move.after(answer, without)]);
            }
        }
        least
    }
}

/// Replaces each byte of `least` by the minimum of this byte and the byte at the same index in `row`.
#[inline(always)]
fn lower<V: Vectors, const PARTS: usize>(vectors: V, least: &mut [V::Lanes; PARTS], row: &Row) {
    for (part, least) in least.iter_mut().enumerate() {
        *least = vectors.min(*least, vectors.load(row, part));
    }
}

/// Row indices for a lead: for each answer, the index of the first row with the position values after the answer. The entry [`NO_ANSWER`]
/// is the row of a mate.
struct RowsAfter([usize; ANSWERS]);

impl RowsAfter {
    /// Returns the index of the row that holds the values of the positions after an answer. `without` holds the indices of the follower's
    /// hand without each card.
    #[inline(always)]
    fn after(&self, answer: usize, without: &[u8; ANSWERS]) -> usize {
        self.0[answer % ANSWERS] + usize::from(without[answer % ANSWERS])
    }
}

/// Transposes and negates the solved values of a layer of positions, in square blocks. The
/// transposed rows have one byte for each hand of the other seat.
#[inline(always)]
fn turn<V: Vectors>(vectors: V, sets: &mut RowSets, layer: Layer) {
    let Layer { free, leader, sizes } = layer;
    let [hands, lanes] = [sizes[!leader], sizes[leader]].map(|size| sets.lanes.hands[size].len());
    let (from, to) = (sets.solved(free, leader, sizes[!leader]), sets.turned(free, leader));
    let width = size_of::<V::Lanes>();
    for part in 0..lanes.div_ceil(width) {
        for row in (0..hands).step_by(SIDE) {
            // The code transposes squares of 16 × 16 bytes in four rounds, each of which interleaves the bytes of pairs of rows. Each round
            // rotates the 8-bit index of every byte in its square by one bit. A rotation by four bits exchanges row and column.
            let mut squares = [vectors.splat(0); SIDE];
            for (i, square) in squares.iter_mut().enumerate() {
                *square = vectors.load(&sets.rows[from + row + i], part);
            }
            for _ in 0..SIDE.ilog2() {
                let mut rotated = squares;
                for i in 0..SIDE / 2 {
                    [rotated[2 * i], rotated[2 * i + 1]] =
                        vectors.interleave(squares[i], squares[i + SIDE / 2]);
                }
                squares = rotated;
            }
            for (i, square) in squares.into_iter().enumerate() {
                let mut bytes = Row::default();
                vectors.store(&mut bytes, 0, square);
                for (number, bytes) in bytes.0[..width].as_chunks::<SIDE>().0.iter().enumerate() {
                    let turned = &mut sets.rows[to + part * width + number * SIDE + i];
                    turned.0[row..row + SIDE].copy_from_slice(&bytes.map(u8::wrapping_neg));
                }
            }
        }
    }
}

/// Side length, in bytes, of the square blocks in which solved values are transposed.
const SIDE: usize = 16;
