//! The positions of a deal in which a card is to be led, and how they follow from one another: for whoever works on a whole deal.

use std::sync::Arc;

use overmate_rules::{Action, BySeat, Card, CardSet, Dealt, Position, RuleSet, Seat};

use crate::deal::action_tree::{ActionTree, LeadPosition};
use crate::deal::cards::{DealCards, LeadKind, bits};
use crate::deal::last_moves::{Endgame, LastMoves, mate_points_for_first};
use crate::table::rows::{Rows, to_lane};
use crate::table::{Build, MAX_TABLE_HAND, Table};

/// The leads that can come of two hands, with all cards known to both players.
///
/// Legality, mates and scores are those of the rules crate, worked out once for each pair of cards; tests compare
/// every step with it.
#[derive(Clone, Debug)]
pub struct LeadGraph {
    rules: Arc<RuleSet>,
    cards: DealCards,
    /// For each card, the identical ones before it in the same hand.
    same_before: BySeat<Vec<u64>>,
    /// For each card, the other's cards that can answer it.
    answered_by: BySeat<Vec<u64>>,
    /// What a mate counts, by the cards that *first* holds and how many more *second* does, from -1 to 1.
    factors: Vec<[BySeat<i32>; 3]>,
}

/// A position in which a card is to be led, in any move but the one with a repeated card.
///
/// Sets are bits over [`LeadGraph::cards`]. Of identical cards those with the higher numbers are held.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LeadNode {
    /// The cards held.
    pub held: BySeat<u64>,
    /// Who leads.
    pub leader: Seat,
    /// Whether the free move is still there.
    pub free: bool,
}

/// One way to lead from a [`LeadNode`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LeadChoice {
    kind: LeadKind,
    demanded: bool,
}

/// One way to answer a lead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The card, by its number in its owner's hand.
    pub card: usize,
    /// Whether it uses the free move.
    pub free: bool,
}

/// What follows a lead and its answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Continuation {
    /// The next lead.
    Lead(LeadNode),
    /// Nothing that anybody can choose: the game ends with these points for *first*. A move with a repeated card
    /// is played in it.
    Over(i32),
}

impl LeadChoice {
    /// The card, by its number in its owner's hand.
    #[must_use]
    pub fn card(&self) -> usize {
        self.kind.card
    }
}

impl LeadGraph {
    /// The graph of a deal.
    #[must_use]
    pub fn of_deal(dealt: &Dealt) -> Self {
        Self::of_hands(dealt.rules(), dealt.hands())
    }

    /// The graph of all that can come of these hands. Of a position late in a game it is smaller than that of its
    /// deal. A card that lies on the table must be among them if its owner can get it back.
    #[must_use]
    pub fn of_hands(rules: &Arc<RuleSet>, hands: BySeat<CardSet>) -> Self {
        let cards = DealCards::of_hands(rules, hands);
        let same = |own: &[Card], i: usize| {
            (0..i).filter(|&j| own[j] == own[i]).fold(0, |bits, j| bits | 1 << j)
        };
        let same_before = BySeat::new_with(|seat| {
            let own = &cards.cards[seat];
            (0..own.len()).map(|i| same(own, i)).collect()
        });
        let answered_by = BySeat::new_with(|seat| {
            let mut by = vec![0; cards.cards[seat].len()];
            for lead in &cards.leads[seat] {
                by[lead.card] = lead.meets.before | lead.meets.after;
            }
            by
        });
        let factor = |first: usize, more: usize, seat: Seat| {
            let second = (first + more).checked_sub(1)?;
            mate_points_for_first(rules, 1, BySeat { first, second }, seat).map(i32::abs)
        };
        let factors = (0..=usize::from(rules.hand_size()) + 1)
            .map(|first| {
                [0, 1, 2].map(|more| {
                    BySeat::new_with(|seat| factor(first, more, seat).unwrap_or_default())
                })
            })
            .collect();
        Self { rules: Arc::clone(rules), cards, same_before, answered_by, factors }
    }

    /// The rule set.
    #[must_use]
    pub fn rules(&self) -> &Arc<RuleSet> {
        &self.rules
    }

    /// The cards of a seat; their numbers are their places here.
    #[must_use]
    pub fn cards(&self, seat: Seat) -> &[Card] {
        &self.cards.cards[seat]
    }

    /// The cards of the other seat that can answer a card of this one, now or when nothing else can.
    #[must_use]
    pub fn answered_by(&self, seat: Seat, card: usize) -> u64 {
        self.answered_by[seat][card]
    }

