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
    /// The client at an address.
    pub(crate) fn at(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(address) => {
                IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)))
            }
            address @ IpAddr::V4(_) => address,
        })
    }

    fn of(headers: &HeaderMap, peer: Option<IpAddr>, behind_proxy: bool) -> Self {
        // The last address is the one that the proxy itself saw; those before it may be invented.
        let forwarded = || {
            let last = headers.get_all("x-forwarded-for").iter().next_back()?;
            last.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
        };
        let address = if behind_proxy { forwarded().or(peer) } else { peer };
        Self::at(address.unwrap_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED)))
    }
}

/// Counts what clients ask for.
pub(crate) struct Limiter {
    requests: Option<DefaultKeyedRateLimiter<Client>>,
    analyses: Option<DefaultKeyedRateLimiter<Client>>,
    matches: Option<DefaultKeyedRateLimiter<Client>>,
    live: Places,
    sockets: Places,
}

/// Places for connections, of which a client and all together have so many.
struct Places {
    taken: Arc<Mutex<Taken>>,
    per_client: usize,
    in_all: usize,
    /// The metric that counts them.
    gauge: &'static str,
    what: &'static str,
}

#[derive(Default)]
struct Taken {
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
        let places = |per_client: Option<u32>, in_all, gauge, what| Places {
            taken: Arc::default(),
            per_client: per_client.map_or(usize::MAX, |n| n as usize),
            in_all,
            gauge,
            what,
        };
        Self {
            requests: keyed(requests),
            analyses: keyed(limits.analyses_per_minute.map(|n| Quota::per_minute(at_least_one(n)))),
            matches: keyed(limits.matches_per_hour.map(|n| Quota::per_hour(at_least_one(n)))),
            live: places(
                limits.connections_per_client,
                limits.connections,
                "overmate_connections",
                "live connections",
            ),
            sockets: places(
                limits.sockets_per_client,
                limits.sockets,
                "overmate_sockets",
                "connections",
            ),
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

    /// A place for one more live connection.
    pub(crate) fn connect(&self, client: Client) -> Result<Place, ApiError> {
        self.live.take(Some(client))
    }

    /// A place for one more connection, of a client if it is known whose it is.
    pub(crate) fn open(&self, client: Option<Client>) -> Result<Place, ApiError> {
        self.sockets.take(client)
    }

    /// Forgets clients that have been quiet.
    pub(crate) fn forget_the_quiet(&self) {
        for limiter in [&self.requests, &self.analyses, &self.matches].into_iter().flatten() {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    }
}

impl Places {
    /// One more place, given back when it is dropped.
    fn take(&self, client: Option<Client>) -> Result<Place, ApiError> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if taken.in_all >= self.in_all {
            return Err(ApiError::Busy);
        }
        if let Some(client) = client {
            let own = taken.by_client.entry(client).or_default();
            if *own >= self.per_client {
                return Err(ApiError::TooMany { what: self.what, seconds: 10 });
            }
            *own += 1;
        }
        taken.in_all += 1;
        metrics::gauge!(self.gauge).increment(1.0);
        Ok(Place { client, taken: Arc::clone(&self.taken), gauge: self.gauge })
    }
}

/// The place of a connection.
pub(crate) struct Place {
    client: Option<Client>,
    taken: Arc<Mutex<Taken>>,
    gauge: &'static str,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.in_all = taken.in_all.saturating_sub(1);
        if let Some(client) = self.client
            && let Some(own) = taken.by_client.get_mut(&client)
        {
            *own = own.saturating_sub(1);
            if *own == 0 {
                taken.by_client.remove(&client);
            }
        }
        metrics::gauge!(self.gauge).decrement(1.0);
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
