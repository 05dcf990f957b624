//! Implements an in-memory store of push subscriptions, for simulations.

use std::collections::BTreeSet;

use overmate_rules::Player;

use super::memory_absences::known_person_of;
use super::memory_link::Link;
use super::memory_match::holder_of;
use super::memory_people::PeopleTables;
use super::memory_store::{MemoryStore, Tables};
use crate::clocks::clock_setting::ClockSetting;
use crate::store::{
    Appended, EntryKind, Holder, MOST_SUBSCRIPTIONS, MatchInfo, PushChange, PushKind,
    PushSubscription, PushSubscriptions, StoreFuture, rejoined,
};

/// In-memory table of push subscriptions, each with its person.
#[derive(Default)]
pub(super) struct PushTables(Vec<(Holder, PushSubscription)>);

impl PushTables {
    /// Removes the push subscriptions of a person.
    pub(super) fn forget(&mut self, person: Holder) {
        self.0.retain(|(of, _)| *of != person);
    }

    /// Updates the push subscriptions after browsers were assigned to other persons, signed out, or given new identities. Each
    /// subscription then belongs to the person of its browser. Subscriptions of signed-out and of former identities are removed.
    pub(super) fn follow(&mut self, people: &PeopleTables) {
        self.0.retain_mut(|(person, row)| {
            let known = people.person_of(row.browser);
            *person = known.unwrap_or(*person);
            known.is_some()
        });
        let persons: BTreeSet<[u8; 32]> = self.0.iter().map(|(person, _)| person.0).collect();
        for person in persons {
            self.trim(Holder(person), MOST_SUBSCRIPTIONS);
        }
    }

    /// Removes the oldest push subscriptions of a person, so that at most `most` subscriptions remain.
    fn trim(&mut self, person: Holder, most: usize) {
        let mut own = self.of(person);
        own.sort_by_key(|row| (-row.made_at, row.browser.0));
        for old in own.iter().skip(most) {
            self.0.retain(|(_, row)| row.browser != old.browser);
        }
    }

    fn of(&self, person: Holder) -> Vec<PushSubscription> {
        let own = self.0.iter().filter(|(of, _)| *of == person);
        let mut own: Vec<PushSubscription> = own.map(|(_, row)| row.clone()).collect();
        own.sort_by_key(|row| (row.made_at, row.browser.0));
        own
    }

    fn set(&mut self, person: Holder, new: PushSubscription) {
        self.0.retain(|(_, row)| row.browser != new.browser && row.endpoint != new.endpoint);
        self.trim(person, MOST_SUBSCRIPTIONS - 1);
        self.0.push((person, PushSubscription { failures: 0, retry_at: 0, told: None, ..new }));
    }

    fn change(&mut self, change: PushChange) -> Appended {
        let before = self.0.len();
        let is_changed = match change {
            PushChange::Set { person, subscription } => {
                self.set(person, subscription);
                true
            }
            PushChange::Remove { person, browser, endpoint } => {
                self.0.retain(|(of, row)| {
                    (*of, row.browser) != (person, browser)
                        || endpoint.as_ref().is_some_and(|endpoint| *endpoint != row.endpoint)
                });
                self.0.len() < before
            }
            PushChange::Sent { person, browser, endpoint, failures, retry_at, told } => {
                let mut rows = self.0.iter_mut();
                let row = rows.find(|(of, row)| {
                    (*of, row.browser) == (person, browser) && row.endpoint == endpoint
                });
                let is_found = row.is_some();
                if let Some((_, row)) = row {
                    (row.failures, row.retry_at) = (failures, retry_at);
                    row.told = told.or_else(|| row.told.take());
                }
                is_found
            }
        };
        Appended::stored_if(is_changed)
    }

    /// Returns whether any player of a match has a push subscription.
    fn is_wanted(&self, tables: &Tables, id: &str) -> bool {
        self.0.iter().any(|(person, _)| players(tables, id).contains(person))
    }
}

/// Returns the persons who hold the seats of a match.
fn players(tables: &Tables, id: &str) -> Vec<Holder> {
    let Some(stored) = tables.matches.get(id) else { return Vec::new() };
    Player::BOTH.into_iter().filter_map(|player| holder_of(&stored.info, player)).collect()
}

/// Returns whether a match is a correspondence match in which at least one player gets e-mails about turns.
fn is_mail_wanted(tables: &Tables, id: &str) -> bool {
    let clock = tables.matches.get(id).and_then(|stored| stored.info.clock);
    matches!(clock, Some(ClockSetting::Days(_)))
        && players(tables, id).into_iter().any(|person| tables.people.mail.tells_turns(person))
}

/// Returns whether the store contains a browser identity, a seat or a match offer of a person.
fn is_known(tables: &Tables, person: Holder) -> bool {
    known_person_of(tables, person).is_some() || tables.offers.has(person)
}

/// Queues push messages and e-mails of the given kinds about a match, except kinds that no player of the match wants.
fn schedule(tables: &mut Tables, id: &str, kinds: &[PushKind]) {
    for &kind in kinds {
        let is_wanted = if kind == PushKind::Mail {
            is_mail_wanted(tables, id)
        } else {
            tables.push.is_wanted(tables, id)
        };
        if is_wanted {
            tables.leases.hold(kind.lease(id), None);
        }
    }
}

/// Queues the push message and the e-mail about a player's turn, if a log entry begins this turn. Simulated servers send no messages.
pub(super) fn announce(tables: &mut Tables, id: &str, kind: &EntryKind) {
    if matches!(kind, EntryKind::Act(_) | EntryKind::Join) {
        schedule(tables, id, &[PushKind::Mail, PushKind::Turn]);
    }
}

/// Stores the match of an accepted rematch, and queues the e-mail to the player who begins.
pub(super) fn begin_rematch(tables: &mut Tables, info: MatchInfo, server: Option<u32>, at: i64) {
    let id = info.id.clone();
    let first = rejoined(&info, at);
    tables.insert(info, None, server);
    tables.matches.entry(id.clone()).and_modify(|begun| begun.log.extend(first));
    schedule(tables, &id, &[PushKind::Mail]);
}

/// Queues the push message to the maker of an accepted match offer, and the e-mail to the player who begins.
pub(super) fn announce_match(tables: &mut Tables, id: &str) {
    schedule(tables, id, &[PushKind::Mail, PushKind::Offer]);
}

/// Queues the push messages to the players of a new match in a tournament event.
pub(super) fn announce_pairing(tables: &mut Tables, id: &str) {
    schedule(tables, id, &[PushKind::Paired]);
}

impl<L: Link> PushSubscriptions for MemoryStore<L> {
    fn push_key(&self) -> [u8; 32] {
        [3; 32]
    }

    fn push_subscriptions(&self, person: Holder) -> StoreFuture<'_, Vec<PushSubscription>> {
        self.call(move |tables| tables.push.of(person))
    }

    fn change_push(&self, change: PushChange) -> StoreFuture<'_, Appended> {
        self.write(move |tables| {
            if let PushChange::Set { person, subscription } = &change {
                let is_of = tables.people.person_of(subscription.browser) == Some(*person);
                if !is_of || !is_known(tables, *person) {
                    return Appended::Conflict;
                }
            }
            tables.push.change(change)
        })
    }

    fn waiting_turns(&self) -> StoreFuture<'_, Vec<String>> {
        self.call(|tables| {
            let names = tables.leases.names();
            let is_of_turn = |name: &&str| {
                matches!(PushKind::of_lease(name), Some((PushKind::Turn | PushKind::Mail, _)))
            };
            names.filter(is_of_turn).map(str::to_owned).collect()
        })
    }
}
