//! Implements the database store of the access tokens of bots.

use futures_util::{FutureExt as _, TryFutureExt as _};

use super::SqlStore;
use crate::store::connection::fault::store_error;
use crate::store::interface::bot::{BotToken, BotTokens};
use crate::store::interface::holder::Holder;
use crate::store::interface::outcome::StoreFuture;
use crate::store::queries::bot_tokens;

impl BotTokens for SqlStore {
    fn bot_tokens(&self, person: Holder) -> StoreFuture<'_, Vec<BotToken>> {
        bot_tokens::tokens(&self.readers, person).map_err(store_error).boxed()
    }

    fn bot_of_token(&self, hash: [u8; 32]) -> StoreFuture<'_, Option<Holder>> {
        bot_tokens::of_token(&self.readers, hash).map_err(store_error).boxed()
    }
}
