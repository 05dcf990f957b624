//! Notifies long-polling requests and live connections of changes to matches. Lost or late events do no harm, because the store holds every
//! change.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;

/// Event bus that notifies subscribers of changes to matches.
pub(crate) trait Events: Send + Sync + 'static {
    /// Publishes the new sequence number of a changed match. [`u64::MAX`] means that the match was removed.
    fn publish(&self, id: &str, sequence: u64);

    /// Returns a receiver for the sequence numbers of the event channel with the given id. The channel reports the changes of a match, of
    /// the chat of a match, of an arena or Swiss event, or of the lobby.
    fn subscribe(&self, id: &str) -> watch::Receiver<Reached>;
}

/// Latest known sequence number on an event channel, such as the channel of a match; 0 before the first change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Reached {
    /// Largest sequence number that this process itself has stored or read for the event channel.
    known: u64,
    /// Largest sequence number that a notice of another server has reported for the event channel. The number may be wrong.
    hinted: u64,
}

impl Reached {
    /// Returns the sequence number of the latest change that this process knows or that another server has reported. A reader of the store
    /// must reach this number to see every reported change.
    pub(crate) fn sequence(self) -> u64 {
        self.known.max(self.hinted)
    }
}

/// Id of the lobby's event channel, which belongs to no match. The sequence number of this channel is the version of the offers.
pub(crate) const LOBBY: &str = "lobby";

/// Name prefix of the event channels that report chat messages between the players of a match. The sequence numbers of such a
/// channel are the numbers of the chat messages.
const TALK: &str = "talk-";

/// Returns the name of the event channel that reports chat messages between the players of a match.
pub(crate) fn talk_of(id: &str) -> String {
    format!("{TALK}{id}")
}

/// Name prefix of the event channels that report the changes of an arena or Swiss event. The sequence numbers of such a channel
/// are the versions of the event.
const EVENT: &str = "event-";

/// Returns the name of the channel that reports the changes of an arena or Swiss event.
pub(crate) fn event_of(id: &str) -> String {
    format!("{EVENT}{id}")
}

/// Minimum number of event channels in this process at which a new subscription removes unused channels.
const CLEANING_SIZE: usize = 1_024;

/// Event channels within this process, by match id or channel name. Each channel reports changes to its subscribers.
#[derive(Clone, Default)]
pub(crate) struct InProcess(Arc<Mutex<HashMap<Box<str>, watch::Sender<Reached>>>>);

impl InProcess {
    /// Returns the ids of all matches whose event channels have a subscriber.
    pub(crate) fn watched(&self) -> Vec<String> {
        let matches = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let watched = matches.iter().filter(|(_, sender)| sender.receiver_count() > 0);
        watched
            .map(|(id, _)| id.to_string())
            .filter(|id| id != LOBBY && !id.starts_with(TALK) && !id.starts_with(EVENT))
            .collect()
    }

    /// Publishes another server's notice of a changed match, unless this process already knows the change. Even a wrong notice
    /// cannot hide a later change.
    pub(crate) fn hint(&self, id: &str, sequence: u64) {
        self.tell(id, |reached| {
            reached.hinted = sequence.max(reached.hinted);
            sequence > reached.known
        });
    }

    /// Updates the sequence numbers of an event channel, and notifies the channel's subscribers if `change` returns `true`.
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
        // Unused channels are removed only when the number of channels is a power of two, so that the removal takes constant
        // amortised time.
        if matches.len().is_power_of_two() && matches.len() >= CLEANING_SIZE {
            matches.retain(|_, sender| sender.receiver_count() > 0);
        }
        matches
            .entry(id.into())
            .or_insert_with(|| watch::Sender::new(Reached::default()))
            .subscribe()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_matches_are_read_again_and_texts_have_channels_of_their_own() {
        let events = InProcess::default();
        let _event = events.subscribe(&event_of("event"));
        let [game, talk, lobby] =
            ["match", &*talk_of("match"), LOBBY].map(|name| events.subscribe(name));
        assert_eq!(events.watched(), ["match"]);
        events.publish(&talk_of("match"), 3);
        let changed = [game, talk, lobby].map(|changes| changes.has_changed().expect("a sender"));
        assert_eq!(changed, [false, true, false]);
    }
}
