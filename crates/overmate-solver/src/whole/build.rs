//! Solves every position of a rule set, from positions with few cards to positions with many cards.

use std::io;
use std::slice::ChunksMut;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use overmate_rules::{BySeat, CardSet, RuleSet, Seat};

use super::job::{Job, JobLead, Pairing, SourceRange};
use super::kernel::{Prepared, Worker, prefetch};
use super::layer::{HandBalance, Layer, PAD};
use super::layers::Layers;
use super::mirror::Mirror;
use super::pairings::{DeckPairings, SlotPairing};
use super::splits::{Shrunk, Splits};
use crate::deal::cards::DealCards;
use crate::deal::last_moves::LastMoves;
use crate::deal::score_codes::ScoreCodes;
use crate::deal::scores::mate_points_for_first;
use crate::deal::subsets::{elements, next_set, unrank};
use crate::kernel::Kernel;
use crate::progress::{Progress, Stopped};

/// Builder that computes the values of all positions of a rule set, layer by layer.
pub(super) struct Builder<'a> {
    rules: &'a RuleSet,
    codes: &'a ScoreCodes,
    pairings: DeckPairings,
    threads: usize,
    kernel: Kernel,
    progress: &'a Progress<'a>,
    done: AtomicU64,
    total: u64,
}

/// Failure to solve a layer of positions: the caller has cancelled the work, or memory has run out.
pub(super) enum Failure {
    Stopped,
    Memory(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Memory(error)
    }
}

impl From<Stopped> for Failure {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl<'a> Builder<'a> {
    pub(super) fn new(
        rules: &'a RuleSet,
        codes: &'a ScoreCodes,
        (threads, kernel): (usize, Kernel),
        progress: &'a Progress<'a>,
        total: u64,
    ) -> Self {
        let pairings = DeckPairings::new(rules);
        Self { rules, codes, pairings, threads, kernel, progress, done: AtomicU64::new(0), total }
    }

    /// Solves all positions whose hands together hold `live` cards. Returns one layer with equal
    /// hand sizes or, if `live` is odd, two layers with unequal hand sizes. The layers with two
    /// fewer cards in total must have been solved.
    pub(super) fn layers(
        &self,
        layers: &Layers<Layer>,
        free: bool,
        live: usize,
    ) -> Result<Vec<(HandBalance, Layer)>, Failure> {
        let deck = self.rules.deck().cards().len();
        let hands: &[HandBalance] = match live % 2 {
            0 => &[HandBalance::Equal],
            _ => &[HandBalance::LeaderFewer, HandBalance::LeaderMore],
        };
        let new = |&hands: &HandBalance| Ok((hands, Layer::new(deck, live, hands)?));
        let mut made = hands.iter().map(new).collect::<Result<Vec<_>, Failure>>()?;
        match live {
            // A game in which no cards are left is a draw, and a new layer already holds draws.
            0 => {}
            3 => made.iter_mut().for_each(|(hands, layer)| self.last_moves(*hands, layer)),
            _ => self.rows(layers, free, live, &mut made)?,
        }
        Ok(made)
    }

    /// Solves all positions in which one hand has two cards and the other hand has one card, by a
    /// full search of the last two moves.
    fn last_moves(&self, hands: HandBalance, layer: &mut Layer) {
        let sole = if hands == HandBalance::LeaderFewer { Seat::First } else { Seat::Second };
        let mut live = 0b111;
        for row in layer.rows_mut().chunks_exact_mut(3) {
            for (lane, byte) in row.iter_mut().enumerate() {
                let places = unrank(lane, hands.held(3));
                let own = (0..).zip(elements(live)).filter(|(place, _)| places >> place & 1 == 1);
                let own = own.fold(0, |set, (_, slot): (u32, usize)| set | 1u32 << slot);
                let set = |slots: u32| CardSet(u64::from(slots));
                let dealt = BySeat { first: set(own), second: set(live & !own) };
                let cards = DealCards::of_hands(self.rules, dealt);
                let all = dealt.map(|hand| CardSet::lowest(hand.len()).0);
                let last = LastMoves { rules: self.rules, cards: &cards };
                *byte = self.codes.code(last.points_for_first(all, Seat::First, sole));
            }
            live = next_set(live);
        }
    }

