//! Runs retrograde analysis to compute the values of given lead positions late in a game.

use core::cmp::Ordering;
use core::time::Duration;
use std::sync::Arc;

use overmate_rules::{BySeat, Card, CardSet, RuleSet, Seat};

use super::cells::{Cells, ScoreBytes};
use super::grid::{BLOCK, Grid, Pool, grid_code, score_code};
use super::hand_sets::{self, HandSets, MOST_CARDS};
use super::layer::{LayerTask, LeadCodes, Successors};
use super::spread;
use super::suit_layers::{LateValues, SuitPlan};
use super::wanted::WantedPosition;
use crate::budget::{BudgetExhausted, Meter};
use crate::deal::action_tree::LeadPosition;
use crate::deal::cards::DealCards;
use crate::deal::last_moves::LastMoves;
use crate::deal::score_codes::ScoreCodes;
use crate::deal::scores::mate_points_for_first;

/// Plan of a retrograde analysis: the hand sizes of the positions to solve, the cost and the possible scores.
struct RetrogradePlan<'a> {
    rules: &'a RuleSet,
    cards: &'a DealCards,
    /// Hand sizes of the positions to solve, from the smallest to the largest. Both hands grow by one card from layer to layer.
    sizes: Vec<BySeat<usize>>,
    /// Number of positions to solve; two positions that differ only in the leader count as one.
    positions: u64,
    /// Peak memory of the retrograde analysis in bytes.
    bytes: u64,
    codes: ScoreCodes,
}

/// Grids with the values of all positions that have given hand sizes: one grid for each leader.
/// Each grid holds values from the view of its leading seat.
type SizeGrids = BySeat<Grid>;

/// Index of the values for an unused free move, in lists with one entry for each state of the free move. The values for a used free move
/// have the index 0.
const FREE: usize = 1;

/// Number of positions that retrograde analysis solves in about the time in which a search visits one node.
const POSITIONS_A_NODE: u64 = 200;

/// Number of positions that a retrograde analysis by blocks (positions grouped by suit counts) solves in about the time
/// in which a search visits one node.
const BLOCK_POSITIONS_A_NODE: u64 = 50;

/// Time in nanoseconds for one position on one thread in a retrograde analysis by blocks. Measurements with four deals of 40 cards and AVX2
/// gave 8.1 to 8.7 ns.
const NANOS_A_BLOCK_POSITION: u64 = 8;

/// Maximum memory, in bytes, of the values that are kept for later positions of the same game. An analysis within 160,000 nodes fits.
pub(crate) const MOST_KEPT: u64 = 16_000_000;

/// Returns the points for seat *first* under best play in each of the lead positions `leads`. All
/// lead positions must be reachable from the given hands.
///
/// A small analysis by blocks replaces the values in `kept`. If `kept` has the values of all lead positions, nothing is solved, but the
/// meter is charged the same cost, so that the result under a node limit does not depend on earlier calls.
///
/// Returns `None` if the analysis is too large for the budget or for the implementation.
pub(crate) fn points_for_first(
    rules: &Arc<RuleSet>,
    hands: BySeat<CardSet>,
    leads: &[LeadPosition],
    kept: &mut Option<LateValues>,
    meter: &mut Meter,
) -> Option<Vec<i32>> {
    let cards = DealCards::of_hands(rules, hands);
    let wanted = wanted(rules, &cards, leads)?;
    // If possible, the positions are solved by blocks, because an analysis by blocks solves only positions that can arise. `SuitPlan::new`
    // returns `None` if an analysis by blocks does not apply to the rules or to the requested positions.
    match SuitPlan::new(rules, &cards, &wanted, ScoreBytes::POSITIONS_A_BYTE) {
        Some(plan) => points_by_blocks(plan, &wanted, leads, kept, meter),
        None => points_by_hands(rules, &cards, &wanted, meter),
    }
}

