//! Defines a puzzle with its proved solution, and its one-line text form.

use std::fmt;
use std::sync::Arc;

use overmate_rules::{Action, Position, RuleSet, Seat};
use twox_hash::XxHash3_64;

use crate::puzzle_error::{FieldFault, NotAPuzzle, read_field};
use crate::solution::{Branch, Decision};
use crate::theme::Themes;

/// Puzzle: a solution tree with exact values, an ending, themes and a rating.
///
/// The text form has six fields with tabulators between them: the position, the rating, the themes separated by commas, the lines
/// separated by `|`, the values of the decisions separated by `|`, and the ending. The decisions stand in the order in which the
/// lines first reach them. The values of a decision are separated by commas, in the order of [`Position::legal_actions`].
/// `Display` writes this form, and [`read`](Self::read) parses the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// Solution tree, whose root is the position of the puzzle.
    pub solution: Decision,
    /// Ending of the puzzle: the best play of both players after the solution's main line, up to the solving player's mate.
    pub ending: Vec<Action>,
    /// Themes of the puzzle, which follow from its solution and from the best play after the solution.
    pub themes: Themes,
    /// Initial rating of the puzzle, from 300 (easy) to 2700.
    pub rating: u16,
}

impl Puzzle {
    /// Parses a puzzle of a rule set from its text form. The parser checks that the lines are legal and that each legal
    /// action has one value. The parser does not check that the solution is right.
    ///
    /// # Errors
    ///
    /// Returns the first field that is missing or not readable.
    pub fn read(rules: &Arc<RuleSet>, text: &str) -> Result<Self, NotAPuzzle> {
        let mut fields = text.split('\t');
        let position = read_field("position", fields.next(), |text| read_position(rules, text))?;
        let rating = read_field("rating", fields.next(), str::parse)?;
        let themes = read_field("themes", fields.next(), str::parse)?;
        let lines: Vec<Vec<Action>> = read_field("lines", fields.next(), |text| {
            text.split('|').map(|line| read_line(&position, line)).collect::<Result<_, _>>()
        })?;
        if lines.iter().any(Vec::is_empty) {
            return Err(NotAPuzzle { field: "lines", fault: FieldFault::EmptyLine });
        }
        let lines: Vec<&[Action]> = lines.iter().map(Vec::as_slice).collect();
        let solution = read_field("values", fields.next(), |text| {
            let mut values = text.split('|');
            let solution = decision(position, &lines, &mut values)?;
            if values.next().is_some() {
                return Err(FieldFault::WrongNumberOfValues);
            }
            if solution.lines() != lines {
                return Err(FieldFault::NoTree);
            }
            Ok(solution)
        })?;
        let ending = read_field("ending", fields.next(), |text| read_line(&solution.end(), text))?;
        Ok(Self { solution, ending, themes, rating })
    }

    /// Returns the initial position of the puzzle.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.solution.position
    }

    /// Returns the seat of the player who solves the puzzle.
    #[must_use]
    pub fn solver(&self) -> Seat {
        self.solution.solver()
    }

    /// Returns the id of the puzzle: twelve hexadecimal digits of a hash of the rule set's name and the position.
    #[must_use]
    pub fn id(&self) -> String {
        id_of(self.position().rules().name(), &self.position().to_string())
    }
}

/// Parses and validates the position of a puzzle.
fn read_position(rules: &Arc<RuleSet>, text: &str) -> Result<Position, FieldFault> {
    Ok(rules.read_position(text)?.validate(rules)?)
}

/// Parses the actions of a solution line, and checks their legality. The line begins in `position`.
fn read_line(position: &Position, text: &str) -> Result<Vec<Action>, FieldFault> {
    let line = position.rules().read_actions(text)?;
    line.iter().try_fold(position.clone(), |at, action| play(at, *action))?;
    Ok(line)
}

/// Returns the position after an action of a solution line, or an error if the action is illegal.
fn play(at: Position, action: Action) -> Result<Position, FieldFault> {
    at.play(action).map_err(|error| FieldFault::IllegalAction(error.illegal))
}

/// Computes the id of a puzzle from its rule set's name and its position's text.
pub(crate) fn id_of(rules: &str, position: &str) -> String {
    let hash = XxHash3_64::oneshot(format!("{rules} {position}").as_bytes());
    format!("{:012x}", hash >> 16)
}

/// Builds the solution tree of a position from the lines and values in a puzzle's text form.
fn decision<'a>(
    position: Position,
    lines: &[&[Action]],
    texts: &mut impl Iterator<Item = &'a str>,
) -> Result<Decision, FieldFault> {
    let solver = position.to_act();
    let mut numbers = texts.next().unwrap_or_default().split(',');
    let values = position
        .legal_actions()
        .map(|action| {
            let number = numbers.next().ok_or(FieldFault::WrongNumberOfValues)?;
            Ok((action, number.parse()?))
        })
        .collect::<Result<_, FieldFault>>()?;
    if numbers.next().is_some() {
        return Err(FieldFault::WrongNumberOfValues);
    }
    let mut branches = Vec::new();
    for same in lines.chunk_by(|a, b| a.first() == b.first()) {
        let Some((&action, rest)) = same[0].split_first() else { continue };
        let mut at = play(position.clone(), action)?;
        let mut follow_up = Vec::new();
        let mut next = None;
        for (done, &reply) in (1..).zip(rest) {
            if at.to_act() == solver && at.legal_actions().len() > 1 {
                let rest: Vec<&[Action]> =
                    same.iter().filter_map(|line| line.get(done..)).collect();
                next = Some(decision(at, &rest, texts)?);
                break;
            }
            follow_up.push(reply);
            at = play(at, reply)?;
        }
        branches.push(Branch { action, follow_up, next });
    }
    Ok(Decision { position, values, branches })
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { solution, ending, themes, rating } = self;
        let position = self.position();
        write!(f, "{position}\t{rating}\t")?;
        for (i, theme) in themes.iter().enumerate() {
            write!(f, "{}{theme}", if i > 0 { "," } else { "" })?;
        }
        for (i, line) in solution.lines().iter().enumerate() {
            f.write_str(if i > 0 { "|" } else { "\t" })?;
            write_line(position, line, f)?;
        }
        for (i, decision) in solution.decisions().iter().enumerate() {
            f.write_str(if i > 0 { "|" } else { "\t" })?;
            for (j, (_, value)) in decision.values.iter().enumerate() {
                write!(f, "{}{value}", if j > 0 { "," } else { "" })?;
            }
        }
        f.write_str("\t")?;
        write_line(position, ending, f)
    }
}

/// Formats the actions of a solution line, separated by spaces.
fn write_line(position: &Position, line: &[Action], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (i, action) in line.iter().enumerate() {
        let text = position.rules().action_text(*action);
        write!(f, "{}{text}", if i > 0 { " " } else { "" })?;
    }
    Ok(())
}
