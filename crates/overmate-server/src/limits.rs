//! What one client may ask for, by its address.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::Response;
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::error::ApiError;
use crate::server::Server;
use crate::settings::Limits;

/// A client, as far as limits go: an address, of version 6 the network that one subscriber gets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Client(IpAddr);

impl FromRequestParts<Server> for Client {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, server: &Server) -> Result<Self, ApiError> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map(|ConnectInfo(address)| address.ip());
        Ok(Self::of(&parts.headers, peer, server.settings.behind_proxy))
    }
}

impl Client {
    fn of(headers: &HeaderMap, peer: Option<IpAddr>, behind_proxy: bool) -> Self {
        // The last address is the one that the proxy itself saw; those before it may be invented.
        let forwarded = || {
            let last = headers.get_all("x-forwarded-for").iter().next_back()?;
            last.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
        };
        let address = if behind_proxy { forwarded().or(peer) } else { peer };
        Self(match address.unwrap_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED)).to_canonical() {
            IpAddr::V6(address) => {
                IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)))
            }
            address @ IpAddr::V4(_) => address,
        })
    }
}

/// Counts what clients ask for.
pub(crate) struct Limiter {
    requests: Option<DefaultKeyedRateLimiter<Client>>,
    analyses: Option<DefaultKeyedRateLimiter<Client>>,
    matches: Option<DefaultKeyedRateLimiter<Client>>,
    connections: Arc<Mutex<Connections>>,
    connections_per_client: usize,
    connections_in_all: usize,
}

#[derive(Default)]
struct Connections {
    by_client: HashMap<Client, usize>,
    in_all: usize,
}

/// Something of which a client may only do so much in a time.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Costly {
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
        let per_client = limits.connections_per_client;
        Self {
            requests: keyed(requests),
            analyses: keyed(limits.analyses_per_minute.map(|n| Quota::per_minute(at_least_one(n)))),
            matches: keyed(limits.matches_per_hour.map(|n| Quota::per_hour(at_least_one(n)))),
            connections: Arc::default(),
            connections_per_client: per_client.map_or(usize::MAX, |n| n as usize),
            connections_in_all: limits.connections,
        }
    }

    /// Counts one.
    pub(crate) fn count(&self, client: Client, what: Costly) -> Result<(), ApiError> {
        let (limiter, what) = match what {
            Costly::Request => (&self.requests, "requests"),
            Costly::Analysis => (&self.analyses, "analyses"),
            Costly::NewMatch => (&self.matches, "new matches"),
        };
        let Some(limiter) = limiter else { return Ok(()) };
        limiter.check_key(&client).map_err(|until| {
            let wait = until.wait_time_from(DefaultClock::default().now());
            ApiError::TooMany { what, seconds: wait.as_secs() + 1 }
        })
    }

    /// A place for one more live connection, given back when it is dropped.
    pub(crate) fn connect(&self, client: Client) -> Result<Place, ApiError> {
        let mut open = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        if open.in_all >= self.connections_in_all {
            return Err(ApiError::Busy);
        }
        let own = open.by_client.entry(client).or_default();
        if *own >= self.connections_per_client {
            return Err(ApiError::TooMany { what: "live connections", seconds: 10 });
        }
        *own += 1;
        open.in_all += 1;
        metrics::gauge!("overmate_connections").increment(1.0);
        Ok(Place { client, connections: Arc::clone(&self.connections) })
    }

    /// Forgets clients that have been quiet.
    pub(crate) fn forget_the_quiet(&self) {
        for limiter in [&self.requests, &self.analyses, &self.matches].into_iter().flatten() {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    }
}

/// The place of a live connection.
pub(crate) struct Place {
    client: Client,
    connections: Arc<Mutex<Connections>>,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        open.in_all = open.in_all.saturating_sub(1);
        if let Some(own) = open.by_client.get_mut(&self.client) {
            *own = own.saturating_sub(1);
            if *own == 0 {
                open.by_client.remove(&self.client);
            }
        }
        metrics::gauge!("overmate_connections").decrement(1.0);
    }
}

/// The layer that counts requests.
pub(crate) async fn layer(
    State(server): State<Server>,
    client: Client,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    server.limiter.count(client, Costly::Request)?;
    Ok(next.run(request).await)
}