/// Converts lead positions (in which a card must be led) to requested positions, with the hands as bit masks of the
/// dealt cards. Returns `None` if a position belongs to another deal.
pub(super) fn wanted(
    rules: &RuleSet,
    cards: &DealCards,
    leads: &[LeadPosition],
) -> Option<Vec<WantedPosition>> {
    let wanted = leads.iter().map(|lead| {
        let first = cards.bits(rules, Seat::First, lead.hands.first)?;
        let second = cards.bits(rules, Seat::Second, lead.hands.second)?;
        Some(WantedPosition {
            held: BySeat { first, second },
            leader: lead.leader,
            free: lead.free,
        })
    });
    wanted.collect()
}

/// Solves lead positions by a retrograde analysis by blocks. Returns `None` if that method does not apply.
#[cfg(test)]
pub(super) fn by_blocks(
    rules: &Arc<RuleSet>,
    hands: BySeat<CardSet>,
    leads: &[LeadPosition],
    kept: &mut Option<LateValues>,
    meter: &mut Meter,
) -> Option<Vec<i32>> {
    let cards = DealCards::of_hands(rules, hands);
    let wanted = wanted(rules, &cards, leads)?;
    points_by_blocks(
        SuitPlan::new(rules, &cards, &wanted, ScoreBytes::POSITIONS_A_BYTE)?,
        &wanted,
        leads,
        kept,
        meter,
    )
}

/// Solves lead positions by a retrograde analysis of all pairs of hands.
#[cfg(test)]
pub(super) fn by_hands(
    rules: &RuleSet,
    hands: BySeat<CardSet>,
    leads: &[LeadPosition],
    meter: &mut Meter,
) -> Option<Vec<i32>> {
    let cards = DealCards::of_hands(rules, hands);
    points_by_hands(rules, &cards, &wanted(rules, &cards, leads)?, meter)
}

/// Returns the points for seat *first* in each requested position, by a retrograde analysis by blocks.
fn points_by_blocks(
    plan: SuitPlan,
    wanted: &[WantedPosition],
    leads: &[LeadPosition],
    kept: &mut Option<LateValues>,
    meter: &mut Meter,
) -> Option<Vec<i32>> {
    let cost = Cost {
        nodes: 1 + plan.positions() / BLOCK_POSITIONS_A_NODE,
        bytes: plan.bytes(),
        time: block_time(plan.positions(), meter.threads()),
    };
    let limits = cost.pay(meter)?;
    if let Some(late) = kept
        && late.rules() == plan.rules()
        && let Some(known) = self::wanted(late.rules(), late.cards(), leads)
        && let Some(points) = late.points_for_first(&known)
    {
        return Some(points);
    }
    // The old values are freed first, so that both together do not exceed the memory limit.
    *kept = None;
    if plan.bytes_of_all_layers() > MOST_KEPT.min(limits.memory()) {
        return plan.points_for_first(wanted, &limits).ok();
    }
    kept.insert(plan.solve_all(&limits).ok()?).points_for_first(wanted)
}

/// Estimates the duration of a retrograde analysis by blocks with `threads` threads.
pub(super) fn block_time(positions: u64, threads: usize) -> Duration {
    Duration::from_nanos(positions.saturating_mul(NANOS_A_BLOCK_POSITION) / threads as u64)
}

/// Returns the points for seat *first* in each requested position, by a retrograde analysis of all pairs of hands.
fn points_by_hands(
    rules: &RuleSet,
    cards: &DealCards,
    wanted: &[WantedPosition],
    meter: &mut Meter,
) -> Option<Vec<i32>> {
    let plan = RetrogradePlan::new(rules, cards, wanted)?;
    let cost = Cost { nodes: plan.nodes(), bytes: plan.bytes, time: plan.time(meter.threads()) };
    let limits = cost.pay(meter)?;
    LayerBuilder::new(&plan, &limits).points_for_first(wanted).ok()
}

