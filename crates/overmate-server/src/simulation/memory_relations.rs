//! Implements an in-memory store of the relations between persons, such as favourites, mutes and blocks, for tests.

use std::collections::BTreeMap;

use super::memory_link::Link;
use super::memory_store::{MemoryStore, Tables};
use crate::store::{
    Account, Appended, Between, Holder, Ignored, KnownRelation, MOST_RELATIONS, Quota,
    RelationChange, RelationKind, Relations, StoreFuture,
};

/// In-memory table of the relations between persons, such as favourites, mutes and blocks.
#[derive(Default)]
pub(super) struct RelationTables {
    /// Unix time, in seconds, at which each relation (favourite, mute or block) was added. The key holds the adding person, the kind and
    /// the other person.
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
            has_muted: self.has(person, RelationKind::Mute, other),
            has_blocked: self.has(person, RelationKind::Block, other),
            is_blocked: self.has(other, RelationKind::Block, person),
        }
    }

    /// Returns the mutual favourites of a person: the favourites who also have the person as a favourite.
    pub(super) fn mutual(&self, person: Holder) -> impl Iterator<Item = Holder> {
        let own = self
            .all
            .keys()
            .filter(move |(own, kind, _)| *own == person.0 && *kind == RelationKind::Favourite);
        let others = own.map(|(_, _, other)| Holder(*other));
        others.filter(move |other| self.has(*other, RelationKind::Favourite, person))
    }

    /// Returns whether another person has a relation of the given kind (favourite, mute or block) to a person.
    pub(super) fn is_of_anybody(&self, kind: RelationKind, person: Holder) -> bool {
        self.all.keys().any(|(_, of, other)| *of == kind && *other == person.0)
    }

    /// Returns all blocks, each as a pair of the blocking person and the blocked person.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (Holder, Holder)> {
        let blocks = self.all.keys().filter(|(_, kind, _)| *kind == RelationKind::Block);
        blocks.map(|(person, _, other)| (Holder(*person), Holder(*other)))
    }

    /// Transfers the relations of a person (favourites, mutes and blocks) to another person. If the other person already has such a
    /// relation, that relation stays unchanged. Returns whether the transferred relations include a block.
    pub(super) fn join(&mut self, former: Holder, person: Holder) -> bool {
        let replaced = |holder: [u8; 32]| if holder == former.0 { person.0 } else { holder };
        let all = std::mem::take(&mut self.all);
        let (moved, kept): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|((own, _, other), _)| [*own, *other].contains(&former.0));
        self.all.extend(kept);
        let has_block = moved.iter().any(|((_, kind, _), _)| *kind == RelationKind::Block);
        for ((own, kind, other), at) in moved {
            let (own, other) = (replaced(own), replaced(other));
            if own != other {
                self.all.entry((own, kind, other)).or_insert(at);
            }
        }
        let blocks: Vec<_> = self.blocks().collect();
        for (own, other) in blocks {
            self.end_favourites(own, other);
        }
        has_block
    }

    /// Removes each of two persons from the other person's favourites.
    fn end_favourites(&mut self, one: Holder, other: Holder) {
        for (own, other) in [(one, other), (other, one)] {
            self.all.remove(&(own.0, RelationKind::Favourite, other.0));
        }
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
            at: *at,
            is_mutual: tables.relations.has(other, RelationKind::Favourite, person),
            is_private: account.is_private,
            is_rated: tables.ratings.is_rated(&account),
            is_bot: account.is_bot,
            handle: account.handle,
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
            let between = tables.relations.between(person, other);
            let is_apart = has_accounts != [true; 2] || between.is_apart();
            if person == other || kind == RelationKind::Favourite && is_apart {
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
            if kind == RelationKind::Block {
                tables.relations.end_favourites(person, other);
                tables.offers.note();
            }
            tables.relations.all.entry((person.0, kind, other.0)).or_insert(at);
        }
        RelationChange::Remove { person, other, kind } => {
            tables.relations.all.remove(&(person.0, kind, other.0));
            if kind == RelationKind::Block {
                tables.offers.note();
            }
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

    fn ignored_by(&self, person: Holder) -> StoreFuture<'_, Vec<Ignored>> {
        self.call(move |tables| {
            let own = tables.relations.all.iter();
            let own = own.filter(|((own, kind, _), _)| {
                *own == person.0 && matches!(kind, RelationKind::Mute | RelationKind::Block)
            });
            let shown = own.map(|((_, kind, other), at)| {
                let other = Holder(*other);
                let account = tables.people.accounts.of_person(other);
                let is_blocked =
                    tables.relations.all.contains_key(&(other.0, RelationKind::Block, person.0));
                let is_shown = |account: &Account| {
                    !is_blocked && !account.is_private && tables.ratings.is_rated(account)
                };
                let handle = account.filter(is_shown).map(|account| account.handle);
                Ignored { other, kind: *kind, at: *at, handle }
            });
            let mut shown: Vec<Ignored> = shown.collect();
            shown.sort_by_key(|one| (one.at, one.kind.text(), one.other.0));
            shown
        })
    }

    fn relations_between(&self, person: Holder, other: Holder) -> StoreFuture<'_, Between> {
        self.call(move |tables| tables.relations.between(person, other))
    }

    fn change_relation(&self, wanted: RelationChange) -> StoreFuture<'_, Appended> {
        self.write(move |tables| change(tables, wanted))
    }
}
