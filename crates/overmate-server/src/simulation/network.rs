//! Simulates the network of a cluster of servers. Links are late, cut or frozen. Notices between servers are late, lost or wrong.

use std::error::Error;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use fastrand::Rng;
use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, pending};
use tokio::sync::{Notify, watch};
use tokio::time::{sleep, timeout};

use super::memory_link::Link;
use super::memory_store::busy;
use crate::notices::events::{Events, InProcess, Reached};
use crate::notices::sharing::Carrier;
use crate::store::StoreError;

/// Timeout of a server for one operation of the store.
const PATIENCE: Duration = Duration::from_secs(5);

/// State of a simulated server and its link to the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// The server runs, with a reliable link to the store.
    Well,
    /// The server runs, but its link to the store delays messages by up to a second and loses one message in ten.
    Lossy,
    /// The server runs, but its link to the store delivers no messages.
    Cut,
    /// The server process is suspended.
    Frozen,
    /// The server runs, but its link to the store delays each message by the given number of milliseconds.
    Late(u16),
    /// The server process has ended, and a new process runs in its place in the simulated cluster.
    Dead,
}

/// Handle of a simulated server process, with the state of the process and of its link to the store.
#[derive(Clone)]
pub(crate) struct Wire {
    state: Arc<Mutex<State>>,
    /// Notifier of changes in the state of the simulated server. The waiting tasks continue in the order of their arrival, which a `watch`
    /// channel does not guarantee. A random seed therefore always gives the same run.
    changed: Arc<Notify>,
    random: Arc<Mutex<Rng>>,
}

impl Wire {
    pub(crate) fn new(random: Rng) -> Self {
        let state = Arc::new(Mutex::new(State::Well));
        Self { state, changed: Arc::default(), random: Arc::new(Mutex::new(random)) }
    }

    /// Changes the state of the simulated server, unless the server process has ended.
    pub(crate) fn set(&self, state: State) {
        {
            let mut old = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            if *old == State::Dead {
                return;
            }
            *old = state;
        }
        self.changed.notify_waiters();
    }

    pub(crate) fn state(&self) -> State {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the state of the simulated server (such as frozen) satisfies a condition.
    async fn wait_for(&self, is_met: impl Fn(State) -> bool) {
        loop {
            let mut changed = pin!(self.changed.notified());
            // The wait for a change begins before the state of the server is read, so that no change is missed.
            changed.as_mut().enable();
            if is_met(self.state()) {
                return;
            }
            changed.await;
        }
    }

    fn random<T>(&self, draw: impl FnOnce(&mut Rng) -> T) -> T {
        draw(&mut self.random.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Waits while the simulated server process is suspended. If the process has ended, the wait never ends, so that the tasks of the
    /// process stop.
    pub(crate) async fn run(&self) {
        self.wait_for(|state| state != State::Frozen).await;
        if self.state() == State::Dead {
            pending::<()>().await;
        }
    }

    /// Waits until the simulated server process has ended.
    pub(crate) async fn ended(&self) {
        self.wait_for(|state| state == State::Dead).await;
    }

    /// Sleeps for a random time of at most `milliseconds` milliseconds.
    pub(crate) async fn delay(&self, milliseconds: u64) {
        let time = self.random(|random| random.u64(..=milliseconds));
        sleep(Duration::from_millis(time)).await;
        self.run().await;
    }

    async fn is_not_cut(&self) {
        self.wait_for(|state| state != State::Cut).await;
        self.run().await;
    }
}

impl Link for Wire {
    fn pass(&self) -> BoxFuture<'_, Result<(), StoreError>> {
        async {
            self.delay(3).await;
            if let State::Late(milliseconds) = self.state() {
                sleep(Duration::from_millis(milliseconds.into())).await;
                self.run().await;
            }
            if self.state() == State::Lossy {
                self.delay(1_000).await;
                if self.random(|random| random.u8(..10)) == 0 {
                    return Err(busy("the message was lost"));
                }
            }
            if timeout(PATIENCE, self.is_not_cut()).await.is_err() {
                self.run().await;
                return Err(busy("the database does not answer"));
            }
            Ok(())
        }
        .boxed()
    }
}

/// Event buses of all servers in the simulated cluster, each with the handle of its server process.
pub(crate) type Hearers = Arc<Mutex<Vec<(Wire, InProcess)>>>;

/// Simulated event bus of a server. The bus delays or loses the server's notices to other servers. One of four notices is lost, and one
/// of sixteen has a sequence number that the log has not reached.
pub(crate) struct LossyEvents {
    pub(crate) local: InProcess,
    pub(crate) wire: Wire,
    pub(crate) hearers: Hearers,
}

impl Events for LossyEvents {
    fn publish(&self, id: &str, sequence: u64) {
        self.local.publish(id, sequence);
        let hearers = self.hearers.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for (wire, local) in hearers {
            let hinted = match self.wire.random(|random| random.u8(..16)) {
                0..4 => continue,
                4 => u64::MAX - 1,
                _ => sequence,
            };
            let id = id.to_owned();
            tokio::spawn(async move {
                wire.delay(50).await;
                local.hint(&id, hinted);
            });
        }
    }

    fn subscribe(&self, id: &str) -> watch::Receiver<Reached> {
        self.local.subscribe(id)
    }
}

/// Message channel that loses all notices between servers.
pub(crate) struct NoCarrier;

impl Carrier for NoCarrier {
    fn send(&self, _: Vec<String>) -> BoxFuture<'_, Result<(), Box<dyn Error + Send + Sync>>> {
        async { Ok(()) }.boxed()
    }
}
