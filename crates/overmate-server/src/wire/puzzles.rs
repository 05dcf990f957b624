//! Defines the JSON types of puzzles, attempts and puzzle ratings.

use overmate_json::{GameState, SeatWire};
use overmate_puzzles::{Theme, UnknownTheme};
use serde::{Deserialize, Serialize};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// Overview of the available puzzle sets, and of the puzzle rating and the attempts of the requester.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct PuzzleOverview {
    /// Puzzle sets, one for each rule set that has puzzles.
    pub sets: Vec<PuzzleSetSummary>,
    /// Glicko-2 puzzle rating of the requester.
    pub rating: f64,
    /// Standard deviation of the puzzle rating. The deviation falls with the number of attempts.
    pub deviation: f64,
    /// Number of the requester's puzzle attempts that counted for ratings.
    pub attempts: u64,
    /// Number of puzzles that the requester solved in attempts that counted for ratings.
    pub solved: u64,
    /// Largest number of puzzles that the requester solved in one streak (puzzle run that ends with the first failed attempt).
    pub best_streak: u64,
    /// Largest number of puzzles that the requester solved in one storm (puzzle run of three minutes).
    pub best_storm: u64,
    /// Latest puzzle attempts of the requester that counted for ratings, at most 100, from old to new.
    pub latest: Vec<CountedAttempt>,
}

/// Summary of the puzzle set of one rule set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct PuzzleSetSummary {
    /// Name of the puzzle set's rule set.
    pub rules: String,
    /// Number of puzzles in the set.
    pub puzzles: usize,
    /// Distinct themes of the puzzles in the set.
    pub themes: Vec<PuzzleTheme>,
}

/// Puzzle attempt of the requester that counted for ratings.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct CountedAttempt {
    /// Id of the attempted puzzle.
    pub puzzle: String,
    /// Name of the puzzle's rule set.
    pub rules: String,
    /// Whether the puzzle attempt solved the puzzle.
    pub solved: bool,
    /// Puzzle rating of the requester after the puzzle attempt.
    pub rating: f64,
    /// Time of the puzzle attempt, in RFC 3339.
    pub at: String,
    /// Id of the scored series of puzzles (streak or storm) to which the attempt belongs; null in training and after the end of the series.
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
    /// Returns the OpenAPI schema of a puzzle theme: a string with the names of all themes as its values.
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .description(Some("Theme of a puzzle."))
            .schema_type(Type::String)
            .enum_values(Some(Theme::ALL.map(Theme::name)))
            .into()
    }
}

impl ToSchema for PuzzleTheme {}

/// Puzzle with all game states that the solving player can reach by correct actions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Puzzle)]
pub struct PuzzleWire {
    /// Id of the puzzle.
    pub id: String,
    /// Name of the puzzle's rule set.
    pub rules: String,
    /// Start position of the puzzle, in the one-line position notation.
    pub position: String,
    /// Seat of the player who solves the puzzle.
    pub solver: SeatWire,
    /// Glicko-2 rating of the puzzle. The initial rating is computed from the play of the computer levels.
    pub rating: f64,
    /// Themes of the puzzle's solution.
    pub themes: Vec<PuzzleTheme>,
    /// Whether the requester has made an attempt at the puzzle that counted for ratings.
    pub tried: bool,
    /// Game states that correct actions can reach in the puzzle. The first state is the start position of the puzzle.
    pub states: Vec<PuzzleState>,
    /// Solution of the puzzle: the actions of both seats from the start position.
    pub solution: Vec<String>,
    /// Actions of both seats with best play, from the end of the solution to the mate by the player who solves the puzzle. Empty if
    /// the solution ends with the mate, or if that player does not win.
    pub ending: Vec<String>,
}

/// State of a puzzle: a decision of the player who solves the puzzle, or the end of the puzzle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct PuzzleState {
    /// Game state at the decision or at the end of the puzzle, without the list of earlier actions. At the end, the list of legal
    /// actions is empty.
    pub game: GameState,
    /// Actions between the previous decision and this state of the puzzle: the correct action, replies and forced actions.
    pub played: Vec<PlayedAction>,
    /// All legal actions at the decision; empty at the end of the puzzle.
    pub choices: Vec<PuzzleChoice>,
}

/// Action that a seat has taken in a puzzle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct PlayedAction {
    /// Seat that took the action.
    pub seat: SeatWire,
    /// Action in text notation, such as `Kc`.
    pub action: String,
}

/// Legal action at a decision of a puzzle, with its value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct PuzzleChoice {
    /// Action in text notation, such as `Kc`.
    pub action: String,
    /// Final points of the player who solves the puzzle, if both seats play perfectly after the action.
    pub value: i32,
    /// Index, in the puzzle's list of states, of the state after a correct action; null for a wrong action.
    #[schema(required)]
    pub next: Option<usize>,
}

/// Attempt of the requester at a puzzle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PuzzleAttempt {
    /// Actions that the player chose at the decisions of the puzzle, in order. The list ends with the end of the puzzle or with the
    /// first wrong action. A player who gave up sends a shorter list.
    #[schema(max_items = 5)]
    pub actions: Vec<String>,
    /// Puzzle run to which the attempt belongs: the mode (`streak` or `storm`), and an id that the client has chosen. A streak ends with
    /// its first failed attempt. A storm ends three minutes after its first attempt. Later attempts count without a run. Null or absent in
    /// training.
    #[serde(default)]
    #[schema(pattern = "^(streak|storm):[A-Za-z0-9_-]{8,64}$", example = "streak:5f0c2a9e")]
    pub run: Option<String>,
}

/// Result of an attempt at a puzzle.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct AttemptResult {
    /// Whether the chosen actions solve the puzzle.
    pub solved: bool,
    /// Whether the attempt has changed the puzzle ratings. Only the first attempt of a person at a puzzle changes ratings.
    pub counted: bool,
    /// Puzzle rating of the requester before the puzzle attempt.
    pub before: f64,
    /// Puzzle rating of the requester after the puzzle attempt.
    pub rating: f64,
    /// Rating of the puzzle after the puzzle attempt.
    pub puzzle: f64,
}
