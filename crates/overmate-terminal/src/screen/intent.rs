//! Intents of the player, whether by key or by mouse.

use overmate_rules::{Action, Card};

use crate::play::moment::Moment;

/// An intent of the player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Intent {
    /// Moves the cursor or the selection of a popup, or scrolls a popup.
    Go(Direction),
    /// Moves the cursor to a card, or plays the card if the cursor is on it already.
    Point(Card),
    /// Takes the choice under the cursor.
    Confirm,
    /// Closes a popup, or returns to the present.
    Back,
    /// Plays an action at once.
    Act(Action),
    /// Leads the card under the cursor with a demand.
    Demand,
    /// Answers with the card under the cursor by the free move.
    Free,
    Undo,
    Hint,
    /// Opens the explanation of the opponent's last action.
    Why,
    Help,
    Score,
    Record,
    /// Opens the review of the shown game, or of the last finished game before it.
    Review,
    /// Asks whether to resign the match.
    AskResign,
    /// Resigns the match.
    Resign,
    /// Opens the popup for typing an action.
    Type,
    Leave,
    Interrupt,
    /// Looks back at another moment of the match.
    Look(LookTarget),
    /// Scrolls a popup by a number of lines.
    Scroll(i16),
    /// Takes the choice with this number in a popup.
    Choose(usize),
    /// Closes the popup at the end of a game.
    NextGame,
    /// Adds a letter to a typed action.
    Letter(char),
    Erase,
    /// Suspends the program, as Ctrl-Z does in a shell.
    Suspend,
    /// Draws the whole screen anew.
    Redraw,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    Left,
    Right,
    Up,
    Down,
}

/// Moment to look at, relative to the shown moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LookTarget {
    Before,
    After,
    /// The first moment of the shown game.
    Beginning,
    Present,
    To(Moment),
}
