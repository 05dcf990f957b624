//! Exact values on the wire: analyses, reviews and hints.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{GameState, Hands, ProvedValue, Seat};

/// What to analyse: exactly one of `deal`, `hands`, `record` and `position`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalysisRequest {
    /// The name of the rule set; a record brings its own.
    #[serde(default)]
    #[schema(max_length = 200, example = "sackson")]
    pub rules: Option<String>,
    /// The number of a deal.
    #[serde(default)]
    #[schema(max_length = 20, example = "20010")]
    pub deal: Option<String>,
    /// The hands of a deal.
    #[serde(default, deserialize_with = "super::optional_object")]
    pub hands: Option<Hands>,
    /// The record of a match or game.
    #[serde(default)]
    #[schema(max_length = 20_000)]
    pub record: Option<String>,
    /// Which game of the record, from 0.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 200)]
    pub game: Option<usize>,
    /// A position in one line.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub position: Option<String>,
    /// What is played from there, in notation. With a record these stand in the place of the actions of its game.
    #[serde(default)]
    #[schema(max_items = 60, example = json!(["-", "-", "Tc"]))]
    pub actions: Option<Vec<String>>,
}

/// What is known of a position.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Analysis {
    /// The name of the rule set.
    pub rules: String,
    /// The position in one line.
    pub position: String,
    /// The game, all cards open. `legal` is what the seat to act may do.
    pub game: GameState,
    /// The actions that were played from the start, in notation.
    pub played: Vec<String>,
    /// Its value.
    pub value_for_first: ProvedValue,
    /// Every legal action with the value that it leads to, in the order of the deck.
    pub actions: Vec<AnalysedAction>,
    /// A line of best play to the end, as far as it is proved.
    pub line: Vec<String>,
}

/// An action and the value that it leads to.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct AnalysedAction {
    /// In notation.
    pub action: String,
    /// The value after it.
    pub value_for_first: ProvedValue,
    /// Whether it is proved to lose nothing.
    pub best: bool,
}

/// What each action of a finished game was worth.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Review {
    /// The index of the game, from 0.
    pub game: usize,
    /// Whether a card lay face down in it: the values take all cards as known.
    pub had_hidden_card: bool,
    /// Every action, in order.
    pub actions: Vec<ReviewedAction>,
    /// The value before the first action and after each one.
    pub values_for_first: Vec<ProvedValue>,
    /// The points that each player lost to best play, as far as it is proved.
    pub lost: Lost,
    /// The index of the action that lost most; null if none lost anything.
    #[schema(required)]
    pub turning_point: Option<usize>,
    /// The final points as *first* sees them.
    pub points_for_first: i32,
    /// What the deal is worth, with best play by both.
    pub value_for_first: ProvedValue,
    /// What *first* made of the same deal in the match's other game of it; null if that is not over.
    #[schema(required)]
    pub other_seating_points_for_first: Option<i32>,
    /// A line of best play from the deal to the end, as far as it is proved.
    pub line: Vec<String>,
}

/// What each seat lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct Lost {
    /// By *first*.
    pub first: u32,
    /// By *second*.
    pub second: u32,
}

/// What an action was worth.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ReviewedAction {
    /// Which action of the game it is, from 0.
    pub index: usize,
    /// Who acted.
    pub seat: Seat,
    /// In notation.
    pub action: String,
    /// The value before.
    pub before_for_first: ProvedValue,
    /// The value after.
    pub after_for_first: ProvedValue,
    /// The points that it lost to best play; null if that is not proved.
    #[schema(required)]
    pub lost: Option<u32>,
    /// The actions that would have lost nothing.
    pub best: Vec<String>,
}

/// What every action leads to, for the player whose turn it is.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Hint {
    /// The sequence of the state that the hint is for. It has been counted: a hint is a thing that happened.
    pub sequence: u64,
    /// Whether a card lies face down before you: the values are then the worst and best case.
    pub hidden_card: bool,
    /// Every legal action.
    pub actions: Vec<HintedAction>,
}

/// An action, and what it leads to.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct HintedAction {
    /// In notation.
    pub action: String,
    /// The final points as *first* sees them, with best play.
    pub value_for_first: ProvedValue,
    /// The least that you get.
    pub points_for_you: i32,
    /// Whether it is the one to take, or as good.
    pub best: bool,
}
