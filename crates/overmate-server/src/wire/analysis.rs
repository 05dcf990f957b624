//! JSON types of exact values: analyses, reviews and hints.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use overmate_json::{Hands, ProvedValue, Seat};

use super::game::GameState;

/// Request for an analysis of exactly one of `deal`, `hands`, `record` and `position`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalysisRequest {
    /// Name of the rule set. A record names its own rule set.
    #[serde(default)]
    #[schema(max_length = 200, example = "sackson")]
    pub rules: Option<String>,
    /// Number of a deal.
    #[serde(default)]
    #[schema(max_length = 20, example = "20010")]
    pub deal: Option<String>,
    /// Hands of a deal.
    #[serde(default, deserialize_with = "super::objects::optional_object")]
    pub hands: Option<Hands>,
    /// Record of a match or game.
    #[serde(default)]
    #[schema(max_length = 20_000)]
    pub record: Option<String>,
    /// Index of a game of the record, from 0; without it, the last game.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 200)]
    pub game: Option<usize>,
    /// Position in one line.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub position: Option<String>,
    /// Actions from the start of the deal or position, in notation. With a record they replace the actions of its game.
    #[serde(default)]
    #[schema(max_items = 60, example = json!(["-", "-", "Tc"]))]
    pub actions: Option<Vec<String>>,
}

/// Analysis of a position.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Analysis {
    /// Name of the rule set.
    pub rules: String,
    /// Position in one line.
    pub position: String,
    /// Game with all cards open. `legal` lists the actions of the seat to act.
    pub game: GameState,
    /// Actions from the start of the game, in notation.
    pub played: Vec<String>,
    /// Value of the position.
    pub value_for_first: ProvedValue,
    /// Every legal action with its value, in the order of the deck.
    pub actions: Vec<AnalysedAction>,
    /// Principal variation: a line of best play to the end of the game, as far as it is proved.
    pub line: Vec<String>,
}

/// Action and its value.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct AnalysedAction {
    /// Action in notation.
    pub action: String,
    /// Value after the action.
    pub value_for_first: ProvedValue,
    /// Whether the action is proved to lose no points.
    pub best: bool,
}

/// Review of a finished game.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Review {
    /// Index of the game, from 0.
    pub game: usize,
    /// Whether a card lay face down in the game. The values assume that both players knew all cards.
    pub had_hidden_card: bool,
    /// Actions of the game, in order.
    pub actions: Vec<ReviewedAction>,
    /// Values before the first action and after each action.
    pub values_for_first: Vec<ProvedValue>,
    /// Points that each seat lost to best play, as far as they are proved.
    pub lost: Lost,
    /// Index of the action that lost most; null if no action lost points.
    #[schema(required)]
    pub turning_point: Option<usize>,
    /// Final points of *first*; negative if *second* scored.
    pub points_for_first: i32,
    /// Value of the deal under best play by both seats.
    pub value_for_first: ProvedValue,
    /// Final points of *first* in the other game of the same deal; null if that game is not over.
    #[schema(required)]
    pub other_seating_points_for_first: Option<i32>,
    /// Principal variation: a line of best play from the deal to the end of the game, as far as it is proved.
    pub line: Vec<String>,
}

/// Points that each seat lost to best play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct Lost {
    /// Points that *first* lost.
    pub first: u32,
    /// Points that *second* lost.
    pub second: u32,
}

/// Action of a reviewed game, with its values.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ReviewedAction {
    /// Index of the action in the game, from 0.
    pub index: usize,
    /// Seat that acted.
    pub seat: Seat,
    /// Action in notation.
    pub action: String,
    /// Value before the action.
    pub before_for_first: ProvedValue,
    /// Value after the action.
    pub after_for_first: ProvedValue,
    /// Points that the action lost to best play; null if they are not proved.
    #[schema(required)]
    pub lost: Option<u32>,
    /// Actions that would have lost no points.
    pub best: Vec<String>,
}

/// Hint for the player to act: the value of every legal action.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Hint {
    /// Sequence number of the match after the hint, which is an entry of the log.
    pub sequence: u64,
    /// Whether a card lies face down before you. The values are then bounds over all possible worlds.
    pub hidden_card: bool,
    /// Legal actions with their values.
    pub actions: Vec<HintedAction>,
}

/// Legal action and its value.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct HintedAction {
    /// Action in notation.
    pub action: String,
    /// Final points of *first* under best play.
    pub value_for_first: ProvedValue,
    /// Lower bound of your final points.
    pub points_for_you: i32,
    /// Whether the action is the advised action, or as good as the advised action.
    pub best: bool,
}
