//! Defines the JSON types of a player's progress: results, points lost, accuracy and estimated
//! level.

use overmate_json::{MistakeKind, PlayerKind};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Progress of this browser in its latest finished matches against others, measured by exact
/// values.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[schema(as = Progress)]
pub struct ProgressWire {
    /// Number of finished matches that count in the progress. Only the latest matches count.
    pub matches: usize,
    /// Maximum number of finished matches that count in the progress.
    pub matches_at_most: u32,
    /// Number of matches in the progress that were played offline and handed in. They count as matches against their opponents,
    /// although the server cannot know how the computer chose its actions there.
    pub offline: usize,
    /// Number of matches in the progress that await their analysis. Repeat the request until the number is 0.
    pub waiting: usize,
    /// Number of counted matches that have no exact values. Either the deck has more than 20 cards, or a running match
    /// without help has the same deal.
    pub without_values: usize,
    /// Match results for each pair of rule set and opponent, ordered by the name of the rule set and then by opponent.
    pub results: Vec<ProgressResult>,
    /// Finished games of the matches in the progress, from old to new.
    pub games: Vec<ProgressGame>,
    /// Number of analysed games.
    pub analysed_games: usize,
    /// Number of analysed real choices: decisions, made without help, whose legal actions have at least two different exact
    /// values. In rule sets with a card face down, only games count in which both players declined to foreplace.
    pub choices: u32,
    /// Points that this browser's real choices lost to best play in all analysed games.
    pub points_lost: u32,
    /// Mean accuracy of this browser's real choices, from 0 (worst) to 1 (best play). The accuracy of a choice is `1 - lost /
    /// (best - worst)`; null without a choice.
    #[schema(required)]
    pub accuracy: Option<f64>,
    /// Estimated level of this browser's play; null without an analysed decision.
    #[schema(required)]
    pub like_level: Option<LevelEstimate>,
    /// Kinds of choices that lost points, sorted by lost points from most to least. Choices without a known reason come last.
    pub mistakes: Vec<MistakeCount>,
    /// Current and longest series of solved puzzles.
    pub puzzles: Streak,
    /// Current and longest series of days with a finished deal of the day.
    pub days: Streak,
}

/// Match results under one rule set against one opponent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ProgressResult {
    /// Name of the rule set.
    pub rules: String,
    /// English title of the rule set.
    pub rules_title: String,
    /// Kind of the opponent, which is `level`, `perfect` or, for every person, `friend`.
    pub opponent: PlayerKind,
    /// Level of the opponent, from 1 to 9; null for other kinds of opponents.
    #[schema(required)]
    pub level: Option<u8>,
    /// Number of matches against the opponent.
    pub matches: u32,
    /// Number of matches that this browser won.
    pub wins: u32,
    /// Number of matches without a winner.
    pub draws: u32,
    /// Number of matches that the opponent won.
    pub losses: u32,
    /// Points of this browser minus the opponent's points, summed over the matches.
    pub margin: i32,
}

/// Finished game in the progress of this browser.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ProgressGame {
    /// Creation time of the match, in RFC 3339.
    pub begun_at: String,
    /// Id of the match.
    #[serde(rename = "match")]
    pub match_id: String,
    /// Index of the game in its match, from 0.
    pub game: usize,
    /// Name of the rule set.
    pub rules: String,
    /// Kind of the opponent, which is `level`, `perfect` or, for every person, `friend`.
    pub opponent: PlayerKind,
    /// Level of the opponent, from 1 to 9; null for other kinds of opponents.
    #[schema(required)]
    pub level: Option<u8>,
    /// Points of this browser minus the opponent's points, in this game.
    pub points: i32,
    /// Whether the match was played offline and handed in.
    pub offline: bool,
    /// Number of undos and hints of this browser in the game. Decisions with help do not count.
    pub help: usize,
    /// Number of this browser's real choices; null for a game that is not analysed. A real choice is a decision, made without
    /// help, whose legal actions differ in exact value.
    #[schema(required)]
    pub choices: Option<u32>,
    /// Points that this browser's real choices lost to best play; null for a game that is not analysed.
    #[schema(required)]
    pub points_lost: Option<u32>,
    /// Mean accuracy of the real choices, from 0 (worst) to 1 (best play); null without an analysed choice.
    #[schema(required)]
    pub accuracy: Option<f64>,
}

/// Estimated level of this browser's play. The estimate compares the probabilities with which the
/// levels take the same actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct LevelEstimate {
    /// Most probable level, from 1 to 9.
    pub level: u8,
    /// Lower end of the credible interval, as a level from 1 to 9. All lower levels together have a probability of at most 5
    /// percent.
    pub low: u8,
    /// Upper end of the credible interval, as a level from 1 to 9. All higher levels together have a probability of at most 5
    /// percent.
    pub high: u8,
    /// Number of decisions in the estimate: decisions without help and with at least two legal actions.
    pub decisions: u32,
}

/// Number of choices that lost points by one kind of mistake.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct MistakeCount {
    /// Kind of mistake; null for choices without a known reason.
    #[schema(required)]
    pub kind: Option<MistakeKind>,
    /// Number of choices that were mistakes of this kind.
    pub count: u32,
    /// Total number of points that the choices of this kind lost.
    pub points_lost: u32,
}

/// Lengths of the current and the longest series of successes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct Streak {
    /// Length of the current series.
    pub current: u32,
    /// Length of the longest series.
    pub longest: u32,
}
