//! Computes position counts and sums of values, for comparing two runs of the solver.

use super::layer::HandBalance;
use crate::deal::score_codes::ScoreCodes;

/// Statistics of a layer: hand sizes, position count and sums of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LayerFacts {
    /// Number of cards in the leader's hand in each of these positions.
    pub leader_cards: usize,
    /// Number of cards in the follower's hand in each of these positions.
    pub other_cards: usize,
    /// Whether the free move is unused in these positions; always `false` under rules without a
    /// free move.
    pub free_move: bool,
    /// Number of positions with these hand sizes and this state of the free move.
    pub positions: u64,
    /// Sum of the values of all these positions, in points for the leader.
    pub sum_for_leader: i64,
    /// Sum of the squared values of all these positions, in squared points.
    pub sum_of_squares: u64,
}

/// Computes the statistics of a layer.
pub(crate) fn facts_of(
    codes: &ScoreCodes,
    (free_move, hands, live): (bool, HandBalance, usize),
    bytes: &[i8],
) -> LayerFacts {
    let mut counts = [0u64; 256];
    for byte in bytes {
        counts[usize::from(byte.cast_unsigned())] += 1;
    }
    let mut facts = LayerFacts {
        leader_cards: hands.held(live),
        other_cards: live - hands.held(live),
        free_move,
        positions: bytes.len() as u64,
        sum_for_leader: 0,
        sum_of_squares: 0,
    };
    for (code, count) in (0..=u8::MAX).zip(counts) {
        let points = i64::from(codes.points(code.cast_signed()));
        facts.sum_for_leader += points * count.cast_signed();
        facts.sum_of_squares += (points * points).cast_unsigned() * count;
    }
    facts
}
