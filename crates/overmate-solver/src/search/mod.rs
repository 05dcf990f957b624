//! The value of a position by search: for decks that no table holds, within a budget, saying what it proved.
//!
//! # Exactness
//!
//! Questions of the form "does *first* get at least so much?" are answered by alpha-beta search with an empty
//! window. Each answer is a bound on the value, and the bounds that were proved are all that is told when
//! the budget is spent. What is known is kept under the full position: both hands, the leader and the
//! free move, which within one search tell everything; it is a bound whatever was asked, so it serves all questions. A position is cut off without search only if no card
//! can still bring enough: a card mates no one who holds nothing but cards that answer it, and in no later
//! move than the last. Of identical cards in a hand only the lowest is tried.

use overmate_rules::{BySeat, CardSet, Position, RuleSet, Seat};

mod even_suits;
mod seat_facts;
mod transposition_table;

use crate::budget::{BudgetExhausted, Meter};
use crate::deal::action_tree::{ActionTree, LeadPosition};
use crate::deal::cards::{DealCards, bits};
use crate::deal::last_moves::{LastMoves, mate_points_for_first};
use crate::value::{Value, ValueForFirst};
use even_suits::Suits;
use seat_facts::Side;
use transposition_table::{Bounds, TranspositionTable};

/// More cards than a hand can have. Each can be led in two ways, and be an answer in one.
const MOST_HELD: usize = 32;

/// More than any score.
const FAR: i32 = 1_000_000;

/// How many nodes the first questions may take, and how many times more those after them.
const FIRST_LIMIT: u64 = 1 << 10;
const LIMIT_GROWS: u64 = 4;

/// What is asked next if the value is at least one number and at most another, greater one.
const NEXT_QUESTIONS: [fn(i32, i32) -> i32; 3] = [
    |at_least, at_most| at_least + 1 + (at_most - at_least) / 2,
    |at_least, at_most| at_least + 1 + (at_most - at_least) / 3,
    |at_least, at_most| at_most - (at_most - at_least) / 3,
];

/// From so many cards of the leader on, what is known of the positions after all leads is looked up before any is searched.
const LOOK_AHEAD: u32 = 5;

/// A search under one pair of hands, with what it has found out so far.
pub(crate) struct Search<'r> {
    rules: &'r RuleSet,
    cards: DealCards,
    sides: BySeat<Side>,
    /// What a mate counts, by how many cards both hold before the lead: see [`Search::factor`].
    factors: Vec<BySeat<i32>>,
    known: TranspositionTable,
    suits: Suits,
    /// How often lately each answer was good enough against each card that the seat led.
    history: BySeat<Vec<u32>>,
}

/// A position in which a card is to be led. Sets are bits over the cards of the search.
#[derive(Clone, Copy)]
struct Node {
    own: u64,
    other: u64,
    leader: Seat,
    free: bool,
}

impl<'r> Search<'r> {
    /// Prepares a search of everything that can come of a position.
    ///
    /// The cards held there are all that will be held: a card that comes back for the last move does so only
    /// where no search is needed any more.
    pub(crate) fn new(position: &'r Position) -> Self {
        let rules: &RuleSet = position.rules();
        let cards = DealCards::of_hands(rules, position.hands());
        let factors = (0..=usize::from(rules.hand_size()) + 1)
            .flat_map(|first| (0..3).map(move |more| (first, more)))
            .map(|(first, more)| {
                let counts = (first + more).checked_sub(1);
                let counts = counts.map(|second| BySeat { first, second });
                BySeat::new_with(|seat| {
                    let points =
                        counts.and_then(|counts| mate_points_for_first(rules, 1, counts, seat));
                    points.unwrap_or_default().abs()
                })
            })
            .collect();
        let sides = BySeat::new_with(|seat| Side::new(rules, &cards, seat));
        let suits = Suits::new(&cards);
        let most = position.hands().map(CardSet::len);
        let known = TranspositionTable::for_hands_of(most.first.max(most.second));
        Self {
            rules,
            cards,
            sides,
            factors,
            known,
            suits,
            history: BySeat::new_with(|_| vec![0; MOST_HELD * MOST_HELD]),
        }
    }

