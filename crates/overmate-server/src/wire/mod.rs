//! What goes over the wire: types of its own, converted by hand from those of the game.

mod analysis;
mod game;
mod live;
mod matches;
mod problem;
mod rules;

pub use analysis::{
    AnalysedAction, Analysis, AnalysisRequest, Hint, HintedAction, Lost, ProvedValue, Review,
    ReviewedAction,
};
pub use game::{
    Factors, ForeplacedCard, ForeplacedKind, GameState, Hands, LeadState, LegalAction, LegalKind,
    NotLegal, OutcomeKind, OutcomeState, Phase, Seat, Sides, Step, StepKind,
};
pub use live::{ClientMessage, ServerMessage};
pub use matches::{
    Act, ClientId, Invitation, Join, Lead, Mark, MarkKind, MatchList, MatchResult, MatchState,
    MatchSummary, Names, NewMatch, Opponent, Player, PlayerKind, PlayerState, Players, Points,
    Rematch, Resign, You,
};
pub use problem::{Code, Problem};
pub use rules::{
    DeckFacts, ForeplacingFacts, PrivilegeFacts, RankFacts, RuleFacts, RuleSets, RuleSummary,
    SuitFacts, VariationSummary,
};
