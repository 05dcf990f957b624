//! Converts accounts to bot accounts, and creates the access tokens with which programs play as bots.

use std::sync::Arc;

use super::reports::check_account;
use crate::clock::now;
use crate::error::ApiError;
use crate::identity::bot_token;
use crate::names::RefusedWords;
use crate::random::random_id;
use crate::store::{
    Account, Appended, BotChange, BotToken, Holder, MOST_TOKENS, PersonChange, Store,
};

/// Error for an operation that is forbidden to bot accounts.
const PEOPLE_ONLY: ApiError = ApiError::BotRefused(
    "a bot begins matches only by open offers and by challenges to the bot: sign in with an account of a person",
);

/// Service that converts accounts to bot accounts, and creates and removes bot tokens.
pub(crate) struct BotAccountService {
    store: Arc<dyn Store>,
    words: Arc<RefusedWords>,
}

impl BotAccountService {
    pub(crate) fn new(store: Arc<dyn Store>, words: Arc<RefusedWords>) -> Self {
        Self { store, words }
    }

    /// Converts the account of a person to a bot account permanently. The operation is idempotent.
    pub(crate) async fn mark(&self, person: Holder) -> Result<Account, ApiError> {
        check_account(&*self.store, person).await?;
        let mark = BotChange::Mark { person, at: now() };
        match self.store.change_person(PersonChange::Bot(mark)).await? {
            Appended::Stored => {
                let account = self.store.account(person).await?;
                account.ok_or(ApiError::NotFound("account"))
            }
            Appended::Conflict | Appended::Full(_) => Err(ApiError::BotRefused(
                "an account that has played a rated match or an event, or that hosts an event, cannot become a bot: make a new account for the bot",
            )),
        }
    }

    /// Returns the bot tokens of a person, from old to new.
    pub(crate) async fn tokens(&self, person: Option<Holder>) -> Result<Vec<BotToken>, ApiError> {
        let Some(person) = person else { return Ok(Vec::new()) };
        Ok(self.store.bot_tokens(person).await?)
    }

    /// Creates an access token for a bot. Returns the stored token and the text of the token. The store keeps only a hash of the
    /// text.
    pub(crate) async fn make_token(
        &self,
        person: Holder,
        name: Option<&str>,
    ) -> Result<(BotToken, String), ApiError> {
        check_account(&*self.store, person).await?;
        let text = bot_token::make(&self.store.identity_key())?;
        let hash = bot_token::hash_of(&text);
        let name = self.words.check(name)?;
        let token = BotToken { id: random_id()?, hash, person, name, made_at: now() };
        let add = PersonChange::Bot(BotChange::AddToken(token.clone()));
        match self.store.change_person(add).await? {
            Appended::Stored => Ok((token, text)),
            Appended::Conflict | Appended::Full(_) => {
                let account = self.store.account(person).await?;
                Err(if account.is_some_and(|account| account.is_bot) {
                    ApiError::TooManyTokens { most: MOST_TOKENS }
                } else {
                    ApiError::BotRefused("only a bot has tokens: turn the account into a bot first")
                })
            }
        }
    }

    /// Removes a bot token of a person. Programs with the token are refused from now on.
    pub(crate) async fn remove_token(&self, person: Holder, id: &str) -> Result<(), ApiError> {
        let remove = BotChange::RemoveToken { person, id: id.to_owned() };
        self.store
            .change_person(PersonChange::Bot(remove))
            .await?
            .ok_or(ApiError::NotFound("token"))
    }
}

/// Returns the account of a person if the account is a bot; otherwise `None`.
pub(crate) async fn bot_of(store: &dyn Store, person: Holder) -> Result<Option<Account>, ApiError> {
    Ok(store.account(person).await?.filter(|account| account.is_bot))
}

/// Returns an error if the account of a person is a bot.
pub(crate) async fn check_human(store: &dyn Store, person: Holder) -> Result<(), ApiError> {
    if bot_of(store, person).await?.is_some() { Err(PEOPLE_ONLY) } else { Ok(()) }
}
