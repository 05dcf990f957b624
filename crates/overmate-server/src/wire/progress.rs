//! Defines the JSON types of a player's progress: match results, points lost, accuracy and
//! estimated level.

use overmate_json::{MistakeKind, PlayerKind};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Progress statistics of the requester for their latest finished matches against opponents. Accuracy and lost points
/// follow from exact values of the actions.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[schema(as = Progress)]
pub struct ProgressWire {
    /// Number of finished matches in the progress statistics of the requester. Only the latest matches count.
    pub matches: usize,
    /// Maximum number of finished matches in the progress statistics of the requester.
    pub matches_at_most: u32,
    /// Number of matches in the requester's progress statistics that were played offline and then sent to the server. These matches
    /// count as matches against their opponents, although the server cannot know how the computer opponent chose its actions.
    pub offline: usize,
    /// Number of matches in the requester's progress statistics that the server has not analysed yet. The client can repeat the
    /// request until the number is 0.
    pub waiting: usize,
    /// Number of matches in the requester's progress statistics whose actions the server does not evaluate. Either the deck has more than
    /// 20 cards, or the deal is also that of a running match without help.
    pub without_values: usize,
    /// Match results for each pair of rule set and opponent, ordered by the name of the rule set and then by opponent.
    pub results: Vec<ProgressResult>,
    /// Finished games of the matches in the requester's progress statistics, from old to new.
    pub games: Vec<ProgressGame>,
    /// Number of analysed games in the requester's progress statistics.
    pub analysed_games: usize,
    /// Number of the requester's real choices (decisions that can lose points) in analysed games. A real choice is a decision,
    /// made without help, whose legal actions have at least two different exact values. In rule sets with a face-down card, only
    /// games in which both players declined to foreplace count.
    pub choices: u32,
    /// Number of points that the requester lost against best play by their real choices in all analysed games.
    pub points_lost: u32,
    /// Mean accuracy of the requester's real choices (decisions that can lose points), from 0 (worst) to 1 (best play). The accuracy of a
    /// choice is `1 - lost / (best - worst)`. Null without a real choice.
    #[schema(required)]
    pub accuracy: Option<f64>,
    /// Strength level of the computer opponent that the requester's play resembles; null without an analysed decision.
    #[schema(required)]
    pub like_level: Option<LevelEstimate>,
    /// Kinds of mistakes in the requester's choices, sorted by lost points from most to least. Mistakes without a known reason
    /// come last.
    pub mistakes: Vec<MistakeCount>,
    /// Lengths of the requester's current and longest series of consecutively solved puzzles.
    pub puzzles: Streak,
    /// Lengths of the current and the longest series of consecutive days whose deal of the day the requester has finished.
    pub days: Streak,
}

/// Match results of the requester under one rule set against one opponent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ProgressResult {
    /// Name of the rule set for which the requester's wins, draws and losses are counted.
    pub rules: String,
    /// English title of the rule set for which the requester's wins, draws and losses are counted.
    pub rules_title: String,
    /// Kind of the opponent: `level`, `perfect`, `program`, or `friend` (any other person).
    pub opponent: PlayerKind,
    /// Strength level of the computer opponent, from 1 to 9; null for other kinds of opponents.
    #[schema(required)]
    pub level: Option<u8>,
    /// Number of the requester's matches against the opponent under the rule set. Only matches in the progress statistics count.
    pub matches: u32,
    /// Number of matches that the requester won.
    pub wins: u32,
    /// Number of matches that ended in a draw.
    pub draws: u32,
    /// Number of matches that the opponent won.
    pub losses: u32,
    /// Points of the requester minus the opponent's points, summed over the requester's matches against the opponent under the rule set.
    /// Only matches in the progress statistics count.
    pub margin: i32,
}

/// Finished game in the progress statistics of the requester.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ProgressGame {
    /// Time at which the game's match was created, in RFC 3339.
    pub begun_at: String,
    /// Id of the match to which the game belongs.
    #[serde(rename = "match")]
    pub match_id: String,
    /// Index of the game in its match, from 0.
    pub game: usize,
    /// Name of the game's rule set.
    pub rules: String,
    /// Kind of the opponent in the game: a computer opponent (`level`, `perfect` or `program`) or another person (`friend`).
    pub opponent: PlayerKind,
    /// Strength level of the computer opponent, from 1 to 9; null for other kinds of opponents.
    #[schema(required)]
    pub level: Option<u8>,
    /// Points of the requester minus the opponent's points, in this game.
    pub points: i32,
    /// Whether the match of the game was played offline and then sent to the server.
    pub offline: bool,
    /// Number of undos and hints that the requester used in the game. Decisions with such help do not count in the progress
    /// statistics.
    pub help: usize,
    /// Number of the requester's real choices (decisions that can lose points) in the game; null for a game that is not analysed.
    /// A real choice is a decision, made without help, whose legal actions differ in exact value.
    #[schema(required)]
    pub choices: Option<u32>,
    /// Number of points that the requester lost against best play by their real choices in the game; null for a game that is not
    /// analysed.
    #[schema(required)]
    pub points_lost: Option<u32>,
    /// Mean accuracy of the requester's real choices (decisions that can lose points) in the game, from 0 (worst) to 1 (best play). Null
    /// without an analysed choice.
    #[schema(required)]
    pub accuracy: Option<f64>,
}

/// Strength level of the computer opponent that the requester's play resembles. The estimate compares the probabilities with
/// which the levels would take the requester's actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct LevelEstimate {
    /// Most probable strength level of the requester's play, from 1 to 9.
    pub level: u8,
    /// Lower end of the credible interval for the strength level of the requester's play, from 1 to 9. All lower levels together
    /// have a probability of at most 5 percent.
    pub low: u8,
    /// Upper end of the credible interval for the strength level of the requester's play, from 1 to 9. All higher levels together
    /// have a probability of at most 5 percent.
    pub high: u8,
    /// Number of decisions on which the level estimate is based: decisions with at least two legal actions, for
    /// which the requester used no hint and no undo.
    pub decisions: u32,
}

/// Number of the requester's mistakes of one kind, and of the points that these mistakes lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct MistakeCount {
    /// Kind of the mistakes, given by their reason; null for mistakes without a known reason.
    #[schema(required)]
    pub kind: Option<MistakeKind>,
    /// Number of the requester's mistakes of the kind `kind`.
    pub count: u32,
    /// Number of points that all mistakes of the kind `kind` lost together.
    pub points_lost: u32,
}

/// Lengths of the current and the longest series of consecutive successes (solved puzzles or finished deals of the day).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct Streak {
    /// Length of the current series of consecutive successes, such as solved puzzles.
    pub current: u32,
    /// Length of the longest series of consecutive successes, such as solved puzzles.
    pub longest: u32,
}
