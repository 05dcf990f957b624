//! Intents of the player, whether by key or by mouse.

use overmate_rules::{Action, Card};

use crate::play::moment::Moment;

/// Command of the player, as given by a key or a click.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Intent {
    /// Moves the cursor or the selection of a popup, or scrolls a popup.
    Go(Direction),
    /// Moves the cursor to a card, or plays the card if the cursor is on it already.
    Point(Card),
    /// Confirms the card or choice under the cursor.
    Confirm,
    /// Closes the popup, or shows the present moment of the match again.
    Back,
    /// Plays this action without asking for a confirmation.
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
    /// Shows another moment of the match.
    Look(LookTarget),
    /// Scrolls a popup by a number of lines.
    Scroll(i16),
    /// Takes the choice with this number in a popup.
    Choose(usize),
    /// Closes the popup at the end of a game.
    NextGame,
    /// Adds a letter to the action that the player types.
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

/// Moment of the match to show, given relative to the shown moment or directly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LookTarget {
    Before,
    After,
    /// The first moment of the shown game.
    Beginning,
    Present,
    To(Moment),
}
