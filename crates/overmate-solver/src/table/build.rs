//! Builds the deal table: the values of all positions that can arise from two hands.

use overmate_rules::{BySeat, CardSet, Position, RuleSet, Seat};

use super::rows::{LaneMasks, RowTask, Rows, to_lane};
use crate::byte_table::solve::ByteTable;
use crate::deal::action_tree::ActionTree;
use crate::deal::cards::{DealCards, MAX_TABLE_HAND};
use crate::deal::last_moves::LastMovesTable;
use crate::deal::scores::mate_points_for_first;
use crate::deal::subsets::sets_of;
use crate::kernel::Kernel;
use crate::value::ValueForFirst;

/// Table of the values of all positions that can arise from two hands of at most [`MAX_TABLE_HAND`] cards.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    cards: DealCards,
    values: Values,
}

/// Points of all positions that can arise from two hands, stored as bytes where possible and otherwise as 16-bit integers.
#[derive(Clone, Debug)]
pub(crate) enum Values {
    Bytes(ByteTable),
    Words(Rows),
}

impl Values {
    /// Computes the exact points of all positions that can arise from two hands.
    pub(crate) fn exact(kernel: Kernel, rules: &RuleSet, cards: &DealCards) -> Self {
        match ByteTable::solve_all(kernel, rules, cards) {
            Some(bytes) => Self::Bytes(bytes),
            None => Self::Words(TableBuilder::new(rules, cards).run()),
        }
    }

    /// Estimates the points of all positions in which seat *first* holds `fewest` cards. The points of all positions in
    /// which *first* holds more cards are computed from these estimates. `fewest` is at least 1.
    ///
    /// The function `evaluate` gets the cards of *first*, the leader, and the row to fill. The function may be called twice for the same
    /// row.
    pub(crate) fn estimated(
        kernel: Kernel,
        rules: &RuleSet,
        cards: &DealCards,
        fewest: usize,
        mut evaluate: impl FnMut(u64, Seat, &mut [i16]),
    ) -> Self {
        match ByteTable::estimated(kernel, rules, cards, fewest, &mut evaluate) {
            Some(bytes) => Self::Bytes(bytes),
            None => Self::Words(TableBuilder::new(rules, cards).run_from(fewest, evaluate)),
        }
    }

    /// Returns the value of the position in which `leader` leads next, in points for seat *first*.
    pub(crate) fn get(&self, free: bool, held: BySeat<usize>, leader: Seat) -> i32 {
        match self {
            Self::Bytes(bytes) => bytes.get(free, held, leader),
            Self::Words(rows) => rows.get(free, held, leader).into(),
        }
    }
}

impl Table {
    /// Solves all positions that can arise from two hands.
    pub(crate) fn of_hands(kernel: Kernel, rules: &RuleSet, hands: BySeat<CardSet>) -> Self {
        let cards = DealCards::of_hands(rules, hands);
        Self { values: Values::exact(kernel, rules, &cards), cards }
    }

    /// Returns whether every score of a rule set fits in a table entry of 16 bits.
    ///
    /// With at most 20 cards every score fits, but a late mate with a high card of a larger deck may not.
    pub(crate) fn holds_scores_of(rules: &RuleSet) -> bool {
        let highest = rules.deck().ranks().iter().map(|rank| i32::from(rank.value)).max();
        // An overmate in the last move has the largest factor by which the value of a mating card can be multiplied. Such an overmate
        // counts at most one move more, and its score is at most doubled.
        let factor = 2 * (i32::from(rules.hand_size()) + 1);
        highest.unwrap_or_default() * factor < i32::from(i16::MAX)
    }

    pub(crate) fn cards(&self) -> &DealCards {
        &self.cards
    }

    /// Returns the final points for seat *first* under best play from a position.
    pub(crate) fn value_for_first(&self, position: &Position) -> ValueForFirst {
        let tree = ActionTree::of(position);
        let points = tree.points_for_first(&mut |lead| {
            let held = BySeat::new_with(|seat| {
                let bits = self.cards.bits(position.rules(), seat, lead.hands[seat]);
                bits.and_then(|bits| usize::try_from(bits).ok()).unwrap_or_default()
            });
            self.values.get(lead.free, held, lead.leader)
        });
        ValueForFirst::new(points)
    }
}

