//! Sends changes of matches, chats, arenas, Swiss events and the lobby between servers as notices over a message channel. The
//! channel also carries messages about rooms.
//!
//! A notice is only a hint, because it can get lost with the server or the connection. Therefore
//! each server also reads the last sequence numbers of the watched matches at regular intervals.

use std::collections::HashMap;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::sync::{mpsc, watch};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::events::{Events, InProcess, Reached};
use crate::presence::{RoomMessage, Rooms};
use crate::store::Store;
use crate::telemetry;

/// Interval at which the server rereads the logs of all watched matches.
pub(crate) const REREAD_INTERVAL: Duration = Duration::from_secs(3);

/// Pause between two attempts to connect to the channel that carries notices between the servers.
pub(crate) const RECONNECT_INTERVAL: Duration = Duration::from_secs(1);

/// Maximum number of changes that this server reports to the other servers in one batch of notices. When the server stops, it sends all
/// remaining changes in one batch.
const BATCH: usize = 512;

/// Maximum size of a notice in bytes, below the payload limit of PostgreSQL.
const NOTICE: usize = 7_900;

/// Maximum number of watched matches in one database query, which reads the last sequence number of each match.
const MATCHES: usize = 1_000;

/// Message channel that carries notices from this server to the other servers.
pub(crate) trait Carrier: Send + Sync + 'static {
    /// Sends notices to the other servers. Without a connection, the carrier drops the notices.
    fn send(&self, notices: Vec<String>)
    -> BoxFuture<'_, Result<(), Box<dyn Error + Send + Sync>>>;
}

/// Event bus that reports the changes of matches, chats, arenas, Swiss events and the lobby to subscribers in this process and to
/// other servers.
pub(crate) struct SharedEvents {
    local: InProcess,
    /// Queue of changes to matches, chats, arenas, Swiss events and the lobby that this server must report to the other servers.
    changes: mpsc::UnboundedSender<(Box<str>, u64)>,
}

impl SharedEvents {
    /// Starts to send this server's changes to the other servers, and to reread the logs of all watched matches at an interval.
    pub(crate) fn start(
        local: InProcess,
        carrier: impl Carrier,
        store: Arc<dyn Store>,
        (stop, tasks): (&CancellationToken, &TaskTracker),
        interval: Duration,
    ) -> Self {
        let (changes, queue) = mpsc::unbounded_channel();
        tasks.spawn(tell(carrier, queue, stop.clone()));
        let rereading = reread_again_and_again(local.clone(), store, interval);
        tasks.spawn(until(stop.clone(), rereading));
        Self { local, changes }
    }
}

impl Events for SharedEvents {
    fn publish(&self, id: &str, sequence: u64) {
        self.local.publish(id, sequence);
        // An error of `send` is ignored, because the receiver is dropped only when the server stops.
        let _ = self.changes.send((id.into(), sequence));
    }

    fn subscribe(&self, id: &str) -> watch::Receiver<Reached> {
        self.local.subscribe(id)
    }
}

/// Runs a future until the future completes or the server stops.
pub(crate) async fn until(stop: CancellationToken, work: impl Future<Output = ()>) {
    tokio::select! {
        () = work => {}
        () = stop.cancelled() => {}
    }
}

/// Sets the metric that tells whether the message channel is connected.
pub(crate) fn report_connected(is_connected: bool) {
    telemetry::set("overmate_events_connected", is_connected.into());
}

/// Sends the queued changes of this server to the other servers. While a message is sent, further changes wait for the next
/// message, because PostgreSQL commits notices one at a time.
async fn tell(
    carrier: impl Carrier,
    mut queue: mpsc::UnboundedReceiver<(Box<str>, u64)>,
    stop: CancellationToken,
) {
    let mut batch = Vec::new();
    loop {
        let received = tokio::select! {
            received = queue.recv_many(&mut batch, BATCH) => received,
            () = stop.cancelled() => 0,
        };
        if received == 0 {
            // A server that stops still reports the queued changes of matches, chats, arenas, Swiss events and the lobby to the other
            // servers.
            while let Ok(change) = queue.try_recv() {
                batch.push(change);
            }
        }
        if !batch.is_empty() {
            match timeout(REREAD_INTERVAL, carrier.send(notices(&batch))).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => tracing::warn!(error, "some notices to other servers are lost"),
                Err(_) => tracing::warn!("no channel delivers the notices to other servers"),
            }
            batch.clear();
        }
        if received == 0 {
            return;
        }
    }
}

/// Formats the changes of matches, chats, arenas, Swiss events and the lobby as notices, with one line for each change.
fn notices(changes: &[(Box<str>, u64)]) -> Vec<String> {
    packed(changes.iter().map(|(id, sequence)| format!("{id} {sequence}\n")))
}

/// Packs lines of text, each with its line break, into notices below the payload limit of PostgreSQL.
pub(crate) fn packed(lines: impl Iterator<Item = String>) -> Vec<String> {
    let mut notices = vec![String::new()];
    for line in lines {
        match notices.last_mut() {
            Some(last) if last.len() + line.len() <= NOTICE => last.push_str(&line),
            _ => notices.push(line),
        }
    }
    notices
}

/// Parses the changes in another server's notice. Lines that this version of the server cannot read are skipped.
fn changes(notice: &str) -> impl Iterator<Item = (&str, u64)> {
    notice.lines().filter_map(|line| {
        let (id, sequence) = line.split_once(' ')?;
        Some((id, sequence.parse().ok()?))
    })
}

/// Tells the subscribers in this process of the changes that a notice from another server reports. Messages about the presence and the chat
/// phrases of players go to the match rooms.
pub(crate) fn hear(local: &InProcess, rooms: &Rooms, notice: &str) {
    for (id, sequence) in changes(notice) {
        local.hint(id, sequence);
    }
    for message in notice.lines().filter_map(RoomMessage::of_line) {
        rooms.hear(message);
    }
}

