//! Defines the JSON types of conditional answers and private notes.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::matches::conditional::Branch;
use overmate_json::LegalAction;

/// Branch of a tree of conditional answers: an action of the opponent, with the answers that the player has chosen for that action.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerBranch {
    /// Action of the opponent in text notation, such as `Kc`.
    #[schema(max_length = 16, example = "Tc")]
    pub on: String,
    /// Actions with which the player replies to the opponent's action, in order, up to the opponent's next turn. Empty
    /// if the opponent acts again at once; two actions if the answer wins the move.
    #[schema(max_items = 64, example = json!(["Kc"]))]
    pub answers: Vec<String>,
    /// Next branches of the answer tree, after the answers of this branch: one for each action of the opponent for which
    /// the player has chosen answers.
    #[serde(default)]
    #[schema(no_recursion, max_items = 64)]
    pub then: Vec<AnswerBranch>,
}

impl From<Branch> for AnswerBranch {
    fn from(Branch { on, answers, then }: Branch) -> Self {
        Self { on, answers, then: then.into_iter().map(Self::from).collect() }
    }
}

impl From<AnswerBranch> for Branch {
    fn from(AnswerBranch { on, answers, then }: AnswerBranch) -> Self {
        Self { on, answers, then: then.into_iter().map(Self::from).collect() }
    }
}

/// Conditional answers of the requester in a correspondence match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConditionalAnswers {
    /// Sequence number of the match state to which the conditional answers refer. The branches begin with the opponent's next action in
    /// this state.
    #[schema(minimum = 0, maximum = 1_000_000)]
    pub sequence: u64,
    /// Branches of the conditional answers for the opponent's next actions. An empty list means no conditional answers. All
    /// branches together have at most 64 actions.
    #[schema(max_items = 64)]
    pub branches: Vec<AnswerBranch>,
}

/// Sequence of hypothetical actions that begins in the current state of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerLine {
    /// Sequence number of the current match state, in which the first hypothetical action would be taken.
    #[schema(minimum = 0, maximum = 1_000_000)]
    pub sequence: u64,
    /// Hypothetical actions of both players in text notation, in order.
    #[schema(max_items = 64)]
    pub actions: Vec<String>,
}

/// Legal actions after a sequence of hypothetical actions, from which a player chooses a conditional answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct AnswerChoices {
    /// Whether it is the requester's turn after the sequence of hypothetical actions.
    pub yours: bool,
    /// Legal actions after the sequence of hypothetical actions. The list is empty at the end of the game, where conditional
    /// answers also end.
    pub legal: Vec<LegalAction>,
}

/// Private note of a player about a match.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// Text of the private note, at most 2,000 characters; empty if the player has no note.
    #[schema(max_length = 2000)]
    pub text: String,
}
