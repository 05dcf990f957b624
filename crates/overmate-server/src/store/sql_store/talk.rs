//! Implements the database store of the chat messages of players.

use futures_util::{FutureExt as _, TryFutureExt as _};

use super::SqlStore;
use super::writer::Write;
use crate::store::connection::fault::store_error;
use crate::store::interface::holder::Holder;
use crate::store::interface::outcome::{Appended, StoreFuture};
use crate::store::interface::talk::{NewTalk, Talk, TalkText};
use crate::store::queries::talk;

impl Talk for SqlStore {
    fn talk<'a>(&'a self, id: &'a str, after: u64) -> StoreFuture<'a, Vec<TalkText>> {
        talk::after(&self.readers, id, after).map_err(store_error).boxed()
    }

    fn talk_of(&self, person: Holder) -> StoreFuture<'_, Vec<(String, TalkText)>> {
        talk::of_person(&self.readers, person).map_err(store_error).boxed()
    }

    fn send_talk(&self, text: NewTalk) -> StoreFuture<'_, Appended> {
        self.write(Write::Talk(Box::new(text))).boxed()
    }

    fn forget_talk(&self, before: i64) -> StoreFuture<'_, Appended> {
        async move {
            // A query first checks whether old chat messages exist, because even a write that removes nothing would wait for the disk.
            if !talk::has_old(&self.readers, before).await.map_err(store_error)? {
                return Ok(Appended::Stored);
            }
            self.write(Write::ForgetTalk { before }).await
        }
        .boxed()
    }
}
