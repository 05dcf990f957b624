//! Defines the JSON types of the tokens with which programs play for bots.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Request for a token of your bot.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewBotToken {
    /// Name of the token in your list of tokens, such as the name of a computer; at most 40 characters after normalisation.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub name: Option<String>,
}

/// Description of a token with which a program plays for your bot, without the secret text of the token.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct MyBotToken {
    /// Id of the token in your list of tokens.
    pub id: String,
    /// Name that you gave to the token; null without a name.
    #[schema(required)]
    pub name: Option<String>,
    /// Creation time of the token, in RFC 3339.
    pub made_at: String,
}

/// New token of your bot.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct MadeBotToken {
    /// Description of the token, as in the list of tokens.
    pub shown: MyBotToken,
    /// Secret text of the token, which a program sends in the header `Authorization` after the word `Bearer`. Only this response shows the text.
    pub token: String,
}

/// Tokens of your bot.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct MyBotTokens {
    /// Tokens of your bot, the oldest first.
    pub tokens: Vec<MyBotToken>,
    /// Maximum number of tokens of a bot.
    pub most: usize,
}
