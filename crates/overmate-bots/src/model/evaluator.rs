//! What a position is worth at first sight: what stands behind the last move that a level sees.
//!
//! A player who cannot see the end looks for cards that the other can no longer answer, or soon will not: a mate in view,
//! worth the card's value times the number of the move that comes. With a large deck no mate is in view for long, and he looks to
//! having the fewer cards that are hard to answer against him.

use overmate_rules::{BySeat, Seat};
use overmate_solver::{LeadGraph, LeadNode, MAX_TABLE_HAND};

/// What a card promises of a mate with it, in 256ths, by how many of the other's cards answer it.
type Promise = [i32; 5];

/// What the leader's cards promise him.
const LEADER: Promise = [240, 90, 30, 10, 0];
/// What the other's cards promise him: he must win a move first.
const OTHER: Promise = [150, 50, 15, 5, 0];

/// What a card of a large deck promises, in 256ths of its value, by how many of the other's cards answer it: e times less for
/// each three of them. Fitted, as is the next number, to exact values of random positions of Pinochle with 10 to 14 cards a hand.
const FAR_OFF: [i32; 18] = [256, 183, 131, 94, 67, 48, 35, 25, 18, 13, 9, 7, 5, 3, 2, 2, 1, 1];
/// By what that is multiplied, whoever leads: who counts more for the leader throws away dear cards to stay it.
const FAR_OFF_MOVES: i32 = 7;

/// A judge of one deal.
pub(crate) struct Judge<'a> {
    graph: &'a LeadGraph,
    /// For each card: its value, and the other's cards that answer it.
    cards: BySeat<Vec<(i32, u64)>>,
    /// Whether no mate is in view for long.
    is_large: bool,
    rows: Option<Rows>,
}

/// What one row of a table is worked out from.
struct Rows {
    /// For *first*'s cards: by the cards that *second* holds, how many of them answer the card.
    answers_left: Vec<Vec<u8>>,
}

impl<'a> Judge<'a> {
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

    /// The points that *first* can expect.
    pub(crate) fn points_for_first(&self, node: LeadNode) -> i32 {
        if self.is_large {
            return self.far_off_for_first(node.held);
        }
        let promised = BySeat::new_with(|seat| {
            let (own, other) = (node.held[seat], node.held[!seat]);
            let promise = if seat == node.leader { LEADER } else { OTHER };
            let cards = self.cards[seat].iter().enumerate();
            let held = cards.filter(|(i, _)| own >> i & 1 == 1);
            let most = held.map(|(_, (value, by))| value * promise[left(*by & other)]).max();
            most.unwrap_or_default() * self.graph.factor(node.held, seat)
        });
        (promised.first - promised.second) / 256
    }

    /// The same with a large deck.
    fn far_off_for_first(&self, held: BySeat<u64>) -> i32 {
        let promised = BySeat::new_with(|seat| {
            let (mut own, other) = (held[seat], held[!seat]);
            let mut sum = 0;
            while own != 0 {
                let (value, by) = self.cards[seat][own.trailing_zeros() as usize];
                let answers = (by & other).count_ones() as usize;
                sum += value * FAR_OFF.get(answers).copied().unwrap_or_default();
                own &= own - 1;
            }
            sum
        });
        (promised.first - promised.second) * FAR_OFF_MOVES / 256
    }

    /// The same for all sets of cards that *second* may hold.
    pub(crate) fn fill_row(&mut self, first_holds: u64, leader: Seat, free: bool, row: &mut [i16]) {
        let _ = free;
        if self.is_large {
            for (second, points) in (0..).zip(row.iter_mut()) {
                let held = BySeat { first: first_holds, second };
                *points = i16::try_from(self.far_off_for_first(held)).unwrap_or_default();
            }
            return;
        }
        let rows = self.rows.get_or_insert_with(|| Rows {
            answers_left: (self.cards.first.iter())
                .map(|(_, by)| (0..row.len() as u64).map(|held| left_small(*by & held)).collect())
                .collect(),
        });
        let (promise_first, promise_second) = match leader {
            Seat::First => (LEADER, OTHER),
            Seat::Second => (OTHER, LEADER),
        };
        let mut most_first = vec![0_i32; row.len()];
        for (card, (value, _)) in self.cards.first.iter().enumerate() {
            if first_holds >> card & 1 == 1 {
                let promise = promise_first.map(|share| value * share);
                for (most, left) in most_first.iter_mut().zip(&rows.answers_left[card]) {
                    *most = promise[usize::from(*left)].max(*most);
                }
            }
        }
        let of_second: Vec<i32> = (self.cards.second.iter())
            .map(|(value, by)| value * promise_second[left(*by & first_holds)])
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
            let promised = most_first[held] * factor.first - most_second[held] * factor.second;
            *points = i16::try_from(promised / 256).unwrap_or_default();
        }
    }
}

/// How many cards answer, and more than three are as good as any.
fn left(answers: u64) -> usize {
    usize::from(left_small(answers))
}

fn left_small(answers: u64) -> u8 {
    u8::try_from(answers.count_ones().min(4)).unwrap_or(4)
}
