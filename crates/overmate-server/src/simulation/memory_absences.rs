//! Implements an in-memory store of people's days off, for simulations.

use std::collections::BTreeMap;

use overmate_rules::Player;

use super::memory_link::Link;
use super::memory_store::{MemoryStore, Tables};
use crate::clocks::absence::{self, Absence};
use crate::store::{
    AbsenceChange, AbsenceKind, Absences, Appended, Holder, Occupant, Standing, StoreFuture,
};

/// Returns the person to whom a browser identity belongs, if the store has a browser of this person or a match with their seat. Otherwise
/// returns `None`.
pub(super) fn known_person_of(tables: &Tables, browser: Holder) -> Option<Holder> {
    let person = tables.people.owner(browser);
    let seat = Occupant::Holder(person);
    let has_seat = tables.matches.values().any(|stored| {
        let seats = &stored.info.seats;
        Player::BOTH.into_iter().any(|player| seats[player].occupant == seat)
    });
    (tables.people.knows(person) || has_seat).then_some(person)
}

/// In-memory tables of people's days off and of the secret URLs of their turn feeds (web feeds of the matches in which
/// it is their turn). The first table holds the end of each period of days off, by person and start time. The second
/// table holds the token of each secret feed URL, by person.
#[derive(Default)]
pub(super) struct AbsenceTables(BTreeMap<([u8; 32], i64), i64>, BTreeMap<[u8; 32], String>);

impl AbsenceTables {
    /// Returns the periods of days off of a person, the earliest first.
    pub(super) fn of(&self, person: Holder) -> Vec<Absence> {
        let own = self.0.iter().filter(|((of, _), _)| *of == person.0);
        own.map(|((_, began_at), until)| Absence { began_at: *began_at, until: *until }).collect()
    }

    fn change(&mut self, AbsenceChange { person, kind }: AbsenceChange) -> Appended {
        let now = match kind {
            AbsenceKind::Begin(Absence { began_at, .. }) => began_at,
            AbsenceKind::End { at } => at,
        };
        let mut own = self.0.iter_mut().filter(|((of, _), _)| *of == person.0);
        let current = own.find(|(_, until)| **until > now);
        match (kind, current) {
            (AbsenceKind::Begin(Absence { began_at, until }), None) => {
                self.0.insert((person.0, began_at), until);
                Appended::Stored
            }
            (AbsenceKind::End { at }, Some((_, until))) => {
                *until = at;
                Appended::Stored
            }
            _ => Appended::Conflict,
        }
    }

    /// Transfers the days off of the person `former` to another person, and removes the secret turn feed URL of
    /// `former`. Current days off of `former` end at `at`, in milliseconds since 1970. The other person's days off are
    /// shortened, so that the joint days off fit the budget of one person.
    pub(super) fn join(&mut self, former: Holder, person: Holder, budget: u32, at: i64) {
        self.forget_feed(former);
        for Absence { began_at, until } in self.of(former) {
            self.0.remove(&(former.0, began_at));
            let until = until.min(at.max(began_at));
            self.0.entry((person.0, began_at)).or_insert(until);
        }
        if let Some(Absence { began_at, until }) = absence::cut(&self.of(person), budget, at) {
            self.0.insert((person.0, began_at), until);
        }
    }

    /// Removes the secret URL of a person's turn feed.
    pub(super) fn forget_feed(&mut self, person: Holder) {
        self.1.remove(&person.0);
    }

    /// Deletes a person's days off and the secret URL of their turn feed.
    pub(super) fn forget(&mut self, person: Holder) {
        self.1.remove(&person.0);
        self.0.retain(|(of, _), _| *of != person.0);
    }
}

impl<L: Link> Absences for MemoryStore<L> {
    fn absences_of(&self, person: Holder) -> StoreFuture<'_, Vec<Absence>> {
        self.call(move |tables| tables.absences.of(person))
    }

    fn changed_absences(&self, since: i64, until: i64) -> StoreFuture<'_, Vec<Holder>> {
        self.call(move |tables| {
            let times = since..=until;
            let changed = tables.absences.0.iter().filter(|((_, began_at), until)| {
                times.contains(began_at) || times.contains(*until)
            });
            let mut persons: Vec<Holder> =
                changed.map(|((person, _), _)| Holder(*person)).collect();
            persons.dedup();
            persons
        })
    }

    fn feed_of(&self, person: Holder) -> StoreFuture<'_, Option<String>> {
        self.call(move |tables| tables.absences.1.get(&person.0).cloned())
    }

    fn person_of_feed<'a>(&'a self, token: &'a str) -> StoreFuture<'a, Option<Holder>> {
        self.call(move |tables| {
            let mut feeds = tables.absences.1.iter();
            feeds.find(|(_, known)| *known == token).map(|(person, _)| Holder(*person))
        })
    }

    fn set_feed(
        &self,
        person: Holder,
        browser: Holder,
        token: Option<String>,
    ) -> StoreFuture<'_, Appended> {
        self.write(move |tables| {
            let is_of = match tables.people.standing(browser) {
                Standing::Alone => browser == person,
                Standing::Of(of) => of == person,
                Standing::Revoked => false,
            };
            if !is_of || known_person_of(tables, person).is_none() {
                return Appended::Conflict;
            }
            match token {
                Some(token) => drop(tables.absences.1.insert(person.0, token)),
                None => drop(tables.absences.1.remove(&person.0)),
            }
            Appended::Stored
        })
    }

    fn change_absence(&self, change: AbsenceChange) -> StoreFuture<'_, Appended> {
        self.write(move |tables| match known_person_of(tables, change.person) {
            Some(person) => tables.absences.change(AbsenceChange { person, ..change }),
            None => Appended::Conflict,
        })
    }
}
