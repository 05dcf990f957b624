//! RetrogradePlan positions of large decks, worked out from the end of the game: all that can follow, one layer after another.
//!
//! A layer holds all positions with so many cards in each hand. It follows from the layer with one card less, so two are
//! kept at a time. When a card is led, what can answer it depends on the other's cards alone: so a row holds all sets of the
//! leader for one set of the other, and is the least of the rows that the answers lead to, lane by lane. Only the led card changes
//! the lanes, and sets that are neighbours without it often are with it. Both seats need rows of their own, so each layer is
//! turned once.

mod hand_sets;
mod layer;
mod spread;
#[cfg(test)]
mod tests;

use core::cmp::Ordering;
use core::time::Duration;

use overmate_rules::{BySeat, Card, CardSet, RuleSet, Seat};

use crate::budget::{BudgetExhausted, Meter};
use crate::deal::action_tree::LeadPosition;
use crate::deal::cards::DealCards;
use crate::deal::last_moves::{LastMoves, mate_points_for_first};
use hand_sets::{Hand, MOST_CARDS};
use layer::{DRAW, Grid, LayerTask, MOST_SCORES, Pool, Successors};

/// All that can come of two hands.
struct RetrogradePlan<'a> {
    rules: &'a RuleSet,
    cards: &'a DealCards,
    /// The sizes of the hands, from the smallest: both grow by one card from one to the next.
    sizes: Vec<BySeat<usize>>,
    /// How many positions there are, whoever leads.
    positions: u64,
    /// Bytes that are needed at a time.
    bytes: u64,
}

/// The positions that each seat leads, as he sees them.
type Layer = BySeat<Grid>;

/// The number of the layer with a free move left; the one without it is 0.
const FREE: usize = 1;

/// A position in which a card is to be led: the sets are bits over the cards of each hand.
struct Wanted {
    held: BySeat<u64>,
    leader: Seat,
    free: bool,
}

impl Wanted {
    /// How many cards each holds.
    fn sizes(&self) -> BySeat<usize> {
        self.held.map(|set| set.count_ones() as usize)
    }
}

/// Positions that take about as long as a node of a search.
const POSITIONS_A_NODE: u64 = 200;

/// The points for *first* of leads that follow from two hands, in their order; `None` if so much cannot be worked out at all or within the
/// budget. It takes all of what it needs or nothing.
pub(crate) fn points_for_first(
    rules: &RuleSet,
    hands: BySeat<CardSet>,
    leads: &[LeadPosition],
    meter: &mut Meter,
) -> Option<Vec<i32>> {
    let cards = DealCards::of_hands(rules, hands);
    let wanted = leads.iter().map(|lead| {
        let first = cards.bits(rules, Seat::First, lead.hands.first)?;
        let second = cards.bits(rules, Seat::Second, lead.hands.second)?;
        Some(Wanted { held: BySeat { first, second }, leader: lead.leader, free: lead.free })
    });
    let wanted: Vec<Wanted> = wanted.collect::<Option<_>>()?;
    let late = RetrogradePlan::plan(rules, &cards, &wanted)?;
    let affordable = meter.nodes_left().is_none_or(|left| late.nodes() <= left)
        && meter.time_left().is_none_or(|left| late.time(meter.threads()) <= left / 2);
    if late.bytes > meter.memory() || !affordable || meter.check().is_err() {
        return None;
    }
    // Once it is paid for, only time and the flag end it.
    let progress = meter.clone();
    meter.pay(late.nodes());
    LayerBuilder::new(&late, &progress).points_for_first(&wanted).ok()
}