    /// What the value of a card is multiplied by if this seat mates with it in the present move, whoever leads.
    #[must_use]
    pub fn factor(&self, held: BySeat<u64>, seat: Seat) -> i32 {
        let counts = held.map(u64::count_ones);
        let more = (counts.second + 1).checked_sub(counts.first).map(|more| more as usize);
        let factors = self.factors.get(counts.first as usize);
        more.and_then(|more| factors?.get(more)).map_or(0, |factors| factors[seat])
    }

    /// Every different way to lead, in the order of [`Position::legal_actions`].
    pub fn leads(&self, node: LeadNode) -> impl Iterator<Item = LeadChoice> + '_ {
        let own = node.held[node.leader];
        let same = &self.same_before[node.leader];
        let mut last = None;
        let kinds = self.cards.leads[node.leader].iter();
        let held = kinds.filter(move |k| own >> k.card & 1 == 1 && same[k.card] & own == 0);
        // A card that can be led in two ways stands twice, the second time with a demand.
        held.map(move |kind| {
            let demanded = last == Some(kind.card);
            last = Some(kind.card);
            LeadChoice { kind: *kind, demanded }
        })
    }

    /// The points for *first* if the lead gives mate.
    #[must_use]
    pub fn mate_for_first(&self, node: LeadNode, lead: LeadChoice) -> Option<i32> {
        if lead.kind.meets.forced(node.held[!node.leader]) != 0 {
            return None;
        }
        let factor = self.factor(node.held, node.leader);
        Some(i32::from(lead.kind.value) * factor * node.leader.sign_for_first())
    }

    /// Every different answer to a lead, in the order of [`Position::legal_actions`]; none if it gives mate.
    pub fn answers(&self, node: LeadNode, lead: LeadChoice) -> impl Iterator<Item = Answer> + '_ {
        let other = node.held[!node.leader];
        let forced = lead.kind.meets.forced(other);
        let by_free_move = if node.free { lead.kind.meets.by_free_move(other) } else { 0 };
        let same = &self.same_before[!node.leader];
        let different = move |card: &usize| same[*card] & other == 0;
        let plain = bits(forced).filter(different).map(|card| Answer { card, free: false });
        plain.chain(bits(by_free_move).filter(different).map(|card| Answer { card, free: true }))
    }

    /// What follows a lead and an answer to it.
    #[must_use]
    pub fn next(&self, node: LeadNode, lead: LeadChoice, answer: Answer) -> Continuation {
        let leader = node.leader;
        let wins = lead.kind.meets.beaten >> answer.card & 1 == 1;
        let winner = if wins { leader } else { !leader };
        let played =
            BySeat::new_with(|seat| if seat == leader { lead.kind.card } else { answer.card });
        let held = BySeat::new_with(|seat| node.held[seat] & !(1 << played[seat]));
        match (held.first, held.second) {
            (0, 0) => Continuation::Over(0),
            (0, _) | (_, 0) => {
                let sole = if held.first == 0 { Seat::First } else { Seat::Second };
                let left = BySeat::new_with(|seat| match held[seat] {
                    0 => played[seat],
                    rest => rest.trailing_zeros() as usize,
                });
                let last = LastMoves { rules: &self.rules, cards: &self.cards };
                Continuation::Over(last.last(left, winner, sole))
            }
            _ => Continuation::Lead(LeadNode {
                held,
                leader: winner,
                free: node.free && !answer.free,
            }),
        }
    }

    /// A lead as an action.
    #[must_use]
    pub fn lead_action(&self, node: LeadNode, lead: LeadChoice) -> Action {
        let card = self.cards.cards[node.leader][lead.kind.card];
        if lead.demanded { Action::Demand(card) } else { Action::Play(card) }
    }

    /// An answer as an action.
    #[must_use]
    pub fn answer_action(&self, node: LeadNode, answer: Answer) -> Action {
        let card = self.cards.cards[!node.leader][answer.card];
        if answer.free { Action::Free(card) } else { Action::Play(card) }
    }

    /// The node of a position in which a card is to be led; `None` in a move with a repeated card, in any other phase, or
    /// if the cards are not of this graph.
    #[must_use]
    pub fn node(&self, position: &Position) -> Option<LeadNode> {
        match ActionTree::of(position) {
            ActionTree::Lead(lead) => self.node_of(&lead),
            _ => None,
        }
    }

    fn node_of(&self, lead: &LeadPosition) -> Option<LeadNode> {
        let bits = |seat| self.cards.bits(&self.rules, seat, lead.hands[seat]);
        let held = BySeat { first: bits(Seat::First)?, second: bits(Seat::Second)? };
        Some(LeadNode { held, leader: lead.leader, free: lead.free })
    }

    /// The points for *first* of any position of these cards when those of all leads are known: the players choose
    /// the best of them in the few actions before the next lead. `None` if the cards are not of this graph.
    pub fn value_for_first(
        &self,
        position: &Position,
        known: &mut impl FnMut(LeadNode) -> i32,
    ) -> Option<i32> {
        let mut all_known = true;
        let points = ActionTree::of(position).points_for_first(&mut |lead| {
            let node = self.node_of(lead);
            all_known &= node.is_some();
            node.map_or(0, &mut *known)
        });
        all_known.then_some(points)
    }

    /// Whether there are few enough positions for a [`LeadTable`], and every score of the rules fits into one.
    #[must_use]
    pub fn fits_table(&self) -> bool {
        let most = self.cards.cards.first.len().max(self.cards.cards.second.len());
        most <= usize::from(MAX_TABLE_HAND) && Table::holds_scores_of(&self.rules)
    }
}

