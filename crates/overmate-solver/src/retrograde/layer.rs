//! The values of all positions with so many cards in each hand, from those with one card less.

use memmap2::MmapMut;

use super::hand_sets::Hand;
use super::spread::{Spread, least};
use crate::budget::BudgetExhausted;
use crate::memory;
use crate::parallel::work_on;

/// The code of a draw. Codes above it are points for the seat whose view it is, those below it for the other. What is one code to a
/// seat is its complement to the other, so there is another code of a draw just below.
pub(super) const DRAW: u8 = 128;
/// So many scores have codes.
pub(super) const MOST_SCORES: usize = 126;
/// Below all codes.
const LOWEST: u8 = 0;
/// Above all codes.
const HIGHEST: u8 = u8::MAX;

/// Lanes that are worked on at a time.
pub(super) const BLOCK: usize = 64;

/// A code for each position that a seat leads: a row for each set of one player, a lane for each of the seat whose view it is.
pub(super) struct Grid {
    rows: usize,
    lanes: usize,
    /// Bytes from one row to the next: whole blocks.
    stride: usize,
    codes: MmapMut,
}

/// Memory for grids of one size at most, which the system need not hand out and clear for each anew.
pub(super) struct Pool {
    bytes: usize,
    spare: Vec<MmapMut>,
}

impl Pool {
    /// For grids of at most so many rows and lanes.
    pub(super) fn new(rows: usize, lanes: usize) -> Self {
        Self { bytes: rows * lanes.next_multiple_of(BLOCK), spare: Vec::new() }
    }

    /// A grid of any codes. What the system does not give of memory cannot be spent.
    pub(super) fn take(&mut self, rows: usize, lanes: usize) -> Result<Grid, BudgetExhausted> {
        let stride = lanes.next_multiple_of(BLOCK);
        let codes = match self.spare.pop() {
            Some(codes) => codes,
            None => memory::zeros(self.bytes).map_err(|_| BudgetExhausted)?,
        };
        Ok(Grid { rows, lanes, stride, codes })
    }

    /// Takes grids back that are needed no more.
    pub(super) fn give_back(&mut self, grids: impl IntoIterator<Item = Grid>) {
        self.spare.extend(grids.into_iter().map(|grid| grid.codes));
    }
}

impl Grid {
    /// All codes.
    fn codes_mut(&mut self) -> &mut [u8] {
        &mut self.codes[..self.rows * self.stride]
    }

    fn row(&self, row: usize) -> &[u8] {
        &self.codes[row * self.stride..(row + 1) * self.stride]
    }

    pub(super) fn get(&self, row: usize, lane: usize) -> u8 {
        self.codes[row * self.stride + lane]
    }

    pub(super) fn set(&mut self, row: usize, lane: usize, code: u8) {
        self.codes[row * self.stride + lane] = code;
    }

    /// The same positions as the other player sees them.
    pub(super) fn turned(&self, threads: usize, pool: &mut Pool) -> Result<Self, BudgetExhausted> {
        let mut turned = pool.take(self.lanes, self.rows)?;
        let stride = turned.stride;
        let pieces = turned.codes_mut().chunks_mut(BLOCK * stride).enumerate();
        work_on(
            threads,
            pieces,
            || (),
            |(), (block, turned)| {
                for first_row in (0..self.rows).step_by(BLOCK) {
                    for (i, lanes) in turned.chunks_mut(SIDE * stride).enumerate() {
                        for row in (first_row..self.rows.min(first_row + BLOCK)).step_by(SIDE) {
                            self.turn_square(lanes, stride, row, block * BLOCK + i * SIDE);
                        }
                    }
                }
                Ok(())
            },
        )?;
        Ok(turned)
    }

    /// Turns the square at a row and a lane into the rows of some lanes.
    fn turn_square(&self, turned: &mut [u8], stride: usize, row: usize, lane: usize) {
        let square = core::array::from_fn(|i| {
            let lanes = self.codes.get((row + i) * self.stride + lane..);
            lanes.and_then(<[u8]>::first_chunk).map_or(0, |lanes| u64::from_le_bytes(*lanes))
        });
        for (codes, target) in transposed(square).into_iter().zip(turned.chunks_mut(stride)) {
            if let Some(target) = target[row..].first_chunk_mut() {
                *target = (!codes).to_le_bytes();
            }
        }
    }
}

/// Eight rows of eight bytes, turned.
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

/// Rows and lanes of a square that is turned at a time.
const SIDE: usize = 8;

