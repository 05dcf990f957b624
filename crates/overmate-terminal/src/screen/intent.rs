//! Intents of the player, whether they come from a key or from the mouse.

use overmate_rules::{Action, Card};

use crate::play::moment::Moment;

/// What the player wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Intent {
    /// Moves the cursor, chooses in a popup, or scrolls it.
    Go(Direction),
    /// Points at a card; again to choose it.
    Point(Card),
    /// Chooses what the cursor is at.
    Confirm,
    /// Closes what is open, or returns to the present.
    Back,
    /// Takes this action at once.
    Act(Action),
    /// Leads the card at the cursor with a demand.
    Demand,
    /// Answers with the card at the cursor by the free move.
    Free,
    Undo,
    Hint,
    /// Asks what the opponent saw.
    Why,
    Help,
    Score,
    Record,
    /// Reviews the game that is looked at, or the last one.
    Review,
    /// Asks whether to give the match up.
    AskResign,
    /// Gives it up.
    Resign,
    /// Begins to type an action.
    Type,
    Leave,
    Interrupt,
    /// Looks at the position before or after, or at a place.
    Look(LookTarget),
    /// Scrolls a popup by so many lines.
    Scroll(i16),
    /// Chooses in a popup by number.
    Choose(usize),
    /// Closes the popup at the end of a game.
    NextGame,
    /// A letter that is typed, or one taken back.
    Letter(char),
    Erase,
    /// Draws everything anew.
    Redraw,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    Left,
    Right,
    Up,
    Down,
}

/// Where to look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LookTarget {
    Before,
    After,
    /// The beginning of the game.
    Beginning,
    Present,
    To(Moment),
}
