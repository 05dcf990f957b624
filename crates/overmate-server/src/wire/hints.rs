//! Defines the JSON types of hints.

use overmate_json::ProvedValue;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Hint for the player to act: the value of every legal action.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Hint {
    /// Sequence number of the match after the log entry of the hint.
    pub sequence: u64,
    /// Whether the opponent has a face-down card. If so, the values are bounds over all possible
    /// worlds.
    pub hidden_card: bool,
    /// Legal actions with their values, in the order of the deck.
    pub actions: Vec<HintedAction>,
}

/// Legal action in a hint, with its value.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct HintedAction {
    /// Legal action in notation.
    pub action: String,
    /// Value of the position after the action, in points for *first* under best play.
    pub value_for_first: ProvedValue,
    /// Lower bound of your final points in the game if you take this action.
    pub points_for_you: i32,
    /// Whether the action is as good as the advised action.
    pub best: bool,
}
