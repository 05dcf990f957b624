//! Defines points in a match: a game, and the number of its actions so far.

/// Point in a match: the index of a game, and the number of its actions so far.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Moment {
    /// Index of the game in the match, from 0.
    pub(crate) game: usize,
    /// Number of the game's actions before this point.
    pub(crate) after: usize,
}
