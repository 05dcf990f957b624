//! Implements a fair semaphore: permits are shared first between IP networks, then between the browser identities of a network.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::http::client::Client;
use crate::store::Holder;

/// Semaphore with start-time fair queueing (Goyal, Vin and Cheng, 1996). Every permit has the same cost.
///
/// Waiting networks get permits in turn, however many requests each network has. Within a network,
/// waiting browsers get permits in turn. A network holds at most a part of the permits, so that
/// other networks find free permits.
#[derive(Clone)]
pub(crate) struct FairSemaphore(Arc<SharedQueue>);

struct SharedQueue {
    permits: usize,
    /// Maximum number of the semaphore's permits that the clients of one IP network may hold together.
    per_network: usize,
    state: Mutex<QueueState>,
}

#[derive(Default)]
struct QueueState {
    /// Number of permits of the semaphore that clients hold.
    granted: usize,
    /// Queueing state of each IP network whose clients hold a permit of the semaphore or wait for a permit.
    networks: HashMap<IpAddr, Network>,
    turns: Turns<IpAddr>,
    /// Waiting clients in the order of their arrival.
    waiting: Vec<Waiting>,
}

/// Queueing state of one IP network at a semaphore: the number of permits that the network holds, and the virtual fair-queueing
/// times of the network's browsers.
#[derive(Default)]
struct Network {
    granted: usize,
    turns: Turns<Option<Holder>>,
}

struct Waiting {
    client: Client,
    sender: oneshot::Sender<FairPermit>,
}

/// Virtual time of start-time fair queueing, with the virtual finish time of each participant: an IP network, or a browser in a network.
///
/// Participants with a finish time before the virtual time are not stored, because they start at
/// the virtual time anyway.
struct Turns<K> {
    now: u64,
    finish: HashMap<K, u64>,
}

impl<K> Default for Turns<K> {
    fn default() -> Self {
        Self { now: 0, finish: HashMap::new() }
    }
}

impl<K: Copy + Eq + Hash> Turns<K> {
    /// Returns the virtual start time (fair queueing) of the next permit for an IP network or browser. The network or browser with the
    /// earliest start is served first.
    fn start(&self, key: K) -> u64 {
        self.finish.get(&key).map_or(self.now, |finish| self.now.max(*finish))
    }

    /// Advances the virtual finish time (fair queueing) of an IP network or browser by the cost of one permit.
    fn charge(&mut self, key: K) {
        let start = self.start(key);
        self.now = start;
        self.finish.insert(key, start + 1);
        self.finish.retain(|_, finish| *finish > start);
    }
}

/// Permit of a [`FairSemaphore`]. Dropping this value returns the permit to the semaphore.
pub(crate) struct FairPermit {
    semaphore: FairSemaphore,
    network: IpAddr,
}

/// Reason why a client cannot wait for a permit of the semaphore: the queue of waiting clients is full.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum QueueFull {
    /// Too many requests of the client's IP network are waiting for a permit.
    OfNetwork,
    /// Too many requests are waiting for a permit, counted over all clients.
    OfAll,
}

/// Queue limits of a semaphore: the maximum numbers of waiting clients per IP network and in total.
/// Above these limits, the semaphore refuses clients.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueueLimit {
    pub(crate) of_network: usize,
    pub(crate) of_all: usize,
}

impl FairSemaphore {
    /// Creates a semaphore with a number of permits. The clients of one network hold at most
    /// `per_network` permits.
    pub(crate) fn new(permits: usize, per_network: usize) -> Self {
        let (permits, per_network) = (permits.max(1), per_network.max(1));
        Self(Arc::new(SharedQueue { permits, per_network, state: Mutex::default() }))
    }

