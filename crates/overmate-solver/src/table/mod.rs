//! Every position of one deal, solved backwards from its end.

pub(crate) mod rows;

use std::sync::Arc;

use overmate_rules::{Action, BySeat, CardSet, Dealt, Position, RuleSet, Seat};

use crate::deal::action_tree::ActionTree;
use crate::deal::cards::DealCards;
use crate::deal::last_moves::{Endgame, mate_points_for_first};
use crate::value::ValueForFirst;
use rows::{Masks, RowTask, Rows, to_lane};

/// The most cards a hand for which a [`DealTable`] is built: 4^10 pairs of hands.
pub const MAX_TABLE_HAND: u8 = 10;

/// The exact value of every position of one deal, all cards known to both players.
///
/// All cards are known: a card that a rule set has foreplaced *face down* is taken as known to both here, so
/// in such a rule set the values are those of the open game. Memory: 4 MB, or 8 MB with a free move.
#[derive(Clone, Debug)]
pub struct DealTable {
    dealt: Dealt,
    table: Table,
}

/// The deck is too large for a table of every position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyCards {
    /// Cards a hand.
    pub hand_size: u8,
}

impl core::fmt::Display for TooManyCards {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { hand_size } = self;
        write!(
            f,
            "a table of every position holds at most {MAX_TABLE_HAND} cards a hand, not {hand_size}"
        )
    }
}

impl core::error::Error for TooManyCards {}

impl DealTable {
    /// Solves a deal with all cards open: every position of it, also those after foreplacing.
    ///
    /// # Errors
    ///
    /// If the deck has more than 20 cards.
    pub fn with_all_cards_open(dealt: &Dealt) -> Result<Self, TooManyCards> {
        let rules = dealt.rules();
        let hand_size = rules.hand_size();
        if hand_size > MAX_TABLE_HAND {
            return Err(TooManyCards { hand_size });
        }
        let table = Table::of_hands(rules, dealt.hands());
        Ok(Self { dealt: dealt.clone(), table })
    }

    /// The rule set.
    #[must_use]
    pub fn rules(&self) -> &Arc<RuleSet> {
        self.dealt.rules()
    }

    /// The deal.
    #[must_use]
    pub fn dealt(&self) -> &Dealt {
        &self.dealt
    }

    /// The final points of a position of this deal for *first*, with best play by both and all cards known;
    /// `None` if the position is not one of this deal and rule set.
    #[must_use]
    pub fn value_for_first(&self, position: &Position) -> Option<ValueForFirst> {
        if position.rules() != self.rules() {
            return None;
        }
        self.table.cards.held(self.rules(), position)?;
        Some(self.value(position))
    }

    /// Every legal action of a position, in the order of [`Position::legal_actions`], with the value of the
    /// position that it leads to; `None` if the position is not one of this deal and rule set.
    #[must_use]
    pub fn action_values(&self, position: &Position) -> Option<Vec<(Action, ValueForFirst)>> {
        self.value_for_first(position)?;
        let actions = position.legal_actions().into_iter();
        Some(actions.filter_map(|a| Some((a, self.value(&position.play(a).ok()?)))).collect())
    }

    /// The value of a position that is known to be of this deal.
    fn value(&self, position: &Position) -> ValueForFirst {
        self.table.value_for_first(position)
    }
}

/// The exact value of every lead that two hands can come to, all cards known to both players: what a
/// [`DealTable`] knows, for who numbers cards himself and asks millions of times.
#[derive(Clone, Debug)]
pub struct HandsTable(Table);

impl HandsTable {
    /// Solves two hands, which may be what is left of a larger deal; `None` if a hand has more than
    /// [`MAX_TABLE_HAND`] cards, or if a score of the rule set is too large for a table.
    #[must_use]
    pub fn new(rules: &RuleSet, hands: BySeat<CardSet>) -> Option<Self> {
        Self::fits(rules, hands).then(|| Self(Table::of_hands(rules, hands)))
    }

    /// Whether there is a table of two hands.
    #[must_use]
    pub fn fits(rules: &RuleSet, hands: BySeat<CardSet>) -> bool {
        let largest = hands.first.len().max(hands.second.len());
        largest <= u32::from(MAX_TABLE_HAND) && Table::holds_scores_of(rules)
    }

