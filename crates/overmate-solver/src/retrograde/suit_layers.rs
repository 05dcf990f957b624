//! Solves the blocks (positions grouped by suit counts) of each layer in turn, from empty hands to the requested positions.
//!
//! # Exactness
//!
//! A block follows from blocks with one card less in each hand, so two layers suffice at a time. A small analysis keeps all layers for
//! later positions of the game. Each lead is one of two kinds. If the follower holds a card of the led suit, every answer is in suit, and
//! the lead gives no mate. Otherwise the answers are the cards of the second tier of the follow masks, and the lead gives mate if the
//! follower holds no such card. The kind of a lead is the same for all positions of a block. A block with equally many cards of each suit
//! in both hands is a draw.

use std::sync::Arc;

use overmate_rules::{BySeat, RuleSet, Seat};

use super::grid::{DRAW, grid_code, score_code};
use super::suit_blocks::{Block, BlockLayer, SuitCounts, layers};
use super::suit_hands::{SuitHands, SuitMoves, VoidLead};
use super::suit_moves::{AfterMove, SuitShape, lead_in_suit, start_block};
use super::void_leads::{TwoSuits, answer_in_other_suit, finish_lead, start_lead};
use super::wanted::WantedPosition;
use crate::budget::{BudgetExhausted, Meter};
use crate::deal::cards::DealCards;
use crate::deal::score_codes::ScoreCodes;
use crate::deal::scores::mate_points_for_first;
use crate::memory::{self, Memory};
use crate::parallel::for_each_piece;

/// Plan of a retrograde analysis by blocks (positions grouped by suit counts): the blocks of each layer, and the codes of the possible
/// scores.
pub(super) struct SuitPlan {
    rules: Arc<RuleSet>,
    cards: DealCards,
    suits: Vec<SuitHands>,
    /// Layers of blocks of positions, indexed by the hand size.
    layers: Vec<BlockLayer>,
    codes: ScoreCodes,
}

/// Solved values of all positions that can follow from requested positions, by blocks. Later positions of the same game need no further
/// analysis.
pub(crate) struct LateValues {
    plan: SuitPlan,
    /// Values of each layer, indexed by the hand size. The positions in which *first* leads come first, then the positions in which
    /// *second* leads.
    values: Vec<Memory>,
}

impl LateValues {
    /// Returns the rule set of the positions.
    pub(super) fn rules(&self) -> &RuleSet {
        self.plan.rules()
    }

    /// Returns the cards of the two hands from which all solved positions follow, with their indices.
    pub(super) fn cards(&self) -> &DealCards {
        &self.plan.cards
    }

    /// Returns the points for seat *first* in each requested position, or `None` if some position was not solved.
    pub(super) fn points_for_first(&self, wanted: &[WantedPosition]) -> Option<Vec<i32>> {
        let points = |wanted: &WantedPosition| {
            self.plan.look_up(self.values.get(wanted.sizes().first)?, wanted)
        };
        wanted.iter().map(points).collect()
    }
}

/// Values of all positions of a layer, for each leader, from the leader's point of view.
struct LayerValues<'a> {
    layer: &'a BlockLayer,
    codes: BySeat<&'a [u8]>,
}

impl LayerValues<'_> {
    /// Returns the values of the block after a move in which `leader` led, or `None` if all positions of the block are draws.
    fn after_move(&self, counts: SuitCounts, leader: Seat) -> Option<AfterMove<'_>> {
        let range = self.layer.block(counts)?.range();
        Some(AfterMove {
            own_lead: &self.codes[leader][range.clone()],
            other_lead: &self.codes[!leader][range],
        })
    }
}

impl SuitPlan {
    /// Plans a retrograde analysis of the requested positions. Returns `None` if an analysis by blocks does not apply to the rule set or to
    /// the positions.
    pub(super) fn new(
        rules: &Arc<RuleSet>,
        cards: &DealCards,
        wanted: &[WantedPosition],
    ) -> Option<Self> {
        let even = |wanted: &WantedPosition| wanted.sizes().first == wanted.sizes().second;
        if wanted.is_empty() || !wanted.iter().all(even) {
            return None;
        }
        let suits = SuitHands::of_all_suits(rules, cards)?;
        let counts: Vec<SuitCounts> =
            wanted.iter().map(|wanted| SuitCounts::of(&suits, wanted.held)).collect();
        let layers = layers(&suits, &counts)?;
        let leads = Seat::BOTH.into_iter().flat_map(|seat| &cards.leads[seat]);
        let scores = leads.flat_map(|lead| (1..layers.len()).map(|k| points(rules, lead.value, k)));
        let codes = ScoreCodes::of_scores(scores.collect())?;
        Some(Self { rules: Arc::clone(rules), cards: cards.clone(), suits, layers, codes })
    }

