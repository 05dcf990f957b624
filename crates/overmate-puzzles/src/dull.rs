//! Detects the kinds of puzzles that players find dull. One kind is left out of the sets. A set holds few
//! puzzles of some other kinds. Puzzles of further kinds are chosen for players only if no better puzzle is near the
//! wanted rating.

use overmate_rules::Action;

use crate::puzzle::Puzzle;
use crate::solution::Decision;
use crate::theme::Theme;

/// Threshold, in points, up to which the margin of a puzzle decision counts as small. The margin is the value of the right actions minus
/// the value of the best wrong action.
const SMALL_MARGIN: i32 = 11;

/// Minimum number of cards in the player's hand for a puzzle to count as far from the end of the game.
const MANY_CARDS: usize = 7;

/// Maximum number of cards in the player's hand for a puzzle to count as an endgame.
const FEW_CARDS: usize = 3;

/// Minimum number of decisions with which a puzzle is interesting although its best result is only a draw. With fewer decisions in its main
/// line, such a puzzle is dull, because its solution ends long before the player sees the draw.
const DECISIONS_TO_DRAW: usize = 3;

/// Minimum number of cards in the player's hand for a puzzle to count as a `close win`, which players find boring.
const CARDS_OF_CLOSE_WIN: usize = 6;

/// Numerator of the fraction 3/4: in a `close win`, the best wrong action brings at least this fraction of the right action's points.
/// Players find such puzzles boring.
const QUARTERS_OF_CLOSE_WIN: i32 = 3;

/// Penalty, in rating points, added to the distance between a dull puzzle's rating and the wanted rating. A player therefore gets dull
/// puzzles only after other puzzles near the wanted rating.
pub const DULL_DISTANCE: u16 = 250;

/// Kind of dull puzzle without a limit on the number of such puzzles in a puzzle set. Puzzles of other kinds are preferred when
/// puzzles are chosen for players.
#[derive(Clone, Copy, Debug)]
pub struct DullKind {
    /// Name of the kind of dull puzzle, such as `short draw`.
    pub name: &'static str,
    /// English sentence that describes a kind of dull puzzle.
    pub puzzles: &'static str,
    holds: fn(&Puzzle) -> bool,
}

impl DullKind {
    /// All those kinds of dull puzzle that a puzzle set may hold in any number.
    pub const ALL: [Self; 4] = [
        Self {
            name: "short draw",
            puzzles: "The best result is a draw, and the solution has fewer than three decisions.",
            holds: is_short_draw,
        },
        Self {
            name: "blunders",
            puzzles: "At each decision, every wrong action lets the opponent give mate with their next lead.",
            holds: avoids_only_blunders,
        },
        Self {
            name: "mate now",
            puzzles: "The right lead is mate now: among the mating cards, the one with the most points.",
            holds: mates_now,
        },
        Self {
            name: "close win",
            puzzles: "With at least six cards, the best wrong action wins at least three quarters of the points of the right one.",
            holds: is_close_win,
        },
    ];

    /// Returns whether a puzzle is of the dull kind that `self` describes, such as `short draw`.
    #[must_use]
    pub fn holds(&self, puzzle: &Puzzle) -> bool {
        (self.holds)(puzzle)
    }
}

/// Rare kind: a kind of dull puzzle of which a puzzle set may contain only a limited number.
///
/// With `n` puzzles of the kind, a set contains at least `n * per` counted puzzles. Otherwise the
/// set takes no further puzzle of the kind.
#[derive(Clone, Copy, Debug)]
pub struct RareKind {
    /// Name of the kind of dull puzzle, such as `decline`.
    pub name: &'static str,
    /// English sentence that describes a kind of dull puzzle of which a puzzle set holds only a limited number.
    pub puzzles: &'static str,
    /// Number of other puzzles that a puzzle set must contain for each puzzle of a dull kind; at least 1. The field `counted` describes
    /// these other puzzles.
    pub per: u64,
    /// English noun phrase that describes the puzzles that the field `per` counts, such as `other puzzles`. In a sentence, the phrase
    /// follows the value of `per`.
    pub counted: &'static str,
    holds: fn(&Puzzle) -> bool,
    counts: fn(&Puzzle) -> bool,
}