    /// Waits for a permit of the semaphore on behalf of a client. Refuses the client if the queue is longer than the limit. A
    /// dropped future gives up its place in the queue.
    pub(crate) async fn acquire(
        &self,
        client: Client,
        limit: Option<QueueLimit>,
    ) -> Result<FairPermit, QueueFull> {
        let (sender, receiver) = oneshot::channel();
        let lost = {
            let mut state = self.lock();
            if let Some(limit) = limit {
                state.refuse_beyond(limit, client)?;
            }
            state.waiting.push(Waiting { client, sender });
            self.grant(&mut state)
        };
        drop(lost);
        // The wait for the client's permit never fails, because the semaphore keeps the sender of the client's channel until the permit is
        // sent.
        receiver.await.map_err(|_| QueueFull::OfAll)
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Grants the unused permits of the semaphore to waiting clients in fair order. Returns the permits of clients that no longer wait. The
    /// caller drops these permits after it has released the lock.
    fn grant(&self, state: &mut QueueState) -> Vec<FairPermit> {
        let mut lost = Vec::new();
        state.waiting.retain(|waiting| !waiting.sender.is_closed());
        while state.granted < self.0.permits
            && let Some(at) = state.next(self.0.per_network)
        {
            let Waiting { client, sender } = state.waiting.remove(at);
            let network = client.network();
            state.granted += 1;
            state.turns.charge(network);
            let own = state.networks.entry(network).or_default();
            own.granted += 1;
            own.turns.charge(client.browser());
            let permit = FairPermit { semaphore: self.clone(), network };
            lost.extend(sender.send(permit).err());
        }
        lost
    }
}

impl QueueState {
    /// Returns the queue index of the next client to serve. Returns `None` if the network of every waiting client holds the
    /// maximum number of permits. Among clients with equal start times, the first to arrive comes first.
    fn next(&self, per_network: usize) -> Option<usize> {
        let open = || {
            let granted = |at: IpAddr| self.networks.get(&at).map_or(0, |own| own.granted);
            let waiting = self.waiting.iter().map(|waiting| waiting.client).enumerate();
            waiting.filter(move |(_, client)| granted(client.network()) < per_network)
        };
        let (_, next) = open().min_by_key(|(_, client)| self.turns.start(client.network()))?;
        let network = next.network();
        let own = self.networks.get(&network);
        let start = |client: Client| own.map_or(0, |own| own.turns.start(client.browser()));
        let near = open().filter(|(_, client)| client.network() == network);
        near.min_by_key(|(_, client)| start(*client)).map(|(at, _)| at)
    }