    pub(super) fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// Returns the number of positions to solve; two positions that differ only in the leader count as one.
    pub(super) fn positions(&self) -> u64 {
        self.layers.iter().map(|layer| layer.positions() as u64).sum()
    }

    /// Returns the peak memory of the retrograde analysis in bytes, without the buffers of the threads.
    pub(super) fn bytes(&self) -> u64 {
        self.layer_bytes().into_iter().map(|bytes| bytes as u64).sum()
    }

    /// Returns the memory, in bytes, for the largest layer of even hand size and for the largest
    /// layer of odd hand size.
    fn layer_bytes(&self) -> [usize; 2] {
        [0, 1].map(|odd| {
            let layers = self.layers.iter().skip(odd).step_by(2);
            layers.map(|layer| layer.positions().saturating_mul(2)).max().unwrap_or_default()
        })
    }

    /// Returns the memory, in bytes, for the values of all layers.
    pub(super) fn bytes_of_all_layers(&self) -> u64 {
        2 * self.positions()
    }

    /// Solves all layers, and keeps the values of all of them.
    ///
    /// # Errors
    ///
    /// Returns [`BudgetExhausted`] as [`points_for_first`](Self::points_for_first) does.
    pub(super) fn solve_all(self, meter: &Meter) -> Result<LateValues, BudgetExhausted> {
        let moves = self.moves();
        let mut values: Vec<Memory> = Vec::new();
        for (size, layer) in self.layers.iter().enumerate() {
            let mut now = allocate(2 * layer.positions())?;
            if let Some(before) = values.last() {
                self.solve(size, &moves, before, &mut now[..2 * layer.positions()], meter)?;
            }
            values.push(now);
        }
        Ok(LateValues { plan: self, values })
    }

    /// Solves all layers, and returns the points for seat *first* in each requested position. Only two layers are kept at a time.
    ///
    /// # Errors
    ///
    /// Returns [`BudgetExhausted`] if the time is up, the analysis was cancelled, or the operating system refuses the
    /// memory.
    pub(super) fn points_for_first(
        &self,
        wanted: &[WantedPosition],
        meter: &Meter,
    ) -> Result<Vec<i32>, BudgetExhausted> {
        let mut answers = vec![0; wanted.len()];
        let moves = self.moves();
        let [even, odd] = self.layer_bytes();
        let (mut now, mut before): (Memory, Memory) = (allocate(even)?, allocate(odd)?);
        for (size, layer) in self.layers.iter().enumerate() {
            if size > 0 {
                core::mem::swap(&mut now, &mut before);
                self.solve(size, &moves, &before, &mut now[..2 * layer.positions()], meter)?;
            }
            for (wanted, points) in wanted.iter().zip(&mut answers) {
                if wanted.sizes().first == size {
                    *points = self.look_up(&now, wanted).unwrap_or_default();
                }
            }
        }
        Ok(answers)
    }

    /// Returns the moves in which both seats play a card of the same suit, for each suit.
    fn moves(&self) -> Vec<SuitMoves> {
        self.suits.iter().map(|suit| SuitMoves::of(suit, &self.cards)).collect()
    }

    /// Returns the points for seat *first* in a requested position, from the values of its layer. Returns `None` if no block of the layer
    /// has the position.
    fn look_up(&self, values: &[u8], wanted: &WantedPosition) -> Option<i32> {
        let counts = SuitCounts::of(&self.suits, wanted.held);
        if counts.are_even() {
            return Some(0);
        }
        let layer = self.layers.get(wanted.sizes().first)?;
        let block = layer.block(counts)?;
        let seat = wanted.leader;
        let start = if seat == Seat::First { 0 } else { layer.positions() };
        let code = values[start + block.index(&self.suits, wanted.held)];
        Some(self.codes.points(score_code(code)) * seat.sign_for_first())
    }

    /// Solves all positions with `size` cards in each hand, and writes their values to `codes`. `before` has the values of the layer with
    /// one card less.
    fn solve(
        &self,
        size: usize,
        moves: &[SuitMoves],
        before: &[u8],
        codes: &mut [u8],
        meter: &Meter,
    ) -> Result<(), BudgetExhausted> {
        let (below, layer) = (&self.layers[size - 1], &self.layers[size]);
        let (leads, follows) = before[..2 * below.positions()].split_at(below.positions());
        let before = &LayerValues { layer: below, codes: BySeat { first: leads, second: follows } };
        let (mut first, mut second) = codes.split_at_mut(layer.positions());
        let mut pieces = Vec::new();
        for block in &layer.blocks {
            for (seat, rest) in [(Seat::First, &mut first), (Seat::Second, &mut second)] {
                let (codes, more) = core::mem::take(rest).split_at_mut(block.positions);
                *rest = more;
                pieces.push((block, seat, codes));
            }
        }
        // Large blocks come first, so that no thread has a large block left at the end.
        pieces.sort_by_key(|(block, ..)| core::cmp::Reverse(block.positions));
        for_each_piece(
            meter.threads(),
            pieces.into_iter(),
            Vec::new,
            |worst, (block, seat, codes)| {
                let task = BlockTask { plan: self, moves, size, block, leader: seat, before };
                task.run(codes, worst, || Meter::clone(meter).check())
            },
        )
    }
}