impl<'a> RetrogradePlan<'a> {
    /// What it takes; `None` if it cannot be done.
    fn plan(rules: &'a RuleSet, cards: &'a DealCards, wanted: &[Wanted]) -> Option<Self> {
        let hands: BySeat<&[Card]> = BySeat::new_with(|seat| cards.cards[seat].as_slice());
        if hands.first.len().max(hands.second.len()) > MOST_CARDS {
            return None;
        }
        let sizes = || wanted.iter().map(Wanted::sizes);
        let largest = sizes().max_by_key(|sizes| sizes.first + sizes.second)?;
        let smallest = match (largest.first, largest.second) {
            (first, second) if first == second => BySeat { first: 0, second: 0 },
            (first, second) if first + 1 == second => BySeat { first: 1, second: 2 },
            (first, second) if first == second + 1 => BySeat { first: 2, second: 1 },
            _ => return None,
        };
        let count = (largest.first + 1).checked_sub(smallest.first)?;
        let all: Vec<_> = (0..count).map(|i| smallest.map(|size| size + i)).collect();
        // Before somebody may foreplace it is open who will hold more.
        if !sizes().all(|sizes| all.contains(&sizes)) {
            return None;
        }
        let ways = if rules.free_move() { 2 } else { 1 };
        let counts = hands.map(hand_sets::counts);
        let positions = all.iter().map(|s| counts.first[s.first] * counts.second[s.second]);
        let positions: Vec<u64> = positions.map(|positions| positions * ways).collect();
        // Each position is led by either seat. What was known before is kept, and turned for one seat at a time.
        let bytes = 5 * positions.iter().max().unwrap_or(&0);
        let late = Self { rules, cards, sizes: all, positions: positions.iter().sum(), bytes };
        (late.scores().len() <= MOST_SCORES).then_some(late)
    }

    /// How many nodes of a search take about as long.
    fn nodes(&self) -> u64 {
        1 + self.positions / POSITIONS_A_NODE
    }

    /// How long it takes, on a slow machine.
    fn time(&self, threads: usize) -> Duration {
        let nanos = if spread::is_fast() { 4 } else { 16 };
        Duration::from_nanos(self.positions * nanos / threads as u64)
    }

    /// The points that a mate can bring, from the least.
    fn scores(&self) -> Vec<i32> {
        let mut scores = Vec::new();
        for seat in Seat::BOTH {
            for lead in &self.cards.leads[seat] {
                scores.extend(self.sizes.iter().map(|&sizes| self.mate(lead.value, sizes, seat)));
                // That of the move with a repeated card.
                if let Some(sole) = self.sole_foreplacer() {
                    let card = self.cards.cards[seat][lead.card];
                    let foreplaced = BySeat::new_with(|seat| seat == sole);
                    let mate = self.rules.mate(seat, card, self.rules.hand_size(), foreplaced);
                    scores.push(mate.points_for_first().abs());
                }
            }
        }
        scores.sort_unstable();
        scores.dedup();
        scores
    }

    /// Who alone has foreplaced, if one has: he holds one card less.
    fn sole_foreplacer(&self) -> Option<Seat> {
        let BySeat { first, second } = self.sizes[0];
        match first.cmp(&second) {
            Ordering::Less => Some(Seat::First),
            Ordering::Equal => None,
            Ordering::Greater => Some(Seat::Second),
        }
    }

    /// The points of a mate for who gives it.
    fn mate(&self, value: u16, sizes: BySeat<usize>, seat: Seat) -> i32 {
        mate_points_for_first(self.rules, value, sizes, seat).unwrap_or_default().abs()
    }
}

/// The layers, while they are worked out.
struct LayerBuilder<'l> {
    late: &'l RetrogradePlan<'l>,
    meter: &'l Meter,
    hands: BySeat<Hand>,
    scores: Vec<i32>,
    pool: Pool,
}

impl<'l> LayerBuilder<'l> {
    fn new(late: &'l RetrogradePlan<'l>, meter: &'l Meter) -> Self {
        let hands = BySeat::new_with(|seat| Hand::new(&late.cards.cards[seat]));
        let most = |seat: Seat| {
            let sets = late.sizes.iter().map(|sizes| hands[seat].sets(sizes[seat]).len());
            sets.max().unwrap_or_default().next_multiple_of(layer::BLOCK)
        };
        let pool = Pool::new(most(Seat::First), most(Seat::Second));
        Self { late, meter, hands, scores: late.scores(), pool }
    }

