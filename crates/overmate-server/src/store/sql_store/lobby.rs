//! Implements the database store of open match offers.

use futures_util::{FutureExt as _, TryFutureExt as _};

use super::SqlStore;
use super::writer::Write;
use crate::store::connection::fault::store_error;
use crate::store::interface::holder::Holder;
use crate::store::interface::offer::Offer;
use crate::store::interface::outcome::{Appended, StoreFuture};
use crate::store::interface::store::{Lobby, OfferChange};
use crate::store::queries::offers;

impl Lobby for SqlStore {
    fn lobby_version(&self) -> StoreFuture<'_, i64> {
        offers::version(&self.readers).map_err(store_error).boxed()
    }

    fn offers(&self, at: i64) -> StoreFuture<'_, Vec<Offer>> {
        offers::all(&self.readers, at).map_err(store_error).boxed()
    }

    fn hidden_offers(&self, at: i64) -> StoreFuture<'_, Vec<(Holder, String)>> {
        offers::hidden(&self.readers, at).map_err(store_error).boxed()
    }

    fn offer<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<Offer>> {
        offers::one(&self.readers, id).map_err(store_error).boxed()
    }

    fn offers_of(&self, person: Holder) -> StoreFuture<'_, Vec<Offer>> {
        offers::of_person(&self.readers, person).map_err(store_error).boxed()
    }

    fn equal_offer<'a>(&'a self, offer: &'a Offer) -> StoreFuture<'a, Option<Offer>> {
        offers::equal(&self.readers, offer).map_err(store_error).boxed()
    }

    fn change_offer(&self, change: OfferChange) -> StoreFuture<'_, Appended> {
        async move {
            // A query first checks whether expired match offers exist, because even a write that removes nothing would wait for the disk.
            if let OfferChange::ForgetOld { at } = &change
                && !offers::has_old(&self.readers, *at).await.map_err(store_error)?
            {
                return Ok(Appended::Conflict);
            }
            self.write(Write::Offer(Box::new(change))).await
        }
        .boxed()
    }
}
