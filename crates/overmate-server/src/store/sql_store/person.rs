//! Implements the database store of browsers, linking and recovery codes, and accounts.

use futures_util::{FutureExt as _, TryFutureExt as _};

use super::SqlStore;
use super::writer::Write;
use crate::store::connection::fault::store_error;
use crate::store::interface::holder::Holder;
use crate::store::interface::outcome::{Appended, StoreFuture};
use crate::store::interface::passkey::{PasskeyChallenge, StoredPasskey};
use crate::store::interface::person::{
    Account, KnownBrowser, People, PersonChange, RecoveryCodes, Standing,
};
use crate::store::interface::traces::Traces;
use crate::store::queries::{accounts, mail, operators, passkeys, people, push, visibility};

impl People for SqlStore {
    fn standing(&self, browser: Holder) -> StoreFuture<'_, Standing> {
        people::standing(&self.readers, browser).map_err(store_error).boxed()
    }

    fn browsers(&self, person: Holder) -> StoreFuture<'_, Vec<KnownBrowser>> {
        people::browsers(&self.readers, person).map_err(store_error).boxed()
    }

    fn recovery(&self, person: Holder) -> StoreFuture<'_, Option<RecoveryCodes>> {
        people::recovery(&self.readers, person).map_err(store_error).boxed()
    }

    fn account(&self, person: Holder) -> StoreFuture<'_, Option<Account>> {
        accounts::of_person(&self.readers, person).map_err(store_error).boxed()
    }

    fn account_by_tag(&self, tag: [u8; 32]) -> StoreFuture<'_, Option<Account>> {
        accounts::of_tag(&self.readers, tag).map_err(store_error).boxed()
    }

    fn is_handle_free(&self, tag: [u8; 32], person: Holder, at: i64) -> StoreFuture<'_, bool> {
        accounts::is_free(&self.readers, tag, person, at).map_err(store_error).boxed()
    }

    fn passkeys(&self, person: Holder) -> StoreFuture<'_, Vec<StoredPasskey>> {
        passkeys::of_person(&self.readers, person).map_err(store_error).boxed()
    }

    fn passkey(&self, id: Vec<u8>) -> StoreFuture<'_, Option<StoredPasskey>> {
        async move { passkeys::of_id(&self.readers, &id).await.map_err(store_error) }.boxed()
    }

    fn passkey_challenge(&self, id: String, at: i64) -> StoreFuture<'_, Option<PasskeyChallenge>> {
        async move { passkeys::challenge(&self.readers, &id, at).await.map_err(store_error) }
            .boxed()
    }

    fn traces_of(&self, person: Holder) -> StoreFuture<'_, Traces> {
        async move {
            let requests = people::requests(&self.readers, person).await?;
            let acts = operators::acts_on(&self.readers, person).await?;
            Ok(Traces { requests, acts })
        }
        .map_err(store_error)
        .boxed()
    }

    fn change_person(&self, change: PersonChange) -> StoreFuture<'_, Appended> {
        async move {
            // A query first checks whether outdated data of persons exist, because even a write that removes nothing would wait for the
            // disk.
            if let PersonChange::ForgetOld { at } = &change
                && !people::has_old_codes(&self.readers, *at).await.map_err(store_error)?
                && !accounts::has_old(&self.readers, *at).await.map_err(store_error)?
                && !passkeys::has_old(&self.readers, *at).await.map_err(store_error)?
                && !mail::has_old(&self.readers, *at).await.map_err(store_error)?
                && !push::has_old(&self.readers).await.map_err(store_error)?
                && !visibility::has_old(&self.readers, *at).await.map_err(store_error)?
            {
                return Ok(Appended::Stored);
            }
            self.write(Write::Person(Box::new(change))).await
        }
        .boxed()
    }
}
