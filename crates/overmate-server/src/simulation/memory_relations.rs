//! Stores the relations between accounts in memory, for tests.

use std::collections::BTreeMap;

use super::memory_link::Link;
use super::memory_store::{MemoryStore, Tables};
use crate::store::{
    Appended, Between, Holder, KnownRelation, MOST_RELATIONS, Quota, RelationChange, RelationKind,
    Relations, StoreFuture,
};

/// In-memory table of relations.
#[derive(Default)]
pub(super) struct RelationTables {
    /// Unix times of the relations, in seconds, by person, kind and other person.
    all: BTreeMap<([u8; 32], RelationKind, [u8; 32]), i64>,
}

impl RelationTables {
    fn has(&self, person: Holder, kind: RelationKind, other: Holder) -> bool {
        self.all.contains_key(&(person.0, kind, other.0))
    }

    pub(super) fn between(&self, person: Holder, other: Holder) -> Between {
        Between {
            has_added: self.has(person, RelationKind::Favourite, other),
            is_added: self.has(other, RelationKind::Favourite, person),
        }
    }

    /// Returns the persons who are favourites of a person and have added the person.
    pub(super) fn mutual(&self, person: Holder) -> impl Iterator<Item = Holder> {
        let own = self
            .all
            .keys()
            .filter(move |(own, kind, _)| *own == person.0 && *kind == RelationKind::Favourite);
        let others = own.map(|(_, _, other)| Holder(*other));
        others.filter(move |other| self.has(*other, RelationKind::Favourite, person))
    }

    /// Returns whether anybody has a relation of a kind to a person.
    pub(super) fn is_of_anybody(&self, kind: RelationKind, person: Holder) -> bool {
        self.all.keys().any(|(_, of, other)| *of == kind && *other == person.0)
    }

    pub(super) fn forget(&mut self, person: Holder) {
        self.all.retain(|(own, _, other), _| *own != person.0 && *other != person.0);
    }
}

fn of_person(tables: &Tables, person: Holder, kind: RelationKind) -> Vec<KnownRelation> {
    let own = tables.relations.all.iter();
    let own = own.filter(|((own, of, _), _)| *own == person.0 && *of == kind);
    let known = own.filter_map(|((_, _, other), at)| {
        let other = Holder(*other);
        let account = tables.people.accounts.of_person(other)?;
        Some(KnownRelation {
            handle: account.handle,
            at: *at,
            is_mutual: tables.relations.has(other, RelationKind::Favourite, person),
            is_private: account.is_private,
            is_rated: tables.ratings.has_rating(other),
        })
    });
    let mut known: Vec<_> = known.collect();
    known.sort_by_key(|relation| relation.handle.to_ascii_lowercase());
    known
}

fn change(tables: &mut Tables, change: RelationChange) -> Appended {
    match change {
        RelationChange::Add { person, other, kind, at } => {
            let accounts = &tables.people.accounts;
            let has_accounts = [person, other].map(|one| accounts.of_person(one).is_some());
            if person == other || has_accounts != [true; 2] {
                return Appended::Conflict;
            }
            let others = tables
                .relations
                .all
                .keys()
                .filter(|(own, of, to)| (*own, *of) == (person.0, kind) && *to != other.0);
            if others.count() >= MOST_RELATIONS {
                return Appended::Full(Quota::Relations);
            }
            tables.relations.all.entry((person.0, kind, other.0)).or_insert(at);
        }
        RelationChange::Remove { person, other, kind } => {
            tables.relations.all.remove(&(person.0, kind, other.0));
        }
    }
    Appended::Stored
}

impl<L: Link> Relations for MemoryStore<L> {
    fn relations_of(
        &self,
        person: Holder,
        kind: RelationKind,
    ) -> StoreFuture<'_, Vec<KnownRelation>> {
        self.call(move |tables| of_person(tables, person, kind))
    }

    fn relations_between(&self, person: Holder, other: Holder) -> StoreFuture<'_, Between> {
        self.call(move |tables| tables.relations.between(person, other))
    }

    fn change_relation(&self, wanted: RelationChange) -> StoreFuture<'_, Appended> {
        self.write(move |tables| change(tables, wanted))
    }
}
