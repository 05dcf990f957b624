//! Working out the whole game, layer by layer, from the last cards backwards.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use overmate_rules::{BySeat, CardSet, RuleSet, Seat};

use super::codes::Codes;
use super::geometry::{Shrunk, Splits, elements, next_set, unrank};
use super::job::{Job, Lead, Source};
use super::kernel::{Kernel, Worker, prefetch};
use super::layer::{Hands, Layer, PAD};
use super::{Layers, Stopped, Watch};
use crate::cards::{DealCards, LeadKind, leads};
use crate::endgame::{LastMoves, mate_points_for_first};

/// What a card of the deck meets when it is led, as sets of slots.
struct SlotLead {
    slot: usize,
    value: u16,
    before: u32,
    after: u32,
    beaten: u32,
}

/// Works out layers.
pub(super) struct Builder<'a> {
    rules: &'a RuleSet,
    codes: &'a Codes,
    leads: Vec<SlotLead>,
    threads: usize,
    kernel: Kernel,
    watch: &'a Watch<'a>,
    done: AtomicU64,
    total: u64,
}

/// Why a layer could not be worked out.
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
        codes: &'a Codes,
        (threads, kernel): (usize, Kernel),
        watch: &'a Watch<'a>,
        total: u64,
    ) -> Self {
        let leads = slot_leads(rules);
        Self { rules, codes, leads, threads, kernel, watch, done: AtomicU64::new(0), total }
    }

    /// Works out one layer; those with two cards less are there.
    pub(super) fn layer(
        &self,
        layers: &Layers<Layer>,
        free: bool,
        hands: Hands,
        live: usize,
    ) -> Result<Layer, Failure> {
        let deck = self.rules.deck().cards().len();
        let mut layer = Layer::new(deck, live, hands)?;
        match (hands, live) {
            // Without cards it is a draw, as a new layer is.
            (_, 0) => {}
            (Hands::LeaderFewer | Hands::LeaderMore, 3) => self.last_moves(hands, &mut layer),
            _ => self.rows(layers, free, hands, live, &mut layer)?,
        }
        Ok(layer)
    }

    /// The layer of two cards against one, which will be played twice.
    fn last_moves(&self, hands: Hands, layer: &mut Layer) {
        let sole = if hands == Hands::LeaderFewer { Seat::First } else { Seat::Second };
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
        hands: Hands,
        live: usize,
        layer: &mut Layer,
    ) -> Result<(), Stopped> {
        let splits = Splits::new(live, hands.held(live));
        let counts = BySeat { first: hands.held(live), second: live - hands.held(live) };
        let mates: Vec<i8> = self
            .leads
            .iter()
            .map(|lead| mate_points_for_first(self.rules, lead.value, counts, Seat::First))
            .map(|points| self.codes.code(points.unwrap_or_default()))
            .collect();
        let row_len = layer.row_len();
        let rows = layer.rows_mut();
        let batch = (rows.len() / row_len / (self.threads * 16)).clamp(1, 256);
        let batches = Mutex::new(rows.chunks_mut(batch * row_len).enumerate());
        let stopped = AtomicBool::new(false);
        let run = || {
            let (mut job, mut next) = (Job::default(), Job::default());
            let mut worker = Worker::new(self.kernel);
            loop {
                // No thread panics while it holds the lock; should one ever, the others stop as well.
                let Ok(Some((number, rows))) = batches.lock().map(|mut rest| rest.next()) else {
                    break;
                };
                if self.watch.is_stopped() {
                    stopped.store(true, Ordering::Relaxed);
                    break;
                }
                let bytes = rows.len();
                let mut set = unrank(number * batch, live);
                self.fill(&mut job, layers, free, hands, set, &mates);
                let mut rows = rows.chunks_exact_mut(row_len).peekable();
                while let Some(row) = rows.next() {
                    if rows.peek().is_some() {
                        // While one row is worked out, what the next one needs is on its way. Short rows are
                        // done before that pays.
                        set = next_set(set);
                        self.fill(&mut next, layers, free, hands, set, &mates);
                        if splits.words() > 8 {
                            prefetch(&next, splits.after_move());
                        }
                    }
                    worker.row(&mut job, &splits, row);
                    core::mem::swap(&mut job, &mut next);
                }
                let done = self.done.fetch_add(bytes as u64, Ordering::Relaxed) + bytes as u64;
                self.watch.tell(done, self.total);
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

    /// The job of a row.
    fn fill<'l>(
        &self,
        job: &mut Job<'l>,
        layers: &'l Layers<Layer>,
        free: bool,
        hands: Hands,
        live: u32,
        mates: &[i8],
    ) {
        job.clear();
        let shrunk = Shrunk::new(live);
        let mut places = [0; 32];
        let mut size = 0;
        for slot in elements(live) {
            places[slot] = size;
            size += 1;
        }
        let after = |free: bool, hands: Hands| {
            let layer = layers.get(free, hands, size - 2)?;
            Some((layer.padded(), layer.row_len()))
        };
        let [same, other] = [hands, hands.turned()].map(|hands| after(free, hands));
        let [same_used, other_used] = [hands, hands.turned()].map(|hands| after(false, hands));
        for (lead, &mate) in self.leads.iter().zip(mates) {
            if live >> lead.slot & 1 == 0 {
                continue;
            }
            let card = places[lead.slot];
            let unusual = if free { lead.after & !lead.before } else { 0 };
            let (kept, turned) = (live & lead.beaten, live & !lead.beaten);
            let runs = [
                (lead.before & kept, same),
                (lead.before & turned, other),
                (lead.after & kept, same),
                (lead.after & turned, other),
                (unusual & kept, same_used),
                (unusual & turned, other_used),
            ];
            let ends = runs.map(|(answers, layer)| {
                if let Some((layer, row_len)) = layer {
                    job.sources.extend(elements(answers).map(|slot| {
                        let answer = places[slot & 31];
                        let row = shrunk.without(card.min(answer), card.max(answer));
                        Source { layer, start: PAD + row * row_len, answer }
                    }));
                }
                job.sources.len()
            });
            job.leads.push(Lead { card, mate, ends });
        }
    }
}

/// Every way to lead a card of the deck, against all the others.
fn slot_leads(rules: &RuleSet) -> Vec<SlotLead> {
    let deck = rules.deck().cards();
    let leads =
        leads(rules, deck, deck).into_iter().map(|LeadKind { card: slot, meets, value }| {
            let others = |slots: u64| u32::try_from(slots & !(1 << slot)).unwrap_or_default();
            let (before, after) = (others(meets.before), others(meets.after));
            SlotLead { slot, value, before, after, beaten: others(meets.beaten) }
        });
    leads.collect()
}
