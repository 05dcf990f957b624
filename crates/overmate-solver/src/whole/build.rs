//! Solves every position of a rule set, from positions with few cards to positions with many cards.

use std::io;
use std::iter::repeat_with;
use std::sync::atomic::{AtomicU64, Ordering};

use overmate_rules::{BySeat, CardSet, RuleSet, Seat};

use super::answers::{DeckLead, deck_leads};
use super::job::{Answer, Job, JobAnswers, JobLead, SolvedLayers};
use super::kernel::PreparedKernel;
use super::layer::{HandBalance, Layer, PAD};
use super::layers::Layers;
use super::splits::Shrunk;
use crate::deal::cards::DealCards;
use crate::deal::last_moves::LastMoves;
use crate::deal::score_codes::ScoreCodes;
use crate::deal::scores::mate_points_for_first;
use crate::deal::subsets::{BINOMIALS, elements, elements_at, next_set, unrank};
use crate::kernel::Kernel;
use crate::memory::{Cache, prefetch};
use crate::parallel::for_each_piece;
use crate::progress::{Progress, Stopped};

/// Builder that computes the values of all positions of a rule set, layer by layer.
pub(super) struct Builder<'a> {
    rules: &'a RuleSet,
    codes: &'a ScoreCodes,
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
        Self { rules, codes, threads, kernel, progress, done: AtomicU64::new(0), total }
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
            // If no cards are left, the game is a draw. No value is written, because a new layer holds only draws.
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
                let own = elements_at(unrank(lane, hands.held(3)), live);
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
        let sides: Vec<HandBalance> = made.iter().map(|(hands, _)| *hands).collect();
        let plan = LayerPlan::new(self, layers, free, live, &sides);
        let row_len = made.first().map_or(1, |(_, layer)| layer.row_len());
        let mut rows = made.iter_mut().map(|(_, layer)| layer.rows_mut());
        let (near, far) = (rows.next().unwrap_or_default(), rows.next());
        let batch = (near.len() / row_len / (self.threads * 16)).clamp(1, 256);
        // One thread solves all rows of a batch. A row has one position for each way to divide a given set of cards between both hands.
        let far = far
            .into_iter()
            .flat_map(|far| far.chunks_mut(batch * row_len))
            .map(Some)
            .chain(repeat_with(|| None));
        let batches = near.chunks_mut(batch * row_len).zip(far).enumerate();
        let scratch = || (Job::default(), Job::default(), Vec::new());
        for_each_piece(self.threads, batches, scratch, |scratch, (number, (near, far))| {
            if self.progress.is_stopped() {
                return Err(Stopped);
            }
            let (job, next, after_leads) = scratch;
            let bytes = near.len() + far.as_ref().map_or(0, |far| far.len());
            let mut set = unrank(number * batch, live);
            fill(&plan, job, set);
            let mut far = far.map(|far| far.chunks_exact_mut(row_len));
            let mut near = near.chunks_exact_mut(row_len).peekable();
            while let Some(row) = near.next() {
                if near.peek().is_some() {
                    // While one row of positions is solved, the processor prefetches the solved values that the next row needs.
                    set = next_set(set);
                    fill(&plan, next, set);
                    plan.prefetch(next);
                }
                let rows = [Some(row), far.as_mut().and_then(Iterator::next)];
                for (side, row) in rows.into_iter().flatten().enumerate() {
                    let Side { kernel, solved } = &plan.sides[side];
                    kernel.solve(job, (side, *solved), after_leads, row);
                }
                core::mem::swap(job, next);
            }
            let done = self.done.fetch_add(bytes as u64, Ordering::Relaxed) + bytes as u64;
            self.progress.tell(done, self.total);
            Ok(())
        })
    }
}

/// Data for solving all positions with a given number of cards in both hands together and a given state of the free
/// move.
struct LayerPlan<'a> {
    /// Possible leads of each card of the deck, including leads with a demand. Each lead has the score codes of a mate by the lead, one for
    /// each possible hand size of the leader.
    leads: Vec<Vec<(DeckLead, [i8; 2])>>,
    /// List with one [`Side`] (a kernel and the solved values that it reads) for each hand size that the leader can have. The list has one
    /// entry if both hands are equally large, and otherwise two entries.
    sides: Vec<Side<'a>>,
    /// Number of ways to divide the remaining cards between both hands after one move. Each row of solved values has
    /// this length.
    after_move: u32,
    /// Length of the list [`Job::answers`]: the number of all answers to all leads of the deck, plus one unused entry.
    most_answers: usize,
}

/// Kernel for the positions with given hand sizes, together with its input: the solved values of the positions after one move.
struct Side<'a> {
    kernel: PreparedKernel,
    solved: SolvedLayers<'a>,
}