/// Cost of a retrograde analysis: the equivalent number of search nodes, the peak memory, and the time.
struct Cost {
    /// Number of nodes that a search visits in about the time of the retrograde analysis.
    nodes: u64,
    /// Peak memory of the retrograde analysis in bytes.
    bytes: u64,
    time: Duration,
}

impl Cost {
    /// Subtracts the cost of a retrograde analysis from the search nodes that `meter` still allows, and returns another meter for the
    /// analysis. The returned meter is a copy of `meter` from before the subtraction. Returns `None` and subtracts nothing if the budget is
    /// too small.
    fn pay(&self, meter: &mut Meter) -> Option<Meter> {
        let affordable = meter.nodes_left().is_none_or(|left| self.nodes <= left)
            && meter.time_left().is_none_or(|left| self.time <= left / 2);
        if self.bytes > meter.memory() || !affordable || meter.check().is_err() {
            return None;
        }
        // The retrograde analysis gets a copy of `meter` that still has nodes left, because the cost is subtracted only from `meter`
        // itself. Only the time limit and the cancel flag can therefore end the analysis.
        let limits = meter.clone();
        meter.pay(self.nodes);
        Some(limits)
    }
}

impl<'a> RetrogradePlan<'a> {
    /// Plans a retrograde analysis of the requested positions. Returns `None` if that analysis cannot solve the positions.
    fn new(rules: &'a RuleSet, cards: &'a DealCards, wanted: &[WantedPosition]) -> Option<Self> {
        let hands: BySeat<&[Card]> = BySeat::new_with(|seat| cards.cards[seat].as_slice());
        if hands.first.len().max(hands.second.len()) > MOST_CARDS {
            return None;
        }
        let sizes = || wanted.iter().map(WantedPosition::sizes);
        let largest = sizes().max_by_key(|sizes| sizes.first + sizes.second)?;
        let smallest = match (largest.first, largest.second) {
            (first, second) if first == second => BySeat { first: 0, second: 0 },
            (first, second) if first + 1 == second => BySeat { first: 1, second: 2 },
            (first, second) if first == second + 1 => BySeat { first: 2, second: 1 },
            _ => return None,
        };
        let count = (largest.first + 1).checked_sub(smallest.first)?;
        let all: Vec<_> = (0..count).map(|i| smallest.map(|size| size + i)).collect();
        // All positions of one retrograde analysis have the same difference between the two hand sizes. Before foreplacing ends, the
        // requested positions can have several differences, because either seat may hold fewer cards.
        if !sizes().all(|sizes| all.contains(&sizes)) {
            return None;
        }
        let ways = if rules.free_move() { 2 } else { 1 };
        let counts = hands.map(hand_sets::counts);
        let positions = all.iter().map(|s| counts.first[s.first] * counts.second[s.second]);
        let positions: Vec<u64> = positions.map(|positions| positions * ways).collect();
        // The memory holds at most five tables of position values at the same time, for each state of the free move. These are a solved
        // table and a new table for each leader, and one transposed table.
        let bytes = 5 * positions.iter().max().unwrap_or(&0);
        let codes = ScoreCodes::of_scores(scores(rules, cards, &all))?;
        Some(Self { rules, cards, sizes: all, positions: positions.iter().sum(), bytes, codes })
    }

    /// Returns the cost of the retrograde analysis, as the number of nodes that a search visits in
    /// about the same time.
    fn nodes(&self) -> u64 {
        1 + self.positions / POSITIONS_A_NODE
    }

    /// Estimates the duration of the retrograde analysis on a slow machine with `threads` threads.
    fn time(&self, threads: usize) -> Duration {
        let nanos = if spread::is_fast() { 4 } else { 16 };
        Duration::from_nanos(self.positions * nanos / threads as u64)
    }

