//! Moments of a match.

/// A moment of a match: the position after the first `after` actions of game `game`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Moment {
    /// Index of the game in the match, from 0.
    pub(crate) game: usize,
    /// Number of actions of that game that have been played.
    pub(crate) after: usize,
}