/// What a seat can lead with: a kind of his cards in one way.
pub(super) struct LeadCodes {
    /// The number of the kind.
    pub(super) kind: usize,
    /// The other's places that answer first.
    pub(super) before: u32,
    /// Those that answer if none of these is held.
    pub(super) after: u32,
    /// Those that the lead wins over.
    pub(super) beaten: u32,
    /// The code of a mate with it in the layer that is worked out.
    pub(super) mate: u8,
}

/// What is known of the positions with one card less, as the leader sees them.
pub(super) struct Successors<'a> {
    /// Those that he leads.
    pub(super) own_lead: &'a Grid,
    /// Those that the other leads.
    pub(super) other_lead: &'a Grid,
}

/// Room to work in.
#[derive(Default)]
struct Room {
    packed: Vec<u8>,
    way: Vec<u8>,
    best: Vec<u8>,
}

/// What is needed to work out the positions that a seat leads.
pub(super) struct LayerTask<'a> {
    pub(super) own: &'a Hand,
    pub(super) other: &'a Hand,
    pub(super) own_size: usize,
    pub(super) other_size: usize,
    /// In the order of their kinds.
    pub(super) leads: &'a [LeadCodes],
    /// After an answer in the forced way.
    pub(super) next: Successors<'a>,
    /// After a free move, if there can be one.
    pub(super) after_free_move: Option<Successors<'a>>,
}

impl LayerTask<'_> {
    /// Works out all rows. `go_on` is asked before some of them.
    ///
    /// # Errors
    ///
    /// What `go_on` says, or if the system does not give the memory.
    pub(super) fn run(
        &self,
        threads: usize,
        pool: &mut Pool,
        go_on: impl Fn() -> Result<(), BudgetExhausted> + Sync,
    ) -> Result<Grid, BudgetExhausted> {
        let rows = self.other.sets(self.other_size);
        let mut grid = pool.take(rows.len(), self.own.sets(self.own_size).len())?;
        let kinds = 0..self.own.kinds.len();
        let spreads: Vec<Spread> =
            kinds.map(|kind| Spread::new(self.own, self.own_size, kind)).collect();
        let stride = grid.stride;
        let pieces = rows.chunks(SIDE).zip(grid.codes_mut().chunks_mut(SIDE * stride));
        work_on(threads, pieces, Room::default, |room, (held, codes)| {
            go_on()?;
            for (&held, row) in held.iter().zip(codes.chunks_exact_mut(stride)) {
                self.work_out(held, row, &spreads, room);
            }
            Ok(())
        })?;
        Ok(grid)
    }

    /// Works out the row of a set of the other.
    fn work_out(&self, held: u32, row: &mut [u8], spreads: &[Spread], room: &mut Room) {
        row.fill(LOWEST);
        let mut sources = Vec::with_capacity(self.other_size);
        for leads in self.leads.chunk_by(|a, b| a.kind == b.kind) {
            let spread = &spreads[leads[0].kind];
            if spread.is_empty() {
                continue;
            }
            if let [lead] = leads {
                let most = self.sources(lead, held, &mut sources);
                spread.put(row, &sources, most, &mut room.packed);
                continue;
            }
            // The best of several ways to lead the same card.
            let Room { packed, way, best } = room;
            best.clear();
            best.resize(self.next.own_lead.stride, LOWEST);
            way.resize(self.next.own_lead.stride, LOWEST);
            for lead in leads {
                let most = self.sources(lead, held, &mut sources);
                least(way, &sources, most);
                best.iter_mut().zip(&*way).for_each(|(best, way)| *best = (*best).max(*way));
            }
            spread.put(row, &[best.as_slice()], HIGHEST, packed);
        }
    }

    /// The rows that hold what follows a lead, one for each answer, and what it is at most: a mate, if there is no answer.
    fn sources<'b>(&'b self, lead: &LeadCodes, held: u32, sources: &mut Vec<&'b [u8]>) -> u8 {
        sources.clear();
        let first = lead.before & held;
        let forced = if first == 0 { lead.after & held } else { first };
        let by_free_move = if first == 0 { 0 } else { lead.after & !lead.before & held };
        let ways = [(forced, Some(&self.next)), (by_free_move, self.after_free_move.as_ref())];
        for (answers, next) in ways {
            let Some(next) = next else { continue };
            let mut left = answers;
            while left != 0 {
                let place = left.trailing_zeros() as usize;
                let kind = self.other.kind_at(place);
                left &= !Hand::all_of(kind);
                let row = self.other.number(Hand::without(held, kind));
                let wins = lead.beaten >> place & 1 == 1;
                let grid = if wins { next.own_lead } else { next.other_lead };
                sources.push(grid.row(row));
            }
        }
        if sources.is_empty() { lead.mate } else { HIGHEST }
    }
}