    fn refuse_beyond(&self, limit: QueueLimit, client: Client) -> Result<(), QueueFull> {
        let waiting = || self.waiting.iter().filter(|waiting| !waiting.sender.is_closed());
        let is_near = |waiting: &&Waiting| waiting.client.network() == client.network();
        if waiting().count() >= limit.of_all {
            Err(QueueFull::OfAll)
        } else if waiting().filter(is_near).count() >= limit.of_network {
            Err(QueueFull::OfNetwork)
        } else {
            Ok(())
        }
    }
}

impl Drop for FairPermit {
    fn drop(&mut self) {
        let lost = {
            let mut state = self.semaphore.lock();
            state.granted -= 1;
            if let Some(own) = state.networks.get_mut(&self.network) {
                own.granted -= 1;
            }
            let lost = self.semaphore.grant(&mut state);
            let QueueState { networks, waiting, .. } = &mut *state;
            let waits = |network| waiting.iter().any(|w| w.client.network() == network);
            networks.retain(|network, own| own.granted > 0 || waits(*network));
            lost
        };
        drop(lost);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::future::join_all;

    use super::*;

    fn client(network: u8, browser: u8) -> Client {
        Client::at(IpAddr::from([192, 0, 2, network])).with_browser(Some(Holder([browser; 32])))
    }

    /// Returns the order in which a semaphore with one permit serves waiting clients.
    fn order(clients: &[(u8, u8)]) -> Vec<(u8, u8)> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            let semaphore = FairSemaphore::new(1, 1);
            let held = semaphore.acquire(client(99, 0), None).await.expect("a permit");
            let served = Mutex::new(Vec::new());
            let waiting = clients.iter().map(|&(network, browser)| {
                let (semaphore, served) = (&semaphore, &served);
                async move {
                    let permit = semaphore.acquire(client(network, browser), None).await;
                    served.lock().expect("no panic").push((network, browser));
                    drop(permit);
                }
            });
            let release = async { drop(held) };
            // The future `release` gives back the semaphore's only permit after all clients have started to wait for this permit.
            tokio::join!(join_all(waiting), release);
            let state = semaphore.lock();
            assert!(state.granted == 0 && state.waiting.is_empty() && state.networks.is_empty());
            served.into_inner().expect("no panic")
        })
    }

    #[test]
    fn a_network_with_many_requests_delays_another_network_by_one_permit() {
        let mut clients = vec![(1, 1); 10];
        clients.extend([(2, 2), (3, 3)]);
        let expected = [(1, 1), (2, 2), (3, 3)];
        assert_eq!(order(&clients)[..3], expected);
    }

    #[test]
    fn the_browsers_of_one_network_get_permits_in_turn() {
        let mut clients = vec![(1, 1); 4];
        clients.extend([(1, 2), (2, 3), (1, 4), (2, 3), (1, 2)]);
        let expected = [(1, 1), (2, 3), (1, 2), (2, 3), (1, 4), (1, 1), (1, 2), (1, 1), (1, 1)];
        assert_eq!(order(&clients), expected);
    }

    #[test]
    fn a_client_that_returns_at_once_and_a_client_with_a_queue_get_permits_in_turn() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            let semaphore = FairSemaphore::new(1, 1);
            let served = Mutex::new(Vec::new());
            let ask = async |network: u8| {
                let permit = semaphore.acquire(client(network, 0), None).await;
                served.lock().expect("no panic").push(network);
                tokio::task::yield_now().await;
                drop(permit);
            };
            let returning = async {
                for _ in 0..3 {
                    ask(1).await;
                }
            };
            tokio::join!(returning, ask(2), ask(2), ask(2));
            // Of two clients with the same virtual start time, the semaphore first serves the client that has waited longer.
            assert_eq!(*served.lock().expect("no panic"), [1, 2, 2, 1, 2, 1]);
        });
    }

    #[test]
    fn a_network_leaves_permits_for_another_network() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            let semaphore = FairSemaphore::new(4, 2);
            let first = semaphore.acquire(client(1, 1), None).await.expect("a permit");
            let second = semaphore.acquire(client(1, 2), None).await.expect("a permit");
            let mut third = Box::pin(semaphore.acquire(client(1, 3), None));
            assert!(futures_util::poll!(&mut third).is_pending());
            let other = semaphore.acquire(client(2, 1), None).await.expect("a permit");
            drop(first);
            let third = third.await.expect("a permit");
            drop((second, third, other));
            assert_eq!(semaphore.lock().granted, 0);
        });
    }

    #[test]
    fn a_client_that_is_gone_gets_no_permit() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            let semaphore = FairSemaphore::new(1, 1);
            let held = semaphore.acquire(client(1, 1), None).await.expect("a permit");
            let mut gone = Box::pin(semaphore.acquire(client(2, 1), None));
            let mut granted = Box::pin(semaphore.acquire(client(3, 1), None));
            let mut last = Box::pin(semaphore.acquire(client(4, 1), None));
            for waiting in [&mut gone, &mut granted, &mut last] {
                assert!(futures_util::poll!(waiting).is_pending());
            }
            drop(gone);
            drop(held);
            // A client that was granted the semaphore's permit gives up before it has received the permit.
            drop(granted);
            assert!(last.await.is_ok());
            assert_eq!(semaphore.lock().granted, 0);
        });
    }

    #[test]
    fn a_client_beyond_the_queue_limits_is_refused() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            let semaphore = FairSemaphore::new(1, 1);
            let limit = Some(QueueLimit { of_network: 2, of_all: 3 });
            let held = semaphore.acquire(client(1, 1), limit).await.expect("a permit");
            let ask = |network| Box::pin(semaphore.acquire(client(network, 1), limit));
            let mut waiting = [ask(1), ask(1), ask(2)];
            for client in &mut waiting[..2] {
                assert!(futures_util::poll!(client).is_pending());
            }
            assert_eq!(ask(1).await.err(), Some(QueueFull::OfNetwork));
            assert!(futures_util::poll!(&mut waiting[2]).is_pending());
            assert_eq!(ask(3).await.err(), Some(QueueFull::OfAll));
            drop(waiting);
            drop(held);
            assert!(ask(3).await.is_ok());
        });
    }
}
