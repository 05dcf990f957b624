//! Implements the inner loops that compute a deal table. Each row of the table holds one value for each hand of seat *second*.
//!
//! A lead and an answer take one card out of each hand. The value before the move, for a hand of *second*, therefore comes from a solved
//! row, at the hand of *second* without the played card. For all hands with this card, the distance between both places in the rows is the
//! same, so that a block of adjacent values is solved at once. The loops are plain Rust over blocks of a fixed size, compiled once for each
//! supported set of vector instructions.

#![allow(
    clippy::inline_always,
    reason = "inlined functions are compiled for the caller's instructions"
)]

use multiversion::multiversion;
use overmate_rules::for_engines::MAX_ANSWER_TIERS;
use overmate_rules::{BySeat, Seat};

use crate::deal::cards::{DealCards, LeadKind};
use crate::deal::subsets::bits;

/// Marker of a missing value in a table row. The marker is greater than every value.
const ABSENT: i16 = i16::MAX;

/// Converts points to the 16-bit integer that the deal table stores. All points of a deck of at
/// most 20 cards fit: a card's value is at most 1,000 and its factor at most 22.
pub(crate) fn to_lane(points: i32) -> i16 {
    i16::try_from(points).unwrap_or(if points < 0 { -ABSENT } else { ABSENT })
}

/// Number of adjacent values in a table row that are computed together.
const BLOCK: usize = 128;

type Block = [i16; BLOCK];

/// Table of the points for seat *first* in all positions in which a card must be led. The table has
/// one row for each leader and each set of cards of *first*.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    values: Vec<i16>,
    /// Number of cards dealt to each seat.
    sizes: BySeat<usize>,
    stride: usize,
}

/// Input for solving all positions in which seat *first* holds a given set of cards.
pub(crate) struct RowTask<'a> {
    pub(crate) cards: &'a DealCards,
    /// Whether the free move is unused in the solved positions.
    pub(crate) free: bool,
    /// Bit mask of the cards that seat *first* holds in the solved positions.
    pub(crate) first_holds: usize,
    /// Factors by which the value of a mating card is multiplied, for each mating seat and each possible hand of seat *second*.
    pub(crate) factors: &'a BySeat<Vec<i16>>,
}

impl Rows {
    /// Allocates a table of position values for dealt hands of given sizes. Every value in the new table is a draw.
    pub(crate) fn new(sizes: BySeat<usize>, with_free_move: bool) -> Self {
        let stride = (1 << sizes.second).max(BLOCK);
        let rows = (2 << sizes.first) * if with_free_move { 2 } else { 1 };
        // The memory of the table begins with an unused row, so that reads before the first used row stay inside the memory. A block of
        // values that is read from the first used row can begin before that row.
        Self { values: vec![0; (rows + 1) * stride], sizes, stride }
    }

    /// Returns the number of entries in a table row. Some of the entries may be unused.
    pub(crate) fn lanes(&self) -> usize {
        self.stride
    }

    pub(crate) fn get(&self, free: bool, held: BySeat<usize>, leader: Seat) -> i16 {
        self.values[self.row(free, held.first, leader) + held.second]
    }

    pub(crate) fn set(&mut self, free: bool, held: BySeat<usize>, leader: Seat, value: i16) {
        let at = self.row(free, held.first, leader) + held.second;
        self.values[at] = value;
    }

    /// Returns the table row with the values of the positions in which seat *first* holds the set
    /// `first_holds` and `leader` leads next.
    pub(crate) fn row_mut(&mut self, free: bool, first_holds: usize, leader: Seat) -> &mut [i16] {
        let at = self.row(free, first_holds, leader);
        &mut self.values[at..at + self.stride]
    }

    fn row(&self, free: bool, first_holds: usize, leader: Seat) -> usize {
        let index = (usize::from(free) << self.sizes.first | first_holds) << 1 | leader as usize;
        (index + 1) * self.stride
    }

    /// Returns the table offset of the row with the values after a lead and its answer.
    fn next(&self, free: bool, rest: usize, lead: &LeadKind, leader: Seat, answer: usize) -> usize {
        self.row(free, rest, if lead.masks.wins_over(answer) { leader } else { !leader })
    }

    /// Solves all positions in which seat *first* holds the cards `task.first_holds`, with either seat as the leader. The rows for all
    /// proper subsets of the cards of *first* must have been solved.
    pub(crate) fn solve(&mut self, task: &RowTask<'_>, masks: &LaneMasks) {
        solve(self, task, masks);
    }
}

/// Masks that keep only the values of those hands of seat *second* that contain a given card, with one mask for each card. A mask replaces
/// the values of all other hands by [`ABSENT`].
pub(crate) struct LaneMasks(Vec<Vec<i16>>);

impl LaneMasks {
    pub(crate) fn new(rows: &Rows) -> Self {
        let pass = |lane: usize, card: usize| if lane >> card & 1 == 1 { -ABSENT } else { ABSENT };
        let mask = |card| (0..rows.stride).map(|lane| pass(lane, card)).collect();
        Self((0..rows.sizes.second).map(mask).collect())
    }
}

#[multiversion(targets("x86_64+avx512bw+avx512vl", "x86_64+avx2"))]
fn solve(rows: &mut Rows, task: &RowTask<'_>, masks: &LaneMasks) {
    first_leads(rows, task, masks);
    second_leads(rows, task, masks);
}

/// Answers to a lead, each with the row of the deal table that holds the values of the positions after the answer. The row is given by its
/// offset in the table.
#[derive(Default)]
struct Sources {
    len: usize,
    rows: [(usize, usize); 10],
}

