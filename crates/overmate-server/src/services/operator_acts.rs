//! Notifies live connections of operators' acts, such as the closing of an account. The same notices tell that a browser was assigned to
//! another person or signed out. The notices of changed matches do not tell of these changes.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

use super::failure_log::FailureLog;
use crate::error::ApiError;
use crate::store::{Holder, Store};

/// Interval between two reads of the log of operators' acts.
const INTERVAL: Duration = Duration::from_secs(1);

/// Period after an operator's act, in seconds, in which the server repeatedly notifies live connections of the act. The notices are
/// repeated, because the log entry of an act may be stored before the act takes effect.
const TOLD: i64 = 10;

/// Maximum number of queued notices for a live connection that reads slowly. A connection that
/// misses a notice reads its match again.
const WAITING: usize = 64;

/// Service that reads the log of operators' acts, and forwards new acts to live connections.
pub(crate) struct OperatorActs {
    store: Arc<dyn Store>,
    sender: broadcast::Sender<Arc<[String]>>,
}

/// Receiver of notices about operators' acts, such as the closing of an account, for one live connection.
pub(crate) struct ActReceiver(broadcast::Receiver<Arc<[String]>>);

impl OperatorActs {
    pub(crate) fn new(store: Arc<dyn Store>) -> Self {
        Self { store, sender: broadcast::Sender::new(WAITING) }
    }

    pub(crate) fn subscribe(&self) -> ActReceiver {
        ActReceiver(self.sender.subscribe())
    }

    /// Forwards new operators' acts, such as the closing of an account, to the live connections until the server stops.
    pub(crate) async fn run(&self, stop: CancellationToken) {
        let mut failures = FailureLog::default();
        while tokio::time::timeout(INTERVAL, stop.cancelled()).await.is_err() {
            if self.sender.receiver_count() == 0 {
                continue;
            }
            let targets = self.store.act_targets(TOLD).await.map_err(ApiError::from);
            if let Some(targets) = failures.note(targets) {
                self.tell(targets);
            }
        }
    }

    /// Sends the targets (matches, persons, browsers or events) of recent acts of operators to all live connections in a single notice.
    /// Many acts thus do not overflow the queue. The target of an event, with its host, concerns no connection.
    fn tell(&self, targets: Vec<String>) {
        if !targets.is_empty() {
            // An error of `send` is ignored, because it means only that no live connection is open.
            let _ = self.sender.send(targets.into());
        }
    }
}

impl ActReceiver {
    /// Waits for a notice of an operator's act on the given match, or on a person or browser with one of the given identities. The notices
    /// also tell of a browser's change of person and of its sign-out.
    pub(crate) async fn concerning(&mut self, id: &str, holders: [Option<Holder>; 2]) {
        loop {
            match self.0.recv().await {
                Ok(targets) => {
                    let concerns = |target: &String| {
                        let holder = Holder::parse(target);
                        target.starts_with(id) || (holder.is_some() && holders.contains(&holder))
                    };
                    if targets.iter().any(concerns) {
                        return;
                    }
                }
                Err(broadcast::error::RecvError::Lagged(_)) => return,
                // The service that reads the operators' acts has stopped, so that no further notice of an act will come.
                Err(broadcast::error::RecvError::Closed) => std::future::pending().await,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;
    use crate::settings::Limits;
    use crate::simulation::memory_link::Direct;
    use crate::simulation::memory_store::{MemoryStore, Tables};

    #[test]
    fn many_acts_on_others_do_not_concern_a_connection() {
        let store = MemoryStore::new(Tables::new(&Limits::default()), Direct);
        let acts = OperatorActs::new(Arc::new(store));
        let mut receiver = acts.subscribe();
        let holders = [Some(Holder([1; 32])), None];
        let mut concerning =
            || receiver.concerning("match", holders).now_or_never().map(|()| "concerned");
        let others: Vec<String> = (2..=255).map(|byte| Holder([byte; 32]).to_string()).collect();
        assert!(others.len() > WAITING);
        acts.tell(others.clone());
        assert_eq!(concerning(), None);
        for target in [Holder([1; 32]).to_string(), "match player a".to_owned()] {
            acts.tell(others.iter().cloned().chain([target]).collect());
            assert_eq!(concerning(), Some("concerned"));
            assert_eq!(concerning(), None);
        }
    }
}
