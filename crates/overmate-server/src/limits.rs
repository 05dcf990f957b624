//! Limits the requests and connections of each client, which is identified by its IP address.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::HeaderMap;
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::error::ApiError;
use crate::settings::Limits;

/// Sizes of limited IPv6 networks: the prefix length in bits, and the multiple of one client's limit that the network gets.
///
/// A provider may give a customer a whole /56 or /48, in which the customer chooses the addresses. An IPv4 address has the first
/// tier only.
const TIERS: [(u32, u32); 3] = [(64, 1), (56, 2), (48, 4)];

/// Client for which requests are counted: an IPv4 address, or an IPv6 network with a 64-bit prefix, as one subscriber gets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Client(IpAddr);

impl Client {
    /// Returns the client at an IP address.
    pub(crate) fn at(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(address) => IpAddr::V6(network(address, TIERS[0].0)),
            address @ IpAddr::V4(_) => address,
        })
    }

    /// Returns the client that sent a request: the TCP peer, or the address that the reverse proxy reports. All requests without an address count
    /// as those of one client.
    pub(crate) fn of(headers: &HeaderMap, peer: Option<IpAddr>, behind_proxy: bool) -> Self {
        // The proxy appends the address that it saw. A client may invent the addresses before it.
        let last = |name| {
            let values = headers.get_all(name);
            values
                .iter()
                .next_back()
                .map(|value| value.to_str().ok()?.rsplit(',').next().map(str::trim))
        };
        let forwarded = || match last("x-forwarded-for") {
            Some(text) => address_of(text?),
            None => forwarded_for(last("forwarded")??),
        };
        let address = if behind_proxy { forwarded().or(peer) } else { peer };
        Self::at(address.unwrap_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED)))
    }

    /// Returns the IP networks whose limits apply to the client, the smallest first: three for an IPv6 address, one for an IPv4 address.
    fn networks(self) -> impl Iterator<Item = IpAddr> {
        TIERS.iter().map_while(move |(bits, _)| match self.0 {
            IpAddr::V6(address) => Some(IpAddr::V6(network(address, *bits))),
            IpAddr::V4(_) => (*bits == TIERS[0].0).then_some(self.0),
        })
    }
}

/// Returns the IPv6 network that consists of the first bits of an address, with zeros in the other bits.
fn network(address: Ipv6Addr, bits: u32) -> Ipv6Addr {
    Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << (128 - bits)))
}

/// Returns the IP address in the parameter `for` of one element of the header `Forwarded` (RFC 7239).
fn forwarded_for(element: &str) -> Option<IpAddr> {
    let mut pairs = element.split(';').filter_map(|pair| pair.trim().split_once('='));
    let (_, node) = pairs.find(|(name, _)| name.eq_ignore_ascii_case("for"))?;
    address_of(node.trim_matches('"'))
}

/// Reads an IP address with or without a port: `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:80`.
fn address_of(text: &str) -> Option<IpAddr> {
    let in_brackets = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let address = in_brackets.unwrap_or(text).parse().ok();
    address.or_else(|| text.parse().ok().map(|socket: SocketAddr| socket.ip()))
}

/// Counts the requests and open connections of each client, and refuses those beyond the limits.
pub(crate) struct Limiter {
    requests: Option<Rates>,
    analyses: Option<Rates>,
    matches: Option<Rates>,
    live: ConnectionLimit,
    sockets: ConnectionLimit,
}

/// Rate limiters for one kind of request, one for each network size in `TIERS`.
type Rates = [DefaultKeyedRateLimiter<IpAddr>; TIERS.len()];

/// Limit on the number of open connections of one kind, for each client and for all clients together.
struct ConnectionLimit {
    open: Arc<Mutex<OpenConnections>>,
    per_client: usize,
    total: usize,
    /// Name of the metric that counts the connections.
    gauge: &'static str,
    /// Name that error texts use for this kind of connection.
    name: &'static str,
}

