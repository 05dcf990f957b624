//! Solves positions of two hands of equal size into rows of bytes.

use overmate_rules::{BySeat, RuleSet, Seat};

use super::rows::{Balance, CodedLead, Row, RowSets, byte_of};
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};
use crate::deal::cards::{DealCards, MAX_TABLE_HAND};
use crate::deal::last_moves::LastMovesTable;
use crate::deal::score_codes::ScoreCodes;
use crate::deal::scores::mate_points_for_first;
use crate::kernel::Kernel;

/// Function that solves the row of positions in which seat *first* holds given cards.
type SolveRows = fn(&mut RowSets, &BySeat<Vec<CodedLead>>, &mut [Row], (bool, usize));

/// Returns the implementation for the instructions of a kernel, or `None` if the kernel has none.
fn row_solver(kernel: Kernel) -> Option<SolveRows> {
    match kernel {
        #[cfg(target_arch = "x86_64")]
        Kernel::Avx512 => Some(avx512::rows),
        #[cfg(target_arch = "x86_64")]
        Kernel::Avx2 => Some(avx2::rows),
        #[cfg(not(target_arch = "x86_64"))]
        Kernel::Avx512 | Kernel::Avx2 => None,
        Kernel::Portable => None,
    }
}

/// Solver of lead positions with a fixed, equal hand size, in which no card is foreplaced any more. The solver reuses its memory for
/// all deals.
pub(crate) struct EqualHands {
    sets: RowSets,
    solve_rows: SolveRows,
}

impl EqualHands {
    /// Creates a solver for `hand_size` cards in each hand, at most [`MAX_TABLE_HAND`], or returns `None` if the kernel
    /// has no vector instructions. The processor must support the kernel.
    pub(crate) fn new(kernel: Kernel, hand_size: usize) -> Option<Self> {
        let sets = RowSets::new(hand_size, Balance::Equal);
        row_solver(kernel).map(|solve_rows| Self { sets, solve_rows })
    }

    /// Returns the points for seat *first* under best play, if each seat holds all its cards and
    /// `leader` is to lead.
    ///
    /// Returns `None` if the possible scores are too many for a byte.
    pub(crate) fn points_for_first(
        &mut self,
        rules: &RuleSet,
        cards: &DealCards,
        free: bool,
        leader: Seat,
    ) -> Option<i32> {
        let Self { sets, solve_rows } = self;
        let last_moves = LastMovesTable::default();
        let codes = codes(rules, cards, &[Balance::Equal], &last_moves)?;
        solve(*solve_rows, sets, rules, (cards, &codes, &last_moves), free);
        let all = BySeat::new_with(|_| (1 << sets.hand_size) - 1);
        Some(codes.points(sets.get(free, all, leader)))
    }
}

/// Values of all positions that follow from two hands of equal size, a byte each.
#[derive(Clone, Debug)]
pub(crate) struct ByteTable {
    codes: ScoreCodes,
    /// Rows for equal hands and, in a rule set with foreplacing, for a hand with one card less.
    sets: Vec<RowSets>,
}

impl ByteTable {
    /// Solves all positions that follow from two hands of equal size.
    ///
    /// Returns `None` if the kernel has no vector instructions, if the hands have different sizes, or if the possible scores are too many
    /// for a byte.
    pub(crate) fn solve_all(kernel: Kernel, rules: &RuleSet, cards: &DealCards) -> Option<Self> {
        let solve_rows = row_solver(kernel)?;
        let sizes = BySeat::new_with(|seat| cards.cards[seat].len());
        if sizes.first != sizes.second || sizes.first < 2 {
            return None;
        }
        let less = Seat::BOTH.map(Balance::Less);
        let balances = match rules.foreplacing() {
            Some(_) => &[Balance::Equal, less[0], less[1]][..],
            None => &[Balance::Equal],
        };
        let last_moves = LastMovesTable::new(rules, cards);
        let codes = codes(rules, cards, balances, &last_moves)?;
        let solved = |balance: &Balance| {
            let mut sets = RowSets::new(sizes.first, *balance);
            let facts = (cards, &codes, &last_moves);
            solve(solve_rows, &mut sets, rules, facts, rules.free_move());
            sets
        };
        Some(Self { sets: balances.iter().map(solved).collect(), codes })
    }

