//! Defines the JSON types of tutorial lessons.

use overmate_json::{GameState, SeatWire};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Tutorial lesson, with all game states that the person who takes the lesson (the learner) can reach. A client therefore needs
/// neither the rules nor a further request.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Lesson {
    /// Id of the lesson.
    pub id: String,
    /// Name of the lesson's rule set.
    pub rules: String,
    /// Parts of the lesson in the order of play.
    pub parts: Vec<LessonPart>,
}

/// Part of a lesson, with its start position and all game states that the learner can reach.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct LessonPart {
    /// Start position of the lesson part, in the one-line position notation.
    pub position: String,
    /// Seat of the learner, the person who takes the lesson.
    pub learner: SeatWire,
    /// Game states that the learner can reach in one part of the lesson. The first state is the start position of the part.
    pub states: Vec<LessonState>,
}

/// Game state in one part of a lesson, at which the learner decides, a scripted action follows, or no action follows. No action follows
/// at the end of the part, and after a refuted action.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct LessonState {
    /// State of the game, showing only the cards that the learner may see. The steps begin with the current move, and with the
    /// start of the part at the earliest.
    pub game: GameState,
    /// Whether the learner chooses the next action of the lesson. Otherwise the only choice is a scripted action of either player.
    pub decides: bool,
    /// Legal actions if the learner chooses the next action; otherwise the single scripted action of this state. Empty
    /// at the end of the part, and after a refuted action.
    pub choices: Vec<LessonChoice>,
}

/// Possible action in a state of a lesson.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct LessonChoice {
    /// Action in text notation, such as `Kc`.
    pub action: String,
    /// Whether the action is correct in the lesson; always true for a scripted action.
    pub right: bool,
    /// Final points of the lesson's learner if both seats play perfectly after the action; null for scripted actions.
    #[schema(required)]
    pub value: Option<i32>,
    /// Index of the game state after the action, in the list of states of the same lesson part.
    pub next: usize,
}
