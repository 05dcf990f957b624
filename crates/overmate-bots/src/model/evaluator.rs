//! Implements the evaluation function, which estimates the points of leaf positions of a search.
//!
//! With decks of up to 20 cards, the function compares each player's best prospect of a mate: the value of a card, times the score factor
//! of the move, times a weight that falls with the number of possible answers. With larger decks a mate is far away, so that the function
//! compares the weighted sums of all cards of both players.

use multiversion::multiversion;
use overmate_rules::{BySeat, Seat};
use overmate_solver::MAX_TABLE_HAND;
use overmate_solver::graph::{LeadGraph, LeadNode};

/// Weights, in units of 1/256, that a possible mate by the player who leads next has in the estimated value of a position. The index is the
/// number of the opponent's cards that can answer the card. Further weights are 0.
const LEADER: [i32; 4] = [240, 90, 30, 10];
/// Weights, in units of 1/256, that a possible mate by the player who answers the next lead has in the estimated value of a position. This
/// player must first win a move. The index is the number of the opponent's cards that can answer the card. Further weights are 0.
const FOLLOWER: [i32; 4] = [150, 50, 15, 5];

/// Weights of a card's value in a large deck, in 1/256, indexed by the number of the opponent's cards that may answer the card. Further
/// weights are 0.
///
/// The weight falls by a factor of *e* for each three answers. The weights are fitted to exact values of random
/// positions of Pinochle with 10 to 14 cards a hand.
pub(crate) const LARGE_DECK: [i32; 18] =
    [256, 183, 131, 94, 67, 48, 35, 25, 18, 13, 9, 7, 5, 3, 2, 2, 1, 1];
/// Factor that converts the sum of weighted card values in a large deck to points. The factor is fitted together with [`LARGE_DECK`].
///
/// The factor is the same for both players: with a bonus for the leader, the bot of a level would waste valuable cards to
/// keep the lead.
pub(crate) const LARGE_DECK_FACTOR: i32 = 7;

/// Evaluation function for the positions of one deal, which estimates points without a search.
pub(crate) struct Evaluator<'a> {
    graph: &'a LeadGraph,
    /// Value of each card of a seat, with a bit set of the opponent's cards that may answer a lead of the card.
    pub(crate) cards: BySeat<Vec<(i32, u64)>>,
    /// Whether the evaluation function adds up weighted values of all cards, as for a large deck, instead of taking the
    /// best prospect of a mate.
    pub(crate) is_large: bool,
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
        Self { graph, cards, is_large }
    }

    /// Returns the estimated points for seat *first* in a position before a lead.
    pub(crate) fn points_for_first(&self, node: LeadNode) -> i32 {
        let prospects = BySeat::new_with(|seat| {
            let (own, other) = (node.held[seat], node.held[!seat]);
            let weights = self.weights(seat == node.leader);
            let cards = self.cards[seat].iter().enumerate();
            let held = cards.filter(|(i, _)| own >> i & 1 == 1);
            let each =
                held.map(|(_, (value, by))| value * weight(weights, (by & other).count_ones()));
            let total = if self.is_large { each.sum() } else { each.max().unwrap_or_default() };
            total * self.factor(node.held, seat)
        });
        (prospects.first - prospects.second) / 256
    }

    /// Returns the weights of the card values of a player, who leads next or answers the next lead.
    fn weights(&self, leads_next: bool) -> &'static [i32] {
        match leads_next {
            _ if self.is_large => &LARGE_DECK,
            true => &LEADER,
            false => &FOLLOWER,
        }
    }

    /// Returns the factor that multiplies the weighted card values of a seat.
    fn factor(&self, held: BySeat<u64>, seat: Seat) -> i32 {
        if self.is_large { LARGE_DECK_FACTOR } else { self.graph.factor(held, seat) }
    }

    /// Returns an evaluation function that estimates a whole row at once: all positions with a given leader and a given
    /// hand of seat *first*. A row contains each possible hand of *second* once.
    ///
    /// Row entries have the points of [`points_for_first`](Self::points_for_first), or 0 if these exceed 16 bits.
    pub(crate) fn by_rows(&self) -> RowEvaluator<'_> {
        RowEvaluator {
            evaluator: self,
            of_first: [true, false].map(|leads| self.prospects_of_first(self.weights(leads))),
            factors: BySeat::default(),
            first_count: None,
            joined: BySeat::default(),
        }
    }

    /// Returns a table of weighted card values, with a row for each card of seat *first* and an entry for each possible hand of seat
    /// *second*. The weight depends on the number of cards in that hand that can answer the card.
    fn prospects_of_first(&self, weights: &[i32]) -> Vec<Vec<i32>> {
        let sets = 0..1_u64 << self.cards.second.len();
        let prospects = |&(value, by): &(i32, u64)| {
            sets.clone().map(|held| value * weight(weights, (by & held).count_ones())).collect()
        };
        self.cards.first.iter().map(prospects).collect()
    }
}

