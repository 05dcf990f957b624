//! Limits the requests and connections of each browser, each IP address and each IPv6 network.

use std::array;
use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use moka::sync::Cache;

use crate::client::{Client, NETWORKS};
use crate::error::ApiError;
use crate::settings::Limits;
use crate::store::Holder;

/// Number of tiers of limits: one for browsers, and one for each size of networks.
const TIERS: usize = 1 + NETWORKS.len();

/// Largest number of browsers whose latest address the server remembers.
const KNOWN_BROWSERS: u64 = 100_000;

/// Time without a request after which the server forgets the latest address of a browser.
const KNOWN_TIME: Duration = Duration::from_hours(24);

/// Subject of a limit: a browser, or a network of one of the sizes in `NETWORKS`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum LimitedParty {
    Browser(Holder),
    Network(IpAddr),
}

/// Returns the tiers and subjects of the limits that apply to a client: the browser first, then its networks, the smallest first.
fn subjects(client: Client) -> impl Iterator<Item = (usize, LimitedParty)> {
    let browser = client.browser().map(|browser| (0, LimitedParty::Browser(browser)));
    let networks = client.networks().map(LimitedParty::Network).zip(1..);
    browser.into_iter().chain(networks.map(|(network, tier)| (tier, network)))
}

/// Returns for each tier the factor by which the limit of one browser is multiplied for a subject
/// of the tier.
fn multiples(limits: &Limits) -> [u32; TIERS] {
    let of_networks =
        |tier: usize| NETWORKS[tier - 1].1.saturating_mul(limits.browsers_per_address);
    array::from_fn(|tier| if tier == 0 { 1 } else { of_networks(tier) })
}

/// Counts the requests and open connections of each client, and refuses requests and connections
/// beyond the limits.
pub(crate) struct Limiter {
    requests: Option<Rates>,
    analyses: Option<Rates>,
    matches: Option<Rates>,
    live: ConnectionLimit,
    sockets: ConnectionLimit,
    /// Latest client (browser and address) that has sent a request, for each browser.
    known: Cache<Holder, Client>,
}

/// Rate limiters for one kind of request, one for each tier.
type Rates = [DefaultKeyedRateLimiter<LimitedParty>; TIERS];

/// Limit on the number of open connections of one kind, for each client and for all clients together.
struct ConnectionLimit {
    open: Arc<Mutex<OpenConnections>>,
    /// Largest number of connections of a subject, by its tier.
    largest: [usize; TIERS],
    total: usize,
    /// Name of the metric that counts the connections.
    gauge: &'static str,
    /// Name that error texts use for this kind of connection.
    name: &'static str,
}

/// Numbers of open connections of one kind, in total and by subject.
#[derive(Default)]
struct OpenConnections {
    /// Number of open connections for each tier and subject.
    by_subject: HashMap<(usize, LimitedParty), usize>,
    total: usize,
}

/// Kind of request that has a separate rate limit.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RateLimited {
    Request,
    Analysis,
    NewMatch,
}

impl Limiter {
    pub(crate) fn new(limits: &Limits) -> Self {
        let at_least_one = |number: u32| NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
        let multiples = multiples(limits);
        // A quota for each tier, from the limit of one browser.
        let rates = |number: Option<u32>, quota: &dyn Fn(NonZeroU32, u32) -> Quota| {
            number.map(|number| {
                multiples.map(|multiple| {
                    let number = at_least_one(number.saturating_mul(multiple));
                    RateLimiter::keyed(quota(number, multiple))
                })
            })
        };
        let at_once = limits.requests_at_once;
        let connections = |per_client: Option<u32>, total, gauge, name| ConnectionLimit {
            open: Arc::default(),
            largest: multiples.map(|multiple| {
                per_client.map_or(usize::MAX, |number| number.saturating_mul(multiple) as usize)
            }),
            total,
            gauge,
            name,
        };
        Self {
            requests: rates(limits.requests_per_second, &|number, multiple| {
                let burst = at_least_one(at_once.saturating_mul(multiple));
                Quota::per_second(number).allow_burst(burst)
            }),
            analyses: rates(limits.analyses_per_minute, &|number, _| Quota::per_minute(number)),
            matches: rates(limits.matches_per_hour, &|number, _| Quota::per_hour(number)),
            live: connections(
                limits.connections_per_client,
                limits.connections,
                "overmate_connections",
                "live connections",
            ),
            sockets: connections(
                limits.sockets_per_client,
                limits.sockets,
                "overmate_sockets",
                "connections",
            ),
            known: Cache::builder().max_capacity(KNOWN_BROWSERS).time_to_idle(KNOWN_TIME).build(),
        }
    }

    /// Returns the client, with its address, that has sent the latest request with the cookie of a
    /// browser.
    pub(crate) fn latest(&self, browser: Holder) -> Client {
        self.known.get(&browser).unwrap_or(Client::nowhere(browser))
    }

