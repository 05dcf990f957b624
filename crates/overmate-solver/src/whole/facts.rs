//! Position counts and value sums of the layers of a whole game, to compare two builds.

use super::layer::HandBalance;
use crate::deal::score_codes::ScoreCodes;

/// Hand sizes, position count and value sums of one layer (the positions that share hand sizes and free move) of a
/// whole game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LayerFacts {
    /// Number of cards that the leader holds in every position of the layer.
    pub leader_cards: usize,
    /// Number of cards that the follower holds in every position of the layer.
    pub other_cards: usize,
    /// Whether the free move is unused in the positions of the layer; always `false` in a rule set without a free
    /// move.
    pub free_move: bool,
    /// Number of positions that the layer holds.
    pub positions: u64,
    /// Sum of all values in the layer (the positions that share hand sizes and free move), in points for the leader.
    pub sum_for_leader: i64,
    /// Sum of the squares of all values in the layer, in points.
    pub sum_of_squares: u64,
}

/// Returns the hand sizes, position count and value sums of a layer.
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
