//! Computes the position count and the sum of values of each layer, for the comparison of two runs of the solver.

use super::layer::HandBalance;
use crate::deal::score_codes::ScoreCodes;

/// Statistics of a layer of positions: the hand sizes, the number of positions, and sums of the positions' values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LayerFacts {
    /// Number of cards in the leader's hand in every position of the layer.
    pub leader_cards: usize,
    /// Number of cards in the follower's hand in every position of the layer.
    pub other_cards: usize,
    /// Whether the free move is unused in every position of the layer; always `false` in rule sets
    /// without a free move.
    pub free_move: bool,
    /// Number of positions in the layer.
    pub positions: u64,
    /// Sum of the values of all positions in the layer, in points for the leader.
    pub sum_for_leader: i64,
    /// Sum of the squared values of all positions in the layer, in squared points.
    pub sum_of_squares: u64,
}

/// Computes the statistics of a layer of positions.
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
