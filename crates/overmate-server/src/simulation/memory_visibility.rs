//! Implements an in-memory store of the visibility settings of persons, for tests.

use std::collections::{BTreeMap, BTreeSet};

use overmate_rules::Player;

use super::memory_link::Link;
use super::memory_match::{StoredMatch, holder_of};
use super::memory_store::{MemoryStore, Tables};
use crate::store::{
    Appended, Holder, KnownPresence, Present, PublicCursor, PublicMatch, PublicPage, PublicWanted,
    RelationKind, StoreFuture, UNUSED_TIME, Visibilities, Visibility, VisibilityChange, Watching,
};

/// In-memory tables of visibility settings and of the people who are online.
#[derive(Default)]
pub(super) struct VisibilityTables {
    /// Visibility settings by person, each with the Unix time in seconds of the last change.
    settings: BTreeMap<[u8; 32], (Visibility, i64)>,
    /// Latest report of each server about the people who are connected to the server, by server id.
    present: BTreeMap<String, Present>,
}

impl VisibilityTables {
    fn of(&self, person: Holder) -> Visibility {
        self.settings.get(&person.0).map(|(setting, _)| *setting).unwrap_or_default()
    }

    pub(super) fn forget(&mut self, person: Holder) {
        self.settings.remove(&person.0);
        for present in self.present.values_mut() {
            present.persons.retain(|known| *known != person);
        }
    }

    pub(super) fn join(&mut self, former: Holder, person: Holder) {
        let Some((brought, at)) = self.settings.remove(&former.0) else { return };
        let visibility = self.of(person).stricter(brought);
        self.settings.insert(person.0, (visibility, at));
    }

    /// Returns the permission of the public to watch a match: at once, or with a delay. Returns `None` if the match is
    /// not public, or if a player permits no spectators.
    fn watching(&self, stored: &StoredMatch) -> Option<Watching> {
        let [a, b] = Player::BOTH.map(|player| holder_of(&stored.info, player));
        let (a, b) = (a?, b?);
        let watching = self.of(a).watching.max(self.of(b).watching);
        (stored.info.public && a != b && watching != Watching::Never).then_some(watching)
    }
}

/// Removes old visibility settings of persons who have no browser identity, no seat and no match offer.
pub(super) fn forget_old(tables: &mut Tables, at: i64) {
    let unused = |person: Holder| {
        !tables.people.knows(person)
            && !tables.matches.values().any(|stored| stored.is_held_by(person))
            && !tables.offers.has(person)
    };
    let old: Vec<[u8; 32]> = tables
        .visibility
        .settings
        .iter()
        .filter(|(person, (_, set_at))| *set_at < at - UNUSED_TIME && unused(Holder(**person)))
        .map(|(person, _)| *person)
        .collect();
    for person in old {
        tables.visibility.settings.remove(&person);
    }
}

fn public_matches(tables: &Tables, wanted: PublicWanted) -> PublicPage {
    let PublicWanted { rules, is_finished, after, limit } = wanted;
    let place = |stored: &StoredMatch| {
        let at = stored.ended_at.unwrap_or(stored.info.created_at);
        (at, stored.info.id.clone())
    };
    let after = after.map(|PublicCursor { at, id }| (at, id));
    let mut read: Vec<&StoredMatch> = tables
        .matches
        .values()
        .filter(|stored| stored.info.public && stored.ended_at.is_some() == is_finished)
        .filter(|stored| rules.as_ref().is_none_or(|rules| *rules == stored.info.rules))
        .filter(|stored| after.as_ref().is_none_or(|after| place(stored) < *after))
        .collect();
    read.sort_by_key(|stored| std::cmp::Reverse(place(stored)));
    read.truncate(limit as usize);
    let next = read.last().filter(|_| read.len() == limit as usize).map(|last| {
        let (at, id) = place(last);
        PublicCursor { at, id }
    });
    let shown = |stored: &&StoredMatch| {
        let (at, id) = place(stored);
        Some(PublicMatch { id, at, watching: tables.visibility.watching(stored)? })
    };
    PublicPage { matches: read.iter().filter_map(shown).collect(), next }
}

fn favourites_present(tables: &Tables, person: Holder, at: i64) -> Vec<KnownPresence> {
    let present = tables.visibility.present.values().filter(|present| present.until > at);
    let here: BTreeSet<[u8; 32]> =
        present.flat_map(|present| present.persons.iter().map(|known| known.0)).collect();
    let shown = tables.relations.mutual(person).filter_map(|other| {
        let account = tables.people.accounts.of_person(other)?;
        tables.visibility.of(other).shows_presence.then(|| KnownPresence {
            person: other,
            handle: account.handle,
            is_here: here.contains(&other.0),
        })
    });
    let mut shown: Vec<_> = shown.collect();
    shown.sort_by_key(|favourite| favourite.handle.to_ascii_lowercase());
    shown
}

impl<L: Link> Visibilities for MemoryStore<L> {
    fn visibility(&self, person: Holder) -> StoreFuture<'_, Visibility> {
        self.call(move |tables| tables.visibility.of(person))
    }

    fn set_visibility(&self, change: VisibilityChange) -> StoreFuture<'_, Appended> {
        self.write(move |tables| {
            let VisibilityChange { person, visibility, at } = change;
            tables.visibility.settings.remove(&person.0);
            if visibility != Visibility::default() {
                tables.visibility.settings.insert(person.0, (visibility, at));
            }
            Appended::Stored
        })
    }

    fn public_matches(&self, wanted: PublicWanted) -> StoreFuture<'_, PublicPage> {
        self.call(move |tables| public_matches(tables, wanted))
    }

    fn public_watching<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<Watching>> {
        self.call(move |tables| tables.visibility.watching(tables.matches.get(id)?))
    }

    fn set_present(&self, present: Present) -> StoreFuture<'_, Appended> {
        self.write(move |tables| {
            let all = &mut tables.visibility.present;
            all.retain(|_, known| known.until > present.at);
            all.remove(&present.server);
            let mut present = present;
            present
                .persons
                .retain(|person| tables.relations.is_of_anybody(RelationKind::Favourite, *person));
            if present.people > 0 {
                all.insert(present.server.clone(), present);
            }
            Appended::Stored
        })
    }

    fn people_elsewhere<'a>(&'a self, server: &'a str, at: i64) -> StoreFuture<'a, u64> {
        self.call(move |tables| {
            let others = tables.visibility.present.values();
            let others = others.filter(|known| known.server != server && known.until > at);
            others.map(|known| known.people).sum()
        })
    }

    fn favourites_present(&self, person: Holder, at: i64) -> StoreFuture<'_, Vec<KnownPresence>> {
        self.call(move |tables| favourites_present(tables, person, at))
    }
}
