//! Defines the JSON types of the tokens with which programs play for bots.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Request for a token of your bot.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewBotToken {
    /// Name of the token for your list, such as the name of a computer; at most 40 characters after normalisation.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub name: Option<String>,
}

/// Token with which a program plays for your bot, without its text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct MyBotToken {
    /// Id of the token in the list.
    pub id: String,
    /// Name that you gave to the token; null without a name.
    #[schema(required)]
    pub name: Option<String>,
    /// Time when the token was made, in RFC 3339.
    pub made_at: String,
}

/// New token of your bot.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct MadeBotToken {
    /// Token as the list shows it.
    pub shown: MyBotToken,
    /// Text of the token, for the header `Authorization: Bearer`. Only this response shows the text.
    pub token: String,
}

/// Tokens of your bot.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct MyBotTokens {
    /// Tokens of your bot, the oldest first.
    pub tokens: Vec<MyBotToken>,
    /// Largest number of tokens.
    pub most: usize,
}