/// Builder of a deal table with 16-bit entries.
pub(crate) struct TableBuilder<'a> {
    rules: &'a RuleSet,
    cards: &'a DealCards,
    rows: Rows,
    /// Values of all positions with two cards in one hand and one card in the other hand. The single card is played in both of the last two
    /// moves. The table is empty if the builder solves no positions with so few cards.
    last_moves: LastMovesTable,
    /// Factors by which the value of a mating card is multiplied, for each mating seat and each possible hand of seat *second*. The factors
    /// are those for the current hand size of *first*.
    factors: BySeat<Vec<i16>>,
}

impl<'a> TableBuilder<'a> {
    pub(crate) fn new(rules: &'a RuleSet, cards: &'a DealCards) -> Self {
        let sizes = BySeat::new_with(|seat| cards.cards[seat].len());
        let rows = Rows::new(sizes, rules.free_move());
        let factors = BySeat::new_with(|_| vec![0; rows.lanes()]);
        Self { rules, cards, rows, last_moves: LastMovesTable::default(), factors }
    }

    /// Solves all positions exactly, from the smallest hands to the largest.
    pub(crate) fn run(mut self) -> Rows {
        self.last_moves = LastMovesTable::new(self.rules, self.cards);
        self.solve_from(1);
        self.rows
    }

    /// Estimates the points of all positions in which seat *first* holds `fewest` cards. The points of all positions in
    /// which *first* holds more cards are computed from these estimates.
    ///
    /// The function `evaluate` gets the cards of *first*, the leader, and the row to fill.
    pub(crate) fn run_from(
        mut self,
        fewest: usize,
        mut evaluate: impl FnMut(u64, Seat, &mut [i16]),
    ) -> Rows {
        if fewest <= 2 {
            self.last_moves = LastMovesTable::new(self.rules, self.cards);
        }
        let lanes = 1 << self.cards.cards.second.len();
        for first_holds in self.sets_of_first(fewest) {
            for &free in self.free_moves() {
                for leader in Seat::BOTH {
                    let row = self.rows.row_mut(free, first_holds, leader);
                    evaluate(first_holds as u64, leader, &mut row[..lanes]);
                    // Entry 0 of a row is the value of a position in which *second* holds no cards. No caller asks for this value.
                    row[0] = 0;
                }
                self.set_last_moves(free, first_holds);
            }
        }
        self.solve_from(fewest + 1);
        self.rows
    }

    /// Solves all positions in which *first* holds at least `fewest` cards, from the smallest hands to the largest.
    fn solve_from(&mut self, fewest: usize) {
        let masks = LaneMasks::new(&self.rows);
        for size in fewest..=self.cards.cards.first.len() {
            self.set_factors(size);
            for first_holds in self.sets_of_first(size) {
                // An answer that uses the free move leads to a position in which *first* holds one card less, and this position is already
                // solved.
                for &free in self.free_moves() {
                    let Self { cards, factors, rows, .. } = &mut *self;
                    rows.solve(&RowTask { cards, free, first_holds, factors }, &masks);
                    self.set_last_moves(free, first_holds);
                }
            }
        }
    }

    /// Returns the possible hands of seat *first* with `size` cards as bit masks, in ascending order.
    fn sets_of_first(&self, size: usize) -> impl Iterator<Item = usize> + use<> {
        sets_of(self.cards.cards.first.len(), size)
    }

    /// Returns the possible states of the free move under the rules of the deal, where `true` means unused.
    fn free_moves(&self) -> &'static [bool] {
        if self.rules.free_move() { &[false, true] } else { &[false] }
    }

    /// Writes the exact values of the positions in which *first* holds the cards `first_holds` and both hands together hold three cards.
    /// Two moves remain in such a position, and the seat with one card plays this card twice.
    fn set_last_moves(&mut self, free: bool, first_holds: usize) {
        for (second, leader, points) in self.last_moves.values(first_holds) {
            let held = BySeat { first: first_holds, second };
            self.rows.set(free, held, leader, to_lane(points));
        }
    }

    /// Computes the factors by which the value of a mating card is multiplied, for all hands of
    /// *second* and for `first_count` cards of *first*. Hand sizes that no game reaches get the
    /// factor 0.
    fn set_factors(&mut self, first_count: usize) {
        for seat in Seat::BOTH {
            let factor = |second_count: usize| {
                let counts = BySeat { first: first_count, second: second_count };
                let points = mate_points_for_first(self.rules, 1, counts, seat);
                to_lane(points.unwrap_or_default().abs())
            };
            let by_count: Vec<i16> = (0..=usize::from(MAX_TABLE_HAND)).map(factor).collect();
            for (lane, factor) in self.factors[seat].iter_mut().enumerate() {
                *factor = by_count[lane.count_ones() as usize];
            }
        }
    }
}
