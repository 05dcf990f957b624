//! Defines the graph of all positions of a deal in which a card must be led. Each edge is a lead with its answer.

use std::sync::Arc;

use overmate_rules::{Action, BySeat, Card, CardSet, Dealt, Lead, Position, RuleSet, Seat};

use crate::deal::action_tree::{ActionTree, LeadPosition};
use crate::deal::cards::{DealCards, LeadKind, MAX_TABLE_HAND};
use crate::deal::last_moves::LastMoves;
use crate::deal::scores::MateFactors;
use crate::deal::subsets::bits;
use crate::table::build::Table;

/// Graph of all positions that can arise from two hands and in which a card must be led. Both
/// players know all cards.
///
/// Legality, mates and scores come from the rules crate, computed once for each pair of cards.
/// Tests compare every step with the rules crate.
///
/// ```
/// use overmate_rules::{Deal, Game, RuleSet};
/// use overmate_solver::graph::{LeadGraph, LeadTable};
/// let rules = RuleSet::named("bga")?.shared();
/// let deal = Deal::numbered(&rules, 20_010)?;
/// let graph = LeadGraph::of_deal(&deal);
/// let node = graph.node(Game::new(deal).position()).expect("a card is to be led");
/// assert_eq!(graph.leads(node).count(), 10);
/// let points = LeadTable::exact(&graph).get(node);
/// assert!(points.abs() <= 110);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LeadGraph {
    rules: Arc<RuleSet>,
    cards: DealCards,
    factors: MateFactors,
}

/// Node of the position graph: a lead position, in which a card must be led.
///
/// A set of cards is a bit mask over [`LeadGraph::cards`]. If a seat holds only some of several identical cards, the mask has the cards
/// with the higher numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LeadNode {
    /// Bit masks of the dealt cards that each seat still holds.
    pub held: BySeat<u64>,
    /// Seat that leads next.
    pub leader: Seat,
    /// Whether the free move (the right to answer once in rank while holding the suit) is unused.
    pub free: bool,
}

/// Possible lead at a [`LeadNode`], with or without the demand of an answer in rank. The choice borrows the masks of its answers from the
/// graph, because the masks of all leads would be large to copy and sort in a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LeadChoice<'a> {
    kind: &'a LeadKind,
}

/// Answer to a lead: the played card, and whether the answer uses the free move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnswerChoice {
    /// Index of the answering card in the follower's dealt cards.
    pub card: usize,
    /// Whether the answer uses the free move (the right to answer once in rank while holding the
    /// suit).
    pub free: bool,
}

/// Continuation of the game after a lead and its answer: the next node, or the end of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Continuation {
    /// Next position, in which the winner of the move leads.
    Lead(LeadNode),
    /// End of the game, with the final points for seat *first*.
    Over(i32),
}

impl LeadChoice<'_> {
    /// Returns the index of the led card in the leader's dealt cards.
    #[must_use]
    pub fn card(&self) -> usize {
        self.kind.card
    }
}

impl LeadGraph {
    /// Builds the graph of all positions of a deal in which a card must be led.
    #[must_use]
    pub fn of_deal(dealt: &Dealt) -> Self {
        Self::of_hands(dealt.rules(), dealt.hands())
    }

    /// Builds the graph of all positions that can arise from two hands and in which a card must be led.
    ///
    /// The graph of a late position is smaller than the graph of its deal. If the graph must also cover positions in which a foreplaced
    /// card is still in its owner's hand, the given hand must hold the card.
    #[must_use]
    pub fn of_hands(rules: &Arc<RuleSet>, hands: BySeat<CardSet>) -> Self {
        let cards = DealCards::of_hands(rules, hands);
        Self { rules: Arc::clone(rules), cards, factors: MateFactors::new(rules) }
    }

    /// Returns the rule set of the positions in the graph.
    #[must_use]
    pub fn rules(&self) -> &Arc<RuleSet> {
        &self.rules
    }

