//! The inner loops of the table: rows of values, one lane for each set of cards that *second* may hold.
//!
//! One lead and one answer turn a row that is known into part of another by moving it a power of two to the
//! side, so a block of lanes is worked out at once. The loops are plain Rust over blocks of a fixed size, and
//! are compiled once for each set of vector instructions that is worth having.

#![allow(
    clippy::inline_always,
    reason = "what is inlined is compiled for the caller's instructions"
)]

use multiversion::multiversion;
use overmate_rules::{BySeat, Seat};

use crate::deal::cards::{DealCards, LeadKind, bits};

/// What stands where there is no value: more than any value.
const ABSENT: i16 = i16::MAX;

/// Points of a deck of at most 20 cards fit in a lane: a value of at most 1,000 and a factor of at most 22.
pub(crate) fn to_lane(points: i32) -> i16 {
    i16::try_from(points).unwrap_or(if points < 0 { -ABSENT } else { ABSENT })
}

/// Lanes that are worked out at once.
const BLOCK: usize = 128;

type Block = [i16; BLOCK];

/// The values of every position of a deal in which a card is to be led, as points for *first*.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    values: Vec<i16>,
    /// Cards that each was dealt.
    sizes: BySeat<usize>,
    stride: usize,
}

/// What the rows of one set of cards of *first* are worked out from.
pub(crate) struct RowTask<'a> {
    pub(crate) cards: &'a DealCards,
    /// Whether the free move is still there.
    pub(crate) free: bool,
    /// The cards of *first*, as bits.
    pub(crate) first_holds: usize,
    /// In each lane, what the value of a card is multiplied by if its lead gives mate.
    pub(crate) factors: &'a BySeat<Vec<i16>>,
}

impl Rows {
    /// Rows of draws, for hands of these sizes.
    pub(crate) fn new(sizes: BySeat<usize>, with_free_move: bool) -> Self {
        let stride = (1 << sizes.second).max(BLOCK);
        let rows = (2 << sizes.first) * if with_free_move { 2 } else { 1 };
        // A row before the first one, so that a block moved to the side can always be read.
        Self { values: vec![0; (rows + 1) * stride], sizes, stride }
    }

    /// The lanes of a row; those beyond the sets of a small hand are not used.
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

    /// The lanes of a row.
    pub(crate) fn row_mut(&mut self, free: bool, first_holds: usize, leader: Seat) -> &mut [i16] {
        let at = self.row(free, first_holds, leader);
        &mut self.values[at..at + self.stride]
    }

    fn row(&self, free: bool, first_holds: usize, leader: Seat) -> usize {
        let index = (usize::from(free) << self.sizes.first | first_holds) << 1 | leader as usize;
        (index + 1) * self.stride
    }

    /// Where the values after a lead and its answer stand.
    fn next(&self, free: bool, rest: usize, lead: &LeadKind, leader: Seat, answer: usize) -> usize {
        let wins = lead.meets.beaten >> answer & 1 == 1;
        self.row(free, rest, if wins { leader } else { !leader })
    }

    /// Works out both rows of a task; those of the subsets of its cards are there.
    pub(crate) fn work_out(&mut self, task: &RowTask<'_>, masks: &Masks) {
        work_out(self, task, masks);
    }
}

/// For each card of *second*: a row that lets values pass where the card is held, and is [`ABSENT`] elsewhere.
pub(crate) struct Masks(Vec<Vec<i16>>);

impl Masks {
    pub(crate) fn new(rows: &Rows) -> Self {
        let pass = |lane: usize, card: usize| if lane >> card & 1 == 1 { -ABSENT } else { ABSENT };
        let mask = |card| (0..rows.stride).map(|lane| pass(lane, card)).collect();
        Self((0..rows.sizes.second).map(mask).collect())
    }
}

#[multiversion(targets("x86_64+avx512bw+avx512vl", "x86_64+avx2"))]
fn work_out(rows: &mut Rows, task: &RowTask<'_>, masks: &Masks) {
    first_leads(rows, task, masks);
    second_leads(rows, task, masks);
}

/// Rows from which the answers to one lead are taken, each with the card of the answer.
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

    /// The least of the sources in a block of lanes; [`ABSENT`] in a lane that has none.
    #[inline(always)]
    fn least(&self, rows: &Rows, masks: &Masks, lane: usize) -> Block {
        let mut least = [ABSENT; BLOCK];
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
    values[at..at + BLOCK].try_into().expect("a slice of this length")
}

#[inline(always)]
fn block_mut(values: &mut [i16], at: usize) -> &mut Block {
    (&mut values[at..at + BLOCK]).try_into().expect("a slice of this length")
}

#[inline(always)]
fn first_leads(rows: &mut Rows, task: &RowTask<'_>, masks: &Masks) {
    let &RowTask { cards, free, first_holds, factors } = task;
    let target = rows.row(free, first_holds, Seat::First);
    rows.values[target..target + rows.stride].fill(-ABSENT);
    let (mut before, mut after, mut by_free_move) =
        (Sources::default(), Sources::default(), Sources::default());
    for lead in &cards.leads.first {
        if first_holds >> lead.card & 1 == 0 {
            continue;
        }
        let rest = first_holds & !(1 << lead.card);
        let meets = lead.meets;
        let source = |free, answer| (rows.next(free, rest, lead, Seat::First, answer), answer);
        before.fill(bits(meets.before).map(|answer| source(free, answer)));
        after.fill(bits(meets.after).map(|answer| source(free, answer)));
        let may_be_free = if free { meets.after & !meets.before } else { 0 };
        by_free_move.fill(bits(may_be_free).map(|answer| source(false, answer)));
        let value = lead.value.cast_signed();
        for lane in (0..rows.stride).step_by(BLOCK) {
            let before = before.least(rows, masks, lane);
            let after = after.least(rows, masks, lane);
            let by_free_move = by_free_move.least(rows, masks, lane);
            let factors = block(&factors.first, lane);
            let best = block_mut(&mut rows.values, target + lane);
            for i in 0..BLOCK {
                let mate = value.wrapping_mul(factors[i]);
                let otherwise = if after[i] == ABSENT { mate } else { after[i] };
                let usual = before[i].min(by_free_move[i]);
                best[i] = best[i].max(if before[i] == ABSENT { otherwise } else { usual });
            }
        }
    }
}

#[inline(always)]
fn second_leads(rows: &mut Rows, task: &RowTask<'_>, masks: &Masks) {
    let &RowTask { cards, free, first_holds, factors } = task;
    let target = rows.row(free, first_holds, Seat::Second);
    rows.values[target..target + rows.stride].fill(ABSENT);
    let mut sources = Sources::default();
    for lead in &cards.leads.second {
        let meets = lead.meets;
        // The same cards of first answer in every lane.
        let forced = meets.forced(first_holds as u64);
        let by_free_move = if free { meets.by_free_move(first_holds as u64) } else { 0 };
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
