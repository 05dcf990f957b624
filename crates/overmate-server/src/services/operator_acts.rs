//! Tells live connections of the acts of operators and of browsers whose person has changed, which give no event.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

use crate::error::ApiError;
use crate::store::{Holder, Store};

/// Time between two reads of the operators' log.
const INTERVAL: Duration = Duration::from_secs(1);

/// Time in seconds for which an act is told again at each read, because its log entry may come before its effect.
const TOLD: i64 = 10;

/// Number of acts that wait for a slow connection. A connection that misses acts reads its match again.
const WAITING: usize = 64;

/// Reads the operators' log, and tells live connections of new acts.
pub(crate) struct OperatorActs {
    store: Arc<dyn Store>,
    sender: broadcast::Sender<Arc<str>>,
}

/// Receiver of the acts of operators, for one live connection.
pub(crate) struct ActReceiver(broadcast::Receiver<Arc<str>>);

impl OperatorActs {
    pub(crate) fn new(store: Arc<dyn Store>) -> Self {
        Self { store, sender: broadcast::Sender::new(WAITING) }
    }

    pub(crate) fn subscribe(&self) -> ActReceiver {
        ActReceiver(self.sender.subscribe())
    }

    /// Tells the live connections of new acts, until the server stops.
    pub(crate) async fn run(&self, stop: CancellationToken) {
        while tokio::time::timeout(INTERVAL, stop.cancelled()).await.is_err() {
            if self.sender.receiver_count() == 0 {
                continue;
            }
            match self.store.act_targets(TOLD).await {
                Ok(targets) => {
                    for target in targets {
                        // Without a receiver nobody has to be told.
                        let _ = self.sender.send(target.into());
                    }
                }
                Err(error) => ApiError::from(error).log(),
            }
        }
    }
}

impl ActReceiver {
    /// Waits for an act that concerns a match, a person, or a browser whose person has changed.
    pub(crate) async fn concerning(&mut self, id: &str, holders: [Option<Holder>; 2]) {
        loop {
            match self.0.recv().await {
                Ok(target) => {
                    let holder = Holder::parse(&target);
                    if target.starts_with(id) || (holder.is_some() && holders.contains(&holder)) {
                        return;
                    }
                }
                Err(broadcast::error::RecvError::Lagged(_)) => return,
                // The server that told the acts has stopped.
                Err(broadcast::error::RecvError::Closed) => std::future::pending().await,
            }
        }
    }
}