    /// Returns the points for seat *first* of a position in which `leader` is to lead.
    ///
    /// Hand sizes that no game reaches have 0 points.
    pub(crate) fn get(&self, free: bool, held: BySeat<usize>, leader: Seat) -> i32 {
        let sizes = held.map(usize::count_ones);
        let index = match sizes.second.wrapping_sub(sizes.first).cast_signed() {
            0 => 0,
            1 => 1,
            -1 => 2,
            _ => return 0,
        };
        self.sets.get(index).map_or(0, |sets| self.codes.points(sets.get(free, held, leader)))
    }
}

/// Returns the points of a mate for seat *first*, if *first* holds `first_size` cards.
fn mate(rules: &RuleSet, value: u16, balance: Balance, first_size: usize, leader: Seat) -> i32 {
    let counts = BySeat { first: first_size, second: balance.second_size(first_size) };
    mate_points_for_first(rules, value, counts, leader).unwrap_or_default()
}

/// Numbers all scores that occur with the given balances, or returns `None` if a byte cannot hold them.
fn codes(
    rules: &RuleSet,
    cards: &DealCards,
    balances: &[Balance],
    last_moves: &LastMovesTable,
) -> Option<ScoreCodes> {
    let hand_size = cards.cards.first.len();
    let mut scores: Vec<i32> = last_moves.scores().collect();
    for leader in Seat::BOTH {
        for lead in &cards.leads[leader] {
            for balance in balances {
                let sizes = balance.first_sizes(hand_size).filter(|size| *size > 0);
                scores.extend(
                    sizes.map(|size| mate(rules, lead.value, *balance, size, leader).abs()),
                );
            }
        }
    }
    scores.retain(|score| *score > 0);
    ScoreCodes::of_scores(scores)
}

/// Solves all rows of one balance, with and without the free move if it is unused.
fn solve(
    solve_rows: SolveRows,
    sets: &mut RowSets,
    rules: &RuleSet,
    (cards, codes, last_moves): (&DealCards, &ScoreCodes, &LastMovesTable),
    free: bool,
) {
    let (balance, sizes) = (sets.balance, sets.balance.first_sizes(sets.hand_size));
    let coded = BySeat::new_with(|leader| {
        let leads = cards.leads[leader].iter().map(|&kind| {
            let mut mates = [0; MAX_TABLE_HAND as usize + 1];
            for size in sizes.clone().filter(|size| *size > 0) {
                mates[size] = byte_of(codes.code(mate(rules, kind.value, balance, size, leader)));
            }
            CodedLead { kind, mates }
        });
        leads.collect::<Vec<_>>()
    });
    let free_moves = if free { &[false, true][..] } else { &[false] };
    let mut values = vec![Row::default(); coded.second.len()];
    // Each row is written before it is read.
    sets.rows.resize(free_moves.len() << (sets.hand_size + 1), Row::default());
    for &free in free_moves {
        for first_holds in 0..1usize << sets.hand_size {
            let size = first_holds.count_ones() as usize;
            if size > *sizes.start() && size <= *sizes.end() {
                solve_rows(sets, &coded, &mut values, (free, first_holds));
            } else if size == *sizes.start() {
                set_first_rows(sets, codes, last_moves, free, first_holds);
            }
        }
    }
}

/// Writes the rows that follow from no other row: draws without cards, or the last moves with a repeated card.
fn set_first_rows(
    sets: &mut RowSets,
    codes: &ScoreCodes,
    last_moves: &LastMovesTable,
    free: bool,
    first_holds: usize,
) {
    for leader in Seat::BOTH {
        let row = sets.index(free, first_holds, leader);
        sets.rows[row] = Row::default();
    }
    if sets.balance != Balance::Equal {
        for (second, leader, points) in last_moves.values(first_holds) {
            let held = BySeat { first: first_holds, second };
            sets.set(free, held, leader, codes.code(points));
        }
    }
}
