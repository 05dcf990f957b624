//! Defines the JSON types of bot tokens, by which programs authenticate as bot accounts.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Request to create an access token for your bot.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewBotToken {
    /// Name of the bot token in your list of tokens, such as the name of a computer; at most 40 characters after normalisation; null or
    /// absent for no name.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub name: Option<String>,
}

/// Description of a bot token, with which a program plays for your bot. The secret text of the token is not included.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct MyBotToken {
    /// Id of the bot token in your list of tokens.
    pub id: String,
    /// Name that you gave to the bot token; null without a name.
    #[schema(required)]
    pub name: Option<String>,
    /// Creation time of the bot token, in RFC 3339.
    pub made_at: String,
}

/// New access token of your bot.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct MadeBotToken {
    /// Description of the new bot token, as in the list of tokens.
    pub shown: MyBotToken,
    /// Secret text of the bot token. A program sends the text in the header `Authorization` after the word `Bearer`. Only this
    /// response shows the text.
    pub token: String,
}

/// List of the access tokens of your bot.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct MyBotTokens {
    /// Access tokens of your bot, the oldest first.
    pub tokens: Vec<MyBotToken>,
    /// Maximum number of access tokens that a bot can have.
    pub most: usize,
}