    /// Returns the only seat with a foreplaced card, or `None` if neither seat or both seats have foreplaced.
    fn sole_foreplacer(&self) -> Option<Seat> {
        sole_foreplacer(self.sizes[0])
    }
}

/// Returns the only seat with a foreplaced card, or `None` if both hands have equal size. The hand of that seat is smaller than the
/// opponent's hand.
fn sole_foreplacer(sizes: BySeat<usize>) -> Option<Seat> {
    match sizes.first.cmp(&sizes.second) {
        Ordering::Less => Some(Seat::First),
        Ordering::Equal => None,
        Ordering::Greater => Some(Seat::Second),
    }
}

/// Returns the points that `seat` gets for a mate with a card worth `value` points, or 0 if the hand sizes are impossible.
fn mate_points(rules: &RuleSet, value: u16, sizes: BySeat<usize>, seat: Seat) -> i32 {
    mate_points_for_first(rules, value, sizes, seat).unwrap_or_default().abs()
}

/// Returns the scores of all mates that are possible in positions with the hand sizes in `layers`.
fn scores(rules: &RuleSet, cards: &DealCards, layers: &[BySeat<usize>]) -> Vec<i32> {
    let mut scores = Vec::new();
    for seat in Seat::BOTH {
        for lead in &cards.leads[seat] {
            let mate = |&sizes| mate_points(rules, lead.value, sizes, seat);
            scores.extend(layers.iter().map(mate));
            // If only one player foreplaced, this player plays a card again in an extra last move. The scores of mates in this move are
            // added.
            if let Some(sole) = layers.first().and_then(|sizes| sole_foreplacer(*sizes)) {
                let card = cards.cards[seat][lead.card];
                let foreplaced = BySeat::new_with(|seat| seat == sole);
                let mate = rules.mate(seat, card, rules.hand_size(), foreplaced);
                scores.push(mate.points_for_first().abs());
            }
        }
    }
    scores
}

/// Solver that executes a plan of retrograde analysis.
struct LayerBuilder<'l> {
    plan: &'l RetrogradePlan<'l>,
    meter: &'l Meter,
    hands: BySeat<HandSets>,
    pool: Pool,
}

impl<'l> LayerBuilder<'l> {
    fn new(plan: &'l RetrogradePlan<'l>, meter: &'l Meter) -> Self {
        let hands = BySeat::new_with(|seat| HandSets::new(&plan.cards.cards[seat]));
        let most = |seat: Seat| {
            let sets = plan.sizes.iter().map(|sizes| hands[seat].sets(sizes[seat]).len());
            sets.max().unwrap_or_default().next_multiple_of(BLOCK)
        };
        let pool = Pool::new(most(Seat::First), most(Seat::Second));
        Self { plan, meter, hands, pool }
    }

    /// Solves all positions of the planned retrograde analysis, and returns the points for seat *first* in each requested position.
    fn points_for_first(&mut self, wanted: &[WantedPosition]) -> Result<Vec<i32>, BudgetExhausted> {
        let mut points = vec![0; wanted.len()];
        let ways = if self.plan.rules.free_move() { 2 } else { 1 };
        let mut before: Vec<SizeGrids> = Vec::new();
        for &sizes in &self.plan.sizes {
            let layers = (0..ways).map(|way| {
                let mut grid = |seat: Seat| {
                    if before.is_empty() {
                        self.first(sizes, seat)
                    } else {
                        self.next(sizes, seat, &before, way)
                    }
                };
                Ok(BySeat { first: grid(Seat::First)?, second: grid(Seat::Second)? })
            });
            let now = layers.collect::<Result<Vec<SizeGrids>, BudgetExhausted>>()?;
            for (wanted, points) in wanted.iter().zip(&mut points) {
                if wanted.sizes() == sizes {
                    *points = self.look_up(wanted, &now);
                }
            }
            let layers = core::mem::replace(&mut before, now);
            self.pool.give_back(layers.into_iter().flat_map(|layer| [layer.first, layer.second]));
        }
        Ok(points)
    }

