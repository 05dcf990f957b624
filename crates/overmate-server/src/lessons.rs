//! Reads the embedded lessons, each of which is a script of positions, right actions and replies.

use std::collections::BTreeMap;

use overmate_rules::{Action, Game, RuleSet};
use serde::Deserialize;

use crate::error::ApiError;

/// Lessons in the order in which a beginner plays them, as JSON.
const LESSONS: &str = include_str!("../data/lessons.json");

/// Lesson with one idea, in one or more parts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LessonScript {
    /// Id of the lesson, by which the page finds the texts of the lesson.
    pub(crate) id: String,
    /// Name of the rule set.
    pub(crate) rules: String,
    pub(crate) parts: Vec<Part>,
}

/// Position from which a learner, who acts first, plays some decisions.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Part {
    /// Position line of the notation.
    pub(crate) position: String,
    pub(crate) steps: Vec<ScriptStep>,
}

/// Decision of the learner, whose right actions lead to the next step.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScriptStep {
    /// Right actions, separated by spaces, with the actions of both players that follow them.
    pub(crate) right: BTreeMap<String, String>,
    /// Wrong actions, each with the actions that refute the wrong action; wrong actions without a refutation are omitted.
    #[serde(default)]
    pub(crate) wrong: BTreeMap<String, String>,
    /// Value of each legal action in points for the learner, if both then play best.
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
    /// Returns whether an action is right, and the actions that follow it, in notation.
    pub(crate) fn after(&self, action: &str) -> (bool, &str) {
        let right = self.right.iter().find(|(actions, _)| actions.split(' ').any(|a| a == action));
        match right {
            Some((_, then)) => (true, then),
            None => (false, self.wrong.get(action).map_or("", String::as_str)),
        }
    }
}

/// Reads actions that are separated by spaces.
pub(crate) fn actions(rules: &RuleSet, texts: &str) -> Result<Vec<Action>, ApiError> {
    let read = |text| rules.read_action(text).map_err(ApiError::internal);
    texts.split_whitespace().map(read).collect()
}
