//! Reads the game or position of an analysis request, and computes the values of the position and of its legal actions.

use std::sync::Arc;

use overmate_rules::{
    Action, BySeat, CardSet, Deal, Game, Match, Position, PositionSetup, Record, RuleSet,
    error_with_causes,
};
use overmate_solver::{Analysis, Budget, Solver, Value};
use thiserror::Error;

use super::forms::{AnalysedAction, AnalysisRequest, AnalysisWire};
use crate::game::view::Perspective;
use crate::read::{numbered_deal, rule_set};
use crate::{GameState, PlayerWire};

/// Error in an analysis request. The error text names the fault and its remedy.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum AnalysisError {
    /// A field of the analysis request is missing, unexpected or invalid.
    #[error("{0}")]
    Request(String),
    /// The analysis request contains an illegal action.
    #[error("{0}")]
    Illegal(String),
}

impl AnalysisError {
    fn request(error: impl Into<Box<dyn std::error::Error>>) -> Self {
        Self::Request(error_with_causes(&*error.into()))
    }
}

/// Subject of an analysis: a game or a position.
///
/// This example analyses a deal.
/// ```
/// use overmate_json::{AnalysisRequest, AnalysisSubject};
/// use overmate_solver::{Budget, Solver};
/// let request = r#"{"rules": "sackson", "deal": "20010", "actions": ["-", "-"]}"#;
/// let request: AnalysisRequest = serde_json::from_str(request)?;
/// let subject = AnalysisSubject::read(&request)?;
/// let analysis = subject.analyse(&mut Solver::new(), &Budget::unlimited());
/// assert!(analysis.actions.iter().any(|action| action.best));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub enum AnalysisSubject {
    /// Analysed game of a known deal.
    Game(Box<Game>),
    /// Analysed position without a known deal.
    Position(Box<Position>),
}

impl AnalysisSubject {
    /// Reads the game or position of an analysis request.
    ///
    /// # Errors
    ///
    /// Returns an error if the request does not name exactly one game or position, if a text of the
    /// request cannot be read, or if an action is illegal.
    pub fn read(request: &AnalysisRequest) -> Result<Self, AnalysisError> {
        read(request)
    }

    /// Returns the rule set of the analysed game or position.
    #[must_use]
    pub fn rules(&self) -> &Arc<RuleSet> {
        match self {
            Self::Game(game) => game.rules(),
            Self::Position(position) => position.rules(),
        }
    }

    /// Returns a game that leads to the analysed position, or `None` if no such game is found.
    #[must_use]
    pub fn game(&self) -> Option<Game> {
        match self {
            Self::Game(game) => Some((**game).clone()),
            Self::Position(position) => Game::leading_to(position),
        }
    }

    /// Returns the analysed position. For an analysed game, this is the game's current position. For a request that names a position, this
    /// is the position after the request's actions.
    #[must_use]
    pub fn position(&self) -> &Position {
        match self {
            Self::Game(game) => game.position(),
            Self::Position(position) => position,
        }
    }

    /// Returns both hands: the dealt hands of an analysed game, or the current hands of an analysed position.
    #[must_use]
    pub fn hands(&self) -> BySeat<CardSet> {
        match self {
            Self::Game(game) => game.dealt().hands(),
            Self::Position(position) => position.hands(),
        }
    }

    /// Computes the value of the analysed position, the value of each legal action, and the principal variation.
    ///
    /// If the solver has already analysed the same deal, the values come from the solver's table.
    #[must_use]
    pub fn analyse(&self, solver: &mut Solver, budget: &Budget) -> AnalysisWire {
        let rules = self.rules();
        let (game, played, found) = match self {
            Self::Game(game) => (
                GameState::of_game(game, 0, PlayerWire::A, Perspective::Open),
                crate::actions(rules, game.actions()),
                of_game(solver, game, budget),
            ),
            Self::Position(position) => (
                GameState::of_position(position),
                Vec::new(),
                solver.analyse_position(position, budget).into(),
            ),
        };
        let actions = found.actions.iter().map(|(action, value)| AnalysedAction {
            action: crate::action(rules, *action),
            value_for_first: (*value).into(),
            estimate_for_first: None,
            best: value.exact().is_some() && *value == found.value,
        });
        AnalysisWire {
            rules: rules.name().to_owned(),
            position: self.position().to_string(),
            game,
            played,
            value_for_first: found.value.into(),
            horizon: None,
            actions: actions.collect(),
            line: crate::actions(rules, &found.line),
        }
    }
}

