//! Estimates all positions after the next move from one position of a large deck, faster than each position alone.

use multiversion::multiversion;
use overmate_rules::{BySeat, Seat};
use overmate_solver::for_bots::{MOST_HELD, bits};
use overmate_solver::graph::LeadNode;

use crate::model::evaluator::{Evaluator, LARGE_DECK, LARGE_DECK_FACTOR, weight};

/// Evaluation function for the positions after the next move from a given position of a large deck.
///
/// A move takes one card from each hand. The terms of the two cards are then omitted. The term of each card that one of the two cards can
/// answer increases or stays equal. The function therefore adds differences to the estimate of the given position. The results equal
/// those of [`Evaluator::points_for_first`].
pub(crate) struct NextMoveEvaluator<'a> {
    evaluator: &'a Evaluator<'a>,
    /// Bit mask of a seat's dealt cards that a certain card of the opponent can answer, for each dealt card of the opponent.
    answered_by: BySeat<Vec<u64>>,
    held: BySeat<u64>,
    leader: Seat,
    terms: BySeat<Terms>,
    /// Increase of the sum of a seat's terms when the opponent plays a certain card, for each dealt card of the opponent. An entry is
    /// `None` before its first use.
    increases: BySeat<[Option<i32>; MOST_HELD]>,
}

/// Terms of the estimate of a position: the weighted values of the cards that one seat holds, in units of 1/256.
#[derive(Default)]
struct Terms {
    sum: i32,
    /// Weighted value of each held card, indexed by the card's number in the dealt hand.
    of_cards: [i32; MOST_HELD],
    /// Increase of each held card's weighted value when the opponent plays one of the possible answers to the card.
    increases: [i32; MOST_HELD],
}

impl<'a> NextMoveEvaluator<'a> {
    /// Prepares the estimates of positions of a large deck. [`start`](Self::start) sets the position before the move.
    pub(crate) fn new(evaluator: &'a Evaluator<'a>) -> Self {
        let answered_by = BySeat::new_with(|seat: Seat| {
            let by = |answer: usize| {
                let own = evaluator.cards[seat].iter().enumerate();
                own.fold(0, |set, (card, (_, answers))| set | (answers >> answer & 1) << card)
            };
            (0..evaluator.cards[!seat].len()).map(by).collect()
        });
        Self {
            evaluator,
            answered_by,
            held: BySeat::default(),
            leader: Seat::First,
            terms: BySeat::default(),
            increases: BySeat::default(),
        }
    }

    /// Returns whether [`start`](Self::start) accepts a position: each seat must hold at least three cards. With fewer cards, the game may
    /// be over after the move, or the points after the move may be known exactly.
    pub(crate) fn can_start(node: LeadNode) -> bool {
        let at_least_three = |held: u64| {
            let one_less = held & held.wrapping_sub(1);
            one_less & one_less.wrapping_sub(1) != 0
        };
        at_least_three(node.held.first) && at_least_three(node.held.second)
    }

    /// Sets the position before the move.
    pub(crate) fn start(&mut self, node: LeadNode) {
        (self.held, self.leader) = (node.held, node.leader);
        for seat in Seat::BOTH {
            let cards = &self.evaluator.cards[seat];
            set_terms(cards, node.held[seat], node.held[!seat], &mut self.terms[seat]);
            self.increases[seat] = [None; MOST_HELD];
        }
    }

    /// Returns the estimated points for the leader after a lead with its answer. Both cards are given by their numbers in the dealt hands.
    pub(crate) fn points_for_leader(&mut self, led: usize, answer: usize) -> i32 {
        let leads = self.sum_after(self.leader, led, answer);
        let follows = self.sum_after(!self.leader, answer, led);
        (leads - follows) * LARGE_DECK_FACTOR / 256
    }

    /// Returns the sum of a seat's terms after a move in which the seat plays the card `own` and the opponent plays the card `other`.
    fn sum_after(&mut self, seat: Seat, own: usize, other: usize) -> i32 {
        let Terms { sum, of_cards, increases } = &self.terms[seat];
        let answered = self.answered_by[seat][other];
        let increase = *self.increases[seat][other].get_or_insert_with(|| {
            bits(answered & self.held[seat]).map(|card| increases[card % MOST_HELD]).sum()
        });
        let played = of_cards[own] + if answered >> own & 1 == 1 { increases[own] } else { 0 };
        sum + increase - played
    }
}

/// Computes the terms of one seat's cards. The bit mask `own` has the cards of the seat, and the bit mask `opponent` those of the opponent.
///
/// `cards` has the value of each dealt card of the seat, with a bit mask of the opponent's cards that can answer a lead of the card.
#[multiversion(targets("x86_64+popcnt+bmi1"))]
fn set_terms(cards: &[(i32, u64)], own: u64, opponent: u64, terms: &mut Terms) {
    terms.sum = 0;
    for card in bits(own) {
        // The remainder of the division by `MOST_HELD` changes nothing, because a hand has fewer cards. It saves an index check.
        let card = card % MOST_HELD;
        let (value, answers) = cards[card];
        let answers = (answers & opponent).count_ones();
        let term = value * weight(&LARGE_DECK, answers);
        terms.sum += term;
        terms.of_cards[card] = term;
        terms.increases[card] = value * weight(&LARGE_DECK, answers.saturating_sub(1)) - term;
    }
}

#[cfg(test)]
mod tests {
    use overmate_rules::{DealSource as _, Position, RuleSet, SeededDeals};
    use overmate_solver::graph::{Continuation, LeadGraph};

    use super::*;

    #[test]
    fn estimates_after_a_move_equal_those_of_the_position_itself() {
        let rules = RuleSet::named("bga+pinochle").expect("a rule set").shared();
        let mut count = 0;
        let mut deals = SeededDeals::new(5);
        for dealt in (0..6).map(|_| deals.next_deal(&rules)) {
            let graph = LeadGraph::of_deal(&dealt);
            let evaluator = Evaluator::new(&graph);
            let mut next_move = NextMoveEvaluator::new(&evaluator);
            let mut node = graph.node(&Position::start(&dealt)).expect("a lead");
            while NextMoveEvaluator::can_start(node) {
                next_move.start(node);
                let mut after = None;
                for lead in graph.leads(node) {
                    for answer in graph.answers(node, lead) {
                        let Continuation::Lead(next) = graph.next(node, lead, answer) else {
                            panic!("no game ends while both seats hold two cards");
                        };
                        let expected =
                            evaluator.points_for_first(next) * node.leader.sign_for_first();
                        let found = next_move.points_for_leader(lead.card(), answer.card);
                        assert_eq!(found, expected, "{node:?} {lead:?} {answer:?}");
                        count += 1;
                        // The played move is the last move whose number is a multiple of seven, so that the suits become uneven.
                        if count % 7 == 0 || after.is_none() {
                            after = Some(next);
                        }
                    }
                }
                let Some(next) = after else { break };
                node = next;
            }
        }
        assert!(count > 4_000, "{count}");
    }
}
