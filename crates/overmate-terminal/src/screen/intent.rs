//! Defines the commands that the player gives by a key or by the mouse.

use overmate_rules::{Action, Card};

use crate::play::moment::Moment;

/// Command of the player to the full-screen display.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Intent {
    /// Moves the cursor on the board in one of four directions or, in an open popup, moves the selection or scrolls the text.
    Go(Direction),
    /// Moves the cursor to a card, or plays the card if the cursor is already there.
    Point(Card),
    /// Confirms the selected choice of the open popup or, without a popup, the card or choice under the cursor.
    Confirm,
    /// Closes the open popup or, without a popup, returns from an earlier moment of the match to the present.
    Back,
    /// Plays an action without asking for a confirmation.
    Act(Action),
    /// Leads the card under the cursor, and demands an answer in the card's rank.
    Demand,
    /// Answers the lead with the card under the cursor as a free move.
    Free,
    Undo,
    Hint,
    /// Opens the explanation of the opponent's last action.
    Why,
    /// Shows or hides the points of a possible mate on each mating card of the human.
    Seals,
    Help,
    Score,
    Record,
    /// Opens the review of the shown game if that game is over, or else of the most recently finished game.
    Review,
    /// Opens a popup that asks whether to resign the match.
    AskResign,
    /// Resigns the match without asking for a confirmation.
    Resign,
    /// Opens the popup for typing an action.
    Type,
    Leave,
    Interrupt,
    /// Shows the state of the match at another moment.
    Look(LookTarget),
    /// Scrolls the open popup by a number of lines. A positive number moves down.
    Scroll(i16),
    /// Carries out the choice with the given index in the open popup.
    Choose(usize),
    /// Closes the popup with the result of a game, and goes on to the next game.
    NextGame,
    /// Adds a letter to the action that the player types.
    Letter(char),
    Erase,
    /// Suspends the program, as Ctrl-Z does in a shell.
    Suspend,
    /// Redraws the whole screen.
    Redraw,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    Left,
    Right,
    Up,
    Down,
}

/// Target of the command that shows another moment of the match. `Before` and `After` are relative to the moment that the screen shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LookTarget {
    Before,
    After,
    /// Moment before the first action of the game that the screen shows.
    Beginning,
    Present,
    To(Moment),
}
