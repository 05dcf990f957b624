//! Hints that a match has changed. A hint may be lost or late: the store is the truth.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;

/// Tells who listens that a match has changed.
pub(crate) trait Events: Send + Sync + 'static {
    /// A match has reached a sequence.
    fn publish(&self, id: &str, sequence: u64);

    /// Listens to a match. The value is the latest sequence that was told, 0 if none was.
    fn subscribe(&self, id: &str) -> watch::Receiver<u64>;
}

/// Hints within this process.
#[derive(Clone, Default)]
pub(crate) struct InProcess(Arc<Mutex<HashMap<Box<str>, watch::Sender<u64>>>>);

impl Events for InProcess {
    fn publish(&self, id: &str, sequence: u64) {
        let mut matches = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sender) = matches.get(id) {
            sender.send_if_modified(|last| {
                let is_new = sequence > *last;
                *last = sequence.max(*last);
                is_new
            });
            if sender.receiver_count() == 0 {
                matches.remove(id);
            }
        }
    }

    fn subscribe(&self, id: &str) -> watch::Receiver<u64> {
        let mut matches = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // What nobody listens to any more goes when there is much of it, so that this stays quick.
        if matches.len().is_power_of_two() && matches.len() >= 1_024 {
            matches.retain(|_, sender| sender.receiver_count() > 0);
        }
        matches.entry(id.into()).or_insert_with(|| watch::Sender::new(0)).subscribe()
    }
}
