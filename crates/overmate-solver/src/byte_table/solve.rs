//! Solves all positions that can arise from two equally large hands, with one byte for each position.

use overmate_rules::{BySeat, RuleSet, Seat};

use super::estimate::Estimate;
use super::lanes::LANES;
use super::rows::{Balance, CodedLead, Layer, Row, RowSets, byte_of};
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};
use crate::deal::cards::DealCards;
use crate::deal::last_moves::LastMovesTable;
use crate::deal::score_codes::ScoreCodes;
use crate::deal::scores::mate_points_for_first;
use crate::kernel::Kernel;

/// Function that solves a layer: all positions with given hand sizes and a given leader.
type SolveLayer = fn(&mut RowSets, &[CodedLead], Layer);

/// Returns the function that solves layers with the vector instructions of a solver kernel, or `None` for a kernel without vector
/// instructions.
fn layer_solver(kernel: Kernel) -> Option<SolveLayer> {
    match kernel {
        #[cfg(target_arch = "x86_64")]
        Kernel::Avx512 => Some(avx512::layer),
        #[cfg(target_arch = "x86_64")]
        Kernel::Avx2 => Some(avx2::layer),
        #[cfg(not(target_arch = "x86_64"))]
        Kernel::Avx512 | Kernel::Avx2 => None,
        Kernel::Portable => None,
    }
}

/// Solver of positions in which a card must be led, foreplacing is over, and both hands have a fixed, equal size. The solver reuses its
/// memory for all deals.
pub(crate) struct EqualHands {
    sets: RowSets,
    solve_layer: SolveLayer,
}

impl EqualHands {
    /// Creates a solver for hands of `hand_size` cards, or returns `None` if the kernel has no vector instructions. The hand size is at
    /// most [`MAX_TABLE_HAND`](crate::deal::cards::MAX_TABLE_HAND). The processor must support the kernel.
    pub(crate) fn new(kernel: Kernel, hand_size: usize) -> Option<Self> {
        let sets = RowSets::new(hand_size, Balance::Equal);
        layer_solver(kernel).map(|solve_layer| Self { sets, solve_layer })
    }

    /// Returns the points for seat *first* under best play if each seat still holds its full hand from `cards`, and `leader` leads.
    ///
    /// Returns `None` if the possible scores are too many for a byte.
    pub(crate) fn points_for_first(
        &mut self,
        rules: &RuleSet,
        cards: &DealCards,
        free: bool,
        leader: Seat,
    ) -> Option<i32> {
        let Self { sets, solve_layer } = self;
        let last_moves = LastMovesTable::default();
        let codes = codes(rules, cards, &[Balance::Equal], (&last_moves, None))?;
        let facts = Facts { rules, cards, codes: &codes, last_moves: &last_moves, estimate: None };
        solve(*solve_layer, sets, &facts, free);
        let all = BySeat::new_with(|_| (1 << sets.hand_size) - 1);
        Some(codes.points(sets.get(free, all, leader)))
    }
}

/// Table with one byte for the value of each position that can arise from two hands of equal size.
#[derive(Clone, Debug)]
pub(crate) struct ByteTable {
    /// Number of points that each score code stands for, indexed by the score code as an unsigned byte.
    points: Box<[i32; 256]>,
    /// Rows of position values for hands of equal size and, under rules with foreplacing, for hands whose sizes differ by one card.
    sets: Vec<RowSets>,
}

impl ByteTable {
    /// Solves all positions that can arise from two hands of equal size.
    ///
    /// Returns `None` if the kernel has no vector instructions, if the hands have different sizes, or if the possible scores are too many
    /// for a byte.
    pub(crate) fn solve_all(kernel: Kernel, rules: &RuleSet, cards: &DealCards) -> Option<Self> {
        let solve_layer = layer_solver(kernel).filter(|_| has_equal_hands(cards))?;
        Self::run(solve_layer, rules, cards, None)
    }