/// Points for *first* for every position of a [`LeadGraph`]: exact, or what somebody thinks of it.
#[derive(Clone, Debug)]
pub struct LeadTable {
    rows: Rows,
}

/// A table that begins with a judgement and sees one move further with each step.
pub struct HorizonDeepening<'a> {
    graph: &'a LeadGraph,
    table: LeadTable,
    endgame: Endgame,
    horizon: u8,
}

impl LeadTable {
    /// The exact value of every position.
    ///
    /// # Panics
    ///
    /// If the graph does not [fit a table](LeadGraph::fits_table).
    #[must_use]
    pub fn exact(graph: &LeadGraph) -> Self {
        assert!(graph.fits_table(), "the graph fits a table");
        Self { rows: Build::new(&graph.rules, &graph.cards).run() }
    }

    /// The points of a position for *first*.
    #[must_use]
    pub fn get(&self, node: LeadNode) -> i32 {
        // At most ten bits each.
        #[allow(clippy::cast_possible_truncation, reason = "a table has at most ten cards a hand")]
        let held = node.held.map(|set| set as usize);
        self.rows.get(node.free, held, node.leader).into()
    }
}

impl<'a> HorizonDeepening<'a> {
    /// Begins with a judgement. It is asked for one row at a time: given the cards of *first*, the leader and whether the
    /// free move is there, the points for *first* for each set of cards of *second*, the set being the index. Sets that no
    /// game has together may get any points; sets that differ in identical cards alone should get the same. The rows come with the sets of *first* from 1 upwards.
    ///
    /// # Panics
    ///
    /// If the graph does not [fit a table](LeadGraph::fits_table).
    pub fn new(graph: &'a LeadGraph, mut judge: impl FnMut(u64, Seat, bool, &mut [i16])) -> Self {
        assert!(graph.fits_table(), "the graph fits a table");
        let sizes = BySeat::new_with(|seat| graph.cards.cards[seat].len());
        let mut rows = Rows::new(sizes, graph.rules.free_move());
        for first_holds in 1..1_usize << sizes.first {
            for leader in Seat::BOTH {
                for free in [false, true] {
                    if !free || graph.rules.free_move() {
                        let row = rows.row_mut(free, first_holds, leader);
                        judge(first_holds as u64, leader, free, &mut row[..1 << sizes.second]);
                        // Who holds nothing plays nothing.
                        row[0] = 0;
                    }
                }
            }
        }
        // Two cards against one are seen to the end at once.
        let endgame = Endgame::new(&graph.rules, &graph.cards);
        for first in 1..1_usize << sizes.first {
            for (second, leader, points) in endgame.values(first) {
                for free in [false, true] {
                    if !free || graph.rules.free_move() {
                        rows.set(free, BySeat { first, second }, leader, to_lane(points));
                    }
                }
            }
        }
        Self { graph, table: LeadTable { rows }, endgame, horizon: 0 }
    }

    /// How many moves are seen exactly.
    #[must_use]
    pub fn horizon(&self) -> u8 {
        self.horizon
    }

    /// What is seen.
    #[must_use]
    pub fn table(&self) -> &LeadTable {
        &self.table
    }

    /// The table, when that is deep enough.
    #[must_use]
    pub fn into_table(self) -> LeadTable {
        self.table
    }

    /// Sees one move further: each position becomes the best of what followed it before.
    pub fn deepen(&mut self) {
        let rows = std::mem::take(&mut self.table.rows);
        let build = Build::with_rows(&self.graph.rules, &self.graph.cards, rows);
        self.table.rows = build.deepen(&self.endgame);
        self.horizon = self.horizon.saturating_add(1);
    }
}