impl Sources {
    #[inline(always)]
    fn fill(&mut self, sources: impl Iterator<Item = (usize, usize)>) {
        self.len = 0;
        for source in sources.take(self.rows.len()) {
            self.rows[self.len] = source;
            self.len += 1;
        }
    }

    /// Returns, for each of [`BLOCK`] hands of seat *second*, the value of the best listed answer that the hand holds. The best answer of
    /// *second* has the lowest value. The hands have consecutive bit masks, from `lane`. If `least` has a lower value for a hand, that
    /// value is returned.
    #[inline(always)]
    fn least(&self, rows: &Rows, masks: &LaneMasks, lane: usize, mut least: Block) -> Block {
        for &(row, card) in &self.rows[..self.len] {
            let values = block(&rows.values, row + lane - (1 << card));
            let mask = block(&masks.0[card], lane);
            for i in 0..BLOCK {
                least[i] = least[i].min(values[i].max(mask[i]));
            }
        }
        least
    }
}

#[inline(always)]
fn block(values: &[i16], at: usize) -> &Block {
    values[at..at + BLOCK].try_into().expect("the slice has BLOCK entries")
}

#[inline(always)]
fn block_mut(values: &mut [i16], at: usize) -> &mut Block {
    (&mut values[at..at + BLOCK]).try_into().expect("the slice has BLOCK entries")
}

/// Answers to a lead that belong to one tier: a list of the answers without the free move, and a list of the answers by the free move.
#[derive(Default)]
struct TierSources {
    forced: Sources,
    /// Answers of one tier that the free move permits although the follower holds a card of an earlier tier. The list is empty if no free
    /// move is possible.
    by_free_move: Sources,
}

#[inline(always)]
fn first_leads(rows: &mut Rows, task: &RowTask<'_>, masks: &LaneMasks) {
    let &RowTask { cards, free, first_holds, factors } = task;
    let target = rows.row(free, first_holds, Seat::First);
    rows.values[target..target + rows.stride].fill(-ABSENT);
    let mut tiers: [TierSources; MAX_ANSWER_TIERS] = Default::default();
    for lead in &cards.leads.first {
        if first_holds >> lead.card & 1 == 0 {
            continue;
        }
        let rest = first_holds & !(1 << lead.card);
        let source = |free, answer| (rows.next(free, rest, lead, Seat::First, answer), answer);
        let mut used = 0;
        for &answers in lead.masks.tiers().iter().filter(|answers| **answers != 0) {
            let tier = &mut tiers[used];
            tier.forced.fill(bits(answers).map(|answer| source(free, answer)));
            let opened = if free && used > 0 { answers & lead.masks.opened() } else { 0 };
            tier.by_free_move.fill(bits(opened).map(|answer| source(false, answer)));
            used += 1;
        }
        let value = lead.value.cast_signed();
        for lane in (0..rows.stride).step_by(BLOCK) {
            let factors = block(&factors.first, lane);
            // The loop visits the tiers of answers from the lowest priority to the highest. At each tier, `values` holds the result for
            // hands that have no card of any tier visited later.
            let mut values = [0; BLOCK];
            for i in 0..BLOCK {
                values[i] = value.wrapping_mul(factors[i]);
            }
            let mut later = [ABSENT; BLOCK];
            for tier in tiers[..used].iter().rev() {
                let forced = tier.forced.least(rows, masks, lane, [ABSENT; BLOCK]);
                for i in 0..BLOCK {
                    let with_free = forced[i].min(later[i]);
                    values[i] = if forced[i] == ABSENT { values[i] } else { with_free };
                }
                if tier.by_free_move.len > 0 {
                    later = tier.by_free_move.least(rows, masks, lane, later);
                }
            }
            let best = block_mut(&mut rows.values, target + lane);
            for i in 0..BLOCK {
                best[i] = best[i].max(values[i]);
            }
        }
    }
}

#[inline(always)]
fn second_leads(rows: &mut Rows, task: &RowTask<'_>, masks: &LaneMasks) {
    let &RowTask { cards, free, first_holds, factors } = task;
    let target = rows.row(free, first_holds, Seat::Second);
    rows.values[target..target + rows.stride].fill(ABSENT);
    let mut sources = Sources::default();
    for lead in &cards.leads.second {
        // The legal answers of *first* to a lead do not depend on the other cards that *second* holds.
        let forced = lead.masks.forced(first_holds as u64);
        let by_free_move = if free { lead.masks.by_free_move(first_holds as u64) } else { 0 };
        let source = |free, answer: usize| {
            let rest = first_holds & !(1 << answer);
            (rows.next(free, rest, lead, Seat::Second, answer), answer)
        };
        let forced = bits(forced).map(|answer| source(free, answer));
        sources.fill(forced.chain(bits(by_free_move).map(|answer| source(false, answer))));
        let value = lead.value.cast_signed();
        for lane in (0..rows.stride).step_by(BLOCK) {
            let mut most = [-ABSENT; BLOCK];
            for &(row, _) in &sources.rows[..sources.len] {
                let values = block(&rows.values, row + lane - (1 << lead.card));
                for i in 0..BLOCK {
                    most[i] = most[i].max(values[i]);
                }
            }
            if sources.len == 0 {
                let factors = block(&factors.second, lane);
                for i in 0..BLOCK {
                    most[i] = value.wrapping_mul(factors[i]).wrapping_neg();
                }
            }
            let mask = block(&masks.0[lead.card], lane);
            let best = block_mut(&mut rows.values, target + lane);
            for i in 0..BLOCK {
                best[i] = best[i].min(most[i].max(mask[i]));
            }
        }
    }
}
