//! Reads the embedded lessons. A lesson is a script of positions, right actions and replies.

use std::collections::BTreeMap;

use overmate_rules::{Action, Game, RuleSet};
use serde::Deserialize;

use crate::error::ApiError;

/// Lessons as JSON, in the order for a beginner.
const LESSONS: &str = include_str!("../data/lessons.json");

/// Lesson about one idea, in one or more parts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LessonScript {
    /// Id of the lesson, by which the page finds the texts.
    pub(crate) id: String,
    /// Name of the rule set.
    pub(crate) rules: String,
    pub(crate) parts: Vec<Part>,
}

/// Position from which a learner plays some decisions. The learner acts first.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Part {
    /// Position in the one-line notation.
    pub(crate) position: String,
    pub(crate) steps: Vec<ScriptStep>,
}

/// Decision of the learner. A right action leads to the next step.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScriptStep {
    /// Right actions, each with the following actions of both players, separated by spaces.
    pub(crate) right: BTreeMap<String, String>,
    /// Wrong actions, each with the actions that refute it, separated by spaces. Wrong actions without a refutation are omitted.
    #[serde(default)]
    pub(crate) wrong: BTreeMap<String, String>,
    /// Value of each legal action under best play, in points for the learner.
    pub(crate) values: BTreeMap<String, i32>,
}

impl LessonScript {
    /// Returns all embedded lessons.
    pub(crate) fn all() -> Result<Vec<Self>, ApiError> {
        serde_json::from_str(LESSONS).map_err(ApiError::internal)
    }
}

impl Part {
    /// Returns a game whose actions lead to the position of this part of a lesson.
    pub(crate) fn game(&self, rules: &str) -> Result<Game, ApiError> {
        let rules = RuleSet::named(rules).map_err(ApiError::internal)?.shared();
        let setup = rules.read_position(&self.position).map_err(ApiError::internal)?;
        let position = setup.validate(&rules).map_err(ApiError::internal)?;
        Game::leading_to(&position).ok_or_else(|| {
            ApiError::internal(format!("no game leads to the position `{}`", self.position))
        })
    }
}

impl ScriptStep {
    /// Returns whether an action is right, and the actions that follow, in notation.
    pub(crate) fn after(&self, action: &str) -> (bool, &str) {
        let right = self.right.iter().find(|(actions, _)| actions.split(' ').any(|a| a == action));
        match right {
            Some((_, then)) => (true, then),
            None => (false, self.wrong.get(action).map_or("", String::as_str)),
        }
    }
}

/// Reads actions separated by spaces.
pub(crate) fn actions(rules: &RuleSet, texts: &str) -> Result<Vec<Action>, ApiError> {
    let read = |text| rules.read_action(text).map_err(ApiError::internal);
    texts.split_whitespace().map(read).collect()
}
