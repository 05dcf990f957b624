//! Enforces rate limits and connection limits for each browser, IP address and IPv6 network.
//!
//! Each server counts requests on its own. Expensive requests also count in the database, so that
//! their limits hold for all servers together.
//!
//! Each kind of expensive request also has a rate limit for all clients together. Beyond this rate,
//! the server refuses everybody who has not played before.

use std::array;
use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultDirectRateLimiter, DefaultKeyedRateLimiter, Quota, RateLimiter};
use hmac::Mac as _;
use moka::sync::Cache;
use tokio::time::timeout;

use crate::clock;
pub(crate) use crate::dear::Dear;
use crate::error::ApiError;
use crate::http::client::{Client, NETWORKS};
use crate::keyed_hash::keyed_hash;
use crate::settings::Limits;
use crate::store::{Counted, Holder, Store};

/// Number of tiers of rate limits: one tier for browsers, and one tier for each size of IP network.
const TIERS: usize = 1 + NETWORKS.len();

/// Maximum number of browsers whose last IP address the server remembers.
const KNOWN_BROWSERS: u64 = 100_000;

/// Idle time after which the server forgets the last IP address of a browser.
const KNOWN_TIME: Duration = Duration::from_hours(24);

/// Lifetime of a cache entry that tells whether a person has a match or puzzle attempt that is older than [`KNOWN_AGE`] (one day).
const PLAYER_TIME: Duration = Duration::from_mins(10);

/// Minimum age, in seconds, of a match or puzzle attempt that exempts a person from the rate limit shared by all clients. Attackers
/// therefore cannot create exempt persons during an attack.
const KNOWN_AGE: i64 = clock::DAY;

/// Rate limit on the unchanging files of the web client, as a multiple of the limit on requests.
const FILES_PER_REQUEST: u32 = 10;

/// Length of the time window in which the rate limit counts abandoned rated matches.
const DAY: Duration = Duration::from_hours(24);

/// Timeout for a database query of the rate limiter. An expensive request waits for this query.
const PATIENCE: Duration = Duration::from_secs(1);

/// Subject of a rate limit: a browser identity, a person, an IP address or IPv6 network, an account, or an e-mail address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum LimitedParty {
    Browser(Holder),
    /// Person, whose identity stays the same with a new handle or a new token of a browser.
    Person(Holder),
    Network(IpAddr),
    /// Account or e-mail address, given as a keyed hash of the handle or of the address.
    Handle([u8; 32]),
}

/// Returns the browser and the IP networks of a client, each with the index of its tier of rate limits. The browser comes first, followed
/// by the networks from small to large.
fn subjects(client: Client) -> impl Iterator<Item = (usize, LimitedParty)> {
    let browser = client.browser().map(|browser| (0, LimitedParty::Browser(browser)));
    let networks = client.networks().map(LimitedParty::Network).zip(1..);
    browser.into_iter().chain(networks.map(|(network, tier)| (tier, network)))
}

/// Returns the rate limits for browsers and for IP networks of each size, as multiples of the limit for one browser.
fn multiples(limits: &Limits) -> [u32; TIERS] {
    let of_networks =
        |tier: usize| NETWORKS[tier - 1].1.saturating_mul(limits.browsers_per_address);
    array::from_fn(|tier| if tier == 0 { 1 } else { of_networks(tier) })
}

/// Limiter that counts the requests and open connections of each client, and refuses requests and connections beyond the limits.
pub(crate) struct Limiter {
    requests: Option<Rates>,
    /// Rate limits on the files of the web client that never change. Only networks count, because the requests lack an identity.
    files: Option<Rates>,
    /// Rate limits on expensive requests, by kind of request. A kind of request without an entry has no limit.
    dear: BTreeMap<Dear, DearRates>,
    live: ConnectionLimit,
    sockets: ConnectionLimit,
    /// Cache that holds, for each browser identity, the IP address of the browser's last request.
    known: Cache<Holder, Client>,
    /// Cache that tells for each person whether they have a match or puzzle attempt that is older than [`KNOWN_AGE`]. The server needs
    /// this information only above the rate limit of all clients together.
    players: Cache<Holder, bool>,
    /// Abandoned rated matches that were already counted, each with the person who abandoned the match. A repeated request does not count
    /// again.
    abandoned: Cache<(Box<str>, Holder), ()>,
    store: Arc<dyn Store>,
    /// Whether the database failed to count the last expensive request. While it fails, only the rate limits of this server apply.
    counts_alone: AtomicBool,
}