/// Allocates zeroed memory for the values of a layer.
fn allocate(bytes: usize) -> Result<Memory, BudgetExhausted> {
    memory::zeros(bytes.max(1)).map_err(|_| BudgetExhausted)
}

/// Returns the points of a mate with a card worth `value` points, when both hands hold `size` cards.
fn points(rules: &RuleSet, value: u16, size: usize) -> i32 {
    let sizes = BySeat { first: size, second: size };
    mate_points_for_first(rules, value, sizes, Seat::First).unwrap_or_default()
}

/// Input for solving one block of positions with one leader.
struct BlockTask<'a> {
    plan: &'a SuitPlan,
    /// Moves in which both seats play a card of the same suit, for each suit.
    moves: &'a [SuitMoves],
    size: usize,
    block: &'a Block,
    leader: Seat,
    before: &'a LayerValues<'a>,
}

impl BlockTask<'_> {
    /// Solves all positions of the block, and writes the positions' values to `values`. `worst` is overwritten.
    fn run(
        &self,
        values: &mut [u8],
        worst: &mut Vec<u8>,
        go_on: impl Fn() -> Result<(), BudgetExhausted>,
    ) -> Result<(), BudgetExhausted> {
        start_block(values);
        for (suit, (hands, moves)) in self.plan.suits.iter().zip(self.moves).enumerate() {
            let sizes = self.block.counts.sizes(suit);
            if sizes[self.leader] == 0 {
                continue;
            }
            if sizes[!self.leader] > 0 {
                go_on()?;
                let counts = self.block.counts.after(self.leader, suit, suit);
                // In every position solved here, the two hands hold different numbers of cards of at least one suit. An answer in suit
                // keeps the differences, so the positions after the move have such a suit too, and their values are stored.
                let Some(next) = self.before.after_move(counts, self.leader) else { continue };
                let moves = moves.with_sizes(self.leader, sizes);
                lead_in_suit(values, self.shape(suit, counts), moves, next);
                continue;
            }
            for lead in hands.void_leads(self.leader) {
                go_on()?;
                self.void_lead(suit, lead, values, worst);
            }
        }
        Ok(())
    }

    /// Raises the value of each position in the block to the value of the lead `lead`, if the lead's value is higher.
    /// The follower does not hold the led suit.
    fn void_lead(&self, suit: usize, lead: &VoidLead, values: &mut [u8], worst: &mut Vec<u8>) {
        let (plan, leader, counts) = (self.plan, self.leader, self.block.counts);
        let own = plan.suits[suit].runs(leader, lead.kind, counts.sizes(suit));
        let shape = self.shape(suit, counts);
        worst.resize(values.len().max(worst.len()), 0);
        let worst = &mut worst[..values.len()];
        start_lead(worst, shape, &own);
        for answer in &lead.answers {
            let sizes = counts.sizes(answer.suit);
            if sizes[!leader] == 0 {
                continue;
            }
            let other = plan.suits[answer.suit].runs(!leader, answer.kind, sizes);
            let after = counts.after(leader, suit, answer.suit);
            let next = self.before.after_move(after, leader);
            let runs = if suit < answer.suit { (&*own, &*other) } else { (&*other, &*own) };
            let shape = self.two_suits(suit.min(answer.suit), suit.max(answer.suit), after);
            answer_in_other_suit(worst, shape, runs, next, answer.wins, DRAW);
        }
        let mate = plan.codes.code(points(&plan.rules, lead.value, self.size));
        finish_lead(values, worst, grid_code(mate));
    }

    fn pairs(&self, suits: core::ops::Range<usize>) -> usize {
        let counts = self.block.counts;
        suits.map(|suit| self.plan.suits[suit].pairs(counts.sizes(suit))).product()
    }

    fn shape(&self, suit: usize, after: SuitCounts) -> SuitShape {
        SuitShape {
            outer: self.pairs(0..suit),
            pairs: self.pairs(suit..suit + 1),
            next_pairs: self.plan.suits[suit].pairs(after.sizes(suit)),
            inner: self.pairs(suit + 1..self.plan.suits.len()),
        }
    }

    fn two_suits(&self, early: usize, late: usize, after: SuitCounts) -> TwoSuits {
        let both = |suit: usize| {
            (self.pairs(suit..suit + 1), self.plan.suits[suit].pairs(after.sizes(suit)))
        };
        TwoSuits {
            outer: self.pairs(0..early),
            early: both(early),
            middle: self.pairs(early + 1..late),
            late: both(late),
            inner: self.pairs(late + 1..self.plan.suits.len()),
        }
    }
}
