//! Defines puzzles with their proved solutions, and the text form of a puzzle in one line.

use std::fmt;
use std::sync::Arc;

use overmate_rules::{Action, BySeat, CardSet, Position, RuleSet, Seat};
use overmate_solver::graph::{LeadGraph, LeadTable};
use twox_hash::XxHash3_64;

use crate::puzzle_error::{FieldFault, NotAPuzzle, read_field};
use crate::solution::{Branch, Decision};
use crate::theme::Themes;

/// Puzzle: a position, all lines that solve it, and facts about the solution.
///
/// The text form, written by `Display` and read by [`read`](Self::read), has five fields with tabulators between them:
/// the position, the rating, the margin, the themes separated by commas, and the lines separated by `|`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// Position in which the player has to find the best action.
    pub position: Position,
    /// Lines of the solution with the actions of both seats, the main line first; each line begins
    /// with an action of the player who solves the puzzle.
    pub lines: Vec<Vec<Action>>,
    /// Themes of the solution.
    pub themes: Themes,
    /// Initial rating of the puzzle, from 300 (easy) to 2700.
    pub rating: u16,
    /// Smallest difference in points between right and wrong actions over all decisions, at least 1.
    pub margin: u16,
}

impl Puzzle {
    /// Reads a puzzle from its text form under a rule set. The lines are checked to be legal, not to be right.
    ///
    /// # Errors
    ///
    /// Names the first field that is missing or cannot be read.
    pub fn read(rules: &Arc<RuleSet>, text: &str) -> Result<Self, NotAPuzzle> {
        let mut fields = text.split('\t');
        let position = read_field("position", fields.next(), |text| read_position(rules, text))?;
        let rating = read_field("rating", fields.next(), str::parse)?;
        let margin = read_field("margin", fields.next(), str::parse)?;
        let themes = read_field("themes", fields.next(), str::parse)?;
        let lines = read_field("lines", fields.next(), |text| {
            text.split('|').map(|line| read_line(&position, line)).collect::<Result<_, _>>()
        })?;
        Ok(Self { position, lines, themes, rating, margin })
    }

    /// Returns the seat of the player who solves the puzzle.
    #[must_use]
    pub fn solver(&self) -> Seat {
        self.position.to_act().unwrap_or(Seat::First)
    }

    /// Returns the id of the puzzle: twelve hexadecimal digits computed from the rule set and the
    /// position.
    #[must_use]
    pub fn id(&self) -> String {
        id_of(self.position.rules().name(), &self.position.to_string())
    }

    /// Returns the solution as a tree with the exact value of every action at each decision.
    ///
    /// The values come from a table of the cards in both hands; the right actions and the replies come from the lines.
    /// Returns `None` if the cards do not fit a table.
    #[must_use]
    pub fn solution(&self) -> Option<Decision> {
        let graph = LeadGraph::of_hands(self.position.rules(), cards_in_play(&self.position));
        if !graph.fits_table() {
            return None;
        }
        let table = LeadTable::exact(&graph);
        let lines: Vec<&[Action]> = self.lines.iter().map(Vec::as_slice).collect();
        decision(&graph, &table, self.position.clone(), &lines)
    }
}

/// Reads and checks the position of a puzzle.
fn read_position(rules: &Arc<RuleSet>, text: &str) -> Result<Position, FieldFault> {
    Ok(rules.read_position(text)?.validate(rules)?)
}

/// Reads one line of a solution, and checks that its actions are legal from the position on.
fn read_line(position: &Position, text: &str) -> Result<Vec<Action>, FieldFault> {
    let line = position.rules().read_actions(text)?;
    if line.is_empty() {
        return Err(FieldFault::EmptyLine);
    }
    let end = line.iter().try_fold(position.clone(), |at, action| at.play(*action));
    end.map_err(|error| FieldFault::IllegalAction(error.illegal))?;
    Ok(line)
}

/// Computes the id of a puzzle from the name of its rule set and the text of its position.
pub(crate) fn id_of(rules: &str, position: &str) -> String {
    let hash = XxHash3_64::oneshot(format!("{rules} {position}").as_bytes());
    format!("{:012x}", hash >> 16)
}

/// Returns the cards that each seat holds or has led to the move in progress.
fn cards_in_play(position: &Position) -> BySeat<CardSet> {
    let deck = position.rules().deck();
    let mut hands = position.hands();
    if let Some(lead) = position.lead() {
        let held = hands.first | hands.second;
        let copy = (deck.slots_of(lead.card) - held).first_slot();
        hands[position.leader()] |= copy.map_or(CardSet::EMPTY, CardSet::of_slot);
    }
    hands
}

/// Returns the decision in a position, with the branches that the given lines take from the
/// position on.
fn decision(
    graph: &LeadGraph,
    table: &LeadTable,
    position: Position,
    lines: &[&[Action]],
) -> Option<Decision> {
    let solver = position.to_act()?;
    let value = |action| {
        let next = position.clone().play(action).ok()?;
        let points = graph.value_for_first(&next, &mut |node| table.get(node))?;
        Some((action, points * solver.sign_for_first()))
    };
    let values = position.legal_actions().map(value).collect::<Option<Vec<_>>>()?;
    let mut branches = Vec::new();
    for same in lines.chunk_by(|a, b| a.first() == b.first()) {
        let (&action, first) = same.first()?.split_first()?;
        let mut at = position.clone().play(action).ok()?;
        let mut follow_up = Vec::new();
        let mut next = None;
        for (done, &action) in first.iter().enumerate() {
            if at.to_act() == Some(solver) && at.legal_actions().len() > 1 {
                let rest: Option<Vec<&[Action]>> =
                    same.iter().map(|line| line.get(done + 1..)).collect();
                next = Some(decision(graph, table, at.clone(), &rest?)?);
                break;
            }
            follow_up.push(action);
            at = at.play(action).ok()?;
        }
        branches.push(Branch { action, follow_up, next });
    }
    Some(Decision { position, values, branches })
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { position, lines, themes, rating, margin } = self;
        write!(f, "{position}\t{rating}\t{margin}\t")?;
        for (i, theme) in themes.iter().enumerate() {
            write!(f, "{}{theme}", if i > 0 { "," } else { "" })?;
        }
        for (i, line) in lines.iter().enumerate() {
            f.write_str(if i > 0 { "|" } else { "\t" })?;
            for (j, action) in line.iter().enumerate() {
                let text = position.rules().action_text(*action);
                write!(f, "{}{text}", if j > 0 { " " } else { "" })?;
            }
        }
        Ok(())
    }
}
