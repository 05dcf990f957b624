//! Implements null-window alpha-beta search (Knuth and Moore 1975), which bisects the score window.
//!
//! # Exactness
//!
//! Each query "does *first* get at least `asked` points?" is an alpha-beta search with a null window, as in SCOUT (Pearl 1980) and MTD(f)
//! (Plaat and others 1996). Each answer is a bound on the value. Only proved bounds are reported when the budget is exhausted.
//!
//! The transposition table stores bounds under the full position: both hands, the leader and the free move. Within one search these facts
//! determine the value of a position. A stored bound is valid for every search window, so that all queries can use the bound.
//!
//! A position is cut off without search only if no card can still score enough. A card gives no mate while the other hand holds only
//! answers to that card, and no mate comes later than the last move. Of identical cards in a hand, only the lowest-numbered card is tried.

use overmate_rules::{BySeat, CardSet, Position, RuleSet, Seat};

use super::even_suits::EvenSuits;
use super::node::SearchNode;
use super::seat_facts::SeatFacts;
use super::transposition_table::{Bounds, TranspositionTable};
use crate::budget::{BudgetExhausted, Meter};
use crate::deal::action_tree::{ActionTree, LeadPosition};
use crate::deal::cards::{DealCards, MOST_HELD};
use crate::deal::last_moves::LastMoves;
use crate::deal::scores::MateFactors;
use crate::deal::subsets::bits;
use crate::value::{Value, ValueForFirst};

/// Infinity of the search: a number above every score of any rule set.
const INFINITY: i32 = 1_000_000;

/// Node limit of the first null-window queries of a search.
const FIRST_LIMIT: u64 = 1 << 10;

/// Factor by which the node limit grows after all null-window queries have reached the limit.
const LIMIT_GROWTH: u64 = 4;

/// Functions that choose the score for the next null-window query: at 1/2, 1/3 or 2/3 of the
/// interval between the proved bounds.
const NEXT_QUERIES: [fn(i32, i32) -> i32; 3] = [
    |at_least, at_most| at_least + 1 + (at_most - at_least) / 2,
    |at_least, at_most| at_least + 1 + (at_most - at_least) / 3,
    |at_least, at_most| at_most - (at_most - at_least) / 3,
];

/// Minimum hand size of the leader for enhanced transposition cutoffs (Schaeffer and Plaat 1996).
/// The search then probes the transposition table for all successors before it searches any
/// successor.
const PROBE_FROM: u32 = 5;

/// Alpha-beta search of all positions that can arise from two hands, with a transposition table and a history table.
pub(crate) struct Search<'r> {
    rules: &'r RuleSet,
    cards: DealCards,
    facts: BySeat<SeatFacts>,
    factors: MateFactors,
    table: TranspositionTable,
    suits: EvenSuits,
    /// History table (Schaeffer 1989): the number of recent cutoffs by each answer, indexed by leader, led card and answer.
    history: BySeat<Vec<u32>>,
}

impl<'r> Search<'r> {
    /// Prepares a search of all positions that can follow a given position.
    ///
    /// The search numbers the cards in the hands of `position`. A repeated card returns to a hand
    /// only in the last move, which needs no search. `nodes` is the node limit of all calls on this search together, or `None` without a
    /// limit. The size of the transposition table depends on it.
    pub(crate) fn new(position: &'r Position, nodes: Option<u64>) -> Self {
        let rules: &RuleSet = position.rules();
        let cards = DealCards::of_hands(rules, position.hands());
        let facts = BySeat::new_with(|seat| SeatFacts::new(rules, &cards, seat));
        let suits = EvenSuits::new(&cards);
        let most = position.hands().map(CardSet::len);
        let table = TranspositionTable::new(most.first.max(most.second), nodes);
        Self {
            rules,
            cards,
            facts,
            factors: MateFactors::new(rules),
            table,
            suits,
            history: BySeat::new_with(|_| vec![0; MOST_HELD * MOST_HELD]),
        }
    }

