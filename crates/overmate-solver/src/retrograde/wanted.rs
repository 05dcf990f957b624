//! Defines the requested positions of a retrograde analysis.

use overmate_rules::{BySeat, Seat};

/// Position before a lead for which a caller requests the points for seat *first*. The sets are bit
/// masks over the cards of each dealt hand.
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