    /// Solves all positions in which seat *first* holds more than `fewest` cards, from estimated values of the positions in which *first*
    /// holds `fewest` cards. `fewest` is at least 1. The last moves with a repeated card are exact.
    ///
    /// The function `evaluate` gets the cards of *first*, the leader, and a row to fill with points for *first*, indexed by the cards of
    /// *second*. Returns `None` as [`solve_all`](Self::solve_all) does.
    pub(crate) fn estimated(
        kernel: Kernel,
        rules: &RuleSet,
        cards: &DealCards,
        fewest: usize,
        evaluate: impl FnMut(u64, Seat, &mut [i16]),
    ) -> Option<Self> {
        let solve_layer = layer_solver(kernel).filter(|_| has_equal_hands(cards))?;
        Self::run(solve_layer, rules, cards, Some(&Estimate::new(cards, fewest, evaluate)))
    }

    fn run(
        solve_layer: SolveLayer,
        rules: &RuleSet,
        cards: &DealCards,
        estimate: Option<&Estimate>,
    ) -> Option<Self> {
        let less = Seat::BOTH.map(Balance::Less);
        let balances = match rules.foreplacing() {
            Some(_) => &[Balance::Equal, less[0], less[1]][..],
            None => &[Balance::Equal],
        };
        let last_moves = match estimate {
            Some(estimate) if estimate.fewest > 2 => LastMovesTable::default(),
            _ => LastMovesTable::new(rules, cards),
        };
        let codes = codes(rules, cards, balances, (&last_moves, estimate))?;
        let solved = |balance: &Balance| {
            let mut sets = RowSets::new(cards.cards.first.len(), *balance);
            let facts = Facts { rules, cards, codes: &codes, last_moves: &last_moves, estimate };
            solve(solve_layer, &mut sets, &facts, rules.free_move());
            sets
        };
        let points = core::array::from_fn(|bits| {
            codes.points(u8::try_from(bits).unwrap_or_default().cast_signed())
        });
        Some(Self { sets: balances.iter().map(solved).collect(), points: Box::new(points) })
    }

    /// Returns the stored points for seat *first* in a position in which `leader` leads next.
    ///
    /// Hand sizes that no game reaches have 0 points.
    pub(crate) fn get(&self, free: bool, held: BySeat<usize>, leader: Seat) -> i32 {
        let Some(lanes) = self.sets.first().map(|sets| sets.lanes) else { return 0 };
        let places = held.map(|hand| lanes.places[hand]);
        let index = match places.second.size.wrapping_sub(places.first.size).cast_signed() {
            0 => 0,
            1 => 1,
            -1 => 2,
            _ => return 0,
        };
        let Some(sets) = self.sets.get(index) else { return 0 };
        self.points[usize::from(sets.get_at(free, places, leader).cast_unsigned())]
    }
}

/// Returns whether both hands have the same number of cards, at least two.
fn has_equal_hands(cards: &DealCards) -> bool {
    let sizes = BySeat::new_with(|seat| cards.cards[seat].len());
    sizes.first == sizes.second && sizes.first >= 2
}

/// Returns the points that a mate by `leader` gives to seat *first*, if *first* holds `first_size` cards.
fn mate(rules: &RuleSet, value: u16, balance: Balance, first_size: usize, leader: Seat) -> i32 {
    let counts = BySeat { first: first_size, second: balance.second_size(first_size) };
    mate_points_for_first(rules, value, counts, leader).unwrap_or_default()
}

/// Assigns a score code to each score that can occur in positions with one of the given [`Balance`]s (relations of the
/// hand sizes). Returns `None` if one byte cannot encode all scores.
fn codes(
    rules: &RuleSet,
    cards: &DealCards,
    balances: &[Balance],
    (last_moves, estimate): (&LastMovesTable, Option<&Estimate>),
) -> Option<ScoreCodes> {
    let hand_size = cards.cards.first.len();
    let mut scores: Vec<i32> = last_moves.scores().collect();
    for balance in balances {
        let Induction { before, most, estimate } = induction(*balance, hand_size, estimate);
        for leader in Seat::BOTH {
            for lead in &cards.leads[leader] {
                let mates = (before + 1..=most)
                    .map(|size| mate(rules, lead.value, *balance, size, leader).abs());
                scores.extend(mates);
            }
        }
        if let Some(estimate) = estimate {
            scores.extend(estimate.scores(balance.second_size(before)));
        }
    }
    scores.retain(|score| *score > 0);
    ScoreCodes::of_scores(scores)
}