/// Rate limiters for one kind of request: one limiter for browsers, and one for the IP networks of each size.
type Rates = [DefaultKeyedRateLimiter<LimitedParty>; TIERS];

/// Rate limit on one kind of expensive request. Both this server and the database count the
/// requests.
struct DearRates {
    /// Maximum numbers of requests in a time window: for a browser, and for an IP network of each size in [`NETWORKS`]. An account or
    /// e-mail address has the limit of a browser.
    largest: [NonZeroU32; TIERS],
    window: Duration,
    own: Rates,
    /// Rate limit on one kind of expensive request, shared by all clients. Beyond this rate, only people who have played before are served.
    /// `None` means that there is no such limit.
    site: Option<DefaultDirectRateLimiter>,
}

/// Limit on open connections of one kind, for each client and for all clients together.
struct ConnectionLimit {
    open: Arc<Mutex<OpenConnections>>,
    /// Maximum numbers of open connections: for a browser, and for an IP network of each size in [`NETWORKS`].
    largest: [usize; TIERS],
    total: usize,
    /// Name of the metric (gauge) for the number of open connections.
    gauge: &'static str,
    /// Name, in error texts, of the connections whose number is limited.
    name: &'static str,
}

/// Numbers of open connections of one kind: in total, and for each browser or network.
#[derive(Default)]
struct OpenConnections {
    /// Number of open connections of each browser or IP network. The key also holds the index of the tier: 0 for browsers, and a higher
    /// number for each size of IP network.
    by_subject: HashMap<(usize, LimitedParty), usize>,
    total: usize,
}