    /// Returns the cards dealt to a seat, in the order of the deck. A card's number is its index in this list.
    #[must_use]
    pub fn cards(&self, seat: Seat) -> &[Card] {
        &self.cards.cards[seat]
    }

    /// Returns the cards of both hands by index, and all leads with the legal answers to each lead.
    pub(super) fn deal_cards(&self) -> &DealCards {
        &self.cards
    }

    /// Returns a bit mask of the opponent's dealt cards that can answer a lead of `card` by `seat`.
    #[must_use]
    pub fn answered_by(&self, seat: Seat, card: usize) -> u64 {
        self.cards.answered_by(seat, card)
    }

    /// Returns the factor by which the value of a mating card of `seat` is multiplied if the seats
    /// hold the cards `held`. The factor depends only on the hand sizes and on `seat`.
    #[must_use]
    pub fn factor(&self, held: BySeat<u64>, seat: Seat) -> i32 {
        self.factors.get(held.map(u64::count_ones), seat)
    }

    /// Returns all distinct leads of a node, in the order of [`Position::legal_actions`].
    pub fn leads(&self, node: LeadNode) -> impl Iterator<Item = LeadChoice<'_>> {
        let LeadNode { held, leader, .. } = node;
        let own = self.cards.different(leader, held[leader]);
        let kinds = self.cards.leads[leader].iter();
        kinds.filter(move |kind| own >> kind.card & 1 == 1).map(|kind| LeadChoice { kind })
    }

    /// Returns the points for seat *first* if the lead gives mate, or `None` if the follower holds an answer to the
    /// lead.
    #[must_use]
    pub fn mate_for_first(&self, node: LeadNode, lead: LeadChoice<'_>) -> Option<i32> {
        if lead.kind.masks.forced(node.held[!node.leader]) != 0 {
            return None;
        }
        let factor = self.factor(node.held, node.leader);
        Some(i32::from(lead.kind.value) * factor * node.leader.sign_for_first())
    }

    /// Returns all distinct answers to a lead, in the order of [`Position::legal_actions`].
    pub fn answers(
        &self,
        node: LeadNode,
        lead: LeadChoice<'_>,
    ) -> impl Iterator<Item = AnswerChoice> + '_ {
        let (forced, by_free_move) = self.answer_masks(node, lead);
        let plain = bits(forced).map(|card| AnswerChoice { card, free: false });
        plain.chain(bits(by_free_move).map(|card| AnswerChoice { card, free: true }))
    }

    /// Returns the number of distinct answers to a lead.
    #[must_use]
    pub fn answer_count(&self, node: LeadNode, lead: LeadChoice<'_>) -> u32 {
        let (forced, by_free_move) = self.answer_masks(node, lead);
        forced.count_ones() + by_free_move.count_ones()
    }

    /// Returns the follower's distinct answers to a lead as bit masks: the answers without and with the free move.
    fn answer_masks(&self, node: LeadNode, lead: LeadChoice<'_>) -> (u64, u64) {
        let (seat, held) = (!node.leader, node.held[!node.leader]);
        let by_free_move = if node.free { lead.kind.masks.by_free_move(held) } else { 0 };
        let different = self.cards.different(seat, held);
        (lead.kind.masks.forced(held) & different, by_free_move & different)
    }

    /// Returns the next node, or the final points, after a lead and its answer.
    ///
    /// ```
    /// use overmate_rules::RuleSet;
    /// use overmate_solver::graph::{Continuation, LeadGraph, LeadTable};
    /// let rules = RuleSet::named("bga")?.shared();
    /// let position = rules.read_position("AcTcKs/Ah7cQd first -/- - -")?.validate(&rules)?;
    /// let graph = LeadGraph::of_hands(&rules, position.hands());
    /// let table = LeadTable::exact(&graph);
    /// let node = graph.node(&position).expect("a card is to be led");
    /// let points = |next| match next {
    ///     Continuation::Lead(node) => table.get(node),
    ///     Continuation::Over(points) => points,
    /// };
    /// // First chooses the best lead, and second chooses the answer that is worst for first.
    /// let values = graph.leads(node).map(|lead| {
    ///     let answers = graph.answers(node, lead);
    ///     let worst = answers.map(|answer| points(graph.next(node, lead, answer))).min();
    ///     worst.or(graph.mate_for_first(node, lead)).expect("a lead without an answer is mate")
    /// });
    /// assert_eq!(values.max(), Some(table.get(node)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn next(&self, node: LeadNode, lead: LeadChoice<'_>, answer: AnswerChoice) -> Continuation {
        let leader = node.leader;
        let winner = if lead.kind.masks.wins_over(answer.card) { leader } else { !leader };
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
            _ => {
                let free = node.free && !answer.free;
                Continuation::Lead(LeadNode { held, leader: winner, free })
            }
        }
    }

    /// Returns the exact points for seat *first* at a node where one hand has two cards and the other hand one card, or `None` at any other
    /// node. The last two moves, in which a card is repeated, begin at such a node.
    #[must_use]
    pub fn last_moves_for_first(&self, node: LeadNode) -> Option<i32> {
        self.rules.foreplacing()?;
        let sole = match node.held.map(u64::count_ones) {
            BySeat { first: 1, second: 2 } => Seat::First,
            BySeat { first: 2, second: 1 } => Seat::Second,
            BySeat { .. } => return None,
        };
        let last = LastMoves { rules: &self.rules, cards: &self.cards };
        Some(last.points_for_first(node.held, node.leader, sole))
    }

    /// Converts the lead `lead` in the position `node` to an [`Action`] of the rules crate.
    #[must_use]
    pub fn lead_action(&self, node: LeadNode, lead: LeadChoice<'_>) -> Action {
        let card = self.cards.cards[node.leader][lead.kind.card];
        Lead { card, demanded: lead.kind.demanded }.into()
    }

    /// Converts an answer to a lead in the position `node` to an [`Action`] of the rules crate.
    #[must_use]
    pub fn answer_action(&self, node: LeadNode, answer: AnswerChoice) -> Action {
        let card = self.cards.cards[!node.leader][answer.card];
        if answer.free { Action::Free(card) } else { Action::Play(card) }
    }

    /// Returns the graph node of a position in which a card must be led, or `None` for any other position.
    ///
    /// Returns `None` in a move with a repeated card, in any other phase, or if the cards are not of this graph.
    #[must_use]
    pub fn node(&self, position: &Position) -> Option<LeadNode> {
        match ActionTree::of(position) {
            ActionTree::Lead(lead) => self.node_of(&lead),
            ActionTree::Over(_) | ActionTree::Choice(..) => None,
        }
    }

    fn node_of(&self, lead: &LeadPosition) -> Option<LeadNode> {
        let bits = |seat| self.cards.bits(&self.rules, seat, lead.hands[seat]);
        let held = BySeat { first: bits(Seat::First)?, second: bits(Seat::Second)? };
        Some(LeadNode { held, leader: lead.leader, free: lead.free })
    }

    /// Returns the points for seat *first* under best play from a position. The function `points_of` must return the
    /// points for *first* of a graph node, which is a position in which the next card must be led.
    ///
    /// The players choose the best of the actions before the next lead. Returns `None` if the cards
    /// are not of this graph.
    pub fn value_for_first(
        &self,
        position: &Position,
        points_of: &mut impl FnMut(LeadNode) -> i32,
    ) -> Option<i32> {
        let mut all_known = true;
        let points = ActionTree::of(position).points_for_first(&mut |lead| {
            let node = self.node_of(lead);
            all_known &= node.is_some();
            node.map_or(0, &mut *points_of)
        });
        all_known.then_some(points)
    }

    /// Returns whether a [`LeadTable`](super::LeadTable) can store the values of all positions in this [`LeadGraph`]. The hands may be too
    /// large for the table, or a score too high for a table entry.
    #[must_use]
    pub fn fits_table(&self) -> bool {
        let most = self.cards.cards.first.len().max(self.cards.cards.second.len());
        most <= usize::from(MAX_TABLE_HAND) && Table::holds_scores_of(&self.rules)
    }
}
