//! Defines the JSON types of the HTTP interface, which are converted by hand from the types of the game.

mod analysis;
pub(crate) mod checks;
mod game;
mod lessons;
mod live;
mod matches;
mod objects;
mod personal;
mod player;
mod problem;
mod progress;
mod puzzles;
mod shared_deals;

pub use overmate_json::{
    CatalogueTexts, Conflict, DeckFacts, ForeplacingFacts, Hands, LocalisedTexts, MistakeKind,
    MistakeWire, OvermateRule, PrivilegeFacts, ProvedValue, RankFacts, RuleFacts, RuleSets,
    RuleSummary, Seat, SuitFacts, VariationSummary,
};

pub use analysis::{
    AnalysedAction, Analysis, AnalysisRequest, Hint, HintedAction, Lost, Review, ReviewedAction,
};
pub use game::{
    Answers, Factors, ForeplacedCard, ForeplacedKind, GameState, LeadState, LegalAction, LegalKind,
    Multipliers, NotLegal, OutcomeKind, OutcomeState, Phase, ReasonCode, Sides, Step, StepKind,
};
pub use lessons::{Lesson, LessonChoice, LessonPart, LessonState};
pub use live::{ClientMessage, Phrase, PlayerPresence, PresenceKind, ServerMessage};
pub use matches::{
    Act, ClientId, Invitation, Join, Lead, Mark, MarkKind, MatchList, MatchResult, MatchSummary,
    MatchView, Names, NewMatch, Opponent, PlayerKind, PlayerState, Players, Points, Rematch,
    Resign, You,
};
pub(crate) use objects::object;
pub use personal::{Export, ExportedEntry, ExportedMatch, Privacy};
pub use player::Player;
pub use problem::{Code, Problem};
pub use progress::{LevelEstimate, MistakeCount, Progress, ProgressGame, ProgressResult, Streak};
pub use puzzles::{
    AttemptResult, CountedAttempt, PlayedAction, Puzzle, PuzzleAttempt, PuzzleChoice,
    PuzzleOverview, PuzzleSetSummary, PuzzleState, PuzzleTheme,
};
pub use shared_deals::{
    PlaySharedDeal, SharedDealDecision, SharedDealResult, SharedDealScore, SharedDealState,
    SharedDealSummary, SharedDeals,
};
