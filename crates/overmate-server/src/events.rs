//! Notifies waiting requests and live connections that a match has changed. An event may be lost or late; the store is the truth.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;

/// Event bus that notifies subscribers of the changes of matches.
pub(crate) trait Events: Send + Sync + 'static {
    /// Publishes that the match with this id has changed, with its new sequence number. [`u64::MAX`] tells that the match was removed.
    fn publish(&self, id: &str, sequence: u64);

    /// Returns a receiver that is notified of each change of the match with this id.
    fn subscribe(&self, id: &str) -> watch::Receiver<Reached>;
}

/// Sequence number that the log of a match has reached, as far as this process knows; 0 before the first change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Reached {
    /// Largest sequence number that this process has stored or read.
    known: u64,
    /// Largest sequence number in a notice of another server. The notice may be wrong.
    hinted: u64,
}

impl Reached {
    /// Returns the sequence number from which a reader of the store learns every change that was told.
    pub(crate) fn sequence(self) -> u64 {
        self.known.max(self.hinted)
    }
}

/// Smallest number of event channels at which channels without a receiver are removed.
const CLEANING_SIZE: usize = 1_024;

/// Event channels within this process, by match id.
#[derive(Clone, Default)]
pub(crate) struct InProcess(Arc<Mutex<HashMap<Box<str>, watch::Sender<Reached>>>>);

impl InProcess {
    /// Returns the ids of the matches for whose changes somebody waits.
    pub(crate) fn watched(&self) -> Vec<String> {
        let matches = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let watched = matches.iter().filter(|(_, sender)| sender.receiver_count() > 0);
        watched.map(|(id, _)| id.to_string()).collect()
    }

    /// Publishes the notice of another server that a match has changed. Subscribers are notified unless this process knows the change, so that a wrong
    /// notice hides no later one.
    pub(crate) fn hint(&self, id: &str, sequence: u64) {
        self.tell(id, |reached| {
            reached.hinted = sequence.max(reached.hinted);
            sequence > reached.known
        });
    }

    /// Changes the state of a match, and notifies its subscribers if the function says so.
    fn tell(&self, id: &str, change: impl FnOnce(&mut Reached) -> bool) {
        let mut matches = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sender) = matches.get(id) {
            sender.send_if_modified(change);
            if sender.receiver_count() == 0 {
                matches.remove(id);
            }
        }
    }
}

impl Events for InProcess {
    fn publish(&self, id: &str, sequence: u64) {
        self.tell(id, |reached| {
            let is_new = sequence > reached.known;
            reached.known = sequence.max(reached.known);
            is_new
        });
    }

    fn subscribe(&self, id: &str) -> watch::Receiver<Reached> {
        let mut matches = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Removal at powers of two takes constant amortised time.
        if matches.len().is_power_of_two() && matches.len() >= CLEANING_SIZE {
            matches.retain(|_, sender| sender.receiver_count() > 0);
        }
        matches
            .entry(id.into())
            .or_insert_with(|| watch::Sender::new(Reached::default()))
            .subscribe()
    }
}
