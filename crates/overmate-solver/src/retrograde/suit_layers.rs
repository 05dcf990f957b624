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

use super::bit_rows::BitRows;
use super::cells::{AnswerBits, Cells, ScoreBytes};
use super::grid::{HIGHEST, LOWEST, score_code};
use super::hand_sets::Run;
use super::suit_blocks::{Block, BlockLayer, SuitCounts, layers};
use super::suit_hands::{SuitHands, SuitMoves, VoidLead};
use super::suit_moves::{AfterMove, SuitShape, lead_in_suit};
use super::void_leads::{
    Inner, PlayedSuit, TwoSuits, answer_in_other_suit, finish_lead, lower_all, mark_answered,
    start_lead,
};
use super::wanted::WantedPosition;
use crate::budget::{BudgetExhausted, Meter};
use crate::deal::cards::DealCards;
use crate::deal::score_codes::ScoreCodes;
use crate::deal::scores::mate_points_for_first;
use crate::memory::{self, Memory};
use crate::parallel::for_each_piece;

/// Plan of a retrograde analysis by blocks: the blocks of each layer, and the codes of the possible scores.
pub(super) struct SuitPlan {
    rules: Arc<RuleSet>,
    cards: DealCards,
    suits: Vec<SuitHands>,
    /// Layers of blocks of positions, indexed by the hand size.
    layers: Vec<BlockLayer>,
    codes: ScoreCodes,
}

/// Lists of moves, and memory for the values of two layers, which several analyses with one plan can use in turn.
pub(super) struct Workspace {
    /// Moves in which both seats play a card of the same suit, for each suit.
    moves: Vec<SuitMoves>,
    /// Values of a layer of even hand size.
    even: Memory,
    /// Values of a layer of odd hand size.
    odd: Memory,
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

/// Number of bytes after the values of a lead that a permutation of bits may read and write.
const SPARE_BYTES: usize = 7;

/// Buffers that a thread reuses for one block after the other.
#[derive(Default)]
struct Scratch {
    /// Values of a lead after the worst answer so far.
    worst: Vec<u8>,
    /// Positions in which the follower holds an answer.
    answered: Vec<u8>,
    rows: BitRows,
}

/// Values of all positions of a layer, for each leader, from the leader's point of view.
struct LayerValues<'a> {
    layer: &'a BlockLayer,
    codes: BySeat<&'a [u8]>,
}

impl LayerValues<'_> {
    /// Returns the values of a block for each leader, or `None` if all positions of the block are draws.
    fn of_block(&self, counts: SuitCounts) -> Option<BySeat<&[u8]>> {
        let range = self.layer.block(counts)?.bytes();
        Some(self.codes.map(|codes| &codes[range.clone()]))
    }
}

