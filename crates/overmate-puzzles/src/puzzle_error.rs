//! Defines the errors of parsing puzzles.

use std::num::ParseIntError;

use overmate_rules::{Illegal, PositionFaults, ReadError};

use crate::theme::UnknownTheme;

/// Error from parsing the text form of a puzzle. The error holds the first faulty field.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the text is not a puzzle: its {field} cannot be read")]
pub struct NotAPuzzle {
    /// Name of the first invalid field in the text form of a puzzle.
    pub field: &'static str,
    /// Fault in the first invalid field of a puzzle's text form.
    #[source]
    pub fault: FieldFault,
}

/// Fault in a field of a puzzle's text form.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FieldFault {
    /// The text form of the puzzle ends before the expected field.
    #[error("the text of the puzzle has too few fields: add the missing field")]
    Missing,
    /// The puzzle's text form contains a position or an action in invalid notation.
    #[error(transparent)]
    Notation(#[from] ReadError),
    /// The position of the puzzle is impossible under the rule set.
    #[error(transparent)]
    Position(#[from] PositionFaults),
    /// The puzzle's rating or the value of an action is not a whole number, or is out of range.
    #[error(transparent)]
    Number(#[from] ParseIntError),
    /// The puzzle's list of themes contains an unknown name.
    #[error(transparent)]
    Theme(#[from] UnknownTheme),
    /// A line of play in the puzzle's solution contains no action.
    #[error("a line of the solution is empty: write the actions of the line")]
    EmptyLine,
    /// A line of play in the puzzle's solution contains an illegal action.
    #[error("a line of the solution has an illegal action")]
    IllegalAction(#[source] Illegal),
    /// The number of values in the puzzle's text form is wrong: each decision needs one value for each legal action.
    #[error(
        "the solution has too many or too few values: give one value for each legal action, at every turn where the solving player can choose"
    )]
    WrongNumberOfValues,
    /// The lines of play in the puzzle's solution do not form a tree. A line equals another line or the beginning of another line, or two
    /// lines diverge at a turn of the opponent.
    #[error(
        "the lines of the solution do not form a tree: remove each line that equals another line or its beginning, and let lines diverge only at turns of the solving player"
    )]
    NoTree,
}

/// Parses a field of a puzzle's text form. `text` is `None` if the text of the puzzle ends before
/// the field.
pub(crate) fn read_field<'a, T, E: Into<FieldFault>>(
    field: &'static str,
    text: Option<&'a str>,
    read: impl FnOnce(&'a str) -> Result<T, E>,
) -> Result<T, NotAPuzzle> {
    let read = text.ok_or(FieldFault::Missing).and_then(|text| read(text).map_err(Into::into));
    read.map_err(|fault| NotAPuzzle { field, fault })
}
