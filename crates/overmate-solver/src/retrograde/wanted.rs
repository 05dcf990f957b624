//! Defines the positions whose values a caller of retrograde analysis requests.

use overmate_rules::{BySeat, Seat};

/// Requested position before a lead. The caller requests the points of seat *first* in this position. The sets are bits over the
/// cards of each hand.
pub(super) struct WantedPosition {
    pub(super) held: BySeat<u64>,
    pub(super) leader: Seat,
    /// Whether the free move (the right to answer once in rank while holding the suit) is unused.
    pub(super) free: bool,
}

impl WantedPosition {
    /// Returns the hand sizes of the requested position.
    pub(super) fn sizes(&self) -> BySeat<usize> {
        self.held.map(|set| set.count_ones() as usize)
    }
}
