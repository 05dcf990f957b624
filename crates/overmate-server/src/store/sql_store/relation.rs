//! Implements the database store of relations between persons, such as favourites and blocks.

use futures_util::{FutureExt as _, TryFutureExt as _};

use super::SqlStore;
use super::writer::Write;
use crate::store::connection::fault::store_error;
use crate::store::interface::holder::Holder;
use crate::store::interface::outcome::{Appended, StoreFuture};
use crate::store::interface::relation::{
    Between, Ignored, KnownRelation, RelationChange, RelationKind, Relations,
};
use crate::store::queries::relations;

impl Relations for SqlStore {
    fn relations_of(
        &self,
        person: Holder,
        kind: RelationKind,
    ) -> StoreFuture<'_, Vec<KnownRelation>> {
        relations::of_person(&self.readers, person, kind).map_err(store_error).boxed()
    }

    fn ignored_by(&self, person: Holder) -> StoreFuture<'_, Vec<Ignored>> {
        relations::ignored_by(&self.readers, person).map_err(store_error).boxed()
    }

    fn relations_between(&self, person: Holder, other: Holder) -> StoreFuture<'_, Between> {
        relations::between(&self.readers, person, other).map_err(store_error).boxed()
    }

    fn change_relation(&self, change: RelationChange) -> StoreFuture<'_, Appended> {
        self.write(Write::Relation(change)).boxed()
    }
}