    fn look_up(&self, wanted: &WantedPosition, layers: &[SizeGrids]) -> i32 {
        let seat = wanted.leader;
        let number = BySeat::new_with(|seat| {
            let hand = &self.hands[seat];
            hand.number(hand.places(wanted.held[seat]))
        });
        let grid = &layers[if wanted.free { FREE } else { 0 }][seat];
        let code = score_code(grid.get(number[!seat], number[seat]));
        self.plan.codes.points(code) * seat.sign_for_first()
    }

    /// Solves the smallest positions in which `seat` leads: both hands are empty, or one hand has two cards and the
    /// other hand has one card.
    fn first(&mut self, sizes: BySeat<usize>, seat: Seat) -> Result<Grid, BudgetExhausted> {
        let Self { plan, hands, pool, .. } = self;
        let last = LastMoves { rules: plan.rules, cards: plan.cards };
        let cards = |seat: Seat, set: u32| {
            let places = hands[seat].place.iter().enumerate();
            let held = places.filter(|(_, place)| set >> **place & 1 == 1);
            held.fold(0u64, |bits, (card, _)| bits | 1 << card)
        };
        let (lanes, rows) = (hands[seat].sets(sizes[seat]), hands[!seat].sets(sizes[!seat]));
        let mut grid = pool.take(rows.len(), lanes.len())?;
        for (row, &other) in rows.iter().enumerate() {
            for (lane, &own) in lanes.iter().enumerate() {
                let set = |s: Seat| if s == seat { cards(s, own) } else { cards(s, other) };
                let points = plan
                    .sole_foreplacer()
                    .map_or(0, |sole| last.points_for_first(BySeat::new_with(set), seat, sole));
                let code = plan.codes.code(points * seat.sign_for_first());
                grid.set(row, lane, grid_code(code));
            }
        }
        Ok(grid)
    }

    /// Solves all positions with given hand sizes in which `seat` leads, from the positions with one card less in each hand.
    fn next(
        &mut self,
        sizes: BySeat<usize>,
        seat: Seat,
        before: &[SizeGrids],
        way: usize,
    ) -> Result<Grid, BudgetExhausted> {
        let leads = self.leads(sizes, seat);
        let Self { meter, hands, pool, .. } = self;
        let transposed = before.iter().map(|layer| layer[!seat].transposed(meter.threads(), pool));
        let transposed = transposed.collect::<Result<Vec<Grid>, BudgetExhausted>>()?;
        let next =
            |way: usize| Successors { own_lead: &before[way][seat], other_lead: &transposed[way] };
        let task = LayerTask {
            own: &hands[seat],
            other: &hands[!seat],
            own_size: sizes[seat],
            other_size: sizes[!seat],
            leads: &leads,
            next: next(way),
            after_free_move: (way == FREE).then(|| next(0)),
        };
        let grid = task.run(meter.threads(), pool, || Meter::clone(meter).check());
        pool.give_back(transposed);
        grid
    }

    /// Returns all possible leads from a seat's dealt hand, in the order of the cards. Identical cards count as one card. A card that may
    /// be led with a demand has two leads: without and with the demand.
    fn leads(&self, sizes: BySeat<usize>, seat: Seat) -> Vec<LeadCodes> {
        let (own, other) = (&self.hands[seat], &self.hands[!seat]);
        let mut leads = Vec::new();
        for (number, kind) in own.kinds.iter().enumerate() {
            for lead in &self.plan.cards.leads[seat] {
                if own.place[lead.card] == kind.start {
                    let mate = mate_points(self.plan.rules, lead.value, sizes, seat);
                    leads.push(LeadCodes {
                        kind: number,
                        masks: lead.masks.map(|cards| other.places(cards).into()),
                        mate: grid_code(self.plan.codes.code(mate)),
                    });
                }
            }
        }
        leads
    }
}