impl SuitPlan {
    /// Plans a retrograde analysis of the requested positions, in which one byte holds the values of `positions_a_byte` positions. Returns
    /// `None` if an analysis by blocks does not apply to the rule set or to the positions.
    pub(super) fn new(
        rules: &Arc<RuleSet>,
        cards: &DealCards,
        wanted: &[WantedPosition],
        positions_a_byte: usize,
    ) -> Option<Self> {
        let even = |wanted: &WantedPosition| wanted.sizes().first == wanted.sizes().second;
        if wanted.is_empty() || !wanted.iter().all(even) {
            return None;
        }
        let suits = SuitHands::of_all_suits(rules, cards, positions_a_byte)?;
        let counts: Vec<SuitCounts> =
            wanted.iter().map(|wanted| SuitCounts::of(&suits, wanted.held)).collect();
        let layers = layers(&suits, &counts, positions_a_byte)?;
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

    /// Returns the memory, in bytes, for the buffers of one thread: the values of a lead, the positions with an answer, and a row.
    pub(super) fn scratch_bytes(&self) -> u64 {
        let largest = self.layers.iter().map(BlockLayer::bytes_of_void_leads).max();
        3 * largest.unwrap_or_default() as u64
    }

    /// Returns the memory, in bytes, for the largest layer of even hand size and for the largest
    /// layer of odd hand size.
    fn layer_bytes(&self) -> [usize; 2] {
        [0, 1].map(|odd| {
            let layers = self.layers.iter().skip(odd).step_by(2);
            layers.map(|layer| layer.bytes().saturating_mul(2)).max().unwrap_or_default()
        })
    }

    /// Returns the memory, in bytes, for the values of all layers.
    pub(super) fn bytes_of_all_layers(&self) -> u64 {
        self.layers.iter().map(|layer| 2 * layer.bytes() as u64).sum()
    }

    /// Solves all layers, and keeps the values of all of them.
    ///
    /// # Errors
    ///
    /// Returns [`BudgetExhausted`] as [`points_for_first`](Self::points_for_first) does.
    pub(super) fn solve_all(self, meter: &Meter) -> Result<LateValues, BudgetExhausted> {
        let moves = self.moves();
        let codes = self.codes.clone();
        let cells = ScoreBytes(&codes);
        let mut values: Vec<Memory> = Vec::new();
        for (size, layer) in self.layers.iter().enumerate() {
            let mut now = allocate(2 * layer.bytes())?;
            if let Some(before) = values.last() {
                self.solve(cells, size, &moves, before, &mut now[..2 * layer.bytes()], meter)?;
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
        let mut points = vec![0; wanted.len()];
        self.solve_layers(
            ScoreBytes(&self.codes),
            &mut self.workspace()?,
            meter,
            |size, values| {
                for (wanted, points) in wanted.iter().zip(&mut points) {
                    if wanted.sizes().first == size {
                        *points = self.look_up(values, wanted).unwrap_or_default();
                    }
                }
            },
        )?;
        Ok(points)
    }

    /// Solves all layers with a bit for each position, and returns for each requested position whether seat *first* gets at least `asked`
    /// points. The plan must be one for eight positions a byte. Only two layers are kept at a time.
    ///
    /// # Errors
    ///
    /// Returns [`BudgetExhausted`] as [`points_for_first`](Self::points_for_first) does.
    pub(super) fn first_gets(
        &self,
        asked: i32,
        wanted: &[WantedPosition],
        workspace: &mut Workspace,
        meter: &Meter,
    ) -> Result<Vec<bool>, BudgetExhausted> {
        let mut answers = vec![0 >= asked; wanted.len()];
        self.solve_layers(AnswerBits::new(asked), workspace, meter, |size, values| {
            for (wanted, answer) in wanted.iter().zip(&mut answers) {
                if wanted.sizes().first == size
                    && let Some((values, index)) = self.place(values, wanted)
                {
                    let bit = values[index / 8] >> (index % 8) & 1 == 1;
                    *answer = bit == (wanted.leader == Seat::First);
                }
            }
        })?;
        Ok(answers)
    }

    /// Solves all layers in turn, and calls `read` with the hand size and the values of each layer. Only two layers are kept at a time.
    fn solve_layers<C: Cells>(
        &self,
        cells: C,
        workspace: &mut Workspace,
        meter: &Meter,
        mut read: impl FnMut(usize, &[u8]),
    ) -> Result<(), BudgetExhausted> {
        let Workspace { moves, even, odd } = workspace;
        let (mut now, mut before) = (even, odd);
        for (size, layer) in self.layers.iter().enumerate() {
            if size > 0 {
                core::mem::swap(&mut now, &mut before);
                self.solve(cells, size, moves, before, &mut now[..2 * layer.bytes()], meter)?;
            }
            read(size, now);
        }
        Ok(())
    }

    /// Lists the moves, and allocates the memory for two layers.
    ///
    /// # Errors
    ///
    /// Returns [`BudgetExhausted`] if the operating system refuses the memory.
    pub(super) fn workspace(&self) -> Result<Workspace, BudgetExhausted> {
        let [even, odd] = self.layer_bytes();
        Ok(Workspace { moves: self.moves(), even: allocate(even)?, odd: allocate(odd)? })
    }

    /// Returns all positive scores of the planned positions, in ascending order.
    pub(super) fn scores(&self) -> &[i32] {
        self.codes.scores()
    }

    /// Returns the moves in which both seats play a card of the same suit, for each suit.
    fn moves(&self) -> Vec<SuitMoves> {
        self.suits.iter().map(|suit| SuitMoves::of(suit, &self.cards)).collect()
    }

    /// Returns the points for seat *first* in a requested position, from the values of its layer. Returns `None` if no block of the layer
    /// has the position.
    fn look_up(&self, values: &[u8], wanted: &WantedPosition) -> Option<i32> {
        if SuitCounts::of(&self.suits, wanted.held).are_even() {
            return Some(0);
        }
        let (values, index) = self.place(values, wanted)?;
        Some(self.codes.points(score_code(values[index])) * wanted.leader.sign_for_first())
    }

    /// Returns the values with the leader of a requested position, and the index of the position among them. `values` has the values of the
    /// position's layer. Returns `None` if no block of the layer has the position.
    fn place<'v>(&self, values: &'v [u8], wanted: &WantedPosition) -> Option<(&'v [u8], usize)> {
        let layer = self.layers.get(wanted.sizes().first)?;
        let block = layer.block(SuitCounts::of(&self.suits, wanted.held))?;
        let (first, second) = values.split_at(layer.bytes());
        let values = if wanted.leader == Seat::First { first } else { second };
        Some((values, block.index(&self.suits, wanted.held)))
    }

    /// Solves all positions with `size` cards in each hand, and writes their values to `codes`. `before` has the values of the layer with
    /// one card less.
    fn solve<C: Cells>(
        &self,
        cells: C,
        size: usize,
        moves: &[SuitMoves],
        before: &[u8],
        codes: &mut [u8],
        meter: &Meter,
    ) -> Result<(), BudgetExhausted> {
        let (below, layer) = (&self.layers[size - 1], &self.layers[size]);
        let (leads, follows) = before[..2 * below.bytes()].split_at(below.bytes());
        let before = &LayerValues { layer: below, codes: BySeat { first: leads, second: follows } };
        let (mut first, mut second) = codes.split_at_mut(layer.bytes());
        let mut pieces = Vec::new();
        for block in &layer.blocks {
            let bytes = block.bytes().len();
            let codes = (first.split_off_mut(..bytes), second.split_off_mut(..bytes));
            if let (Some(first), Some(second)) = codes {
                pieces.push((block, BySeat { first, second }));
            }
        }
        // Large blocks come first, so that no thread has a large block left at the end.
        pieces.sort_by_key(|(block, _)| core::cmp::Reverse(block.positions));
        for_each_piece(
            meter.threads(),
            pieces.into_iter(),
            Scratch::default,
            |scratch, (block, codes)| {
                let task = BlockTask { plan: self, cells, moves, size, block, before };
                task.run(codes, scratch, || Meter::clone(meter).check())
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

/// Input for solving one block of positions with either leader.
struct BlockTask<'a, C> {
    plan: &'a SuitPlan,
    cells: C,
    /// Moves in which both seats play a card of the same suit, for each suit.
    moves: &'a [SuitMoves],
    size: usize,
    block: &'a Block,
    before: &'a LayerValues<'a>,
}

impl<C: Cells> BlockTask<'_, C> {
    /// Solves all positions of the block, and writes the positions' values for each leader to `values`. `scratch` is overwritten.
    fn run(
        &self,
        mut values: BySeat<&mut [u8]>,
        scratch: &mut Scratch,
        go_on: impl Fn() -> Result<(), BudgetExhausted>,
    ) -> Result<(), BudgetExhausted> {
        // The lowest value stands for a position without a lead.
        values.first.fill(LOWEST);
        values.second.fill(LOWEST);
        let counts = self.block.counts;
        for (suit, (hands, moves)) in self.plan.suits.iter().zip(self.moves).enumerate() {
            let sizes = counts.sizes(suit);
            if sizes.first > 0 && sizes.second > 0 {
                go_on()?;
                let after = counts.after(Seat::First, suit, suit);
                // In every position solved here, the two hands hold different numbers of cards of at least one suit. An answer in suit
                // keeps the differences, so the positions after the move have such a suit too, and their values are stored.
                let Some(next) = self.before.of_block(after) else { continue };
                let (pairs, next_pairs) = (self.pairs(suit), hands.pairs(after.sizes(suit)));
                let moves = BySeat::new_with(|leader| moves.with_sizes(leader, sizes));
                match self.inner(suit) {
                    Inner::Bit => {
                        let pairs = (pairs, next_pairs);
                        scratch.rows.lead_in_last_suit(&mut values, pairs, moves, next);
                    }
                    Inner::Bytes(inner) => {
                        let shape = SuitShape { outer: self.outer(suit), pairs, next_pairs, inner };
                        for leader in Seat::BOTH {
                            let next = AfterMove::led_by(leader, next);
                            lead_in_suit::<C>(values[leader], shape, moves[leader], next);
                        }
                    }
                }
                continue;
            }
            for leader in Seat::BOTH.into_iter().filter(|leader| sizes[*leader] > 0) {
                for lead in hands.void_leads(leader) {
                    go_on()?;
                    self.void_lead((leader, suit), lead, values[leader], scratch);
                }
            }
        }
        Ok(())
    }

    /// Raises the value of each position in the block to the value of a lead of `leader` in a suit, if the lead's value is higher. The
    /// follower does not hold this suit.
    fn void_lead(
        &self,
        (leader, suit): (Seat, usize),
        lead: &VoidLead,
        values: &mut [u8],
        scratch: &mut Scratch,
    ) {
        let (plan, counts) = (self.plan, self.block.counts);
        let own = plan.suits[suit].runs(leader, lead.kind, counts.sizes(suit));
        let bytes = values.len();
        let worst = &mut scratch.worst;
        worst.resize(worst.len().max(bytes + SPARE_BYTES), 0);
        start_lead(&mut worst[..bytes], self.played(suit, &own));
        let mate = self.cells.byte(points(&plan.rules, lead.value, self.size), leader);
        // A bit of `worst` does not tell a position without an answer from a position in which all answers have the highest value. If a
        // mate has the lowest value, the positions without an answer are therefore listed.
        let lists_answered = C::POSITIONS_A_BYTE > 1 && mate == LOWEST;
        let answered = &mut scratch.answered;
        if lists_answered {
            answered.clear();
            answered.resize(bytes, LOWEST);
        }
        for answer in &lead.answers {
            let sizes = counts.sizes(answer.suit);
            if sizes[!leader] == 0 {
                continue;
            }
            let other = plan.suits[answer.suit].runs(!leader, answer.kind, sizes);
            if lists_answered {
                mark_answered::<C>(answered, self.played(answer.suit, &other));
            }
            let after = counts.after(leader, suit, answer.suit);
            let next = self.before.of_block(after).map(|next| AfterMove::led_by(leader, next));
            let runs = if suit < answer.suit { (&*own, &*other) } else { (&*other, &*own) };
            let shape = self.two_suits(suit.min(answer.suit), suit.max(answer.suit), after);
            let draw = self.cells.byte(0, leader);
            answer_in_other_suit::<C>(worst, shape, runs, next, answer.wins, draw);
        }
        let worst = &mut worst[..bytes];
        if C::POSITIONS_A_BYTE == 1 {
            return finish_lead::<C>(values, worst, mate);
        }
        if lists_answered {
            lower_all::<C>(worst, answered);
        }
        // A position without an answer has the highest bit already if a mate has it.
        finish_lead::<C>(values, worst, HIGHEST);
    }

    /// Returns the number of ways in which the two hands can hold their cards of one suit.
    fn pairs(&self, suit: usize) -> usize {
        self.plan.suits[suit].pairs(self.block.counts.sizes(suit))
    }

    /// Returns the number of ways in which the two hands can hold their cards of all suits numbered below `suit`.
    fn outer(&self, suit: usize) -> usize {
        (0..suit).map(|suit| self.pairs(suit)).product()
    }

    /// Returns the memory for the positions that differ only in the suits numbered above `suit`.
    fn inner(&self, suit: usize) -> Inner {
        let last = self.plan.suits.len() - 1;
        if C::POSITIONS_A_BYTE > 1 && suit == last {
            return Inner::Bit;
        }
        let bytes = |suit: usize| {
            if suit == last {
                self.pairs(suit).div_ceil(C::POSITIONS_A_BYTE)
            } else {
                self.pairs(suit)
            }
        };
        Inner::Bytes((suit + 1..=last).map(bytes).product())
    }

    /// Returns a suit of the block with the pairs of hands in which a seat can play a card.
    fn played<'r>(&self, suit: usize, runs: &'r [Run]) -> PlayedSuit<'r> {
        PlayedSuit { pairs: self.pairs(suit), inner: self.inner(suit), runs }
    }

    fn two_suits(&self, early: usize, late: usize, after: SuitCounts) -> TwoSuits {
        let both = |suit: usize| (self.pairs(suit), self.plan.suits[suit].pairs(after.sizes(suit)));
        TwoSuits {
            outer: self.outer(early),
            early: both(early),
            middle: (early + 1..late).map(|suit| self.pairs(suit)).product(),
            late: both(late),
            inner: self.inner(late),
        }
    }
}
