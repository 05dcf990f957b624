//! Moments of a match, each given by a game and the number of actions played in the game.

/// Moment of a match at which game `game` has had its first `after` actions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Moment {
    /// Index of the game in the match, from 0.
    pub(crate) game: usize,
    /// Number of actions played in the game before the moment.
    pub(crate) after: usize,
}