    /// The final points for *first* with best play by both, where `leader` is to lead in any move but one with a
    /// repeated card, and each holds these cards: bits over the cards of his hand in the order of the deck's slots.
    ///
    /// Of identical cards any may stand for the other.
    ///
    /// # Panics
    ///
    /// If a bit is set that is no card of the hand.
    #[must_use]
    pub fn points_for_first(&self, held: BySeat<u32>, leader: Seat, free_move_left: bool) -> i32 {
        self.0.rows.get(free_move_left, held.map(|bits| bits as usize), leader).into()
    }
}

/// The values of all positions that two hands of at most [`MAX_TABLE_HAND`] cards can come to.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    cards: DealCards,
    rows: Rows,
}

impl Table {
    pub(crate) fn of_hands(rules: &RuleSet, hands: BySeat<CardSet>) -> Self {
        let cards = DealCards::of_hands(rules, hands);
        let rows = Build::new(rules, &cards).run();
        Self { cards, rows }
    }

    /// Whether every score of a rule set fits in a lane: always with at most 20 cards, but a late mate with a
    /// dear card of a larger deck may be too much.
    pub(crate) fn holds_scores_of(rules: &RuleSet) -> bool {
        let dearest = rules.deck().ranks().iter().map(|rank| i32::from(rank.value)).max();
        // One move more, and doubled: no factor is larger.
        let factor = 2 * (i32::from(rules.hand_size()) + 1);
        dearest.unwrap_or_default() * factor < i32::from(i16::MAX)
    }

    /// The value of a position of these hands or of what they come to.
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

/// A table being built.
pub(crate) struct Build<'a> {
    rules: &'a RuleSet,
    cards: &'a DealCards,
    rows: Rows,
    /// The factors of a mate in each lane, for the size of *first*'s hand that is being worked on.
    factors: BySeat<Vec<i16>>,
}

impl<'a> Build<'a> {
    pub(crate) fn new(rules: &'a RuleSet, cards: &'a DealCards) -> Self {
        let sizes = BySeat::new_with(|seat| cards.cards[seat].len());
        Self::with_rows(rules, cards, Rows::new(sizes, rules.free_move()))
    }

    /// Goes on with rows of these cards and rules.
    pub(crate) fn with_rows(rules: &'a RuleSet, cards: &'a DealCards, rows: Rows) -> Self {
        let factors = BySeat::new_with(|_| vec![0; rows.lanes()]);
        Self { rules, cards, rows, factors }
    }

    pub(crate) fn run(mut self) -> Rows {
        let masks = Masks::new(&self.rows);
        let endgame = Endgame::new(self.rules, self.cards);
        for holding in by_size(&self.by_count()) {
            self.work_out(holding, &masks, &endgame);
        }
        self.rows
    }

    /// Works every row out once more from rows that stay as they were until then: a row follows from those in which
    /// *first* holds one card less, so the largest hands come first.
    pub(crate) fn deepen(mut self, endgame: &Endgame) -> Rows {
        let masks = Masks::new(&self.rows);
        for holding in by_size(&self.by_count()).rev() {
            self.work_out(holding, &masks, endgame);
        }
        self.rows
    }

    /// The sets of cards that *first* may hold, the small ones first.
    fn by_count(&self) -> Vec<usize> {
        let mut by_count: Vec<usize> = (1..1 << self.cards.cards.first.len()).collect();
        by_count.sort_by_key(|holds| holds.count_ones());
        by_count
    }

    /// Works out the rows of sets of one size.
    fn work_out(&mut self, holding: &[usize], masks: &Masks, endgame: &Endgame) {
        self.set_factors(holding[0].count_ones());
        for &first_holds in holding {
            // Without the free move first: those rows are needed where it is used.
            for free in [false, true] {
                if free && !self.rules.free_move() {
                    continue;
                }
                let Self { cards, factors, rows, .. } = &mut *self;
                rows.work_out(&RowTask { cards, free, first_holds, factors }, masks);
                for (second, leader, points) in endgame.values(first_holds) {
                    let held = BySeat { first: first_holds, second };
                    self.rows.set(free, held, leader, to_lane(points));
                }
            }
        }
    }

    /// The factor of a mate follows from the sizes of the hands. In lanes that no game has it is 0.
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

/// Sets, the small ones first, parted by their size.
fn by_size(sets: &[usize]) -> impl DoubleEndedIterator<Item = &[usize]> {
    sets.chunk_by(|a, b| a.count_ones() == b.count_ones())
}