/// Returns the range of hand sizes that backward induction solves, and the estimates with which the
/// induction begins.
fn induction(balance: Balance, hand_size: usize, estimate: Option<&Estimate>) -> Induction<'_> {
    let (fewest, most) = balance.first_sizes(hand_size).into_inner();
    let before = estimate.map_or(fewest, |estimate| estimate.fewest.max(fewest));
    // Positions with the smallest hands need no estimates, because their values are known exactly. These values are draws, or come from the
    // last moves with a repeated card.
    let is_estimated = before > fewest && before <= most;
    Induction { before, most, estimate: estimate.filter(|_| is_estimated) }
}

/// Hand sizes of seat *first* that backward induction solves, for positions with a given [`Balance`] (equal hands, or one seat with one
/// card less).
struct Induction<'a> {
    /// Hand size of seat *first* with which backward induction begins; positions with this hand
    /// size are already solved or estimated.
    before: usize,
    /// Largest hand size of seat *first* that backward induction solves.
    most: usize,
    /// Estimated points of the positions with which backward induction begins, or `None` if their points are exact.
    estimate: Option<&'a Estimate>,
}

/// Input for computing the values of a deal: the rules, the cards, the score codes, and the values that are already known.
struct Facts<'a> {
    rules: &'a RuleSet,
    cards: &'a DealCards,
    codes: &'a ScoreCodes,
    last_moves: &'a LastMovesTable,
    /// Estimated points of the positions with which backward induction begins, or `None` if their points are exact.
    estimate: Option<&'a Estimate>,
}

/// Solves all positions of a deal that have a given [`Balance`] (equal hands, or one seat with one card less). `free` states whether the
/// rules have a free move.
fn solve(solve_layer: SolveLayer, sets: &mut RowSets, facts: &Facts<'_>, free: bool) {
    let Facts { rules, cards, codes, .. } = *facts;
    let (balance, hand_size) = (sets.balance, sets.hand_size);
    let Induction { before, most, estimate } = induction(balance, hand_size, facts.estimate);
    let coded = BySeat::new_with(|leader| {
        let leads = cards.leads[leader].iter().map(|&kind| {
            let mates = core::array::from_fn(|size| {
                if !(before + 1..=most).contains(&size) {
                    return 0;
                }
                byte_of(codes.code(mate(rules, kind.value, balance, size, leader).abs()))
            });
            CodedLead { kind, mates }
        });
        leads.collect::<Vec<_>>()
    });
    let free_moves = if free { &[false, true][..] } else { &[false] };
    // Values of an earlier deal in the rows of `sets` do no harm, because the computation overwrites each row before it reads the row.
    sets.resize(free);
    let (fewest, _) = balance.first_sizes(hand_size).into_inner();
    for size in fewest..=most {
        let sizes = BySeat { first: size, second: balance.second_size(size) };
        for leader in Seat::BOTH {
            for (number, lead) in coded[leader].iter().enumerate() {
                let row = sets.mate(leader, number);
                sets.rows[row] = Row([lead.mates[size]; LANES]);
            }
        }
        for &free in free_moves {
            if size > before {
                for leader in Seat::BOTH {
                    solve_layer(sets, &coded[leader], Layer { free, leader, sizes });
                }
            } else if size == fewest {
                set_first_rows(sets, facts, free, sizes);
            } else if size == before
                && let Some(estimate) = estimate
            {
                estimate.write(sets, codes, free);
            }
        }
    }
}

/// Writes the values of the positions with which backward induction begins: the positions with the fewest cards. These positions have empty
/// hands and are draws, or they belong to the last two moves, in which a seat plays one card twice.
fn set_first_rows(sets: &mut RowSets, facts: &Facts<'_>, free: bool, sizes: BySeat<usize>) {
    for leader in Seat::BOTH {
        let first = sets.solved(free, leader, sizes[!leader]);
        let rows = sets.lanes.hands[sizes[!leader]].len();
        sets.rows[first..first + rows].fill(Row::default());
    }
    if sets.balance != Balance::Equal {
        let lanes = sets.lanes;
        for &first in &lanes.hands[sizes.first] {
            for (second, leader, points) in facts.last_moves.values(first) {
                let held = BySeat { first, second };
                sets.set(free, held, leader, facts.codes.code(points));
            }
        }
    }
}
