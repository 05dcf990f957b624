//! Defines the JSON types of lessons.

use overmate_json::{GameState, SeatWire};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Lesson with all positions that the learner can reach. A client therefore needs no rules and no further request.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Lesson {
    /// Id of the lesson.
    pub id: String,
    /// Name of the rule set.
    pub rules: String,
    /// Parts of the lesson in the order of play.
    pub parts: Vec<LessonPart>,
}

/// Part of a lesson, with its start position and states.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct LessonPart {
    /// Start position of the part, in the one-line position notation.
    pub position: String,
    /// Seat of the learner.
    pub learner: SeatWire,
    /// States that the learner can reach in the part. The first state is the position at the start
    /// of the part.
    pub states: Vec<LessonState>,
}

/// State in a part of a lesson: a decision of the learner, a scripted action, or the end of the
/// part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct LessonState {
    /// State of the game, with only the cards that the learner may see. The steps begin with the current move, and with the start
    /// of the part at the earliest.
    pub game: GameState,
    /// Whether the learner chooses the next action. Otherwise the only choice is a scripted action of either player.
    pub decides: bool,
    /// Legal actions of the learner's decision, or the single scripted action. Empty at the end of
    /// the part, and after a refuted action.
    pub choices: Vec<LessonChoice>,
}

/// Possible action in a state of a lesson.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct LessonChoice {
    /// Action in text notation, such as `Kc`.
    pub action: String,
    /// Whether the action is correct; always true for scripted actions.
    pub right: bool,
    /// Final points of the learner if both seats play perfectly after the action; null for scripted actions.
    #[schema(required)]
    pub value: Option<i32>,
    /// Index of the next state in the part.
    pub next: usize,
}