    /// The value of a position of these hands, as far as the budget goes.
    ///
    /// Questions far from the value are cheap, and what they leave behind helps the next ones; the two next to the value cost most. The
    /// one in the middle of what is open tells most, unless it is too hard: so each has a limit, and those nearer to the bounds come
    /// next. When all have reached it, there is a higher one.
    pub(crate) fn value(&mut self, position: &Position, meter: &mut Meter) -> Value {
        let tree = ActionTree::of(position);
        let (mut at_least, mut at_most) = self.bounds(&tree);
        let mut limit = FIRST_LIMIT;
        'all: while at_least < at_most {
            for next in NEXT_QUESTIONS {
                while at_least < at_most {
                    let asked = next(at_least, at_most);
                    match meter.with_node_limit(limit, |part| self.ask(&tree, asked, part)) {
                        Ok(points) if points >= asked => at_least = points,
                        Ok(points) => at_most = points,
                        Err(BudgetExhausted) if meter.check().is_err() => break 'all,
                        Err(BudgetExhausted) => break,
                    }
                }
            }
            limit = limit.saturating_mul(LIMIT_GROWS);
        }
        Value::between(ValueForFirst::new(at_least), ValueForFirst::new(at_most))
    }

    /// What the points for *first* can be at least and at most, without any search.
    fn bounds(&self, tree: &ActionTree) -> (i32, i32) {
        match tree {
            ActionTree::Over(points) => (*points, *points),
            ActionTree::Lead(lead) => {
                let node = self.node(lead);
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

    /// Points for *first*: a lower bound on the value if they are at least those asked for, else an upper bound.
    fn ask(
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
                    let points = self.ask(tree, asked, meter)?;
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

    fn node(&self, lead: &LeadPosition) -> Node {
        let held = BySeat::new_with(|seat| {
            self.cards.bits(self.rules, seat, lead.hands[seat]).unwrap_or_default()
        });
        let (own, other) = (held[lead.leader], held[!lead.leader]);
        Node { own, other, leader: lead.leader, free: lead.free }
    }

    /// What the value of a card is multiplied by if the leader mates with it now.
    fn factor(&self, node: Node) -> i32 {
        let held = node.held();
        let (first, second) = (held.first.count_ones(), held.second.count_ones());
        self.factors[(first * 3 + 1 + second - first) as usize][node.leader]
    }

    /// The most points that the leader can get.
    fn most(&self, node: Node) -> i32 {
        let side = &self.sides[node.leader];
        let can_mate = |&&(card, _): &&(usize, i32)| {
            node.own >> card & 1 == 1 && node.other & !side.answered_by[card] != 0
        };
        let more = 1 + node.own.count_ones() - node.other.count_ones();
        let factor = side.most_factors[more as usize];
        side.dearest.iter().find(can_mate).map_or(0, |(_, value)| value * factor)
    }

    /// A bound on the points of the leader: exact between `low` and `high`, at most itself if it is not
    /// above `low`, at least itself if it is not below `high`.
    fn search(
        &mut self,
        node: Node,
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
        if let Some(known) = self.known.get(key) {
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
        self.known.put(key, Bounds { at_least, at_most }, meter.spent() - before);
        Ok(best.clamp(at_least, at_most))
    }

    fn best_lead(
        &mut self,
        node: Node,
        low: i32,
        high: i32,
        meter: &mut Meter,
    ) -> Result<i32, BudgetExhausted> {
        let (factor, own_count) = (self.factor(node), node.own.count_ones());
        let side = &self.sides[node.leader];
        let mut best = -FAR;
        // Leads with few answers first: they force the most.
        let mut order = [(0, 0); 2 * MOST_HELD];
        let mut count = 0;
        for (i, lead) in self.cards.leads[node.leader].iter().enumerate() {
            if node.own >> lead.card & 1 == 0 || side.same_before[lead.card] & node.own != 0 {
                continue;
            }
            let answers = lead.meets.forced(node.other);
            if answers == 0 {
                best = best.max(i32::from(lead.value) * factor);
                continue;
            }
            if own_count >= LOOK_AHEAD {
                for answer in bits(answers) {
                    let wins = lead.meets.beaten >> answer & 1 == 1;
                    self.known.fetch(node.after(lead.card, answer, wins, node.free).key());
                }
            }
            let lost = (answers & !lead.meets.beaten).count_ones();
            order[count] = (answers.count_ones() * 4 + lost, i);
            count += 1;
        }
        order[..count].sort_unstable();
        if own_count >= LOOK_AHEAD {
            let mut left = 0;
            for at in 0..count {
                let (_, i) = order[at];
                let bounds = self.after(node, i, low);
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
        for &(_, i) in &order[..count] {
            if best >= high {
                break;
            }
            best = best.max(self.worst_answer(node, i, low.max(best), high, meter)?);
        }
        Ok(best)
    }

    /// What is known of a lead without a search; of no more answers than it takes to see that it gives at most `low`.
    fn after(&self, node: Node, lead: usize, low: i32) -> Bounds {
        let lead = self.cards.leads[node.leader][lead];
        let mut bounds = Bounds { at_least: FAR, at_most: FAR };
        let by_free_move = if node.free { lead.meets.by_free_move(node.other) } else { 0 };
        for (answers, free) in [(lead.meets.forced(node.other), node.free), (by_free_move, false)] {
            for answer in bits(answers) {
                if self.sides[!node.leader].same_before[answer] & node.other != 0 {
                    continue;
                }
                let wins = lead.meets.beaten >> answer & 1 == 1;
                let next = node.after(lead.card, answer, wins, free);
                let known = self.known.get(next.key());
                let known = known.unwrap_or(Bounds { at_least: -FAR, at_most: FAR });
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

    /// The least that the other allows after a lead.
    fn worst_answer(
        &mut self,
        node: Node,
        lead: usize,
        low: i32,
        high: i32,
        meter: &mut Meter,
    ) -> Result<i32, BudgetExhausted> {
        let lead = self.cards.leads[node.leader][lead];
        let beaten = lead.meets.beaten;
        let forced = lead.meets.forced(node.other);
        let by_free_move = if node.free { lead.meets.by_free_move(node.other) } else { 0 };
        let mut order = [(0, 0, false); MOST_HELD];
        let mut count = 0;
        // Those that were good before first, and among equals those that take the lead.
        let answers = bits(forced & !beaten).chain(bits(forced & beaten));
        let answers = answers.map(|answer| (answer, node.free));
        for (answer, free) in answers.chain(bits(by_free_move).map(|answer| (answer, false))) {
            if self.sides[!node.leader].same_before[answer] & node.other == 0 {
                let often = self.history[node.leader][lead.card * MOST_HELD + answer];
                order[count] = (u32::MAX - often, answer, free);
                count += 1;
            }
        }
        order[..count].sort_by_key(|(seldom, ..)| *seldom);
        let mut worst = FAR;
        for &(_, answer, free) in &order[..count] {
            let wins = beaten >> answer & 1 == 1;
            let next = node.after(lead.card, answer, wins, free);
            let high = high.min(worst);
            let points = if wins {
                self.search(next, low, high, meter)?
            } else {
                -self.search(next, -high, -low, meter)?
            };
            worst = worst.min(points);
            let often = &mut self.history[node.leader][lead.card * MOST_HELD + answer];
            if worst <= low {
                *often = often.saturating_add(1);
                break;
            }
            *often -= *often / 8;
        }
        Ok(worst)
    }
}

impl Node {
    fn held(self) -> BySeat<u64> {
        match self.leader {
            Seat::First => BySeat { first: self.own, second: self.other },
            Seat::Second => BySeat { first: self.other, second: self.own },
        }
    }

    /// What follows a lead and its answer.
    fn after(self, card: usize, answer: usize, wins: bool, free: bool) -> Self {
        let (own, other) = (self.own & !(1 << card), self.other & !(1 << answer));
        if wins {
            Self { own, other, leader: self.leader, free }
        } else {
            Self { own: other, other: own, leader: !self.leader, free }
        }
    }

    fn key(self) -> u64 {
        TranspositionTable::key(self.held(), self.leader, self.free)
    }

    /// The same cards, led by the other.
    fn swapped(self) -> Self {
        Self { own: self.other, other: self.own, leader: !self.leader, free: self.free }
    }
}
