//! Implements the evaluation function, which estimates the points of a position at the search horizon.
//!
//! Up to 20 cards, each player gets the best prospect of a mate: the value of a card that few of the opponent's cards answer, times the
//! score factor of the move. With larger decks a mate is far away, and the function compares the sums of all hard-to-answer cards.

use overmate_rules::{BySeat, Seat};
use overmate_solver::MAX_TABLE_HAND;
use overmate_solver::graph::{LeadGraph, LeadNode};

/// Weights of a possible mate, in 256ths of its points, by the number of the opponent's answers (at
/// most 4).
type MateWeights = [i32; 5];

/// Weights of a possible mate by the leader, in 256ths of its points, by the number of the
/// opponent's answers.
const LEADER: MateWeights = [240, 90, 30, 10, 0];
/// Weights of a possible mate by the follower, in 256ths of its points, by the number of the
/// opponent's answers. The follower must first win a move.
const FOLLOWER: MateWeights = [150, 50, 15, 5, 0];

/// Weights of a card in a large deck, in 256ths of its value, by the number of the opponent's
/// answers.
///
/// The weight falls by a factor of *e* for each three answers. The weights are fitted to exact values of random
/// positions of Pinochle with 10 to 14 cards a hand.
const LARGE_DECK: [i32; 18] = [256, 183, 131, 94, 67, 48, 35, 25, 18, 13, 9, 7, 5, 3, 2, 2, 1, 1];
/// Factor that turns the weighted card values of a large deck into points, fitted together with [`LARGE_DECK`].
///
/// The factor is the same for both players: a bonus for the leader would make a level waste valuable cards to keep the lead.
const LARGE_DECK_FACTOR: i32 = 7;

/// Evaluation function for the positions of one deal, which estimates points without a search.
pub(crate) struct Evaluator<'a> {
    graph: &'a LeadGraph,
    /// Value of each card of a seat, with a bit set of the opponent's cards that answer a lead of the card.
    cards: BySeat<Vec<(i32, u64)>>,
    /// Whether the evaluation function sums over all cards, as for a large deck, rather than taking
    /// the best mate.
    is_large: bool,
    rows: Option<AnswerCounts>,
}

/// Numbers of answers to each card, which [`Evaluator::fill_row`] computes in advance.
struct AnswerCounts {
    /// Number of answers by seat *second* (at most 4) to each card of *first*, indexed by the hand
    /// of *second*.
    answers_left: Vec<Vec<u8>>,
}

impl<'a> Evaluator<'a> {
    /// Creates the evaluation function for the positions of a deal.
    pub(crate) fn new(graph: &'a LeadGraph) -> Self {
        let cards = BySeat::new_with(|seat| {
            let deck = graph.rules().deck();
            let card =
                |(i, card): (usize, &_)| (i32::from(deck.value(*card)), graph.answered_by(seat, i));
            graph.cards(seat).iter().enumerate().map(card).collect()
        });
        let is_large = graph.rules().hand_size() > MAX_TABLE_HAND;
        Self { graph, cards, is_large, rows: None }
    }

    /// Returns the estimated points for seat *first* of a position in which a card is to be led.
    pub(crate) fn points_for_first(&self, node: LeadNode) -> i32 {
        if self.is_large {
            return self.large_deck_points_for_first(node.held);
        }
        let prospects = BySeat::new_with(|seat| {
            let (own, other) = (node.held[seat], node.held[!seat]);
            let weights = if seat == node.leader { LEADER } else { FOLLOWER };
            let cards = self.cards[seat].iter().enumerate();
            let held = cards.filter(|(i, _)| own >> i & 1 == 1);
            let most = held.map(|(_, (value, by))| value * weights[left(*by & other)]).max();
            most.unwrap_or_default() * self.graph.factor(node.held, seat)
        });
        (prospects.first - prospects.second) / 256
    }

    /// Returns the estimated points for seat *first* of a position in a large deck, given the cards that both seats hold.
    fn large_deck_points_for_first(&self, held: BySeat<u64>) -> i32 {
        let prospects = BySeat::new_with(|seat| {
            let (mut own, other) = (held[seat], held[!seat]);
            let mut sum = 0;
            while own != 0 {
                let (value, by) = self.cards[seat][own.trailing_zeros() as usize];
                let answers = (by & other).count_ones() as usize;
                sum += value * LARGE_DECK.get(answers).copied().unwrap_or_default();
                own &= own - 1;
            }
            sum
        });
        (prospects.first - prospects.second) * LARGE_DECK_FACTOR / 256
    }

    /// Writes the estimated points for seat *first* in all positions with a given hand of *first*.
    pub(crate) fn fill_row(&mut self, first_holds: u64, leader: Seat, free: bool, row: &mut [i16]) {
        let _ = free;
        if self.is_large {
            for (second, points) in (0..).zip(row.iter_mut()) {
                let held = BySeat { first: first_holds, second };
                *points = i16::try_from(self.large_deck_points_for_first(held)).unwrap_or_default();
            }
            return;
        }
        let rows = self.rows.get_or_insert_with(|| AnswerCounts {
            answers_left: (self.cards.first.iter())
                .map(|(_, by)| (0..row.len() as u64).map(|held| left_small(*by & held)).collect())
                .collect(),
        });
        let (weights_first, weights_second) = match leader {
            Seat::First => (LEADER, FOLLOWER),
            Seat::Second => (FOLLOWER, LEADER),
        };
        let mut most_first = vec![0_i32; row.len()];
        for (card, (value, _)) in self.cards.first.iter().enumerate() {
            if first_holds >> card & 1 == 1 {
                let weights = weights_first.map(|share| value * share);
                for (most, left) in most_first.iter_mut().zip(&rows.answers_left[card]) {
                    *most = weights[usize::from(*left)].max(*most);
                }
            }
        }
        let of_second: Vec<i32> = (self.cards.second.iter())
            .map(|(value, by)| value * weights_second[left(*by & first_holds)])
            .collect();
        let mut most_second = vec![0_i32; row.len()];
        for held in 1..row.len() {
            let rest = most_second[held & (held - 1)];
            most_second[held] = rest.max(of_second[held.trailing_zeros() as usize]);
        }
        let size = first_holds.count_ones();
        let factors: Vec<BySeat<i32>> = (0..=row.len().trailing_zeros())
            .map(|second| {
                let lowest = |n: u32| (1_u64 << n) - 1;
                let held = BySeat { first: lowest(size), second: lowest(second) };
                BySeat::new_with(|seat| self.graph.factor(held, seat))
            })
            .collect();
        for (held, points) in row.iter_mut().enumerate() {
            let factor = factors[held.count_ones() as usize];
            let prospects = most_first[held] * factor.first - most_second[held] * factor.second;
            *points = i16::try_from(prospects / 256).unwrap_or_default();
        }
    }
}

/// Returns the number of cards in a set, or 4 for more than four cards, as an index into
/// [`MateWeights`].
fn left(answers: u64) -> usize {
    usize::from(left_small(answers))
}

/// Returns the number of cards in a set, or 4 for more than four cards.
fn left_small(answers: u64) -> u8 {
    u8::try_from(answers.count_ones().min(4)).unwrap_or(4)
}
