//! Limits of requests and connections for each client, by address.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::HeaderMap;
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::error::ApiError;
use crate::settings::Limits;

/// Client to which limits apply: an IPv4 address, or the IPv6 network of 64 bits that one subscriber gets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Client(IpAddr);

impl Client {
    /// Returns the client at an address.
    pub(crate) fn at(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(address) => {
                IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)))
            }
            address @ IpAddr::V4(_) => address,
        })
    }

    /// Returns the client of a request. All requests without an address count as those of one client.
    pub(crate) fn of(headers: &HeaderMap, peer: Option<IpAddr>, behind_proxy: bool) -> Self {
        // The proxy appends the address that it saw. A client may invent the addresses before it.
        let forwarded = || {
            let last = headers.get_all("x-forwarded-for").iter().next_back()?;
            address_of(last.to_str().ok()?.rsplit(',').next()?.trim())
        };
        let address = if behind_proxy { forwarded().or(peer) } else { peer };
        Self::at(address.unwrap_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED)))
    }
}

/// Reads an address with or without a port: `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:80`.
fn address_of(text: &str) -> Option<IpAddr> {
    let in_brackets = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let address = in_brackets.unwrap_or(text).parse().ok();
    address.or_else(|| text.parse().ok().map(|socket: SocketAddr| socket.ip()))
}

/// Counts the requests and connections of clients.
pub(crate) struct Limiter {
    requests: Option<DefaultKeyedRateLimiter<Client>>,
    analyses: Option<DefaultKeyedRateLimiter<Client>>,
    matches: Option<DefaultKeyedRateLimiter<Client>>,
    live: ConnectionLimit,
    sockets: ConnectionLimit,
}

/// Limit of open connections, for each client and for all clients.
struct ConnectionLimit {
    open: Arc<Mutex<OpenConnections>>,
    per_client: usize,
    total: usize,
    /// Name of the metric that counts the connections.
    gauge: &'static str,
    /// Name of this kind of connection in error texts.
    name: &'static str,
}

/// Counts of open connections.
#[derive(Default)]
struct OpenConnections {
    by_client: HashMap<Client, usize>,
    total: usize,
}

/// Kind of request with a rate limit of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RateLimited {
    Request,
    Analysis,
    NewMatch,
}

impl Limiter {
    pub(crate) fn new(limits: &Limits) -> Self {
        let keyed = |quota: Option<Quota>| quota.map(RateLimiter::keyed);
        let at_least_one = |number: u32| NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
        let requests = limits.requests_per_second.map(|number| {
            Quota::per_second(at_least_one(number))
                .allow_burst(at_least_one(limits.requests_at_once))
        });
        let connections = |per_client: Option<u32>, total, gauge, name| ConnectionLimit {
            open: Arc::default(),
            per_client: per_client.map_or(usize::MAX, |n| n as usize),
            total,
            gauge,
            name,
        };
        Self {
            requests: keyed(requests),
            analyses: keyed(limits.analyses_per_minute.map(|n| Quota::per_minute(at_least_one(n)))),
            matches: keyed(limits.matches_per_hour.map(|n| Quota::per_hour(at_least_one(n)))),
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

    /// Counts a request, and refuses it beyond the rate limit.
    pub(crate) fn count(&self, client: Client, kind: RateLimited) -> Result<(), ApiError> {
        let (limiter, what) = match kind {
            RateLimited::Request => (&self.requests, "requests"),
            RateLimited::Analysis => (&self.analyses, "analyses"),
            RateLimited::NewMatch => (&self.matches, "new matches"),
        };
        let Some(limiter) = limiter else { return Ok(()) };
        limiter.check_key(&client).map_err(|until| {
            let wait = until.wait_time_from(DefaultClock::default().now());
            ApiError::TooMany { what, seconds: wait.as_secs() + 1 }
        })
    }

    /// Permits a live connection, and refuses it beyond the limits.
    pub(crate) fn open_live(&self, client: Client) -> Result<ConnectionPermit, ApiError> {
        self.live.open(Some(client))
    }

    /// Permits a TCP connection, and refuses it beyond the limits. Behind a proxy the client is not known.
    pub(crate) fn open_socket(&self, client: Option<Client>) -> Result<ConnectionPermit, ApiError> {
        self.sockets.open(client)
    }

    /// Drops the counts of clients that have reached no limit recently.
    pub(crate) fn remove_idle(&self) {
        for limiter in [&self.requests, &self.analyses, &self.matches].into_iter().flatten() {
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
        if let Some(client) = client {
            let own = open.by_client.entry(client).or_default();
            if *own >= self.per_client {
                return Err(ApiError::TooMany { what: self.name, seconds: 10 });
            }
            *own += 1;
        }
        open.total += 1;
        metrics::gauge!(self.gauge).increment(1.0);
        Ok(ConnectionPermit { client, open: Arc::clone(&self.open), gauge: self.gauge })
    }
}

/// Permit of an open connection; dropping the permit allows another connection.
pub(crate) struct ConnectionPermit {
    client: Option<Client>,
    open: Arc<Mutex<OpenConnections>>,
    gauge: &'static str,
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.total = open.total.saturating_sub(1);
        if let Some(client) = self.client
            && let Some(own) = open.by_client.get_mut(&client)
        {
            *own = own.saturating_sub(1);
            if *own == 0 {
                open.by_client.remove(&client);
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
    fn a_forwarded_address_counts_behind_a_proxy_only() {
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", HeaderValue::from_static("192.0.2.1"));
        let peer: IpAddr = "198.51.100.7".parse().expect("an address");
        assert_eq!(Client::of(&headers, Some(peer), false), Client::at(peer));
        headers.insert("x-forwarded-for", HeaderValue::from_static("unknown"));
        assert_eq!(Client::of(&headers, Some(peer), true), Client::at(peer));
    }
}