/// Evaluation function that estimates a whole row at once: all positions with a given leader and a given hand of seat
/// *first*. Intermediate results are kept for later rows.
pub(crate) struct RowEvaluator<'a> {
    evaluator: &'a Evaluator<'a>,
    /// Weighted value of each card of seat *first*, once for *first* as the leader and once for *first* as the
    /// follower. The weight depends on the number of possible answers. The list of a card is indexed by the hand of
    /// *second*.
    of_first: [Vec<Vec<i32>>; 2],
    /// One list of factors for each seat, indexed by the hand of *second* as a bit set. A factor multiplies the joined card values of the
    /// seat (see `joined`). The factors hold for hands of *first* with `first_count` cards.
    factors: BySeat<Vec<i32>>,
    first_count: Option<u32>,
    /// Weighted values of all cards of each seat, joined by their sum in a large deck and otherwise by their maximum, for each possible
    /// hand of *second*. The lists are overwritten for each row.
    joined: BySeat<Vec<i32>>,
}

impl RowEvaluator<'_> {
    /// Writes the estimated points for seat *first* in all positions with a given hand of *first* and a given leader.
    pub(crate) fn fill_row(&mut self, first_holds: u64, leader: Seat, row: &mut [i16]) {
        self.set_factors(first_holds.count_ones(), row.len());
        let Evaluator { cards, is_large, .. } = self.evaluator;
        let role = usize::from(leader != Seat::First);
        let weights = self.evaluator.weights(leader == Seat::Second);
        let of_first = self.of_first[role].iter().enumerate();
        let held = of_first.filter(|(card, _)| first_holds >> card & 1 == 1);
        let of_first: Vec<&[i32]> = held.map(|(_, prospects)| &prospects[..]).collect();
        let of_second = cards.second.iter();
        let of_second: Vec<i32> = of_second
            .map(|(value, by)| value * weight(weights, (by & first_holds).count_ones()))
            .collect();
        fill_row(&of_first, &of_second, *is_large, &mut self.joined, &self.factors, row);
    }

    /// Computes, for both seats, the factors that multiply the joined card values while *first* holds `first_count` cards. The factors are
    /// indexed by the hand of *second*.
    fn set_factors(&mut self, first_count: u32, lanes: usize) {
        if self.first_count == Some(first_count) {
            return;
        }
        self.first_count = Some(first_count);
        let lowest = |n: u32| (1_u64 << n) - 1;
        self.factors = BySeat::new_with(|seat| {
            let factor = |second| {
                let held = BySeat { first: lowest(first_count), second: lowest(second) };
                self.evaluator.factor(held, seat)
            };
            let by_count: Vec<i32> = (0..=lanes.trailing_zeros()).map(factor).collect();
            (0..lanes).map(|held| by_count[held.count_ones() as usize]).collect()
        });
    }
}

/// Writes the estimated points for seat *first* in all positions of a row, which has one hand of *first* and one leader.
///
/// `of_first` has the weighted value of each card that *first* holds, indexed by the cards of *second*. `of_second` has the weighted
/// value of each card of *second*. The values of a seat are added up if `is_large` is set, and otherwise the highest value counts. `joined`
/// is overwritten.
#[multiversion(targets("x86_64+avx512bw+avx512vl", "x86_64+avx2"))]
fn fill_row(
    of_first: &[&[i32]],
    of_second: &[i32],
    is_large: bool,
    joined: &mut BySeat<Vec<i32>>,
    factors: &BySeat<Vec<i32>>,
    row: &mut [i16],
) {
    for joined in [&mut joined.first, &mut joined.second] {
        joined.clear();
        joined.resize(row.len(), 0);
    }
    if is_large {
        join(of_first, of_second, joined, |a, b| a + b);
    } else {
        join(of_first, of_second, joined, i32::max);
    }
    let joined = joined.first.iter().zip(&joined.second);
    let factors = factors.first.iter().zip(&factors.second);
    for ((points, (first, second)), factors) in row.iter_mut().zip(joined).zip(factors) {
        let prospects = first * factors.0 - second * factors.1;
        *points = i16::try_from(prospects / 256).unwrap_or_default();
    }
}

/// Joins the weighted values of all cards of each seat by the function `two`, for each possible hand of *second*.
#[allow(clippy::inline_always, reason = "compiled for the vector instructions of the caller")]
#[inline(always)]
fn join(
    of_first: &[&[i32]],
    of_second: &[i32],
    joined: &mut BySeat<Vec<i32>>,
    two: impl Fn(i32, i32) -> i32,
) {
    for prospects in of_first {
        for (joined, prospect) in joined.first.iter_mut().zip(*prospects) {
            *joined = two(*joined, *prospect);
        }
    }
    for (card, prospect) in of_second.iter().enumerate() {
        // The hands of *second* whose highest card is `card` have the bit masks from `1 << card` to `(2 << card) - 1`. Each of these hands
        // is a hand with only lower cards plus `card`.
        let (lower, with_card) = joined.second.split_at_mut(1 << card);
        for (joined, rest) in with_card.iter_mut().zip(lower) {
            *joined = two(*prospect, *rest);
        }
    }
}

/// Returns the weight of a card that a given number of the opponent's cards can answer.
#[inline]
pub(crate) fn weight(weights: &[i32], answers: u32) -> i32 {
    weights.get(answers as usize).copied().unwrap_or_default()
}
