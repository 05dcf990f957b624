//! Defines the JSON forms of the card game *Mate*: rule sets, cards, actions, deals, games and values.
//!
//! The core types of `overmate-rules` and `overmate-solver` have no serde implementations. The
//! types here carry the JSON field names, and are converted by hand: [`RuleFacts`] for a rule set,
//! [`Hands`] for the hands of a deal, [`ProvedValue`] for a value, [`MistakeWire`] for the reason
//! of a loss, [`GameState`] for a game and [`MatchView`] for a match as one viewer sees them,
//! [`AnalysisWire`] and [`ReviewWire`] for exact values. Cards and actions are strings in notation: [`card`], [`cards`], [`action`],
//! [`actions`].
//!
//! # Stability
//!
//! Field names, their order and the texts of enum values never change. New fields may be added.

/// Empty type that turns the README's code example into a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod analysis;
mod catalogue;
mod deal;
mod facts;
mod game;
mod matches;
mod mistake;
mod objects;
mod player;
mod read;
mod value;

pub use analysis::forms::{
    AnalysedAction, AnalysisRequest, AnalysisWire, GivenHands, Lost, ReviewWire, ReviewedActionWire,
};
pub use analysis::review::{UNFINISHED_REVIEW, hides_cards};
pub use analysis::subject::{AnalysisError, AnalysisSubject};
pub use catalogue::{
    CatalogueTexts, Conflict, LocalisedTexts, RuleSets, RuleSummary, VariationSummary, title,
};
pub use deal::{Hands, SeatWire, action, actions, card, cards, deal_number};
pub use facts::{
    DeckFacts, FactsError, ForeplacingFacts, OvermateRule, PrivilegeFacts, RankFacts, RuleFacts,
    SuitFacts,
};
pub use game::forms::{
    AnswersWire, Factors, ForeplacedCard, ForeplacedKind, GameState, LeadState, LegalAction,
    LegalKind, Multipliers, NotLegal, OutcomeKind, OutcomeState, PhaseWire, ReasonCode, Sides,
    Step, StepKind,
};
pub use game::view::Perspective;
pub use matches::clocks::{ClockWire, Clocks};
pub use matches::forms::{
    Mark, MarkKind, MatchResultWire, MatchSummary, MatchView, PlayerKind, PlayerState, Players,
    Points, Rematch, You,
};
pub use matches::hints::{Hint, HintedAction};
pub use matches::log::{LogFault, LoggedMark, MatchLog};
pub use matches::own::{ENTRIES_WITH_UNDOS, OWN_ENTRIES, OwnEntry, OwnMatch, UNDOS_PER_GAME};
pub use matches::record::{RecordFacts, record};
pub use matches::view::MatchFacts;
pub use mistake::{MistakeKind, MistakeWire};
pub use objects::{Object, object, optional_object};
pub use player::PlayerWire;
pub use read::{numbered_deal, rule_set};
pub use value::ProvedValue;
