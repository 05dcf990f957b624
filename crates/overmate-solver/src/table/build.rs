//! Builds the deal table: the values of all positions that follow from two hands.

use overmate_rules::{BySeat, CardSet, Position, RuleSet, Seat};

use super::rows::{LaneMasks, RowTask, Rows, to_lane};
use crate::deal::action_tree::ActionTree;
use crate::deal::cards::DealCards;
use crate::deal::last_moves::LastMovesTable;
use crate::deal::scores::mate_points_for_first;
use crate::value::ValueForFirst;

/// Maximum hand size of a [`DealTable`](crate::DealTable). At this size a deal has 4^10 pairs of
/// hands.
pub const MAX_TABLE_HAND: u8 = 10;

/// Values of all positions that follow from two hands of at most [`MAX_TABLE_HAND`] cards.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    cards: DealCards,
    rows: Rows,
}

impl Table {
    /// Solves all positions that follow from two hands.
    pub(crate) fn of_hands(rules: &RuleSet, hands: BySeat<CardSet>) -> Self {
        let cards = DealCards::of_hands(rules, hands);
        let rows = TableBuilder::new(rules, &cards).run();
        Self { cards, rows }
    }

    /// Returns whether every score of a rule set fits in a table entry of 16 bits.
    ///
    /// With at most 20 cards every score fits, but a late mate with a high card of a larger deck may not.
    pub(crate) fn holds_scores_of(rules: &RuleSet) -> bool {
        let highest = rules.deck().ranks().iter().map(|rank| i32::from(rank.value)).max();
        // The largest factor counts one move more and doubles the result.
        let factor = 2 * (i32::from(rules.hand_size()) + 1);
        highest.unwrap_or_default() * factor < i32::from(i16::MAX)
    }

    pub(crate) fn cards(&self) -> &DealCards {
        &self.cards
    }

    pub(crate) fn rows(&self) -> &Rows {
        &self.rows
    }

    /// Returns the value for seat *first* of a position.
    pub(crate) fn value_for_first(&self, position: &Position) -> ValueForFirst {
        let tree = ActionTree::of(position);
        let points = tree.points_for_first(&mut |lead| {
            let held = BySeat::new_with(|seat| {
                let bits = self.cards.bits(position.rules(), seat, lead.hands[seat]);
                bits.and_then(|bits| usize::try_from(bits).ok()).unwrap_or_default()
            });
            self.rows.get(lead.free, held, lead.leader).into()
        });
        ValueForFirst::new(points)
    }
}

/// Builder of a deal table.
pub(crate) struct TableBuilder<'a> {
    rules: &'a RuleSet,
    cards: &'a DealCards,
    rows: Rows,
    /// Score factors of mates by each seat, indexed by the cards of seat *second*, for the current
    /// hand size of *first*.
    factors: BySeat<Vec<i16>>,
}

impl<'a> TableBuilder<'a> {
    pub(crate) fn new(rules: &'a RuleSet, cards: &'a DealCards) -> Self {
        let sizes = BySeat::new_with(|seat| cards.cards[seat].len());
        Self::with_rows(rules, cards, Rows::new(sizes, rules.free_move()))
    }

    /// Creates a builder that continues from an earlier table for the same cards and rules.
    pub(crate) fn with_rows(rules: &'a RuleSet, cards: &'a DealCards, rows: Rows) -> Self {
        let factors = BySeat::new_with(|_| vec![0; rows.lanes()]);
        Self { rules, cards, rows, factors }
    }

    /// Solves all positions exactly, from the smallest hands to the largest.
    pub(crate) fn run(mut self) -> Rows {
        let masks = LaneMasks::new(&self.rows);
        let last_moves = LastMovesTable::new(self.rules, self.cards);
        for holding in by_size(&self.by_count()) {
            self.solve(holding, &masks, &last_moves);
        }
        self.rows
    }

    /// Extends the search of every position by one move (iterative deepening).
    ///
    /// A row follows from rows in which *first* holds one card less, so the largest hands come first and each row is
    /// computed from rows of the previous depth.
    pub(crate) fn deepen(mut self, last_moves: &LastMovesTable) -> Rows {
        let masks = LaneMasks::new(&self.rows);
        for holding in by_size(&self.by_count()).rev() {
            self.solve(holding, &masks, last_moves);
        }
        self.rows
    }

    /// Returns all possible hands of seat *first*, the smallest first.
    fn by_count(&self) -> Vec<usize> {
        let mut by_count: Vec<usize> = (1..1 << self.cards.cards.first.len()).collect();
        by_count.sort_by_key(|holds| holds.count_ones());
        by_count
    }

    /// Solves all positions in which seat *first* holds one of the sets in `holding`, which have
    /// equal size.
    fn solve(&mut self, holding: &[usize], masks: &LaneMasks, last_moves: &LastMovesTable) {
        self.set_factors(holding[0].count_ones());
        for &first_holds in holding {
            // Rows without the free move come first, because a used free move leads to these rows.
            for free in [false, true] {
                if free && !self.rules.free_move() {
                    continue;
                }
                let Self { cards, factors, rows, .. } = &mut *self;
                rows.solve(&RowTask { cards, free, first_holds, factors }, masks);
                for (second, leader, points) in last_moves.values(first_holds) {
                    let held = BySeat { first: first_holds, second };
                    self.rows.set(free, held, leader, to_lane(points));
                }
            }
        }
    }

    /// Computes the score factors of mates for all hands of seat *second*, if *first* holds
    /// `first_count` cards. Hand sizes that no game reaches get 0.
    fn set_factors(&mut self, first_count: u32) {
        for seat in Seat::BOTH {
            for (lane, factor) in self.factors[seat].iter_mut().enumerate() {
                let counts = BySeat { first: first_count, second: lane.count_ones() };
                let counts = counts.map(|count| count as usize);
                let points = mate_points_for_first(self.rules, 1, counts, seat);
                *factor = to_lane(points.unwrap_or_default().abs());
            }
        }
    }
}

/// Groups a list of sets, sorted by size, into one group for each size.
fn by_size(sets: &[usize]) -> impl DoubleEndedIterator<Item = &[usize]> {
    sets.chunk_by(|a, b| a.count_ones() == b.count_ones())
}