    /// Returns the value of a position that can arise from the hands of the search: exact, or as
    /// bounds proved within the budget. `known` has bounds that are already proved.
    ///
    /// The search bisects the score window by null-window queries. Queries far from the value are cheap and fill the transposition table.
    /// The two queries next to the value cost most. Each query has a node limit. If the query in the middle of the window reaches the
    /// limit, queries nearer to the bounds follow. If all these queries reach the limit, the limit grows (iterative deepening in nodes).
    pub(crate) fn value(
        &mut self,
        position: &Position,
        known: Option<Value>,
        meter: &mut Meter,
    ) -> Value {
        let tree = ActionTree::of(position);
        let (mut at_least, mut at_most) = self.bounds(&tree);
        if let Some(known) = known {
            at_least = at_least.max(known.at_least().points());
            at_most = at_most.min(known.at_most().points());
        }
        let mut limit = FIRST_LIMIT;
        'all: while at_least < at_most {
            for choose in NEXT_QUERIES {
                while at_least < at_most {
                    let asked = choose(at_least, at_most);
                    match meter.with_node_limit(limit, |part| self.query(&tree, asked, part)) {
                        Ok(points) if points >= asked => at_least = points,
                        Ok(points) => at_most = points,
                        Err(BudgetExhausted) if meter.check().is_err() => break 'all,
                        Err(BudgetExhausted) => break,
                    }
                }
            }
            limit = limit.saturating_mul(LIMIT_GROWTH);
        }
        Value::between(ValueForFirst::new(at_least), ValueForFirst::new(at_most))
    }

    /// Returns a lower and an upper bound on the points for seat *first* at the root of an action
    /// tree, without a search.
    fn bounds(&self, tree: &ActionTree) -> (i32, i32) {
        match tree {
            ActionTree::Over(points) => (*points, *points),
            ActionTree::Lead(lead) => {
                let node = self.node(lead);
                if !node.free && self.suits.are_even(node.held()) {
                    return (0, 0);
                }
                let (own, other) = (self.most(node), self.most(node.swapped()));
                match node.leader {
                    Seat::First => (-other, own),
                    Seat::Second => (-own, other),
                }
            }
            ActionTree::Choice(seat, next) => {
                let bounds = next.iter().map(|tree| self.bounds(tree));
                let choose = |a: i32, b: i32| match seat {
                    Seat::First => a.max(b),
                    Seat::Second => a.min(b),
                };
                bounds.reduce(|a, b| (choose(a.0, b.0), choose(a.1, b.1))).unwrap_or_default()
            }
        }
    }

    /// Searches an action tree with a null window at the score `asked`, and returns a bound on the points for seat *first*. The bound is a
    /// lower bound if the result is at least `asked`, and an upper bound otherwise.
    fn query(
        &mut self,
        tree: &ActionTree,
        asked: i32,
        meter: &mut Meter,
    ) -> Result<i32, BudgetExhausted> {
        match tree {
            ActionTree::Over(points) => Ok(*points),
            ActionTree::Lead(lead) => {
                let node = self.node(lead);
                match node.leader {
                    Seat::First => self.search(node, asked - 1, asked, meter),
                    Seat::Second => Ok(-self.search(node, -asked, 1 - asked, meter)?),
                }
            }
            ActionTree::Choice(seat, next) => {
                let mut best: Option<i32> = None;
                for tree in next {
                    let points = self.query(tree, asked, meter)?;
                    let (settled, better) = match seat {
                        Seat::First => (points >= asked, best.is_none_or(|best| points > best)),
                        Seat::Second => (points < asked, best.is_none_or(|best| points < best)),
                    };
                    if better {
                        best = Some(points);
                    }
                    if settled {
                        break;
                    }
                }
                Ok(best.unwrap_or_default())
            }
        }
    }

    fn node(&self, lead: &LeadPosition) -> SearchNode {
        let held = BySeat::new_with(|seat| {
            self.cards.bits(self.rules, seat, lead.hands[seat]).unwrap_or_default()
        });
        let (own, other) = (held[lead.leader], held[!lead.leader]);
        SearchNode { own, other, leader: lead.leader, free: lead.free }
    }

    /// Returns an upper bound on the leader's final points, without a search.
    fn most(&self, node: SearchNode) -> i32 {
        let facts = &self.facts[node.leader];
        let can_mate = |&&(card, _): &&(usize, i32)| {
            let answered_by = self.cards.answered_by(node.leader, card);
            node.own >> card & 1 == 1 && node.other & !answered_by != 0
        };
        let more = 1 + node.own.count_ones() - node.other.count_ones();
        let factor = facts.most_factors[more as usize];
        facts.by_value.iter().find(can_mate).map_or(0, |(_, value)| value * factor)
    }

    /// Searches a node by fail-soft alpha-beta search with a window from `low` to `high`, in points for the leader.
    ///
    /// The result is exact inside the window, an upper bound at or below `low`, and a lower bound at or above `high`,
    /// in points for the leader.
    fn search(
        &mut self,
        node: SearchNode,
        low: i32,
        high: i32,
        meter: &mut Meter,
    ) -> Result<i32, BudgetExhausted> {
        meter.spend()?;
        let (own_count, other_count) = (node.own.count_ones(), node.other.count_ones());
        if own_count == 0 || other_count == 0 {
            return Ok(0);
        }
        if own_count != other_count && own_count + other_count == 3 {
            let sole = if own_count == 1 { node.leader } else { !node.leader };
            let last = LastMoves { rules: self.rules, cards: &self.cards };
            let points = last.points_for_first(node.held(), node.leader, sole);
            return Ok(points * node.leader.sign_for_first());
        }
        if !node.free && self.suits.are_even(node.held()) {
            return Ok(0);
        }
        let mut at_most = self.most(node);
        if at_most <= low {
            return Ok(at_most);
        }
        let mut at_least = -self.most(node.swapped());
        if at_least >= high {
            return Ok(at_least);
        }
        let key = node.key();
        if let Some(known) = self.table.get(key) {
            at_least = at_least.max(known.at_least);
            at_most = at_most.min(known.at_most);
            if at_least >= high || at_least == at_most {
                return Ok(at_least);
            }
            if at_most <= low {
                return Ok(at_most);
            }
        }
        let before = meter.spent();
        let (low, high) = (low.max(at_least), high.min(at_most));
        let best = self.best_lead(node, low, high, meter)?;
        if best < high {
            at_most = at_most.min(best);
        }
        if best > low {
            at_least = at_least.max(best);
        }
        self.table.put(key, Bounds { at_least, at_most }, meter.spent() - before);
        Ok(best.clamp(at_least, at_most))
    }

    /// Returns the leader's points after the best lead, or a bound on these points if the points
    /// are outside the search window.
    fn best_lead(
        &mut self,
        node: SearchNode,
        low: i32,
        high: i32,
        meter: &mut Meter,
    ) -> Result<i32, BudgetExhausted> {
        let counts = node.held().map(u64::count_ones);
        let (factor, own_count) = (self.factors.get(counts, node.leader), counts[node.leader]);
        let mut best = -INFINITY;
        // Leads with few answers come first, because they leave the follower the least choice. The lowest 8 bits of an entry are the index
        // of the lead.
        let lead_of = |entry: u32| (entry & 0xff) as usize;
        // A position has at most two leads for each card of the leader.
        let mut order = [0_u32; 2 * MOST_HELD];
        let mut count = 0;
        let different = self.cards.different(node.leader, node.own);
        let different_answers = self.cards.different(!node.leader, node.other);
        for (i, lead) in (0..).zip(&self.cards.leads[node.leader]) {
            if different >> lead.card & 1 == 0 {
                continue;
            }
            let answers = lead.masks.forced(node.other);
            if answers == 0 {
                best = best.max(i32::from(lead.value) * factor);
                continue;
            }
            if own_count >= PROBE_FROM {
                for answer in bits(answers & different_answers) {
                    let wins = lead.masks.wins_over(answer);
                    self.table.prefetch(node.after(lead.card, answer, wins, node.free).key());
                }
            }
            let lost = (answers & !lead.masks.beaten()).count_ones();
            order[count] = (answers.count_ones() * 4 + lost) << 8 | i;
            count += 1;
        }
        order[..count].sort_unstable();
        if own_count >= PROBE_FROM {
            let mut left = 0;
            for at in 0..count {
                let bounds = self.probe_lead(node, lead_of(order[at]), low);
                if bounds.at_least >= high {
                    return Ok(bounds.at_least);
                }
                if bounds.at_most <= low {
                    best = best.max(bounds.at_most);
                } else {
                    order[left] = order[at];
                    left += 1;
                }
            }
            count = left;
        }
        for &entry in &order[..count] {
            if best >= high {
                break;
            }
            let worst = self.worst_answer(node, lead_of(entry), low.max(best), high, meter)?;
            best = best.max(worst);
        }
        Ok(best)
    }

    /// Looks up, in the transposition table, bounds on the leader's points after a lead. The lookups stop as soon as an answer holds the
    /// leader to at most `low` points.
    fn probe_lead(&self, node: SearchNode, lead: usize, low: i32) -> Bounds {
        let lead = &self.cards.leads[node.leader][lead];
        let mut bounds = Bounds { at_least: INFINITY, at_most: INFINITY };
        let by_free_move = if node.free { lead.masks.by_free_move(node.other) } else { 0 };
        let different = self.cards.different(!node.leader, node.other);
        for (answers, free) in [(lead.masks.forced(node.other), node.free), (by_free_move, false)] {
            for answer in bits(answers & different) {
                let wins = lead.masks.wins_over(answer);
                let next = node.after(lead.card, answer, wins, free);
                let known = self.table.get(next.key());
                let known = known.unwrap_or(Bounds { at_least: -INFINITY, at_most: INFINITY });
                let known = if wins { known } else { known.swapped() };
                bounds.at_least = bounds.at_least.min(known.at_least);
                bounds.at_most = bounds.at_most.min(known.at_most);
                if bounds.at_most <= low {
                    return bounds;
                }
            }
        }
        bounds
    }

    /// Returns the leader's points after the follower's best answer to a lead, or a bound on these points if the points
    /// are outside the search window.
    fn worst_answer(
        &mut self,
        node: SearchNode,
        lead: usize,
        low: i32,
        high: i32,
        meter: &mut Meter,
    ) -> Result<i32, BudgetExhausted> {
        let lead = &self.cards.leads[node.leader][lead];
        let (card, beaten) = (lead.card, lead.masks.beaten());
        let different = self.cards.different(!node.leader, node.other);
        let forced = lead.masks.forced(node.other) & different;
        let by_free_move = if node.free { lead.masks.by_free_move(node.other) } else { 0 };
        let mut order = [0_u64; MOST_HELD];
        let mut count = 0;
        // Answers with many recent cutoffs come first. Among answers with equal counts, the answers that win the move come first. The upper
        // 32 bits of an entry hold a number that falls with the cutoffs. Below it are the place before the sort, the answer, and whether
        // the free move is still unused after the answer.
        let answers = bits(forced & !beaten).chain(bits(forced & beaten));
        let answers = answers.map(|answer| (answer, node.free));
        let by_free_move = bits(by_free_move & different).map(|answer| (answer, false));
        for (answer, free) in answers.chain(by_free_move) {
            let often = self.history[node.leader][card * MOST_HELD + answer];
            let seldom = u64::from(u32::MAX - often);
            order[count] =
                seldom << 32 | (count as u64) << 16 | (answer as u64) << 1 | u64::from(free);
            count += 1;
        }
        order[..count].sort_unstable();
        let mut worst = INFINITY;
        for &entry in &order[..count] {
            let (answer, free) = ((entry >> 1 & 0x7fff) as usize, entry & 1 == 1);
            let wins = beaten >> answer & 1 == 1;
            let next = node.after(card, answer, wins, free);
            let high = high.min(worst);
            let points = if wins {
                self.search(next, low, high, meter)?
            } else {
                -self.search(next, -high, -low, meter)?
            };
            worst = worst.min(points);
            let often = &mut self.history[node.leader][card * MOST_HELD + answer];
            if worst <= low {
                *often = often.saturating_add(1);
                break;
            }
            *often -= *often / 8;
        }
        Ok(worst)
    }
}