impl Limiter {
    pub(crate) fn new(limits: &Limits, store: Arc<dyn Store>) -> Self {
        let multiples = multiples(limits);
        // The closure `largest` computes the limit of each tier (browsers, and IP networks of each size) from the limit for one browser.
        let largest = |number: u32| {
            multiples.map(|multiple| {
                NonZeroU32::new(number.saturating_mul(multiple)).unwrap_or(NonZeroU32::MIN)
            })
        };
        let rates = |times: u32| {
            let number = limits.requests_per_second?.saturating_mul(times);
            let quotas = largest(number).map(Quota::per_second);
            let bursts = largest(limits.requests_at_once.saturating_mul(times));
            Some(array::from_fn(|tier| RateLimiter::keyed(quotas[tier].allow_burst(bursts[tier]))))
        };
        let (minute, hour) = (Duration::from_mins(1), Duration::from_hours(1));
        let dear = [
            (Dear::Analysis, limits.analyses_per_minute, minute),
            (Dear::NewMatch, limits.matches_per_hour, hour),
            (Dear::Code, limits.codes_per_hour, hour),
            (Dear::SignIn, limits.sign_ins_per_hour, hour),
            (Dear::Mail, limits.mails_per_hour, hour),
            (Dear::Abandonment, limits.abandoned_rated_per_day, DAY),
        ];
        let dear = dear.into_iter().filter_map(|(kind, number, window)| {
            let largest = largest(number?);
            let quota = |number| quota_of(number, window);
            let own = largest.map(|number| RateLimiter::keyed(quota(number)));
            let addresses = limits.addresses_on_site.map(|addresses| {
                let of_address = largest[1].get();
                NonZeroU32::new(of_address.saturating_mul(addresses)).unwrap_or(NonZeroU32::MIN)
            });
            let site = addresses.map(|number| RateLimiter::direct(quota(number)));
            Some((kind, DearRates { largest, window, own, site }))
        });
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
            requests: rates(1),
            files: rates(FILES_PER_REQUEST),
            dear: dear.collect(),
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
            players: Cache::builder()
                .max_capacity(KNOWN_BROWSERS)
                .time_to_live(PLAYER_TIME)
                .build(),
            abandoned: Cache::builder().max_capacity(KNOWN_BROWSERS).time_to_live(DAY).build(),
            store,
            counts_alone: AtomicBool::default(),
        }
    }

    /// Returns the client (IP address and browser identity) of a browser's latest request to this server. If this server remembers no
    /// request of the browser, the number of the browser's network replaces the IP address.
    pub(crate) fn latest(&self, browser: Holder, network: Option<u16>) -> Client {
        self.known.get(&browser).unwrap_or_else(|| Client::numbered(browser, network))
    }

    /// Counts a request against the rate limits of its client, and refuses the request if a limit is exceeded. Only the limits of this
    /// server apply: the limit of the client's browser, and the limits of the networks of the client's IP address.
    /// `is_file` tells whether the request is for a file of the web client that never changes. Such files have limits for networks only.
    pub(crate) fn count(&self, client: Client, is_file: bool) -> Result<(), ApiError> {
        if let Some(browser) = client.browser()
            && self.known.get(&browser) != Some(client)
        {
            self.known.insert(browser, client);
        }
        let rates = if is_file { &self.files } else { &self.requests };
        let counted = rates.as_ref().map_or(Ok(()), |rates| check(rates, subjects(client)));
        counted.map_err(|wait| too_many("requests", wait))
    }

    /// Counts an expensive request against the rate limits of its client. Refuses the request if
    /// the browser, or a network of its address, exceeds the limit of this server or of all servers
    /// together. While the database does not answer, only the limit of this server applies.
    pub(crate) async fn count_dear(&self, client: Client, kind: Dear) -> Result<(), ApiError> {
        let counted = self.count_subjects(kind, subjects(client).collect(), Some(client)).await;
        counted.map_err(|wait| too_many(kind.name(), wait))
    }

    /// Counts a sign-in attempt against the rate limit of an account, and refuses the attempt above
    /// the limit. Attempts from all browsers count, and unknown handles are counted in the same
    /// way.
    pub(crate) async fn count_sign_in(&self, tag: [u8; 32]) -> Result<(), ApiError> {
        let subject = vec![(0, LimitedParty::Handle(tag))];
        let counted = self.count_subjects(Dear::SignIn, subject, None).await;
        counted.map_err(|wait| ApiError::TooManySignIns { seconds: wait.as_secs() + 1 })
    }

    /// Counts an e-mail against the rate limits of the requesting client and of the e-mail address. `address` is a keyed hash.
    /// Refuses the e-mail above a limit.
    pub(crate) async fn count_mail(
        &self,
        client: Option<Client>,
        address: Option<[u8; 32]>,
    ) -> Result<(), ApiError> {
        let address = address.map(|hash| (0, LimitedParty::Handle(hash)));
        let subjects = client.into_iter().flat_map(subjects).chain(address).collect();
        let counted = self.count_subjects(Dear::Mail, subjects, client).await;
        counted.map_err(|wait| too_many(Dear::Mail.name(), wait))
    }

    /// Counts an e-mail about a turn against the rate limit of the recipient's e-mail address. `address` is the keyed hash of
    /// this address. Above the limit, returns the time after which the e-mail may be sent.
    pub(crate) async fn count_turn_mail(&self, address: [u8; 32]) -> Result<(), Duration> {
        let subject = vec![(0, LimitedParty::Handle(address))];
        self.count_subjects(Dear::Mail, subject, None).await
    }

    /// Counts the abandonment of a rated match against the rate limit of a person. A match is abandoned by a resignation before both
    /// players have acted. This server counts the resignation of a person from a match only once, because the page repeats a request that
    /// has failed.
    pub(crate) async fn count_abandonment(&self, id: &str, person: Holder) -> Result<(), ApiError> {
        let key = (id.into(), person);
        if self.abandoned.contains_key(&key) {
            return Ok(());
        }
        let subject = vec![(0, LimitedParty::Person(person))];
        let counted = self.count_subjects(Dear::Abandonment, subject, None).await;
        let most = self.dear.get(&Dear::Abandonment).map_or(0, |rates| rates.largest[0].get());
        counted.map_err(|_| ApiError::TooManyAbandoned { most })?;
        self.abandoned.insert(key, ());
        Ok(())
    }

    /// Counts an expensive request against the rate limits of the given parties, such as a browser and its networks. A request of a client
    /// also counts against the limit of all clients together. If a limit refuses the request, returns the time after which a repeated
    /// request may succeed.
    async fn count_subjects(
        &self,
        kind: Dear,
        subjects: Vec<(usize, LimitedParty)>,
        client: Option<Client>,
    ) -> Result<(), Duration> {
        let Some(rates) = self.dear.get(&kind) else { return Ok(()) };
        let DearRates { largest, window, own, site } = rates;
        check(own, subjects.iter().copied())?;
        if let Some(client) = client
            && let Some(Err(until)) = site.as_ref().map(DefaultDirectRateLimiter::check)
            && !self.has_played(client).await
        {
            return Err(until.wait_time_from(DefaultClock::default().now()));
        }
        let key = self.store.identity_key();
        let counted = subjects.into_iter().map(|(tier, subject)| Counted {
            key: key_of(&key, kind, tier, subject),
            step: *window / largest[tier].get(),
        });
        let counted = timeout(PATIENCE, self.store.count(counted.collect(), *window)).await;
        let counted = counted
            .map_err(|_| "the database does not answer".to_owned())
            .and_then(|counted| counted.map_err(|error| error.to_string()));
        let was_alone = self.counts_alone.swap(counted.is_err(), Ordering::Relaxed);
        match counted {
            Ok(wait) => wait.map_or(Ok(()), Err),
            Err(error) => {
                if !was_alone {
                    tracing::warn!(
                        error,
                        "the database cannot count requests: until it answers, the limits on new matches, abandoned matches, analyses, \
                         codes, sign-ins and e-mails hold for this server alone"
                    );
                }
                Ok(())
            }
        }
    }

    /// Returns whether the client's person has a match or puzzle attempt that is older than [`KNOWN_AGE`]. If the database does not
    /// answer, and no recent answer is cached, the result is false. The next request asks the database again.
    async fn has_played(&self, client: Client) -> bool {
        let Some(person) = client.browser() else { return false };
        if let Some(has_played) = self.players.get(&person) {
            return has_played;
        }
        let found = timeout(PATIENCE, self.store.has_played(person, clock::now() - KNOWN_AGE));
        let Ok(Ok(has_played)) = found.await else { return false };
        self.players.insert(person, has_played);
        has_played
    }

    /// Counts a live connection of a client, or refuses the connection above the limit.
    pub(crate) fn open_live(&self, client: Client) -> Result<ConnectionPermit, ApiError> {
        self.live.open(Some(client))
    }

    /// Counts a TCP connection of a client, or refuses the connection above the limit. Behind a proxy the client is unknown.
    pub(crate) fn open_socket(&self, client: Option<Client>) -> Result<ConnectionPermit, ApiError> {
        self.sockets.open(client)
    }

    /// Drops the counters of idle clients.
    pub(crate) fn remove_idle(&self) {
        let dear = self.dear.values().map(|dear| &dear.own);
        for limiter in self.requests.iter().chain(&self.files).chain(dear).flatten() {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    }
}

