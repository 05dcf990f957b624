//! Detects the kinds of puzzles that players find dull. One kind is left out of the sets; of the
//! others, a set holds few puzzles.

use overmate_rules::{Action, Phase};

use crate::puzzle::Puzzle;
use crate::solution::Decision;
use crate::theme::Theme;

/// Maximum difference in points between the right actions and the best wrong action that counts as
/// small.
const SMALL_MARGIN: i32 = 11;

/// Minimum number of the player's cards in a long game.
const MANY_CARDS: usize = 7;

/// Maximum number of the player's cards in an endgame.
const FEW_CARDS: usize = 3;

/// Kind of dull puzzle that a set may contain only in small numbers.
///
/// With `n` puzzles of the kind, a set contains at least `n * per` counted puzzles. Otherwise the
/// set takes no further puzzle of the kind.
#[derive(Clone, Copy, Debug)]
pub struct RareKind {
    /// Name of a kind of dull puzzle, such as `decline`.
    pub name: &'static str,
    /// Description, as an English sentence, of the puzzles of a dull kind.
    pub puzzles: &'static str,
    /// Minimum number of other puzzles that a set must hold for each puzzle of a dull kind, at
    /// least 1. The field `counted` describes these puzzles.
    pub per: u64,
    /// Noun phrase for the other puzzles that a set must hold for each puzzle of a dull kind, to
    /// follow their number.
    pub counted: &'static str,
    holds: fn(&Puzzle) -> bool,
    counts: fn(&Puzzle) -> bool,
}

impl RareKind {
    /// All kinds of dull puzzles.
    pub const ALL: [Self; 3] = [
        // Declining is right in nine of ten such positions. Without a limit, players could guess the answer.
        Self {
            name: "decline",
            puzzles: "Declining to foreplace is right.",
            per: 1,
            counted: "puzzle in which only a foreplaced card is right",
            holds: |puzzle| foreplaces(puzzle) && puzzle.solution.is_right(Action::Decline),
            counts: |puzzle| foreplaces(puzzle) && !puzzle.solution.is_right(Action::Decline),
        },
        // Beginners need some plain mates.
        Self {
            name: "plain mate",
            puzzles: "The right lead is mate now, and one lead alone is mate or all leads are.",
            per: 100,
            counted: "other puzzles",
            holds: is_plain_mate,
            counts: |puzzle| !is_plain_mate(puzzle),
        },
        Self {
            name: "short wait",
            puzzles: "With at most three cards, a mate now is worth at most eleven points less than a later one.",
            per: 100,
            counted: "other puzzles",
            holds: is_short_wait,
            counts: |puzzle| !is_short_wait(puzzle),
        },
    ];

    /// Returns whether a puzzle belongs to this kind of dull puzzle.
    #[must_use]
    pub fn holds(&self, puzzle: &Puzzle) -> bool {
        (self.holds)(puzzle)
    }
}

/// Number of accepted puzzles that count towards the limit of each kind of dull puzzle, in the
/// order of [`RareKind::ALL`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counted([u64; RareKind::ALL.len()]);

impl Counted {
    /// Returns whether a set may accept a puzzle, given the number of puzzles of each dull kind
    /// that the set holds already.
    pub(crate) fn allow(&self, puzzle: &Puzzle, held: &[u64; RareKind::ALL.len()]) -> bool {
        RareKind::ALL
            .iter()
            .zip(held)
            .zip(self.0)
            .all(|((kind, held), counted)| !kind.holds(puzzle) || (held + 1) * kind.per <= counted)
    }

    /// Counts a puzzle that the set has accepted.
    pub(crate) fn count(&mut self, puzzle: &Puzzle) {
        for (kind, counted) in RareKind::ALL.iter().zip(&mut self.0) {
            *counted += u64::from((kind.counts)(puzzle));
        }
    }
}

/// Returns whether a puzzle requires only arithmetic, as defined at
/// [`NoPuzzle::Arithmetic`](crate::NoPuzzle::Arithmetic).
pub(crate) fn is_arithmetic(puzzle: &Puzzle) -> bool {
    let solution = &puzzle.solution;
    !foreplaces(puzzle)
        && solution.best_wrong_value() > 0
        && cards(puzzle) >= MANY_CARDS
        && !puzzle.ending.is_empty()
        && solution.decisions().into_iter().all(has_small_margin)
}

fn foreplaces(puzzle: &Puzzle) -> bool {
    matches!(puzzle.position().phase(), Phase::Foreplacing(_))
}

/// Returns whether the right lead gives mate at once, and either every card of the player or only
/// one card gives mate.
fn is_plain_mate(puzzle: &Puzzle) -> bool {
    let Decision { position, values, .. } = &puzzle.solution;
    let mates = |action: Action| position.mate_by(action).is_some();
    let mating = values.iter().map(|(action, _)| *action).filter(|action| mates(*action));
    let mating: Vec<Action> = mating.collect();
    let Some(first) = mating.first() else { return false };
    mating.iter().any(|action| puzzle.solution.is_right(*action))
        && (mating.len() == values.len()
            || mating.iter().all(|action| action.card() == first.card()))
}

fn is_short_wait(puzzle: &Puzzle) -> bool {
    puzzle.themes.contains(Theme::Wait)
        && !puzzle.themes.contains(Theme::Overmate)
        && cards(puzzle) <= FEW_CARDS
        && has_small_margin(&puzzle.solution)
}

fn has_small_margin(decision: &Decision) -> bool {
    decision.value() - decision.best_wrong_value() <= SMALL_MARGIN
}

/// Returns the number of cards in the player's hand.
fn cards(puzzle: &Puzzle) -> usize {
    puzzle.position().hand_cards(puzzle.solver()).len()
}
