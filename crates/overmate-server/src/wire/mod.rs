//! What goes over the wire: types of its own, converted by hand from those of the game.

mod analysis;
pub(crate) mod checks;
mod game;
mod live;
mod matches;
mod problem;

pub use overmate_json::{
    CatalogueTexts, Conflict, DeckFacts, ForeplacingFacts, Hands, LocalisedTexts, OvermateRule,
    PrivilegeFacts, ProvedValue, RankFacts, RuleFacts, RuleSets, RuleSummary, Seat, SuitFacts,
    VariationSummary,
};

pub use analysis::{
    AnalysedAction, Analysis, AnalysisRequest, Hint, HintedAction, Lost, Review, ReviewedAction,
};
pub use game::{
    Factors, ForeplacedCard, ForeplacedKind, GameState, LeadState, LegalAction, LegalKind,
    NotLegal, OutcomeKind, OutcomeState, Phase, ReasonCode, Sides, Step, StepKind,
};
pub use live::{ClientMessage, ServerMessage};
pub use matches::{
    Act, ClientId, Invitation, Join, Lead, Mark, MarkKind, MatchList, MatchResult, MatchState,
    MatchSummary, Names, NewMatch, Opponent, Player, PlayerKind, PlayerState, Players, Points,
    Rematch, Resign, You,
};
pub use problem::{Code, Problem};

use serde::de::{DeserializeOwned, Deserializer, Error as _};
use serde_json::{Map, Value};

/// Reads an object. Left to themselves, types with fields take a list of their values too, which no document of ours says.
pub(crate) fn object<'de, T: DeserializeOwned, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let map: Map<String, Value> = serde::Deserialize::deserialize(deserializer)?;
    T::deserialize(Value::Object(map)).map_err(D::Error::custom)
}

/// The same where `null` may stand.
pub(crate) fn optional_object<'de, T: DeserializeOwned, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let map: Option<Map<String, Value>> = serde::Deserialize::deserialize(deserializer)?;
    map.map(|map| T::deserialize(Value::Object(map)).map_err(D::Error::custom)).transpose()
}
