//! Implements an in-memory table of leases (expiring claims of servers on background work), for simulations.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::Instant;

use crate::store::Appended;
use crate::store::queries::leases::{EXPIRY, LEASE, TAKEN, of_event};

/// In-memory table of the leases of background work, by name.
pub(super) struct Leases(BTreeMap<String, Lease>);

/// Expiring claim of a server on a piece of background work.
struct Lease {
    /// Id of the server that holds the lease, or `None` for background work that no server has taken.
    holder: Option<u32>,
    until: Instant,
}

impl Leases {
    pub(super) fn new() -> Self {
        Self(BTreeMap::from([(EXPIRY.to_owned(), Lease::waiting(Duration::ZERO))]))
    }

    /// Returns the names of the leases of all background work.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Returns the id of the server that holds the lease with a given name.
    pub(super) fn holder(&self, name: &str) -> Option<u32> {
        self.0.get(name)?.holder
    }

    /// Assigns the lease of a piece of background work to a server, even if another server holds the lease. With `None`, no server holds
    /// the lease, and the work waits.
    pub(super) fn hold(&mut self, name: String, server: Option<u32>) {
        self.0.insert(name, Lease::of(server));
    }

    /// Removes the lease of a piece of background work, regardless of the server that holds the lease. Returns whether the lease existed.
    pub(super) fn end(&mut self, name: &str) -> bool {
        self.0.remove(name).is_some()
    }

    /// Takes the lease of a piece of background work for a server, unless another server holds the lease. With `None`, no server holds the
    /// lease, and the work waits.
    pub(super) fn take(&mut self, name: &str, server: Option<u32>) -> Appended {
        if server.is_none() {
            let waiting = || Lease::waiting(Duration::ZERO);
            self.0.entry(name.to_owned()).or_insert_with(waiting);
            return Appended::Conflict;
        }
        let is_free = self.0.get(name).is_none_or(|lease| {
            lease.holder.is_none() || lease.holder == server || lease.until <= Instant::now()
        });
        if !is_free {
            return Appended::Conflict;
        }
        self.0.insert(name.to_owned(), Lease::of(server));
        Appended::Stored
    }

    /// Returns all leases of background work except the leases for tournament events.
    fn without_events(&mut self) -> impl Iterator<Item = (&String, &mut Lease)> {
        let event = of_event("");
        self.0.iter_mut().filter(move |(name, _)| !name.starts_with(&event))
    }

    /// Renews the leases of a server, and takes over expired leases except leases for tournament events. Returns the
    /// names of all leases that the server then holds, without the leases for events.
    pub(super) fn keep(&mut self, server: Option<u32>) -> Vec<String> {
        if server.is_none() {
            return Vec::new();
        }
        for lease in self.0.values_mut().filter(|lease| lease.holder == server) {
            *lease = Lease::of(server);
        }
        let over = self.without_events().filter(|(_, lease)| lease.until <= Instant::now());
        let mut over: Vec<_> = over.collect();
        over.sort_by_key(|(_, lease)| lease.until);
        for (_, lease) in over.into_iter().take(TAKEN as usize) {
            *lease = Lease::of(server);
        }
        let held = self.without_events().filter(|(_, lease)| lease.holder == server);
        held.map(|(name, _)| name.clone()).collect()
    }

    /// Releases a server's lease of a piece of background work. `Leases::keep` assigns the lease to a server again only
    /// after a pause.
    pub(super) fn release(&mut self, name: &str, pause: Duration, server: Option<u32>) -> Appended {
        match self.0.get_mut(name).filter(|lease| lease.holder == server) {
            Some(lease) => {
                *lease = Lease::waiting(pause);
                Appended::Stored
            }
            None => Appended::Conflict,
        }
    }

    /// Releases all leases of background work that a server holds.
    pub(super) fn retire(&mut self, server: Option<u32>) -> Appended {
        for lease in self.0.values_mut().filter(|lease| lease.holder == server) {
            *lease = Lease::waiting(Duration::ZERO);
        }
        Appended::Stored
    }
}

impl Lease {
    /// Returns a new lease of background work, which is held by the given server. With `None`, no server holds the lease, and the work
    /// waits.
    fn of(server: Option<u32>) -> Self {
        let time = if server.is_some() { LEASE.unsigned_abs() } else { 0 };
        Self { holder: server, until: Instant::now() + Duration::from_millis(time) }
    }

    /// Returns a new lease without a holder, for background work that waits until a server takes it over.
    /// `Leases::keep` assigns the lease to a server only after the given pause.
    fn waiting(pause: Duration) -> Self {
        Self { holder: None, until: Instant::now() + pause }
    }
}