/// Result of an analysis: the value of the position, the value of each legal action, and the
/// principal variation.
pub(super) struct FoundValues {
    pub(super) value: Value,
    actions: Vec<(Action, Value)>,
    pub(super) line: Vec<Action>,
}

impl From<Analysis> for FoundValues {
    fn from(analysis: Analysis) -> Self {
        let actions = analysis.actions.iter().map(|action| (action.action, action.value));
        Self {
            value: analysis.value,
            actions: actions.collect(),
            line: analysis.principal_variation,
        }
    }
}

/// Analyses the current position of a game.
pub(super) fn of_game(solver: &mut Solver, game: &Game, budget: &Budget) -> FoundValues {
    solver.analyse(game, budget).into()
}

/// Parses the game or position of an analysis request.
fn read(request: &AnalysisRequest) -> Result<AnalysisSubject, AnalysisError> {
    let AnalysisRequest { rules, deal, hands, record, game, position, actions } = request;
    let given = [deal.is_some(), hands.is_some(), record.is_some(), position.is_some()];
    if given.into_iter().filter(|given| *given).count() != 1 {
        return Err(AnalysisError::request(
            "the request must name one position: give exactly one of the fields deal, hands, record and position",
        ));
    }
    if let Some(record) = record {
        return of_record(record, *game, actions.as_deref());
    }
    let rules = rules.as_deref().ok_or_else(|| {
        AnalysisError::request("rules: the name of a rule set is missing: add the field rules")
    })?;
    let rules = rule_set(rules).map_err(AnalysisError::Request)?;
    let actions = actions.as_deref().unwrap_or_default();
    if let Some(text) = position {
        let setup: PositionSetup = rules.read_position(text).map_err(AnalysisError::request)?;
        let position = setup.validate(&rules).map_err(AnalysisError::request)?;
        let mut position = position;
        for text in actions {
            let action = read_action(&rules, text)?;
            position = position.play(action).map_err(|error| refused(text, &error.illegal))?;
        }
        return Ok(AnalysisSubject::Position(Box::new(position)));
    }
    let dealt = match (deal, hands) {
        (Some(number), _) => numbered_deal(&rules, number).map_err(AnalysisError::Request)?,
        (None, hands) => {
            let hands = hands.as_ref();
            let cards = |hand: Option<&Vec<String>>| -> Result<_, AnalysisError> {
                let texts = hand.into_iter().flatten();
                let cards: Result<Vec<_>, _> =
                    texts.take(64).map(|text| rules.deck().read_card(text)).collect();
                cards.map_err(AnalysisError::request)
            };
            let first = cards(hands.map(|hands| &hands.first))?;
            let second = cards(hands.map(|hands| &hands.second))?;
            Deal { first, second }.validate(&rules).map_err(AnalysisError::request)?
        }
    };
    played(Game::new(dealt), actions)
}

fn of_record(
    text: &str,
    index: Option<usize>,
    actions: Option<&[String]>,
) -> Result<AnalysisSubject, AnalysisError> {
    let record = Record::read(text).map_err(AnalysisError::request)?;
    let play: &Match = record.played_match();
    let index = index.unwrap_or_else(|| play.current_index());
    let game = play.games().get(index);
    let game = game.ok_or_else(|| {
        AnalysisError::request(format!(
            "game: the record has no game {index}: give the index of a game in the record, from 0"
        ))
    })?;
    match actions {
        Some(actions) => played(game.after(0), actions),
        // A resigned game is analysed at the last position before the resignation.
        None => Ok(AnalysisSubject::Game(Box::new(game.after(game.actions().len())))),
    }
}

fn played(game: Game, actions: &[String]) -> Result<AnalysisSubject, AnalysisError> {
    let rules = Arc::clone(game.rules());
    let mut game = game;
    for text in actions {
        let action = read_action(&rules, text)?;
        game = game.play(action).map_err(|error| refused(text, &error.illegal))?;
    }
    Ok(AnalysisSubject::Game(Box::new(game)))
}

/// Parses an action of an analysis request.
fn read_action(rules: &RuleSet, text: &str) -> Result<Action, AnalysisError> {
    rules.read_action(text.trim()).map_err(AnalysisError::request)
}

/// Returns the error for an illegal action in an analysis request.
fn refused(text: &str, illegal: &overmate_rules::Illegal) -> AnalysisError {
    AnalysisError::Illegal(format!("{text}: {illegal}"))
}
