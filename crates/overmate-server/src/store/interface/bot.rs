//! Defines the data types for bot accounts, and for the access tokens with which programs act for bots.

use super::holder::Holder;
use super::outcome::StoreFuture;

/// Maximum number of access tokens of a bot.
pub(crate) const MOST_TOKENS: usize = 10;

/// Access token with which a program acts for a bot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BotToken {
    pub(crate) id: String,
    /// SHA-256 hash of the access token.
    pub(crate) hash: [u8; 32],
    /// Person to whom the bot's account belongs.
    pub(crate) person: Holder,
    /// Name that the bot's owner gave to the token, or `None`.
    pub(crate) name: Option<String>,
    /// Time at which the access token was created, in seconds since 1970.
    pub(crate) made_at: i64,
}

/// Change of a bot account or of the access tokens of a bot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum BotChange {
    /// Turns the account of a person into a bot account permanently. The person's seats become seats of a bot with the handle as
    /// name, and the person's open offers are withdrawn. Returns a conflict if the person has no account, has played or plays a
    /// rated match, or is a player of a tournament event.
    Mark { person: Holder, at: i64 },
    /// Adds an access token of a bot. Returns a conflict if the person is not a bot, or has [`MOST_TOKENS`] tokens already.
    AddToken(BotToken),
    /// Removes an access token of a bot. Returns a conflict if the bot does not have the token.
    RemoveToken { person: Holder, id: String },
}

impl BotChange {
    /// Returns the person whose account becomes a bot account, or whose access token is added or removed.
    pub(crate) fn person(&self) -> Holder {
        match self {
            Self::Mark { person, .. } | Self::RemoveToken { person, .. } => *person,
            Self::AddToken(token) => token.person,
        }
    }
}

/// Store of the access tokens of bots.
pub(crate) trait BotTokens: Send + Sync + 'static {
    /// Returns the access tokens of a bot, oldest first.
    fn bot_tokens(&self, person: Holder) -> StoreFuture<'_, Vec<BotToken>>;

    /// Returns the bot whose access token has a given SHA-256 hash, or `None` if there is no such token or the bot's account is
    /// closed.
    fn bot_of_token(&self, hash: [u8; 32]) -> StoreFuture<'_, Option<Holder>>;
}
