//! Defines moments of a match: the index of a game, and the number of actions played in the game.

/// Moment of a match, given by the index of a game and the number of actions played in the game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Moment {
    /// Index of the game in the match, from 0.
    pub(crate) game: usize,
    /// Number of the game's actions that precede a moment of the match.
    pub(crate) after: usize,
}
