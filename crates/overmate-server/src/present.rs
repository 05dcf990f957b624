//! Counts the people with an open live connection to this server. All data stay in memory.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::http::client::Client;
use crate::store::Holder;

/// People with an open live connection to this server.
#[derive(Clone, Default)]
pub(crate) struct PeopleConnected(Arc<Mutex<HashMap<Visitor, u32>>>);

/// Counted visitor: a person with an identity, or all clients without an identity in one IP network.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Visitor {
    Person(Holder),
    Network(IpAddr),
}

impl PeopleConnected {
    /// Counts the person or network of a live connection as connected until the returned guard is dropped.
    pub(crate) fn enter(&self, client: Client, person: Option<Holder>) -> Connected {
        let visitor = person.map_or(Visitor::Network(client.network()), Visitor::Person);
        *self.lock().entry(visitor).or_default() += 1;
        Connected { people: self.clone(), visitor }
    }

    /// Returns the number of people with an open live connection to this server.
    pub(crate) fn count(&self) -> u64 {
        self.lock().len() as u64
    }

    /// Returns the persons who have an open live connection to this server. Connections of clients without an identity are left out.
    pub(crate) fn persons(&self) -> Vec<Holder> {
        let people = self.lock();
        let persons = people.keys().filter_map(|visitor| match visitor {
            Visitor::Person(person) => Some(*person),
            Visitor::Network(_) => None,
        });
        persons.collect()
    }

    /// Returns whether a person has an open live connection to this server.
    pub(crate) fn has(&self, person: Holder) -> bool {
        self.lock().contains_key(&Visitor::Person(person))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Visitor, u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Guard that counts a visitor (a person or an IP network) as connected until the guard is dropped.
pub(crate) struct Connected {
    people: PeopleConnected,
    visitor: Visitor,
}

impl Drop for Connected {
    fn drop(&mut self) {
        let mut people = self.people.lock();
        let Some(connections) = people.get_mut(&self.visitor) else { return };
        *connections -= 1;
        if *connections == 0 {
            people.remove(&self.visitor);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_person_and_each_network_without_an_identity_counts_once() {
        let people = PeopleConnected::default();
        let [one, other] = ["192.0.2.1", "192.0.2.2"]
            .map(|address| Client::at(address.parse().expect("an address")));
        let [ann, bob] = [Holder([1; 32]), Holder([2; 32])];
        let first = people.enter(one, Some(ann));
        let second = people.enter(other, Some(ann));
        let third = people.enter(one, Some(bob));
        let unknown = [people.enter(one, None), people.enter(one, None), people.enter(other, None)];
        assert_eq!((people.count(), people.persons().len()), (4, 2));
        drop(unknown);
        drop(first);
        assert!(people.has(ann) && people.has(bob));
        drop(second);
        assert!(!people.has(ann) && people.has(bob));
        drop(third);
        assert_eq!(people.count(), 0);
    }
}
