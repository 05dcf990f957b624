//! Implements the database store of tournament events.

use futures_util::{FutureExt as _, TryFutureExt as _};

use super::SqlStore;
use super::writer::Write;
use crate::store::connection::fault::store_error;
use crate::store::interface::event::{EventChange, EventRecord, ListedEvent, PlayEvents};
use crate::store::interface::holder::Holder;
use crate::store::interface::outcome::{Appended, StoreFuture};
use crate::store::queries::events;

impl PlayEvents for SqlStore {
    fn due_events(&self, at: i64) -> StoreFuture<'_, Vec<String>> {
        events::due(&self.readers, at).map_err(store_error).boxed()
    }

    fn events(&self, finished: u32) -> StoreFuture<'_, Vec<ListedEvent>> {
        events::all(&self.readers, finished).map_err(store_error).boxed()
    }

    fn event<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<EventRecord>> {
        events::one(&self.readers, id).map_err(store_error).boxed()
    }

    fn event_version<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<i64>> {
        events::version(&self.readers, id).map_err(store_error).boxed()
    }

    fn event_of_request<'a>(
        &'a self,
        host: Holder,
        client_id: &'a str,
    ) -> StoreFuture<'a, Option<String>> {
        events::of_request(&self.readers, host, client_id).map_err(store_error).boxed()
    }

    fn events_of(&self, person: Holder) -> StoreFuture<'_, Vec<String>> {
        events::of_person(&self.readers, person).map_err(store_error).boxed()
    }

    fn change_event(&self, change: EventChange) -> StoreFuture<'_, Appended> {
        async move {
            // A query first checks whether outdated rows of tournament events exist, because even a write that removes nothing would wait
            // for the disk.
            if let EventChange::ForgetOld { before } = &change
                && !events::has_old(&self.readers, *before).await.map_err(store_error)?
            {
                return Ok(Appended::Conflict);
            }
            self.write(Write::Event(Box::new(change))).await
        }
        .boxed()
    }
}