    fn rows(
        &self,
        layers: &Layers<Layer>,
        free: bool,
        live: usize,
        made: &mut [(HandBalance, Layer)],
    ) -> Result<(), Stopped> {
        let splits = |hands: HandBalance| Splits::new(live, hands.held(live));
        let (mirror, sides) = match made {
            [(hands, _)] => (Mirror::of_halves(&splits(*hands)), [*hands; 2]),
            [(near, _), (far, _), ..] => {
                (Mirror::of_rows(&splits(*near), &splits(*far)), [*near, *far])
            }
            [] => return Ok(()),
        };
        let plan = LayerPlan::new(self, layers, free, live, sides);
        let row_len = made[0].1.row_len();
        let mut rows = made.iter_mut().map(|(_, layer)| layer.rows_mut());
        let (near, far) = (rows.next().unwrap_or_default(), rows.next());
        let batch = (near.len() / row_len / (self.threads * 16)).clamp(1, 256);
        let batches = Mutex::new(Batches {
            number: 0,
            near: near.chunks_mut(batch * row_len),
            far: far.map(|far| far.chunks_mut(batch * row_len)),
        });
        let stopped = AtomicBool::new(false);
        let prepared = Prepared::new(self.kernel, &mirror);
        let run = || {
            let (mut job, mut next) = (Job::default(), Job::default());
            job.layers = plan.layers;
            next.layers = plan.layers;
            let mut worker = Worker::new(&prepared);
            loop {
                // No thread panics while it holds the lock, so the lock is never poisoned.
                let Ok(Some((number, near, far))) = batches.lock().map(|mut rest| rest.next())
                else {
                    break;
                };
                if self.progress.is_stopped() {
                    stopped.store(true, Ordering::Relaxed);
                    break;
                }
                let bytes = near.len() + far.as_ref().map_or(0, |far| far.len());
                let mut set = unrank(number * batch, live);
                plan.fill(&mut job, set);
                let mut far = far.map(|far| far.chunks_exact_mut(row_len));
                let mut near = near.chunks_exact_mut(row_len).peekable();
                while let Some(row) = near.next() {
                    if near.peek().is_some() {
                        // While this row is solved, the processor prefetches the solved values that the next row needs. Short rows are
                        // solved before a prefetch would take effect.
                        set = next_set(set);
                        plan.fill(&mut next, set);
                        if mirror.pairs() > 1 {
                            prefetch(&next, mirror.after_move());
                        }
                    }
                    let sides = match &mut far {
                        None => row.split_at_mut(mirror.lens()[0]).into(),
                        Some(far) => [row, far.next().unwrap_or_default()],
                    };
                    worker.sides(&mut job, sides);
                    core::mem::swap(&mut job, &mut next);
                }
                let done = self.done.fetch_add(bytes as u64, Ordering::Relaxed) + bytes as u64;
                self.progress.tell(done, self.total);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.threads {
                scope.spawn(run);
            }
            run();
        });
        if stopped.into_inner() { Err(Stopped) } else { Ok(()) }
    }
}

/// Iterator over batches of rows of positions; one thread solves all rows of a batch. A row has one position for each way to divide a given
/// set of cards between both hands.
struct Batches<'a> {
    number: usize,
    near: ChunksMut<'a, i8>,
    far: Option<ChunksMut<'a, i8>>,
}

impl<'a> Iterator for Batches<'a> {
    type Item = (usize, &'a mut [i8], Option<&'a mut [i8]>);