impl<'a> LayerPlan<'a> {
    fn new(
        builder: &Builder<'_>,
        layers: &'a Layers<Layer>,
        free: bool,
        live: usize,
        sides: &[HandBalance],
    ) -> Self {
        let mate = |value: u16, hands: HandBalance| {
            let counts = BySeat { first: hands.held(live), second: live - hands.held(live) };
            let points = mate_points_for_first(builder.rules, value, counts, Seat::First);
            builder.codes.code(points.unwrap_or_default())
        };
        let (mut leads, mut most_answers) = (Vec::new(), 1);
        leads.resize_with(builder.rules.deck().cards().len(), Vec::new);
        for lead in deck_leads(builder.rules, free) {
            most_answers += lead.answers.len();
            let mut mates = [0; 2];
            for (points, hands) in mates.iter_mut().zip(sides) {
                *points = mate(lead.value, *hands);
            }
            leads[lead.slot].push((lead, mates));
        }
        let after = |hands: HandBalance| {
            [free, false]
                .map(|free| layers.get(free, hands, live - 2).map_or(&[][..], Layer::padded))
        };
        let side = |hands: HandBalance| {
            // With unequal hands, a change of the leader also changes the leader's hand size.
            let other = sides.iter().copied().find(|other| *other != hands).unwrap_or(hands);
            Side {
                kernel: PreparedKernel::new(builder.kernel, live, hands.held(live)),
                solved: SolvedLayers { same_leader: after(hands), other_leader: after(other) },
            }
        };
        let held = sides.first().map_or(1, |hands| hands.held(live));
        Self {
            leads,
            sides: sides.iter().copied().map(side).collect(),
            after_move: BINOMIALS[live - 2][held - 1],
            most_answers,
        }
    }

    /// Prefetches, into a processor cache, the solved values from which the positions of `job` are solved.
    fn prefetch(&self, job: &Job) {
        let cache = match self.after_move {
            // If each row of solved values has fewer than 100 values, a prefetch would take effect too late.
            0..100 => return,
            100..400 => Cache::L1,
            // In the first-level cache, the prefetched values would displace the solved values that the present computation still needs.
            _ => Cache::L2,
        };
        let mut from = 0;
        for group in &job.groups {
            // Two moves with the same two cards, in either order, share a row of solved values. The answer loses in at least one of these
            // moves, so the losing answers of all leads reach every row. With unequal hands, the loop over the sides reaches the rows of
            // both next leaders.
            for answer in &job.answers[from..group.losing_end] {
                for side in &self.sides {
                    let row = side.solved.same_leader[usize::from(group.by_free_move)]
                        .as_ptr()
                        .wrapping_add(answer.row as usize);
                    for ahead in (0..self.after_move as usize).step_by(64) {
                        prefetch(row.wrapping_add(ahead), cache);
                    }
                }
            }
            from = group.end;
        }
    }
}

/// Prepares `job` as the input for solving all positions whose hands together hold the cards `live`.
// With POPCNT and BMI1 instructions, counting bits and finding the lowest bit take one instruction each.
#[multiversion::multiversion(targets("x86_64+popcnt+bmi1"))]
fn fill(plan: &LayerPlan<'_>, job: &mut Job, live: u32) {
    let first = u32::try_from(PAD).expect("the padding is shorter than 2^32 bytes");
    let shrunk = Shrunk::new(live, plan.after_move, first);
    let mut places = [0u8; 32];
    for (place, slot) in (0..).zip(elements(live)) {
        places[slot] = place;
    }
    let Job { leads, groups, answers } = job;
    leads.clear();
    groups.clear();
    answers.resize(plan.most_answers, Answer::default());
    let mut from = 0;
    for slot in elements(live) {
        for &(ref lead, mates) in &plan.leads[slot] {
            let mut used = from;
            for answer in &lead.answers {
                // An answer is kept only if one of the two hands holds the answering card. Each answer is written, but the index `used`
                // advances only past an answer to keep. Overwriting the other answers is faster than a branch.
                answers[used] = Answer {
                    card: places[usize::from(answer.slot % 32)].wrapping_sub(answer.is_higher),
                    row: shrunk.without([answer.low, answer.high]),
                };
                used += (live >> (answer.slot % 32) & 1) as usize;
            }
            for group in &lead.groups {
                let losing_end = from + (group.losing & live).count_ones() as usize;
                from = losing_end + (group.winning & live).count_ones() as usize;
                groups.push(JobAnswers { losing_end, end: from, by_free_move: group.by_free_move });
            }
            debug_assert_eq!(from, used, "the groups of a lead have all its answers");
            leads.push(JobLead { card: places[slot], mates, groups_end: groups.len() });
        }
    }
}
