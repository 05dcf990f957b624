//! Implements the store of browsers and codes on the databases.

use futures_util::{FutureExt as _, TryFutureExt as _};

use super::fault::store_error;
use super::sql_store::SqlStore;
use super::traces::Traces;
use super::types::{Appended, Holder, KnownBrowser, People, PersonChange, Standing, StoreFuture};
use super::writer::Write;
use super::{operators, people};

impl People for SqlStore {
    fn standing(&self, browser: Holder) -> StoreFuture<'_, Standing> {
        people::standing(&self.readers, browser).map_err(store_error).boxed()
    }

    fn browsers(&self, person: Holder) -> StoreFuture<'_, Vec<KnownBrowser>> {
        people::browsers(&self.readers, person).map_err(store_error).boxed()
    }

    fn recovery_made_at(&self, person: Holder) -> StoreFuture<'_, Option<i64>> {
        people::recovery_made_at(&self.readers, person).map_err(store_error).boxed()
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
            // The check avoids a write without effect, which would still wait for the disk.
            if let PersonChange::ForgetCodes { at } = &change
                && !people::has_old_codes(&self.readers, *at).await.map_err(store_error)?
            {
                return Ok(Appended::Stored);
            }
            self.write(Write::Person(Box::new(change))).await
        }
        .boxed()
    }
}
