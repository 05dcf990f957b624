//! Implements the database store of push subscriptions.

use futures_util::{FutureExt as _, TryFutureExt as _};

use super::SqlStore;
use super::writer::Write;
use crate::store::connection::fault::store_error;
use crate::store::interface::holder::Holder;
use crate::store::interface::outcome::{Appended, StoreFuture};
use crate::store::interface::push::{PushChange, PushSubscription, PushSubscriptions};
use crate::store::queries::push;

impl PushSubscriptions for SqlStore {
    fn push_key(&self) -> [u8; 32] {
        self.push_key
    }

    fn push_subscriptions(&self, person: Holder) -> StoreFuture<'_, Vec<PushSubscription>> {
        push::of_person(&self.readers, person).map_err(store_error).boxed()
    }

    fn change_push(&self, change: PushChange) -> StoreFuture<'_, Appended> {
        self.write(Write::Push(Box::new(change))).boxed()
    }

    fn waiting_turns(&self) -> StoreFuture<'_, Vec<String>> {
        push::waiting(&self.readers).map_err(store_error).boxed()
    }
}
