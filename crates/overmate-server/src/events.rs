//! Notifies waiting requests and live connections that a match has changed. An event may be lost or late; the store is the truth.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;

/// Event bus that notifies subscribers of the changes of matches.
pub(crate) trait Events: Send + Sync + 'static {
    /// Publishes that the match with this id has changed, with its new sequence number.
    fn publish(&self, id: &str, sequence: u64);

    /// Returns a receiver that gets the sequence number of the match with this id after each change. The value is the latest published sequence
    /// number; 0 before the first change.
    fn subscribe(&self, id: &str) -> watch::Receiver<u64>;
}

/// Smallest number of event channels at which channels without a receiver are removed.
const CLEANING_SIZE: usize = 1_024;

/// Event channels within this process: the latest sequence number of each match, by match id.
#[derive(Clone, Default)]
pub(crate) struct InProcess(Arc<Mutex<HashMap<Box<str>, watch::Sender<u64>>>>);

impl InProcess {
    /// Returns the ids of the matches for whose changes somebody waits.
    pub(crate) fn watched(&self) -> Vec<String> {
        let matches = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let watched = matches.iter().filter(|(_, sender)| sender.receiver_count() > 0);
        watched.map(|(id, _)| id.to_string()).collect()
    }
}

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
        // Removal at powers of two takes constant amortised time.
        if matches.len().is_power_of_two() && matches.len() >= CLEANING_SIZE {
            matches.retain(|_, sender| sender.receiver_count() > 0);
        }
        matches.entry(id.into()).or_insert_with(|| watch::Sender::new(0)).subscribe()
    }
}
