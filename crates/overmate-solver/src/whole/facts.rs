//! Sums over the layers of a whole game.

use super::layer::HandBalance;
use crate::deal::score_codes::ScoreCodes;

/// One layer of a whole game, for statistics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LayerFacts {
    /// How many cards the leader holds.
    pub leader_cards: usize,
    /// How many cards the other holds.
    pub other_cards: usize,
    /// Whether the free move is still there; false in a rule set without it.
    pub free_move: bool,
    /// How many positions the layer has.
    pub positions: u64,
    /// The sum of their values as the leader sees them.
    pub sum_for_leader: i64,
    /// The sum of the squares of their values.
    pub sum_of_squares: u64,
}

/// The sums over a layer.
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