    fn next(&mut self) -> Option<Self::Item> {
        let near = self.near.next()?;
        let far = self.far.as_mut().and_then(Iterator::next);
        self.number += 1;
        Some((self.number - 1, near, far))
    }
}

/// Data that all positions of a layer share while the layer is solved.
struct LayerPlan<'a> {
    pairings: &'a DeckPairings,
    layers: [[&'a [i8]; 2]; 2],
    mates: Vec<[i8; 2]>,
    free: bool,
    /// Number of ways in which the cards that remain after one move can be divided between both hands.
    after_move: u32,
    /// Byte offset of the first value in the memory of a solved layer.
    first: u32,
    /// Maximum number of locations in the list [`Job::sources`], including one spare location.
    most_sources: usize,
}

impl<'a> LayerPlan<'a> {
    fn new(
        builder: &'a Builder<'_>,
        layers: &'a Layers<Layer>,
        free: bool,
        live: usize,
        sides: [HandBalance; 2],
    ) -> Self {
        let pairings = &builder.pairings;
        let mate = |value: u16, hands: HandBalance| {
            let counts = BySeat { first: hands.held(live), second: live - hands.held(live) };
            let points = mate_points_for_first(builder.rules, value, counts, Seat::First);
            builder.codes.code(points.unwrap_or_default())
        };
        let mates =
            pairings.leads.iter().map(|lead| sides.map(|hands| mate(lead.value, hands))).collect();
        let after = |free: bool, hands: HandBalance| {
            layers.get(free, hands, live - 2).map_or(&[][..], Layer::padded)
        };
        let after_move = layers.get(free, sides[0], live - 2).map_or(0, Layer::row_len);
        Self {
            pairings,
            layers: [free, false].map(|free| sides.map(|hands| after(free, hands))),
            mates,
            free,
            after_move: u32::try_from(after_move)
                .expect("a row after a move is shorter than 2^32 bytes"),
            first: u32::try_from(PAD).expect("the padding is shorter than 2^32 bytes"),
            most_sources: 1 + pairings
                .leads
                .iter()
                .flat_map(|lead| &lead.runs)
                .map(Vec::len)
                .sum::<usize>(),
        }
    }

    /// Prepares `job` as the input for solving all positions whose hands together hold the cards `live`.
    fn fill(&self, job: &mut Job<'_>, live: u32) {
        let shrunk = Shrunk::new(live, self.after_move, self.first);
        let mut places = [0; 32];
        for (place, slot) in (0..).zip(elements(live)) {
            places[slot] = place;
        }
        job.groups.clear();
        for group in &self.pairings.groups {
            let places = elements(group & live).fold(0, |set, slot| set | 1 << places[slot]);
            job.groups.push(places);
        }
        job.has_free = self.free;
        job.sources.resize(self.most_sources, SourceRange::default());
        job.leads.clear();
        let sources = job.sources.as_mut_slice();
        let mut used = 0;
        let runs = if self.free { 3 } else { 2 };
        for (number, (lead, &mates)) in (0..).zip(self.pairings.leads.iter().zip(&self.mates)) {
            if live >> lead.slot & 1 == 0 {
                continue;
            }
            let mut ends = [0; 3];
            for (run, end) in lead.runs.iter().zip(&mut ends).take(runs) {
                for &SlotPairing { loser, slots, pairing } in run {
                    // If no hand holds the losing card, the index `used` does not advance and the next entry overwrites this entry.
                    // Overwriting is faster than a branch.
                    let up = shrunk.without(slots);
                    let pairing = Pairing { loser: places[usize::from(loser % 32)], ..pairing };
                    sources[used] =
                        SourceRange { up, down: up.wrapping_add(self.after_move), pairing };
                    used += (live >> (loser % 32) & 1) as usize;
                }
                *end = used;
            }
            if runs == 2 {
                ends[2] = ends[1];
            }
            job.leads.push(JobLead { card: places[lead.slot], number, mates, ends });
        }
        job.used = used;
    }
}
