//! Defines the type of the positions whose points a caller requests from the retrograde analysis.

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
    /// Returns the number of cards that each seat holds in a [`WantedPosition`].
    pub(super) fn sizes(&self) -> BySeat<usize> {
        self.held.map(|set| set.count_ones() as usize)
    }
}