/// Numbers of open connections of one kind, in total and by network.
#[derive(Default)]
struct OpenConnections {
    /// Number of open connections by the index in `TIERS` and the network of the client.
    by_network: HashMap<(usize, IpAddr), usize>,
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
        // A quota for each tier, from the limit of one client.
        let rates = |number: Option<u32>, quota: &dyn Fn(NonZeroU32, u32) -> Quota| {
            number.map(|number| {
                TIERS.map(|(_, shares)| {
                    RateLimiter::keyed(quota(at_least_one(number.saturating_mul(shares)), shares))
                })
            })
        };
        let at_once = limits.requests_at_once;
        let connections = |per_client: Option<u32>, total, gauge, name| ConnectionLimit {
            open: Arc::default(),
            per_client: per_client.map_or(usize::MAX, |n| n as usize),
            total,
            gauge,
            name,
        };
        Self {
            requests: rates(limits.requests_per_second, &|number, shares| {
                Quota::per_second(number).allow_burst(at_least_one(at_once.saturating_mul(shares)))
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
        }
    }

    /// Counts a request of a client, and refuses the request if the client is beyond the rate limit.
    pub(crate) fn count(&self, client: Client, kind: RateLimited) -> Result<(), ApiError> {
        let (limiter, what) = match kind {
            RateLimited::Request => (&self.requests, "requests"),
            RateLimited::Analysis => (&self.analyses, "analyses"),
            RateLimited::NewMatch => (&self.matches, "new matches"),
        };
        let Some(rates) = limiter else { return Ok(()) };
        // A request that its smallest network refuses does not count for the larger networks.
        for (rate, network) in rates.iter().zip(client.networks()) {
            rate.check_key(&network).map_err(|until| {
                let wait = until.wait_time_from(DefaultClock::default().now());
                ApiError::TooMany { what, seconds: wait.as_secs() + 1 }
            })?;
        }
        Ok(())
    }

    /// Permits a live connection of a client, or refuses it if too many live connections are open.
    pub(crate) fn open_live(&self, client: Client) -> Result<ConnectionPermit, ApiError> {
        self.live.open(Some(client))
    }

    /// Permits a TCP connection of a client, or refuses it if too many TCP connections are open. Behind a proxy the client is not known.
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
        let networks = || client.into_iter().flat_map(|client| client.networks().enumerate());
        for ((tier, network), (_, shares)) in networks().zip(TIERS) {
            let own = open.by_network.get(&(tier, network)).copied().unwrap_or_default();
            if own >= self.per_client.saturating_mul(shares as usize) {
                return Err(ApiError::TooMany { what: self.name, seconds: 10 });
            }
        }
        for network in networks() {
            *open.by_network.entry(network).or_default() += 1;
        }
        open.total += 1;
        metrics::gauge!(self.gauge).increment(1.0);
        Ok(ConnectionPermit { client, open: Arc::clone(&self.open), gauge: self.gauge })
    }
}

/// Counts one open connection until it is dropped, which permits another connection.
pub(crate) struct ConnectionPermit {
    client: Option<Client>,
    open: Arc<Mutex<OpenConnections>>,
    gauge: &'static str,
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.total = open.total.saturating_sub(1);
        for network in self.client.into_iter().flat_map(|client| client.networks().enumerate()) {
            if let Some(own) = open.by_network.get_mut(&network) {
                *own = own.saturating_sub(1);
                if *own == 0 {
                    open.by_network.remove(&network);
                }
            }
        }
        metrics::gauge!(self.gauge).decrement(1.0);
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn a_forwarded_address_is_read_with_and_without_a_port() {
        for (text, expected) in [
            ("192.0.2.1", "192.0.2.1"),
            ("192.0.2.1:8080", "192.0.2.1"),
            ("2001:db8::1", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("[2001:db8::1]:8080", "2001:db8::1"),
            ("198.51.100.7, 192.0.2.1:8080", "192.0.2.1"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert("x-forwarded-for", HeaderValue::from_static(text));
            let expected = Client::at(expected.parse().expect("an address"));
            assert_eq!(Client::of(&headers, None, true), expected, "{text}");
        }
    }

    #[test]
    fn the_header_forwarded_is_read_if_there_is_no_x_forwarded_for() {
        for (text, expected) in [
            ("for=192.0.2.1", "192.0.2.1"),
            ("For=\"192.0.2.1:8080\";proto=https;by=203.0.113.43", "192.0.2.1"),
            ("for=198.51.100.7, proto=https; for=\"[2001:db8::1]:4711\"", "2001:db8::1"),
            ("for=198.51.100.7, for=\"[2001:db8::1]\"", "2001:db8::1"),
            ("for=198.51.100.7, for=_hidden", "203.0.113.9"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert("forwarded", HeaderValue::from_static(text));
            let peer: IpAddr = "203.0.113.9".parse().expect("an address");
            let expected = Client::at(expected.parse().expect("an address"));
            assert_eq!(Client::of(&headers, Some(peer), true), expected, "{text}");
            headers.insert("x-forwarded-for", HeaderValue::from_static("192.0.2.77"));
            let proxied = Client::at("192.0.2.77".parse().expect("an address"));
            assert_eq!(Client::of(&headers, Some(peer), true), proxied, "{text}");
        }
    }

    #[test]
    fn connections_of_one_ipv6_network_share_its_limit() {
        let limits = Limits { connections_per_client: Some(2), ..Limits::default() };
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
        assert!(open.by_network.is_empty() && open.total == 0);
    }

    #[test]
    fn a_forwarded_address_counts_behind_a_proxy_only() {
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", HeaderValue::from_static("192.0.2.1"));
        let peer: IpAddr = "198.51.100.7".parse().expect("an address");
        assert_eq!(Client::of(&headers, Some(peer), false), Client::at(peer));
        headers.insert("x-forwarded-for", HeaderValue::from_static("unknown"));
        assert_eq!(Client::of(&headers, Some(peer), true), Client::at(peer));
    }
}
