//! Defines points of time in a match, each given by a game and the number of actions already played in that game.

/// Point of time in a match, given by the index of a game and the number of actions already played in that game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Moment {
    /// Index of the game in the match, from 0.
    pub(crate) game: usize,
    /// Number of actions that have been played in the game at this point of time.
    pub(crate) after: usize,
}