/// Counts a request against this server's own rate limits for the given parties, such as a browser and its networks. If one of them exceeds
/// its limit, returns the time to wait. A request that the limit of a small network refuses does not count for larger networks.
fn check(
    rates: &Rates,
    subjects: impl IntoIterator<Item = (usize, LimitedParty)>,
) -> Result<(), Duration> {
    for (tier, subject) in subjects {
        rates[tier]
            .check_key(&subject)
            .map_err(|until| until.wait_time_from(DefaultClock::default().now()))?;
    }
    Ok(())
}

/// Returns the rate limiter's quota for a number of requests in a time window.
fn quota_of(number: NonZeroU32, window: Duration) -> Quota {
    let quota = Quota::with_period(window / number.get());
    quota.map_or(Quota::per_second(number), |quota| quota.allow_burst(number))
}

fn too_many(what: &'static str, wait: Duration) -> ApiError {
    ApiError::TooMany { what, seconds: wait.as_secs() + 1 }
}

/// Returns the database key of a rate limit counter. The counter counts the requests of a browser, network or account, or the
/// messages to an e-mail address. The key is a keyed hash, so that the database holds no addresses.
fn key_of(key: &[u8; 32], kind: Dear, tier: usize, subject: LimitedParty) -> i64 {
    let hash = keyed_hash(key);
    let hash = hash.chain_update(format!("limit on {} of tier {tier} for ", kind.name()));
    let hash = match subject {
        LimitedParty::Browser(Holder(hashed))
        | LimitedParty::Person(Holder(hashed))
        | LimitedParty::Handle(hashed) => hash.chain_update(hashed),
        LimitedParty::Network(IpAddr::V4(address)) => hash.chain_update(address.octets()),
        LimitedParty::Network(IpAddr::V6(address)) => hash.chain_update(address.octets()),
    };
    hash.finalize().into_bytes().first_chunk().copied().map_or(0, i64::from_be_bytes)
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

/// Guard that counts one open connection against the connection limits until the guard is dropped.
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
    use overmate_rules::ByPlayer;

    use super::*;
    #[cfg(unix)]
    use crate::database::Database;
    #[cfg(unix)]
    use crate::settings::Settings;
    use crate::simulation::memory_link::Direct;
    use crate::simulation::memory_store::{MemoryStore, Tables};
    #[cfg(unix)]
    use crate::store::SqlStore;
    use crate::store::{Appended, MatchInfo, Occupant, SeatInfo};

    fn limiter(limits: &Limits) -> Limiter {
        Limiter::new(limits, Arc::new(MemoryStore::new(Tables::new(limits), Direct)))
    }

    #[test]
    fn connections_of_one_ipv6_network_share_its_limit() {
        let few = Limits { connections_per_client: Some(2), ..Limits::default() };
        let limiter = limiter(&Limits { browsers_per_address: 1, ..few });
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

    #[tokio::test]
    async fn browsers_behind_one_address_have_limits_of_their_own() {
        let limits = Limits {
            requests_per_second: None,
            matches_per_hour: Some(2),
            connections_per_client: Some(2),
            browsers_per_address: 8,
            ..Limits::default()
        };
        let limiter = limiter(&limits);
        let school = Client::at("192.0.2.1".parse().expect("an address"));
        let pupil = |number: u8| school.with_browser(Some(Holder([number; 32])));
        let repeated = |client: Client, times: usize| std::iter::repeat_n(client, times).collect();
        for (clients, expected, what) in [
            (repeated(pupil(1), 10), 2, "one browser"),
            ((2..9).map(pupil).cycle().take(70).collect::<Vec<_>>(), 14, "seven more browsers"),
            ((9..99).map(pupil).collect(), 0, "a new cookie for each request"),
            (repeated(school, 1), 0, "without a cookie"),
        ] {
            let mut taken = 0;
            for client in clients {
                limiter.count(client, false).expect("a request");
                taken += u32::from(limiter.count_dear(client, Dear::NewMatch).await.is_ok());
            }
            assert_eq!(taken, expected, "{what}");
        }
        let unseen = Holder([200; 32]);
        assert_eq!(limiter.latest(Holder([3; 32]), Some(7)), pupil(3));
        assert_eq!(limiter.latest(unseen, Some(7)), Client::numbered(unseen, Some(7)));

        let open = |client: Client| limiter.open_live(client).ok();
        let own: Vec<_> = (0..10).filter_map(|_| open(pupil(1))).collect();
        let others: Vec<_> = (2..99).filter_map(|number| open(pupil(number))).collect();
        assert_eq!((own.len(), others.len()), (2, 14));
    }

    #[tokio::test]
    async fn a_botnet_leaves_room_for_those_who_have_played_before() {
        let limits = Limits {
            matches_per_hour: Some(1),
            browsers_per_address: 2,
            addresses_on_site: Some(3),
            ..Limits::default()
        };
        let store = Arc::new(MemoryStore::new(Tables::new(&limits), Direct));
        let limiter = Limiter::new(&limits, Arc::clone(&store) as Arc<dyn Store>);
        let browser = |number: u8| Holder([number; 32]);
        let seat = |number| SeatInfo::new(None, Occupant::Holder(browser(number)));
        // The test stores a match from two days ago for browser 1, and a match from today for browser 2.
        for (number, age) in [(1, 2 * KNOWN_AGE), (2, 0)] {
            let seats = ByPlayer { a: seat(number), b: seat(number) };
            let id = number.to_string();
            let created_at = clock::now() - age;
            let info =
                MatchInfo { watch: id.clone(), id, created_at, seats, ..MatchInfo::sample() };
            assert_eq!(store.create(info, None).await.expect("a write"), Appended::Stored);
        }
        let client = |address: u8, cookie| {
            let at = Client::at(IpAddr::from([192, 0, 2, address]));
            at.with_browser(cookie)
        };
        let mut taken = 0;
        for address in 10..110 {
            let bot = client(address, (address % 2 == 0).then(|| browser(address)));
            taken += u32::from(limiter.count_dear(bot, Dear::NewMatch).await.is_ok());
        }
        assert_eq!(taken, 6, "three addresses of two browsers");
        for (number, expected) in [(1, [true, false]), (2, [false, false])] {
            let player = client(number, Some(browser(number)));
            for expected in expected {
                let is_taken = limiter.count_dear(player, Dear::NewMatch).await.is_ok();
                assert_eq!(is_taken, expected, "browser {number}");
            }
        }
        let other = limiter.count_dear(client(3, None), Dear::Analysis).await;
        assert!(other.is_ok(), "another kind of request");
    }

    #[cfg(unix)]
    #[test]
    fn without_the_database_the_limit_of_each_server_holds() {
        const LIMIT: usize = 4;
        let postgres = test_postgres::Postgres::start();
        let limits = Limits { matches_per_hour: Some(4), ..Limits::default() };
        let database: Database = postgres.database().parse().expect("an address");
        let settings = Settings { limits, ..Settings::new(database) };
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.expect("a runtime");
        let (here, there) = runtime.block_on(async {
            let store = async || Arc::new(SqlStore::open(&settings).await.expect("a store"));
            (Limiter::new(&limits, store().await), Limiter::new(&limits, store().await))
        });
        let taken = |number: u8| {
            let client = Client::at(IpAddr::from([192, 0, 2, 1]));
            let client = client.with_browser(Some(Holder([number; 32])));
            runtime.block_on(async {
                let mut taken = 0;
                for _ in 0..2 * LIMIT {
                    for server in [&here, &there] {
                        taken +=
                            usize::from(server.count_dear(client, Dear::NewMatch).await.is_ok());
                    }
                }
                taken
            })
        };
        assert_eq!(taken(1), LIMIT, "both servers together");
        assert!(!here.counts_alone.load(Ordering::Relaxed));
        drop(postgres);
        assert_eq!(taken(2), 2 * LIMIT, "each server alone");
        assert!(here.counts_alone.load(Ordering::Relaxed));
    }
}