    /// The points for *first* of each position wanted.
    fn points_for_first(&mut self, wanted: &[Wanted]) -> Result<Vec<i32>, BudgetExhausted> {
        let mut points = vec![0; wanted.len()];
        let ways = if self.late.rules.free_move() { 2 } else { 1 };
        let mut before: Vec<Layer> = Vec::new();
        for &sizes in &self.late.sizes {
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
            let now = layers.collect::<Result<Vec<Layer>, BudgetExhausted>>()?;
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

    fn look_up(&self, wanted: &Wanted, layers: &[Layer]) -> i32 {
        let seat = wanted.leader;
        let number = BySeat::new_with(|seat| {
            let hand = &self.hands[seat];
            hand.number(hand.places(wanted.held[seat]))
        });
        let grid = &layers[if wanted.free { FREE } else { 0 }][seat];
        decode(&self.scores, grid.get(number[!seat], number[seat])) * seat.sign_for_first()
    }

    /// The positions of the end of the game that a seat leads: nothing is held, or one card is played twice.
    fn first(&mut self, sizes: BySeat<usize>, seat: Seat) -> Result<Grid, BudgetExhausted> {
        let Self { late, hands, scores, pool, .. } = self;
        let last = LastMoves { rules: late.rules, cards: late.cards };
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
                let points = late
                    .sole_foreplacer()
                    .map_or(0, |sole| last.points_for_first(BySeat::new_with(set), seat, sole));
                grid.set(row, lane, code(scores, points * seat.sign_for_first()));
            }
        }
        Ok(grid)
    }

    /// The positions with a card more in each hand that a seat leads.
    fn next(
        &mut self,
        sizes: BySeat<usize>,
        seat: Seat,
        before: &[Layer],
        way: usize,
    ) -> Result<Grid, BudgetExhausted> {
        let leads = self.leads(sizes, seat);
        let Self { meter, hands, pool, .. } = self;
        let turned = before.iter().map(|layer| layer[!seat].turned(meter.threads(), pool));
        let turned = turned.collect::<Result<Vec<Grid>, BudgetExhausted>>()?;
        let next =
            |way: usize| Successors { own_lead: &before[way][seat], other_lead: &turned[way] };
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
        pool.give_back(turned);
        grid
    }

    /// What a seat can lead with, by kind.
    fn leads(&self, sizes: BySeat<usize>, seat: Seat) -> Vec<layer::LeadCodes> {
        let (own, other) = (&self.hands[seat], &self.hands[!seat]);
        let mut leads = Vec::new();
        for (number, kind) in own.kinds.iter().enumerate() {
            for lead in &self.late.cards.leads[seat] {
                if own.place[lead.card] == kind.start {
                    leads.push(layer::LeadCodes {
                        kind: number,
                        before: other.places(lead.meets.before),
                        after: other.places(lead.meets.after),
                        beaten: other.places(lead.meets.beaten),
                        mate: code(&self.scores, self.late.mate(lead.value, sizes, seat)),
                    });
                }
            }
        }
        leads
    }
}

/// The code of points for who sees them.
fn code(scores: &[i32], points: i32) -> u8 {
    if points == 0 {
        return DRAW;
    }
    let place = scores.partition_point(|&score| score < points.abs());
    let code = DRAW + 1 + u8::try_from(place).unwrap_or_default();
    if points < 0 { !code } else { code }
}

fn decode(scores: &[i32], code: u8) -> i32 {
    let points = |code: u8| match code.checked_sub(DRAW + 1) {
        Some(place) => scores[usize::from(place)],
        None => 0,
    };
    if code < DRAW { -points(!code) } else { points(code) }
}