    /// Counts a request of a client, and refuses the request if its browser or a network of its address is beyond the rate limit.
    pub(crate) fn count(&self, client: Client, kind: RateLimited) -> Result<(), ApiError> {
        if let Some(browser) = client.browser()
            && self.known.get(&browser) != Some(client)
        {
            self.known.insert(browser, client);
        }
        let (limiter, what) = match kind {
            RateLimited::Request => (&self.requests, "requests"),
            RateLimited::Analysis => (&self.analyses, "analyses"),
            RateLimited::NewMatch => (&self.matches, "new matches"),
        };
        let Some(rates) = limiter else { return Ok(()) };
        // A request that a small network's limit refuses does not count against the limits of larger networks.
        for (tier, subject) in subjects(client) {
            rates[tier].check_key(&subject).map_err(|until| {
                let wait = until.wait_time_from(DefaultClock::default().now());
                ApiError::TooMany { what, seconds: wait.as_secs() + 1 }
            })?;
        }
        Ok(())
    }

    /// Permits a live connection of a client, or refuses the connection if too many live
    /// connections are open.
    pub(crate) fn open_live(&self, client: Client) -> Result<ConnectionPermit, ApiError> {
        self.live.open(Some(client))
    }

    /// Permits a TCP connection of a client, or refuses the connection if too many TCP connections
    /// are open. Behind a proxy the client is not known.
    pub(crate) fn open_socket(&self, client: Option<Client>) -> Result<ConnectionPermit, ApiError> {
        self.sockets.open(client)
    }

    /// Drops the rate counts of clients whose recent requests no longer affect their limits.
    pub(crate) fn remove_idle(&self) {
        let rates = [&self.requests, &self.analyses, &self.matches];
        for limiter in rates.into_iter().flatten().flatten() {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    }
}

impl ConnectionLimit {
    fn open(&self, client: Option<Client>) -> Result<ConnectionPermit, ApiError> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.total >= self.total {
            return Err(ApiError::Full { what: self.name });
        }
        let subjects = || client.into_iter().flat_map(subjects);
        for subject in subjects() {
            let own = open.by_subject.get(&subject).copied().unwrap_or_default();
            if own >= self.largest[subject.0] {
                return Err(ApiError::TooMany { what: self.name, seconds: 10 });
            }
        }
        for subject in subjects() {
            *open.by_subject.entry(subject).or_default() += 1;
        }
        open.total += 1;
        metrics::gauge!(self.gauge).increment(1.0);
        Ok(ConnectionPermit { client, open: Arc::clone(&self.open), gauge: self.gauge })
    }
}

/// Permit for one open connection, which counts against the limits until the permit is dropped.
pub(crate) struct ConnectionPermit {
    client: Option<Client>,
    open: Arc<Mutex<OpenConnections>>,
    gauge: &'static str,
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.total = open.total.saturating_sub(1);
        for subject in self.client.into_iter().flat_map(subjects) {
            if let Some(own) = open.by_subject.get_mut(&subject) {
                *own = own.saturating_sub(1);
                if *own == 0 {
                    open.by_subject.remove(&subject);
                }
            }
        }
        metrics::gauge!(self.gauge).decrement(1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_of_one_ipv6_network_share_its_limit() {
        let limits = Limits {
            connections_per_client: Some(2),
            browsers_per_address: 1,
            ..Limits::default()
        };
        let limiter = Limiter::new(&limits);
        let client = |text: &str| Client::at(text.parse().expect("an address"));
        let mut open = Vec::new();
        for subnet in 0..256 {
            open.extend(limiter.open_live(client(&format!("2001:db8:1:{subnet:x}::1"))).ok());
        }
        assert_eq!(open.len(), 4, "a network of 56 bits");
        for subnet in 0..256 {
            open.extend(limiter.open_live(client(&format!("2001:db8:1:{subnet:x}00::1"))).ok());
        }
        assert_eq!(open.len(), 8, "a network of 48 bits");
        assert!(limiter.open_live(client("2001:db8:2::1")).is_ok(), "another network of 48 bits");
        open.clear();
        assert!(limiter.open_live(client("2001:db8:1::1")).is_ok());
        let open = limiter.live.open.lock().expect("no panic");
        assert!(open.by_subject.is_empty() && open.total == 0);
    }

    #[test]
    fn browsers_behind_one_address_have_limits_of_their_own() {
        let limits = Limits {
            matches_per_hour: Some(2),
            connections_per_client: Some(2),
            browsers_per_address: 8,
            ..Limits::default()
        };
        let limiter = Limiter::new(&limits);
        let school = Client::at("192.0.2.1".parse().expect("an address"));
        let taken = |clients: &mut dyn Iterator<Item = Client>| {
            let taken = clients.filter(|c| limiter.count(*c, RateLimited::NewMatch).is_ok());
            taken.count()
        };
        let pupil = |number: u8| school.with_browser(Some(Holder([number; 32])));
        assert_eq!(taken(&mut (0..10).map(|_| pupil(1))), 2, "one browser");
        assert_eq!(taken(&mut (2..9).map(pupil).cycle().take(70)), 14, "seven more browsers");
        assert_eq!(taken(&mut (9..99).map(pupil)), 0, "a new cookie for each request");
        assert_eq!(taken(&mut std::iter::once(school)), 0, "without a cookie");
        assert_eq!(limiter.latest(Holder([3; 32])), pupil(3));
        assert_eq!(limiter.latest(Holder([200; 32])), Client::nowhere(Holder([200; 32])));

        let open = |client: Client| limiter.open_live(client).ok();
        let own: Vec<_> = (0..10).filter_map(|_| open(pupil(1))).collect();
        let others: Vec<_> = (2..99).filter_map(|number| open(pupil(number))).collect();
        assert_eq!((own.len(), others.len()), (2, 14));
    }
}