impl RareKind {
    /// All rare kinds: the kinds of dull puzzle of which a puzzle set may contain only a limited number.
    pub const ALL: [Self; 3] = [
        // Declining is right in nine of ten possible puzzles in which the player may foreplace. Without a limit, players could guess the
        // solution.
        Self {
            name: "decline",
            puzzles: "Declining to foreplace is right.",
            per: 1,
            counted: "puzzle in which only a foreplaced card is right",
            holds: |puzzle| {
                puzzle.solution.foreplaces() && puzzle.solution.is_right(Action::Decline)
            },
            counts: |puzzle| {
                puzzle.solution.foreplaces() && !puzzle.solution.is_right(Action::Decline)
            },
        },
        // A puzzle set may contain a few puzzles with an obvious mate, because beginners need some of these puzzles.
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

    /// Returns whether a puzzle is of the dull kind that `self` describes, such as `decline`. A puzzle set holds only a limited number of
    /// puzzles of such a kind.
    #[must_use]
    pub fn holds(&self, puzzle: &Puzzle) -> bool {
        (self.holds)(puzzle)
    }
}

/// Counters of accepted puzzles, one for each kind in [`RareKind::ALL`]. The counter of a kind counts the puzzles that
/// [`RareKind::counted`] describes, and determines how many puzzles of the kind a puzzle set may contain.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counted([u64; RareKind::ALL.len()]);

impl Counted {
    /// Returns whether a puzzle set may accept a puzzle without exceeding the limit of any kind in [`RareKind::ALL`]. `held` is the number
    /// of puzzles of each rare kind that the set already has.
    pub(crate) fn allow(&self, puzzle: &Puzzle, held: &[u64; RareKind::ALL.len()]) -> bool {
        RareKind::ALL
            .iter()
            .zip(held)
            .zip(self.0)
            .all(|((kind, held), counted)| !kind.holds(puzzle) || (held + 1) * kind.per <= counted)
    }

    /// Updates, for an accepted puzzle, the counters that limit the number of dull puzzles in a puzzle set. The puzzle counts for every
    /// rare kind whose noun phrase [`RareKind::counted`] fits the puzzle.
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
    !solution.foreplaces()
        && solution.best_wrong_value() > 0
        && cards(puzzle) >= MANY_CARDS
        && !puzzle.ending.is_empty()
        && solution.decisions().into_iter().all(has_small_margin)
}

/// Returns whether an action that solves the first decision of a puzzle gives an obvious mate. A mate is obvious if no other card of the
/// player gives mate, or if every lead gives mate.
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

fn is_short_draw(puzzle: &Puzzle) -> bool {
    puzzle.solution.value() == 0 && puzzle.solution.main_line().len() < DECISIONS_TO_DRAW
}

fn mates_now(puzzle: &Puzzle) -> bool {
    let Decision { position, branches, .. } = &puzzle.solution;
    branches.iter().any(|branch| position.mate_by(branch.action).is_some())
}

fn is_close_win(puzzle: &Puzzle) -> bool {
    let (best, wrong) = (puzzle.solution.value(), puzzle.solution.best_wrong_value());
    wrong > 0 && 4 * wrong >= QUARTERS_OF_CLOSE_WIN * best && cards(puzzle) >= CARDS_OF_CLOSE_WIN
}

/// Returns whether each wrong action at each decision of a puzzle's main line lets the opponent give mate with the opponent's next lead.
fn avoids_only_blunders(puzzle: &Puzzle) -> bool {
    let is_blunder = |decision: &Decision, action: Action| {
        decision.is_right(action) || decision.allows_mate(action)
    };
    let mut decisions = puzzle.solution.main_line().into_iter();
    decisions
        .all(|decision| decision.values.iter().all(|(action, _)| is_blunder(decision, *action)))
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

/// Returns the number of cards in the player's hand at the start of a puzzle.
fn cards(puzzle: &Puzzle) -> usize {
    puzzle.position().hand_cards(puzzle.solver()).len()
}
