//! Implements the database store of public matches, of visibility settings, and of the people who are online.

use futures_util::{FutureExt as _, TryFutureExt as _};

use super::SqlStore;
use super::writer::Write;
use crate::store::connection::fault::store_error;
use crate::store::interface::holder::Holder;
use crate::store::interface::outcome::{Appended, StoreFuture};
use crate::store::interface::visibility::{
    KnownPresence, Present, PublicPage, PublicWanted, Visibilities, Visibility, VisibilityChange,
    Watching,
};
use crate::store::queries::visibility;

impl Visibilities for SqlStore {
    fn visibility(&self, person: Holder) -> StoreFuture<'_, Visibility> {
        visibility::of_person(&self.readers, person).map_err(store_error).boxed()
    }

    fn set_visibility(&self, change: VisibilityChange) -> StoreFuture<'_, Appended> {
        self.write(Write::Visibility(change)).boxed()
    }

    fn public_matches(&self, wanted: PublicWanted) -> StoreFuture<'_, PublicPage> {
        visibility::public_matches(&self.readers, wanted).map_err(store_error).boxed()
    }

    fn public_watching<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<Watching>> {
        visibility::public_watching(&self.readers, id).map_err(store_error).boxed()
    }

    fn set_present(&self, present: Present) -> StoreFuture<'_, Appended> {
        self.write(Write::Present(Box::new(present))).boxed()
    }

    fn people_elsewhere<'a>(&'a self, server: &'a str, at: i64) -> StoreFuture<'a, u64> {
        visibility::people_elsewhere(&self.readers, server, at).map_err(store_error).boxed()
    }

    fn favourites_present(&self, person: Holder, at: i64) -> StoreFuture<'_, Vec<KnownPresence>> {
        visibility::favourites_present(&self.readers, person, at).map_err(store_error).boxed()
    }
}