async fn reread_again_and_again(local: InProcess, store: Arc<dyn Store>, interval: Duration) {
    loop {
        sleep(interval).await;
        reread(&local, &*store).await;
    }
}

/// Reads the last sequence number of each watched match from the store, and notifies the subscribers to the matches.
pub(crate) async fn reread(local: &InProcess, store: &dyn Store) {
    for ids in local.watched().chunks(MATCHES) {
        let found = match store.sequences(ids.to_vec()).await {
            Ok(found) => HashMap::<String, u64>::from_iter(found),
            Err(error) => {
                tracing::debug!(%error, "the watched matches cannot be read");
                return;
            }
        };
        for id in ids {
            // A watched match that the store does not find was removed. The published event makes the live connections of the match read
            // the match again and learn of the removal.
            local.publish(id, found.get(id).copied().unwrap_or(u64::MAX));
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::store::{Addition, Appended, Entry, EntryKind, MatchInfo};

    /// Timeout of a test that waits for a change of a match. Only a failing test reaches the timeout.
    const SOON: Duration = Duration::from_mins(1);

    pub(crate) const NEVER: Duration = Duration::from_hours(1);

    async fn reaches(changes: &mut watch::Receiver<Reached>, sequence: u64) {
        let is_reached = |reached: &Reached| reached.sequence() == sequence;
        let reached = timeout(SOON, changes.wait_for(is_reached)).await;
        reached.expect("the change is told").expect("the events go on");
    }

    /// Checks that server `b` is notified of the changes at server `a`. After an interruption of
    /// the carrier, `b` must find a missed change. Both servers read the logs of watched matches
    /// only after an interruption.
    pub(crate) async fn tell_each_other(
        store: &dyn Store,
        (a, b): (&SharedEvents, &SharedEvents),
        interrupt: impl FnOnce(),
    ) {
        let [one, two] = ["1", "2"].map(|digit| MatchInfo {
            id: digit.repeat(32),
            watch: digit.to_owned(),
            ..MatchInfo::sample()
        });
        for info in [&one, &two] {
            let created = store.create(info.clone(), None).await.expect("a write");
            assert_eq!(created, Appended::Stored);
        }
        // The notices of server `a` are lost until server `b` listens to notices.
        let mut heard = b.subscribe(&one.id);
        let mut sequence = 0;
        while heard.borrow().sequence() == 0 {
            sequence += 1;
            assert!(sequence < 1_000, "no notice is heard");
            a.publish(&one.id, sequence);
            // The wait for a change times out while server `b` does not yet listen to notices.
            let _ = timeout(Duration::from_millis(50), heard.changed()).await;
        }
        // After an interruption of the connection, server `b` finds a change although it received no notice of the change.
        let mut missed = b.subscribe(&two.id);
        let act = EntryKind::Act("Tc".to_owned());
        let (client_id, player) = ("1".to_owned(), overmate_rules::Player::A);
        let entry = Entry { sequence: 1, player, kind: act, client_id, at_ms: 0, given_ms: 0 };
        let appended = store.append(Addition::of(&two.id, entry)).await;
        assert_eq!(appended.expect("a write"), Appended::Stored);
        assert_eq!(*missed.borrow_and_update(), Reached::default());
        interrupt();
        reaches(&mut missed, 1).await;
    }

    /// Checks that a server finds a missed change by rereading the log, without a notice. The change is the one that
    /// [`tell_each_other`] makes.
    pub(crate) async fn reads_again(c: &SharedEvents) {
        reaches(&mut c.subscribe(&"2".repeat(32)), 1).await;
        reaches(&mut c.subscribe(&"3".repeat(32)), u64::MAX).await;
    }

    #[test]
    fn a_wrong_notice_hides_no_later_change() {
        let (local, rooms) = (InProcess::default(), Rooms::default());
        let mut changes = local.subscribe("a");
        let mut told = |sequence| {
            let is_told = changes.has_changed().expect("the events go on");
            is_told && changes.borrow_and_update().sequence() >= sequence
        };
        hear(&local, &rooms, &format!("a {}\n", u64::MAX));
        assert!(told(u64::MAX));
        for sequence in (1..10).step_by(2) {
            hear(&local, &rooms, &format!("a {sequence}\n"));
            assert!(told(sequence), "a notice of another server");
            local.publish("a", sequence + 1);
            assert!(told(sequence + 1), "a change at this server");
            // A notice has no effect if the server already knows all changes in the notice.
            hear(&local, &rooms, &format!("a {}\na {sequence}\n", sequence + 1));
            local.publish("a", sequence + 1);
            assert!(!told(0));
        }
    }

    #[test]
    fn notices_are_split_below_the_limit_and_read_again() {
        let id = "0123456789abcdef".repeat(2);
        let all: Vec<(Box<str>, u64)> =
            (0..1_000).map(|sequence| (id.as_str().into(), u64::MAX - sequence)).collect();
        let notices = notices(&all);
        assert!(notices.len() > 1 && notices.iter().all(|notice| notice.len() < 8_000));
        let read = notices.iter().flat_map(|notice| changes(notice));
        assert!(read.eq(all.iter().map(|(id, sequence)| (&**id, *sequence))));
        // Servers of earlier versions parse each line of a notice as an id and a sequence number. They therefore skip messages about match
        // rooms.
        let lines = "of a later version\nid 7 more\nroom {\"server\":7,\"t\":\"left\"}\nid 8\n";
        assert_eq!(changes(lines).collect::<Vec<_>>(), [("id", 8)]);
    }
}
