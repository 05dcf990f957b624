//! Defines the JSON types of puzzles, attempts and puzzle ratings.

use overmate_json::{GameState, SeatWire};
use overmate_puzzles::{Theme, UnknownTheme};
use serde::{Deserialize, Serialize};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// Sets of puzzles, and the puzzle rating of this browser.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct PuzzleOverview {
    /// Sets of puzzles, one for each rule set that has puzzles.
    pub sets: Vec<PuzzleSetSummary>,
    /// Glicko-2 puzzle rating of this browser.
    pub rating: f64,
    /// Standard deviation of the puzzle rating. It falls with the number of attempts.
    pub deviation: f64,
    /// Number of puzzle attempts that counted for ratings.
    pub attempts: u64,
    /// Number of puzzle attempts that counted for ratings and in which the puzzle was solved.
    pub solved: u64,
    /// Largest number of puzzles that this browser solved in one streak, a run that ends with the first failed attempt.
    pub best_streak: u64,
    /// Largest number of puzzles that this browser solved in one storm, a run of three minutes.
    pub best_storm: u64,
    /// Latest attempts that counted for ratings, at most 100, from old to new.
    pub latest: Vec<CountedAttempt>,
}

/// Summary of a set of puzzles for one rule set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct PuzzleSetSummary {
    /// Name of the rule set.
    pub rules: String,
    /// Number of puzzles.
    pub puzzles: usize,
    /// Distinct themes of the puzzles in the set.
    pub themes: Vec<PuzzleTheme>,
}

/// Puzzle attempt of this browser that counted for ratings.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct CountedAttempt {
    /// Id of the puzzle.
    pub puzzle: String,
    /// Name of the rule set.
    pub rules: String,
    /// Whether the puzzle was solved.
    pub solved: bool,
    /// Puzzle rating of the browser after this attempt.
    pub rating: f64,
    /// Time of the attempt, in RFC 3339.
    pub at: String,
    /// Puzzle run (streak or storm) in which the attempt counts; null in training and after the end of the run.
    #[schema(required, example = "streak:5f0c2a9e")]
    pub run: Option<String>,
}

/// Theme of a puzzle, given by its name, such as `mate-in-2`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub struct PuzzleTheme(pub Theme);

impl TryFrom<String> for PuzzleTheme {
    type Error = UnknownTheme;

    fn try_from(name: String) -> Result<Self, UnknownTheme> {
        name.parse().map(Self)
    }
}

impl From<PuzzleTheme> for &'static str {
    fn from(PuzzleTheme(theme): PuzzleTheme) -> Self {
        theme.name()
    }
}

impl PartialSchema for PuzzleTheme {
    /// Returns the schema of a theme's name, with the names of all themes.
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .description(Some("Theme of a puzzle."))
            .schema_type(Type::String)
            .enum_values(Some(Theme::ALL.map(Theme::name)))
            .into()
    }
}

impl ToSchema for PuzzleTheme {}

/// Puzzle with all positions that the solver can reach by correct actions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Puzzle)]
pub struct PuzzleWire {
    /// Id of the puzzle.
    pub id: String,
    /// Name of the rule set.
    pub rules: String,
    /// Position of the puzzle, in the one-line position notation.
    pub position: String,
    /// Seat of the solver.
    pub solver: SeatWire,
    /// Glicko-2 rating of the puzzle. The first rating comes from the play of the levels.
    pub rating: f64,
    /// Themes of the solution.
    pub themes: Vec<PuzzleTheme>,
    /// Whether the server has counted an attempt of this browser at the puzzle.
    pub tried: bool,
    /// Game states that correct actions reach in the puzzle. The first state is the puzzle's
    /// position.
    pub states: Vec<PuzzleState>,
    /// Actions of both seats that solve the puzzle from the first state.
    pub solution: Vec<String>,
    /// Best play of both seats from the end of the solution to the solver's mate. Empty if the solution ends with the mate, or if
    /// the solver does not win.
    pub ending: Vec<String>,
}

/// State of a puzzle: a decision of the solver, or the end of the puzzle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct PuzzleState {
    /// Game state at the decision or end, without the steps before the position. At the end of the puzzle, the list of legal
    /// actions is empty.
    pub game: GameState,
    /// Actions since the previous decision: the correct action, replies and forced actions.
    pub played: Vec<PlayedAction>,
    /// All legal actions of the decision; empty at the end of the puzzle.
    pub choices: Vec<PuzzleChoice>,
}

/// Action of a seat in a puzzle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct PlayedAction {
    /// Seat that acted.
    pub seat: SeatWire,
    /// Action in text notation, such as `Kc`.
    pub action: String,
}

/// Legal action at a decision of a puzzle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct PuzzleChoice {
    /// Action in text notation, such as `Kc`.
    pub action: String,
    /// Final points of the solver if both seats play perfectly after the action.
    pub value: i32,
    /// Index of the next state after a correct action; null for a wrong action.
    #[schema(required)]
    pub next: Option<usize>,
}

/// Attempt at a puzzle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PuzzleAttempt {
    /// Actions that the solver chose at the decisions, in order. The list ends with the end of the puzzle or with the first wrong
    /// action. After giving up, the list is shorter.
    #[schema(max_items = 5)]
    pub actions: Vec<String>,
    /// Puzzle run to which the attempt belongs: the mode (`streak` or `storm`), and an id that the client has chosen. A streak
    /// ends with its first failed attempt, and a storm three minutes after its first attempt; later attempts count without a
    /// run.
    #[serde(default)]
    #[schema(pattern = "^(streak|storm):[A-Za-z0-9_-]{8,64}$", example = "streak:5f0c2a9e")]
    pub run: Option<String>,
}

/// Result of an attempt at a puzzle.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct AttemptResult {
    /// Whether the actions solve the puzzle.
    pub solved: bool,
    /// Whether the attempt has changed the ratings. Only the first attempt of a browser changes them.
    pub counted: bool,
    /// Puzzle rating of the browser before the attempt.
    pub before: f64,
    /// Puzzle rating of the browser after the attempt.
    pub rating: f64,
    /// Rating of the puzzle after the attempt.
    pub puzzle: f64,
}
