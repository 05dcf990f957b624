//! Solves all positions with given hand sizes and a given leader, from solved positions with smaller hands.

use super::grid::{Grid, HIGHEST, LOWEST, Pool, SIDE};
use super::hand_sets::HandSets;
use super::spread::{Spread, least};
use crate::budget::BudgetExhausted;
use crate::deal::follow_masks::FollowMasks;
use crate::parallel::for_each_piece;

/// Kind of lead (a card, with or without a demand), with its possible answers. The points of a mate by the lead are encoded for the current
/// hand sizes.
pub(super) struct LeadCodes {
    /// Index of the led card among the different cards of the leader's dealt hand.
    pub(super) kind: usize,
    /// Bit masks of the follower's cards that can answer the lead. The bits are numbered as in `HandSets`.
    pub(super) masks: FollowMasks,
    /// Encoded points of a mate that the led card gives.
    pub(super) mate: u8,
}

/// Values of the solved positions after a move, from the view of the player who led in the move.
pub(super) struct Successors<'a> {
    /// Values of the positions after a move won by the leader, who leads again.
    pub(super) own_lead: &'a Grid,
    /// Values of the positions after a move won by the follower, who leads next.
    pub(super) other_lead: &'a Grid,
}

/// Temporary buffers that a thread reuses for each row of position values.
#[derive(Default)]
struct RowBuffers {
    packed: Vec<u8>,
    of_lead: Vec<u8>,
    best: Vec<u8>,
}

/// Input for solving a layer, which contains all positions with given hand sizes and a given leader.
pub(super) struct LayerTask<'a> {
    pub(super) own: &'a HandSets,
    pub(super) other: &'a HandSets,
    pub(super) own_size: usize,
    pub(super) other_size: usize,
    /// All kinds of leads from the leader's dealt hand, in the order of the leader's cards.
    pub(super) leads: &'a [LeadCodes],
    /// Values of the positions after an answer that does not use the free move.
    pub(super) next: Successors<'a>,
    /// Values of the positions after an answer that uses the free move, or `None` if the free move is already used.
    pub(super) after_free_move: Option<Successors<'a>>,
}

impl LayerTask<'_> {
    /// Solves all positions with given hand sizes and a given leader, and returns the positions' values. The function `go_on` is called
    /// regularly and may cancel the work.
    ///
    /// # Errors
    ///
    /// Returns the error of `go_on`, or [`BudgetExhausted`] if the operating system refuses the
    /// memory.
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
        let stride = grid.stride();
        let pieces = rows.chunks(SIDE).zip(grid.codes_mut().chunks_mut(SIDE * stride));
        for_each_piece(threads, pieces, RowBuffers::default, |scratch, (held, codes)| {
            go_on()?;
            for (&held, row) in held.iter().zip(codes.chunks_exact_mut(stride)) {
                self.solve_row(held, row, &spreads, scratch);
            }
            Ok(())
        })?;
        Ok(grid)
    }

    /// Solves all positions in which the follower holds the cards `held`, and writes the positions'
    /// values to `row`.
    fn solve_row(&self, held: u32, row: &mut [u8], spreads: &[Spread], scratch: &mut RowBuffers) {
        row.fill(LOWEST);
        let mut sources = Vec::with_capacity(self.other_size);
        for leads in self.leads.chunk_by(|a, b| a.kind == b.kind) {
            let spread = &spreads[leads[0].kind];
            if spread.is_empty() {
                continue;
            }
            if let [lead] = leads {
                let most = self.sources(lead, held, &mut sources);
                spread.put(row, &sources, most, &mut scratch.packed);
                continue;
            }
            // If a card can be led both with and without a demand, the leader chooses the lead with the higher value.
            let RowBuffers { packed, of_lead, best } = scratch;
            let stride = self.next.own_lead.stride();
            best.clear();
            best.resize(stride, LOWEST);
            of_lead.resize(stride, LOWEST);
            for lead in leads {
                let most = self.sources(lead, held, &mut sources);
                least(of_lead, &sources, most);
                best.iter_mut().zip(&*of_lead).for_each(|(best, code)| *best = (*best).max(*code));
            }
            spread.put(row, &[best.as_slice()], HIGHEST, packed);
        }
    }

    /// Fills `sources` with the values of the positions after each legal answer to a lead, one row of values for each answer. Returns an
    /// upper bound on the value of the lead. If no card can answer, the bound is the value of the mate.
    fn sources<'b>(&'b self, lead: &LeadCodes, held: u32, sources: &mut Vec<&'b [u8]>) -> u8 {
        sources.clear();
        let forced = lead.masks.forced(held.into());
        let by_free_move = lead.masks.by_free_move(held.into());
        let ways = [(forced, Some(&self.next)), (by_free_move, self.after_free_move.as_ref())];
        for (answers, next) in ways {
            let Some(next) = next else { continue };
            let mut left = answers;
            while left != 0 {
                let place = left.trailing_zeros() as usize;
                let kind = self.other.kind_at(place);
                left &= !u64::from(HandSets::all_of(kind));
                let row = self.other.number(HandSets::without(held, kind));
                let wins = lead.masks.wins_over(place);
                let grid = if wins { next.own_lead } else { next.other_lead };
                sources.push(grid.row(row));
            }
        }
        if sources.is_empty() { lead.mate } else { HIGHEST }
    }
}
