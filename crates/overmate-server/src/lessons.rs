//! Parses the tutorial lessons that are embedded in the binary. A lesson is a script of positions, right actions and replies.

use std::collections::BTreeMap;

use overmate_rules::{Action, Game, RuleSet};
use serde::Deserialize;

use crate::error::ApiError;

/// Embedded JSON array of the tutorial lessons, ordered for beginners.
const LESSONS: &str = include_str!("../data/lessons.json");

/// Embedded lesson about one idea of the card game, in one or more parts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LessonScript {
    /// Id of the lesson. The web client finds the lesson's texts by this id.
    pub(crate) id: String,
    /// Name of the lesson's rule set.
    pub(crate) rules: String,
    pub(crate) parts: Vec<Part>,
}

/// Part of a tutorial lesson: a start position, and the decisions of the learner from this position. The learner acts first.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Part {
    /// Start position of this part of the lesson, in the one-line position notation.
    pub(crate) position: String,
    pub(crate) steps: Vec<ScriptStep>,
}

/// Decision of the learner in a tutorial lesson. A correct action leads to the next step.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScriptStep {
    /// Map from correct actions at a decision of a lesson to the scripted actions that both players take next. A key holds one or more
    /// alternative actions. The actions in keys and values are separated by spaces.
    pub(crate) right: BTreeMap<String, String>,
    /// Map from each wrong action at a decision of a lesson to its refutation: actions separated by spaces. Wrong actions without a
    /// refutation are omitted.
    #[serde(default)]
    pub(crate) wrong: BTreeMap<String, String>,
    /// Value of each legal action at a decision of a lesson under best play, in points for the learner.
    pub(crate) values: BTreeMap<String, i32>,
}

impl LessonScript {
    /// Returns all embedded lessons.
    pub(crate) fn all() -> Result<Vec<Self>, ApiError> {
        serde_json::from_str(LESSONS).map_err(ApiError::internal)
    }
}

impl Part {
    /// Returns a game whose actions lead to the start position of this part of a lesson.
    pub(crate) fn game(&self, rules: &str) -> Result<Game, ApiError> {
        let rules = RuleSet::named(rules).map_err(ApiError::internal)?.shared();
        let setup = rules.read_position(&self.position).map_err(ApiError::internal)?;
        let position = setup.validate(&rules).map_err(ApiError::internal)?;
        Game::leading_to(&position).ok_or_else(|| {
            ApiError::internal(format!(
                "no game leads to the position `{}`: correct the lesson",
                self.position
            ))
        })
    }
}

impl ScriptStep {
    /// Returns whether an action is correct at this decision of a lesson, and the scripted actions that follow, in text notation.
    pub(crate) fn after(&self, action: &str) -> (bool, &str) {
        let right = self.right.iter().find(|(actions, _)| actions.split(' ').any(|a| a == action));
        match right {
            Some((_, then)) => (true, then),
            None => (false, self.wrong.get(action).map_or("", String::as_str)),
        }
    }
}

/// Parses space-separated game actions in text notation.
pub(crate) fn actions(rules: &RuleSet, texts: &str) -> Result<Vec<Action>, ApiError> {
    let read = |text| rules.read_action(text).map_err(ApiError::internal);
    texts.split_whitespace().map(read).collect()
}
